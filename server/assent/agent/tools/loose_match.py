"""Finds the stretch that an old text means if only its blanks and quotes differ.

Models write a line with other indentation, with two blanks for one, with plain quotes for curved
ones. Whole lines are compared, and only where one stretch alone can be meant. The new text is
indented as the stretch is.
"""

import re
from typing import Final

__all__ = ["loose_match"]

_BLANKS: Final = re.compile(r"[ \t\u00a0\u202f]+")
_PLAIN: Final = str.maketrans("‘’‚“”„«»‐‑–—\u2212", '\'\'\'"""""-----')
_MIN_LETTERS: Final = 3
"""In letters: a stretch with fewer could be anything."""


def loose_match(text: str, old: str, new: str) -> tuple[str, str] | None:
    r"""The stretch of the text, and the new text as it is to stand there; None where none is.

    >>> loose_match("if a:\n    b = 'x'\n", "b  = ‘x’", "c = 1")
    ("    b = 'x'", '    c = 1')
    """
    wanted = old.split("\n")
    is_whole = len(wanted) > 1 and not wanted[-1]
    if is_whole:
        wanted.pop()
    lines = text.split("\n")
    at = _only_place([*map(_plain, lines)], [*map(_plain, wanted)])
    if at is None:
        return None
    stretch = lines[at : at + len(wanted)]
    indents = _indents(wanted, stretch)
    shifted = None if indents is None else _shifted(new, indents)
    if shifted is None:
        return None
    end = "\n" if is_whole and at + len(wanted) < len(lines) else ""
    return "\n".join(stretch) + end, shifted


def _only_place(lines: list[str], wanted: list[str]) -> int | None:
    """The one line at which the wanted ones follow each other."""
    if sum(map(len, wanted)) < _MIN_LETTERS:
        return None
    first = next(at for at, line in enumerate(wanted) if line)
    places = [
        at - first
        for at, line in enumerate(lines)
        if line == wanted[first] and at >= first
        if lines[at - first : at - first + len(wanted)] == wanted
    ]
    return places[0] if len(places) == 1 else None


def _plain(line: str) -> str:
    return _BLANKS.sub(" ", line.translate(_PLAIN)).strip(" \r")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else ""


def _indents(wanted: list[str], stretch: list[str]) -> dict[str, str] | None:
    """What each indentation is in the stretch; None where one of them is several there."""
    both = zip(wanted, stretch, strict=True)
    pairs = {
        (_indent(wanted_line), _indent(other)) for wanted_line, other in both if wanted_line.strip()
    }
    indents = dict(pairs)
    return indents if len(indents) == len(pairs) else None


def _shifted(new: str, indents: dict[str, str]) -> str | None:
    """The new text with the indentation of the stretch; None where that cannot be told."""
    if all(before == other for before, other in indents.items()):
        return new
    lines = [_moved(line, indents) for line in new.split("\n")]
    kept = [line for line in lines if line is not None]
    return "\n".join(kept) if len(kept) == len(lines) else None


def _moved(line: str, indents: dict[str, str]) -> str | None:
    """A line of the new text; deeper ones go on from the deepest that the old text has."""
    if not line.strip():
        return line
    indent = _indent(line)
    begin = max(
        (known for known in indents if indent.startswith(known)),
        key=len,
        default=None,
    )
    if begin is None:
        return None
    before, more = indents[begin], indent[len(begin) :]
    if before and more and ("\t" in before) != ("\t" in more):
        # How many blanks a tab stands for, nobody has said.
        return None
    return before + more + line[len(indent) :]
