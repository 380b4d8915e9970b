"""Compares two texts line by line, in time that grows with them and no faster.

What they have in common at both ends is cut off first, and what is left is divided at the lines
that stand once in each. Only between those is every line held against every other, and only where
there are few; a longer stretch counts as taken out and put in, whole.
"""

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.text.prefixes import shared
from assent.gate.values import frozen

__all__ = ["CONTEXT_LINES", "MAX_LINES", "Difference", "Differences", "Line", "between"]

CONTEXT_LINES: Final = 3
"""Unchanged lines shown before and after a change."""

MAX_LINES: Final = 20_000
"""Where more lines than these may differ, they are one piece taken out and one put in."""

_MAX_STRETCH_LINES: Final = 200
_MAX_PAIRS_COMPARED: Final = 200_000
"""So many pairs of lines are held against each other at most."""

Line = tuple[str, bool]
"""A line's text, and whether a line break ends it; only the last one of a file may lack it."""

Difference = tuple[str, int, int, int, int]
"""What becomes of which old lines, and which new ones they become, as `difflib` writes it."""


@frozen(kw_only=True)
class Differences:
    """Two texts where they differ, with a few lines around."""

    before: int
    """How many lines of both stand before the first of these."""
    old: list[Line]
    new: list[Line]
    """The first `MAX_LINES` of them."""
    groups: list[list[Difference]]


def between(old: str, new: str) -> Differences:
    """The differences of two texts."""
    if old == new:
        return Differences(before=0, old=[], new=[], groups=[])
    start, end = _apart(old, new)
    parts = old[start : len(old) - end], new[start : len(new) - end]
    counts = _count(parts[0]), _count(parts[1])
    lines = _lines(parts[0]), _lines(parts[1])
    compared = max(counts) <= MAX_LINES
    return Differences(
        before=old.count("\n", 0, start),
        old=lines[0],
        new=lines[1],
        groups=_compared(*lines) if compared else [[("replace", 0, counts[0], 0, counts[1])]],
    )


def _apart(old: str, new: str) -> tuple[int, int]:
    """How much of both is equal at the beginning and at the end, in whole lines, less a few."""
    shorter = min(len(old), len(new))
    start = old.rfind("\n", 0, shared(old, new, shorter)) + 1
    # The line in which they begin to be equal is none that is equal.
    end = _without_a_line(old, shared(old[::-1], new[::-1], shorter - start))
    for _ in range(CONTEXT_LINES):
        start = old.rfind("\n", 0, max(start - 1, 0)) + 1
        end = _without_a_line(old, end)
    return start, end


def _without_a_line(text: str, end: int) -> int:
    """What is left of the last so many letters behind the first line break in them."""
    broken = text.find("\n", len(text) - end)
    return len(text) - broken - 1 if broken >= 0 else 0


def _count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _lines(text: str) -> list[Line]:
    *ended, last = text.split("\n", MAX_LINES)
    return [*((line, True) for line in ended), *([(last, False)] if last else [])][:MAX_LINES]


def _compared(old: list[Line], new: list[Line]) -> list[list[Difference]]:
    matcher = _Divided(a=old, b=new, autojunk=False)
    matcher.blocks = [*_joined(_stretches(old, new)), difflib.Match(len(old), len(new), 0)]
    return [list(group) for group in matcher.get_grouped_opcodes(CONTEXT_LINES)]


class _Divided(difflib.SequenceMatcher[Line]):
    """Has been told what both texts have in common."""

    blocks: list[difflib.Match]

    def get_matching_blocks(self) -> list[difflib.Match]:
        return self.blocks


def _joined(stretches: Iterable[tuple[int, int, int]]) -> list[difflib.Match]:
    """Join the stretches that touch."""
    blocks = [difflib.Match(0, 0, 0)]
    for old, new, size in stretches:
        last = blocks[-1]
        if (last.a + last.size, last.b + last.size) == (old, new):
            blocks[-1] = difflib.Match(last.a, last.b, last.size + size)
        else:
            blocks.append(difflib.Match(old, new, size))
    return blocks


def _stretches(old: Sequence[Line], new: Sequence[Line]) -> Iterator[tuple[int, int, int]]:
    """The stretches that stand in both, in order: where in the old, where in the new, how many."""
    left = _MAX_PAIRS_COMPARED
    single = _in_order(_single(old, new))
    for (old_from, new_from), (old_to, new_to) in pairwise(
        [(-1, -1), *single, (len(old), len(new))]
    ):
        some, others = old[old_from + 1 : old_to], new[new_from + 1 : new_to]
        work = len(some) * len(others)
        if work <= left and max(len(some), len(others)) <= _MAX_STRETCH_LINES:
            left -= work
            for match in _plainly(some, others):
                yield old_from + 1 + match.a, new_from + 1 + match.b, match.size
        if old_to < len(old) and new_to < len(new):
            yield old_to, new_to, 1


def _plainly(some: Sequence[Line], others: Sequence[Line]) -> list[difflib.Match]:
    return difflib.SequenceMatcher(a=some, b=others, autojunk=False).get_matching_blocks()[:-1]


def _single(old: Sequence[Line], new: Sequence[Line]) -> list[tuple[int, int]]:
    """Where the lines stand that are once in each, in the order of the old text."""
    times, others = Counter(old), Counter(new)
    places = {line: at for at, line in enumerate(new) if times[line] == others[line] == 1}
    return [(at, places[line]) for at, line in enumerate(old) if line in places]


def _in_order(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of these that is in the order of the new text as well."""
    ends: list[int] = []
    chosen: list[int] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(chosen[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        chosen[length : length + 1] = [at]
    backwards = []
    at = chosen[-1] if chosen else -1
    while at >= 0:
        backwards.append(pairs[at])
        at = before[at]
    return backwards[::-1]
