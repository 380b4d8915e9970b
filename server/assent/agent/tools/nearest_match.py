"""Finds the place in a text that is most like the text looked for.

It only helps a model along: how much is compared for it is bounded, whatever the text.
"""

import difflib
from heapq import nlargest
from itertools import islice
from operator import eq
from typing import Final

__all__ = ["nearest"]

_MAX_LINES: Final = 20_000
_MAX_STARTS: Final = 200
_MAX_SOUGHT_LINES: Final = 200
_MAX_LINES_SCORED: Final = 1_000
_MAX_PLACES_COMPARED: Final = 20
_MAX_LINE_LETTERS: Final = 200
_MIN_LIKENESS: Final = 0.6


def nearest(text: str, wanted: str) -> tuple[int, str] | None:
    """The line, from 1, at which something like `wanted` begins, and that line's text."""
    lines = [line[:_MAX_LINE_LETTERS] for line in text.splitlines()[:_MAX_LINES]]
    stripped = [line.strip() for line in lines]
    named = (line.strip()[:_MAX_LINE_LETTERS] for line in wanted.splitlines())
    sought = list(islice(filter(None, named), _MAX_SOUGHT_LINES))
    if not sought:
        return None
    at = _run(stripped, sought)
    if at is None:
        at = _like(stripped[:_MAX_LINES_SCORED], sought[0])
    return None if at is None else (at + 1, lines[at])


def _run(lines: list[str], sought: list[str]) -> int | None:
    """Where most of the lines stand as they follow each other, blanks aside."""
    places = [at for at, line in enumerate(lines) if line]
    written = [lines[at] for at in places]
    starts = islice((at for at, line in enumerate(written) if line == sought[0]), _MAX_STARTS)
    best = max(starts, key=lambda at: _alike(written, at, sought), default=None)
    return None if best is None else places[best]


def _alike(lines: list[str], at: int, sought: list[str]) -> int:
    return sum(map(eq, lines[at : at + len(sought)], sought))


def _like(lines: list[str], wanted: str) -> int | None:
    """The line that has most in common with one, of those whose letters have most in common."""
    matcher = difflib.SequenceMatcher(b=wanted)
    candidates: list[tuple[float, int]] = []
    for at, line in enumerate(lines):
        matcher.set_seq1(line)
        if (
            matcher.real_quick_ratio() >= _MIN_LIKENESS
            and (ratio := matcher.quick_ratio()) >= _MIN_LIKENESS
        ):
            candidates.append((ratio, -at))
    compared: list[tuple[float, int]] = []
    for _, at in nlargest(_MAX_PLACES_COMPARED, candidates):
        matcher.set_seq1(lines[-at])
        compared.append((matcher.ratio(), at))
    ratio, at = max(compared, default=(0.0, 0))
    return -at if ratio >= _MIN_LIKENESS else None
