"""The table that each test of our agent plays at."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.loop.probe import Probes
from agent.loop.scene import Table, check
from assent.agent.tools import registry


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> Probes:
    """A tool of the tests among the agent's own."""
    probes = Probes()
    monkeypatch.setattr(registry, "BELT", (*registry.BELT, probes.tool))
    return probes


@pytest.fixture
async def table(tmp_path: Path, probes: Probes) -> AsyncIterator[Table]:
    """A chat; in the end nothing is left running, and what was said can be sent again."""
    table = Table(tmp_path)
    async with table.assistants:
        yield table
        check(table.turns)
    table.journal.close()
    assert table.room.tickets == ()
    assert table.ledger._standing == {}
