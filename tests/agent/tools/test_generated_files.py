"""What was made is written where it holds up nobody, and not at all where it is not wanted."""

import asyncio
import threading

import pytest

from agent.tools.workbench import Workbench, names
from assent.agent.tools import generated_files
from assent.agent.tools.file_writes import create
from assent.agent.tools.generated_files import Forms, kept
from assent.agent.tools.tool import NewFile, ToolFailed
from assent.gate.call.calls import Target

FORMS = Forms(what="a sound", by_ending={".wav": ("wav", lambda it: it.startswith(b"RIFF"))})
MADE = b"RIFF and more"


class Held:
    """Writing that goes on when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._begun = asyncio.Event()
        self.may_go_on = threading.Event()
        self._loop = asyncio.get_running_loop()
        monkeypatch.setattr(generated_files, "create", self._create)

    async def writing(self, where: Target) -> asyncio.Task[NewFile]:
        """A file that has begun to be written."""
        task = asyncio.create_task(kept(MADE, where, FORMS))
        begun = asyncio.create_task(self._begun.wait())
        await asyncio.wait([task, begun], return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        return task

    def _create(self, new: NewFile, data: bytes) -> None:
        assert threading.current_thread() is not threading.main_thread(), "others are held up"
        self._loop.call_soon_threadsafe(self._begun.set)
        self.may_go_on.wait()
        create(new, data)


def target(work: Workbench) -> Target:
    return work.bench.places().locate("kite.wav", str(work.root))


async def test_nobody_is_held_up_while_a_file_is_written(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    writing = await held.writing(target(work))
    held.may_go_on.set()
    assert (await writing).size == len(MADE)
    assert (work.root / "kite.wav").read_bytes() == MADE


async def test_of_a_call_that_is_stopped_while_it_writes_nothing_stays(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    writing = await held.writing(target(work))
    writing.cancel()
    held.may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert names(work.root) == []


async def test_a_file_that_is_there_stays_where_a_call_is_stopped_while_it_writes(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    where = target(work)
    (work.root / "kite.wav").write_bytes(MADE)
    writing = await held.writing(where)
    writing.cancel()
    held.may_go_on.set()
    with pytest.raises((asyncio.CancelledError, ToolFailed)):
        await writing
    assert (work.root / "kite.wav").read_bytes() == MADE
