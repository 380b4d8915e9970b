"""Brace expansion: `{a,b}` and `{1..9}` become several words before anything else happens."""

from itertools import pairwise
from typing import Final

from assent.text.patterns import late

__all__ = ["MOST", "expand"]

_LONGEST: Final = 40
"""In characters: a range that is longer is one of more words than can be told."""

MOST: Final = 128
"""So many words may come of one; more are not told."""

_RANGE: Final = late(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?")


def expand(marked: str) -> list[str] | None:
    """The words that come of one; None where there are too many, or it is too tangled to tell.

    >>> expand("src/{a,b{1..3}}.py")
    ['src/a.py', 'src/b1.py', 'src/b2.py', 'src/b3.py']
    >>> expand("{a}"), expand("{1..100000}")
    (['{a}'], None)
    """
    done: list[str] = []
    todo = [(marked, 0)]
    for _ in range(4 * MOST):
        if not todo:
            return done
        text, at = todo.pop()
        found = _first(text, at)
        if found is None:
            done.append(text)
        else:
            start, end, choices = found
            todo += [(text[:start] + it + text[end:], start) for it in reversed(choices)]
        if len(done) + len(todo) > MOST:
            return None
    return None


def _first(text: str, at: int) -> tuple[int, int, list[str]] | None:
    """The first braces that expand, and what may stand in their place."""
    start = text.find("{", at)
    while start >= 0:
        end, commas = _matching(text, start)
        if end > 0:
            inner = text[start + 1 : end]
            if commas:
                edges = (start, *commas, end)
                return start, end + 1, [text[a + 1 : b] for a, b in pairwise(edges)]
            numbers = _range(inner)
            if numbers is not None:
                return start, end + 1, numbers
        start = text.find("{", start + 1)
    return None


def _matching(text: str, start: int) -> tuple[int, list[int]]:
    commas: list[int] = []
    depth = 0
    for at in range(start, len(text)):
        letter = text[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return at, commas
        elif letter == "," and depth == 1:
            commas.append(at)
    return -1, []


def _range(inner: str) -> list[str] | None:
    found = _RANGE.fullmatch(inner)
    if found is None:
        return None
    if len(inner) > _LONGEST:
        return [""] * (MOST + 1)
    low, high, step, first, last, letter_step = found.groups()
    if first:
        codes = _steps(ord(first), ord(last), letter_step)
        return [chr(code) for code in codes]
    width = max(map(len, (low, high))) if _padded(low) or _padded(high) else 0
    return [str(number).zfill(width) for number in _steps(int(low), int(high), step)]


def _padded(number: str) -> bool:
    digits = number.lstrip("-")
    return len(digits) > 1 and digits[0] == "0"


def _steps(low: int, high: int, step: str | None) -> range:
    """The numbers from one to the other, both counted; more than `MOST` if there are too many."""
    by = abs(int(step or 1)) or 1
    if abs(high - low) // by > MOST:
        return range(MOST + 2)
    return range(low, high + 1, by) if low <= high else range(low, high - 1, -by)
