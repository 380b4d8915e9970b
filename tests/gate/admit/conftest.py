"""The scene that each test of the gate plays in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.admit.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A gate; whatever happened at it, nothing was carried out that the journal does not allow."""
    scene = Scene(tmp_path)
    yield scene
    scene.journal.close()
    assert scene.unrecorded == []
    assert all(times == 1 for times in scene.entered.values())
    assert scene.room.tickets == ()
    assert scene.ledger._standing == {}
