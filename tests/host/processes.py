"""Finds every process that a start has brought about, and ends them.

A mark in the environment is inherited by children and orphans alike; what runs without it, in an
environment of its own, is found below a marked process (see `launch`).
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from .waiting import until

MARK = "ASSENT_HOST_RUN"

_PROC = Path("/proc")
_GONE_WITHIN = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Process:
    """A process as it was seen; the time of its start tells it from a later one of its number."""

    pid: int
    started: int
    # These two change in the life of a process, when its parent dies and when it executes.
    parent: int = field(compare=False)
    command: str = field(compare=False)


def family(mark: str) -> frozenset[Process]:
    """All living processes that carry the mark, and all that descend from one of them."""
    everybody = tuple(_living())
    found = {process for process in everybody if _carries(process.pid, mark)}
    while True:
        pids = {process.pid for process in found}
        children = {process for process in everybody if process.parent in pids} - found
        if not children:
            return frozenset(found)
        found |= children


def living(processes: frozenset[Process]) -> frozenset[Process]:
    """Those of the processes that still run."""
    return frozenset(process for process in processes if _read(process.pid) == process)


def end(mark: str, *, patience: float) -> None:
    """Ask the whole family to go, wait a while, and kill who is still there."""
    known = family(mark)
    _signal(known, signal.SIGTERM)
    with suppress(TimeoutError):
        until(lambda: not living(known), within=patience, what="they go by themselves")

    def gone() -> bool:
        left = living(known) | family(mark)
        _signal(left, signal.SIGKILL)
        return not left

    until(gone, within=_GONE_WITHIN, what="no process of this editor is left")


def _signal(processes: frozenset[Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)


def _living() -> Iterator[Process]:
    for entry in _PROC.iterdir():
        if entry.name.isdecimal():
            process = _read(int(entry.name))
            if process:
                yield process


def _read(pid: int) -> Process | None:
    try:
        # The name, in brackets, may hold anything; what follows the last bracket is regular.
        fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        command = (_PROC / str(pid) / "cmdline").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    if fields[0] in "ZX":
        return None
    words = command.replace("\0", " ").strip()
    return Process(pid=pid, parent=int(fields[1]), started=int(fields[19]), command=words)


def _carries(pid: int, mark: str) -> bool:
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return False
    return f"{MARK}={mark}".encode() in environment.split(b"\0")
