"""Remembers for each run how far the file of the chats had grown when it wrote last.

A count alone is passed by whoever writes on, also from an older copy. So the file tells, under its
seal, the count of each run's last write: a run misses its own, and a mark that is kept elsewhere
the one that it was taken at, however far the file has come since.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from assent.gate.values import frozen

__all__ = ["RUNS", "Mark", "fewer", "read_runs", "told_runs"]

RUNS: Final = r"(?: [A-Za-z0-9._-]{1,128}=[0-9]{1,15})*"
"""How they are told behind the number of the file."""
_MARK: Final = re.compile(r"([0-9]{1,15})(?: ([A-Za-z0-9._-]{1,128}))?")
_MAX_ENDED_RUNS: Final = 64
"""So many runs that have ended are known; the mark of the last one is kept with the key."""


@frozen
class Mark:
    """How often the file had surely been written, and by whom last."""

    writes: int = 0
    run: str = ""
    """Nothing where that was not kept yet."""

    @classmethod
    def read(cls, text: str | None) -> "Mark":
        """What was kept; none where it is none."""
        match = _MARK.fullmatch(text or "")
        return cls(int(match[1]), match[2] or "") if match else cls()

    def __str__(self) -> str:
        """How it is kept."""
        return f"{self.writes} {self.run}".rstrip()

    def is_in(self, writes: int, runs: Mapping[str, int]) -> bool:
        """Whether a file that tells this has come on from there."""
        return writes >= self.writes and (not self.run or runs.get(self.run, 0) >= self.writes)


def told_runs(runs: Mapping[str, int]) -> str:
    """How the runs are told."""
    return "".join(f" {run}={writes}" for run, writes in sorted(runs.items()))


def read_runs(text: str) -> dict[str, int]:
    """Parse what `told_runs` wrote."""
    pairs = (pair.rpartition("=") for pair in text.split())
    return {run: int(writes) for run, _, writes in pairs}


def fewer(runs: Mapping[str, int], lives: Callable[[str], bool]) -> dict[str, int]:
    """All that still run, and of the others those that wrote last."""
    newest = sorted(runs, key=lambda run: -runs[run])
    return {
        run: runs[run]
        for at, run in enumerate(newest)
        if run and (at < _MAX_ENDED_RUNS or lives(run))
    }
