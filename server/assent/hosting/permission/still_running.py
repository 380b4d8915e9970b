"""Whether something that a stopped call started still runs below its agent.

An agent that is told to stop may leave a command running and say that all is over. It lives on as
long as the agent does, so what is said of such a call is looked up and not believed.
"""

import asyncio
import os
import time
from pathlib import Path
from typing import Final

from assent.gate.processes.family import Family

__all__ = ["moment", "still_running"]

_MAX_PIDS: Final = 50
_GRACE_S: Final = 0.5
"""Seconds for what was ended a moment ago to be gone."""
_START_TIME_FIELD: Final = 19
"""Which word of `stat`, behind the name, says when a process began."""
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


def moment() -> float:
    """Now, by the clock that the beginnings of processes are told by."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


async def still_running(keeper: int | None, since: float) -> list[str]:
    """What began below an agent's keeper since a moment and does not end: names and numbers."""
    if keeper is None or not hasattr(os, "pidfd_open"):
        return []
    pids = await asyncio.to_thread(_begun_since, keeper, since)
    gone = await asyncio.gather(*(_ends(pid) for pid in pids[:_MAX_PIDS]))
    left = [pid for pid, is_gone in zip(pids, gone, strict=False) if not is_gone]
    return [f"`{_name_of(pid)}` (process {pid})" for pid in left]


def _begun_since(keeper: int, since: float) -> list[int]:
    members = sorted(Family(root=keeper, group=None).members())
    # A tick is the least that can be told, so one that began in the same tick counts.
    return [pid for pid in members if _start_of(pid) >= since - _TICK]


def _start_of(pid: int) -> float:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return -1.0
    return int(stat.rpartition(b")")[2].split()[_START_TIME_FIELD]) * _TICK


async def _ends(pid: int) -> bool:
    """Whether a process is gone within the grace."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return True
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, over.set)
    try:
        async with asyncio.timeout(_GRACE_S):
            await over.wait()
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    return True


def _name_of(pid: int) -> str:
    try:
        name = Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
    except OSError:
        name = ""
    return "".join(char for char in name if char.isprintable() and char != "`") or "a program"
