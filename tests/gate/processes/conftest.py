"""Stands to start commands at, and proof that nothing is left of them."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from gate.processes.stand import BOUND, Hour, Stand, gone


def _open() -> int:
    """How many descriptors are open, where the system tells."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


@pytest.fixture
async def stand(tmp_path: Path) -> AsyncIterator[Stand]:
    """A stand in the time of the clock."""
    async for it in _one(Stand(folder=tmp_path)):
        yield it


@pytest.fixture
def hour() -> Hour:
    """Time that stands still until the test moves it."""
    return Hour()


@pytest.fixture
async def still(tmp_path: Path, hour: Hour) -> AsyncIterator[Stand]:
    """A stand in that time."""
    async for it in _one(Stand(folder=tmp_path, later=hour)):
        yield it


async def _one(stand: Stand) -> AsyncIterator[Stand]:
    open_before, children = _open(), set(psutil.Process().children())
    yield stand
    await stand.shell_registry.end()
    for thread in threading.enumerate():
        if thread.name.startswith("shell "):
            await asyncio.to_thread(thread.join, BOUND)
            assert not thread.is_alive()
    # What an earlier test left may have been closed meanwhile.
    assert _open() <= open_before
    for child in set(psutil.Process().children()) - children:
        await gone(child.pid)
    assert [
        it.state.value for it in stand.shell_registry.shells if it.state.value == "running"
    ] == []
