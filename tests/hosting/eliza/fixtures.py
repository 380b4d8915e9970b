"""A fleet with a real gate behind it, and agents to put in it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.odd import maker
from hosting.eliza.rig import Rig

__all__ = ["rig", "scripted"]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """A rig that speaks with Eliza, unless the test says otherwise."""
    root = tmp_path / "workspace"
    root.mkdir()
    rig = Rig(root=root)
    async with rig.fleet:
        yield rig
    rig.journal.close()
    assert rig.gate.room.tickets == ()


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., AgentSpec]:
    """Makes an agent of a few lines; it speaks in the session `s`."""
    return maker(tmp_path)
