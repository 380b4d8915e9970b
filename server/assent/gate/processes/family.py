"""Finds and ends all descendants of a process, including those that left its group and session.

On Linux `/proc` tells: who descends from the root, and who carries the mark that the first of
them was started with. Elsewhere it is a process group alone. Every command starts with this, so
it takes nothing that is slow to load.
"""

import os
import signal
import time
from collections.abc import Callable

__all__ = ["MARK", "Family"]

MARK = "ASSENT_RUN"
"""The variable whose value is unique to one run, and which children inherit."""

_PROC = "/proc"
_MAX_ROUNDS, _MIN_ROUNDS = 6, 3
"""How often the family is looked for when it is killed: it may grow meanwhile, and who is just
becoming another program has no variables for a moment."""
_ROUND_PAUSE_S = 0.02
"""In seconds."""


class Family:
    """The processes that come from one."""

    def __init__(self, *, root: int | None, group: int | None, mark: str = "") -> None:
        self._root = root
        """Who is no member, but all of whose descendants are."""
        self._group = group
        """The first member, and its group where nothing else can be told."""
        self._mark = f"{MARK}={mark}".encode() if mark else b""

    def members(self) -> set[int]:
        """Those that can be found now."""
        parents = _parents()
        family = {pid for pid in parents if pid == self._root or self._is_marked(pid)}
        while more := {pid for pid, parent in parents.items() if parent in family} - family:
            family |= more
        return family - {self._root, os.getpid()}

    def signal(self, number: int) -> bool:
        """Send all of them a signal; whether there was anybody."""
        if not _tells():
            return self._group is not None and _reached(os.killpg, self._group, number)
        # Who started others hears of it first, before their end lets it go on.
        reached = [_reached(os.kill, pid, number) for pid in sorted(self.members())]
        return any(reached)

    def signal_inside(self, wall: int, number: int) -> None:
        """Send a signal to those who do not run the program that `wall` runs."""
        own = _program_of(wall)
        for pid in sorted(self.members()):
            if _program_of(pid) not in (own, None):
                _reached(os.kill, pid, number)

    def kill(self) -> None:
        """End all of them, which takes a moment."""
        for times in range(_MAX_ROUNDS):
            if not self.signal(signal.SIGKILL) and times >= _MIN_ROUNDS:
                return
            time.sleep(_ROUND_PAUSE_S)

    def _is_marked(self, pid: int) -> bool:
        return self._mark != b"" and self._mark in _read(f"{_PROC}/{pid}/environ").split(b"\0")


def _reached(send: Callable[[int, int], None], number: int, what: int) -> bool:
    try:
        send(number, what)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _program_of(pid: int) -> tuple[int, int] | None:
    """The file that a process runs; None where that is not told."""
    try:
        facts = os.stat(f"{_PROC}/{pid}/exe")  # noqa: PTH116 -- pathlib is slow to load
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _tells() -> bool:
    return os.path.isdir(f"{_PROC}/self")  # noqa: PTH112 -- pathlib is slow to load


def _parents() -> dict[int, int]:
    """Who started whom, of all processes; nothing where the system does not tell."""
    if not _tells():
        return {}
    pids = [name for name in os.listdir(_PROC) if name.isdigit()]  # noqa: PTH208 -- as above
    stats = {int(pid): _read(f"{_PROC}/{pid}/stat") for pid in pids}
    # The name in brackets may itself hold blanks and brackets, so the last one counts.
    return {pid: int(stat.rpartition(b")")[2].split()[1]) for pid, stat in stats.items() if stat}


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 -- as above
            return file.read()
    except OSError:
        return b""
