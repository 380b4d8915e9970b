"""Path patterns as models and `.gitignore` write them: `**`, `*`, `?`, `{a,b}`, `[abc]`.

Nothing here takes longer than the pattern's and the path's product, times the alternatives, of
which there are not many.
"""

import re
from itertools import islice, product
from typing import Final

from assent.gate.rules.globs import path_fits

__all__ = ["Pattern", "fits", "pattern_of", "spelled_out"]

Pattern = tuple[tuple[str, ...], ...]
"""The alternatives, each in segments."""

_MAX_SPELLINGS: Final = 64
_PART: Final = re.compile(r"\[([^\]/]++)\]|[{},]|\[|[^\[{},]++")


def pattern_of(text: str) -> Pattern:
    """A pattern in its alternatives; one without a slash is about names at any depth."""
    whole = text if "/" in text else f"**/{text}"
    return tuple(
        tuple(part for part in each.split("/") if part and part != ".")
        for each in spelled_out(whole, _MAX_SPELLINGS)
    )


def fits(pattern: Pattern, path: str) -> bool:
    """Whether a path, from the folder that the pattern is about, fits it."""
    segments = path.split("/")
    return any(path_fits(each, segments) for each in pattern)


def spelled_out(text: str, most: int) -> list[str]:
    """The first alternatives; a bracket with ranges or a `!` stands for any one letter.

    A brace without its partner, and a comma outside of all, are letters.
    """
    parts = list(_PART.finditer(text))
    paired = _paired([part.group() for part in parts])
    ended: list[list[str]] = []
    """Of each brace that is open, the alternatives that have ended."""
    going = [[""]]
    """Of each brace that is open, and of the whole, the alternatives that go on."""
    for at, part in enumerate(parts):
        mark = part.group() if at in paired else ""
        if mark == "{":
            ended.append([])
            going.append([""])
        elif mark == ",":
            ended[-1] += going[-1]
            going[-1] = [""]
        elif mark == "}":
            inner = [*ended.pop(), *going.pop()]
            going[-1] = _joined(going[-1], inner, most)
        else:
            going[-1] = _joined(going[-1], _letters(part), most)
    return going[0]


def _paired(marks: list[str]) -> set[int]:
    """Which of the marks are braces with a partner, or commas between two such."""
    paired: set[int] = set()
    open_: list[list[int]] = []
    for at, mark in enumerate(marks):
        if mark == "{":
            open_.append([at])
        elif mark == "," and open_:
            open_[-1].append(at)
        elif mark == "}" and open_:
            paired.update((*open_.pop(), at))
    return paired


def _joined(before: list[str], after: list[str], most: int) -> list[str]:
    return ["".join(both) for both in islice(product(before, after), most)]


def _letters(part: re.Match[str]) -> list[str]:
    bracketed = part[1]
    if bracketed is None:
        return [part.group()]
    return ["?"] if bracketed[0] in "!^" or "-" in bracketed[1:-1] else list(bracketed)
