"""Counts and times in series; closed sets of words limit how many there are.

They only grow, from the start of this run. So what a collector missed it is told with what comes
next, and nothing has to be kept for it.
"""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from assent.gate.values import define, field

__all__ = ["BOUNDS", "Key", "Series", "Times", "key_of"]

Key = tuple[tuple[str, str], ...]
"""The words of a series, in order."""

BOUNDS: Final = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0),
)
"""Up to how many seconds each bucket goes; the last has no end."""


@define
class Times:
    """How long something took, each time that it happened."""

    count: int = 0
    total: float = 0.0
    buckets: list[int] = field(factory=lambda: [0] * (len(BOUNDS) + 1))

    def add(self, seconds: float) -> None:
        """It took so long this time."""
        self.count += 1
        self.total += seconds
        self.buckets[bisect_left(BOUNDS, seconds)] += 1


@define
class Series:
    """All that is counted and timed in a run."""

    decisions: dict[Key, int] = field(factory=dict)
    ruling: dict[Key, Times] = field(factory=dict)
    """From the proposal to the question or the decision."""
    answering: dict[Key, Times] = field(factory=dict)
    """From the question to the decision."""
    running: dict[Key, Times] = field(factory=dict)
    """From the decision to the end."""
    dropped: int = 0
    """Spans that the collector did not take, or that there was no room for any more."""

    def decide(self, words: Mapping[str, str]) -> None:
        """One more decision of that kind."""
        key = key_of(words)
        self.decisions[key] = self.decisions.get(key, 0) + 1


def key_of(words: Mapping[str, str]) -> Key:
    """The series of these words."""
    return tuple(sorted(words.items()))
