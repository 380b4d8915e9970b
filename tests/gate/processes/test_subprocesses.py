"""What Assent starts for its own work is gone in the end, whoever breaks off when."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.gate.processes import subprocesses
from assent.gate.processes.keeper_start import begun, ended, kept
from assent.gate.processes.process import Leash
from assent.gate.processes.subprocesses import killed_on_exit, start_program
from tables import each_row

_STARTS_ANOTHER = "exec 9>$0/held; sleep 1000 & echo > $0/begun; wait"


def _children() -> set[str]:
    main = threading.main_thread().native_id
    return set(Path(f"/proc/self/task/{main}/children").read_text().split())


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    """Says that there is nothing (`b""`) once nobody is left that was started."""
    os.mkfifo(tmp_path / "begun")
    os.mkfifo(tmp_path / "held")
    file = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    yield file
    os.close(file)


async def _use(folder: Path) -> None:
    async with killed_on_exit(await start_program("sh", "-c", _STARTS_ANOTHER, str(folder))):
        await asyncio.Event().wait()


async def _keep(folder: Path) -> None:
    leash = Leash(folder=os.open(folder, os.O_RDONLY))
    process = await kept(leash, 1024)
    await begun(leash, process, ["sleep", "sleep", "1000"], {"PATH": os.defpath})
    await ended(leash, process, 0)
    await asyncio.Event().wait()


async def _turned(times: int) -> None:
    """Let the loop turn so often."""
    for _ in range(times):
        await asyncio.sleep(0)


async def _over(task: "asyncio.Task[None]") -> None:
    done, _ = await asyncio.wait([task], timeout=20)
    assert done
    assert task.cancelled()


@each_row("turns", range(12))
async def test_no_keeper_is_left_whenever_its_start_is_broken_off(
    turns: int, tmp_path: Path
) -> None:
    before = _children()
    task = asyncio.create_task(_keep(tmp_path))
    await _turned(turns)
    task.cancel()
    await _over(task)
    assert _children() <= before


@pytest.mark.parametrize("more", [(), (1,), (2,), (3,), (1, 1, 1)])
@pytest.mark.parametrize("turns", range(12))
async def test_nothing_is_left_however_often_its_start_is_broken_off(
    turns: int, more: tuple[int, ...], tmp_path: Path, held: int
) -> None:
    before = _children()
    task = asyncio.create_task(_use(tmp_path))
    await _turned(turns)
    if _children() - before:
        (tmp_path / "begun").read_text()
    task.cancel()
    for again in more:
        await _turned(again)
        task.cancel()
    await _over(task)
    assert os.read(held, 1) == b""
    assert _children() <= before


async def test_one_whose_time_is_over_as_it_starts_is_told_so(tmp_path: Path, held: int) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await _use(tmp_path)
    assert os.read(held, 1) == b""


async def test_whoever_left_its_session_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subprocesses, "_PIPES_TIMEOUT_S", 0.01)
    read, write = os.pipe()
    leaves = (
        "import os\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "print('left', flush=True)\n"
        "open(0).read()"
    )
    process = await start_program(sys.executable, "-c", leaves, stdin=read)
    os.close(read)
    async with killed_on_exit(process):
        assert process.stdout is not None
        assert await process.stdout.readline() == b"left\n"
    # It is there still, and reads.
    assert os.write(write, b".") == 1
    os.close(write)


async def test_what_cannot_be_started_says_why(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await start_program(str(tmp_path / "none"))
