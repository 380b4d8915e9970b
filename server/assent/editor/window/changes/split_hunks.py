r"""Splits the changes of one file into hunks, and applies the text without or with one.

>>> from assent.gate.text.encodings import Encoding
>>> file = FileChanges(path="/f", shown="f", base="a\n", current="b\n", encoding=Encoding.UTF_8)
>>> undone(file, 0), kept(file, 0)
('a\n', 'b\n')
"""

from assent.editor.cards.differences import between
from assent.editor.window.changes.changed_files import FileChanges

__all__ = ["count_of", "kept", "undone"]

Place = tuple[int, int]
"""Of both texts, in lines."""


def count_of(file: FileChanges) -> int:
    """How many changes can be kept or undone by themselves."""
    return 0 if file.large else len(between(file.base or "", file.current or "").groups)


def undone(file: FileChanges, hunk: int) -> str:
    """What stands in a file without one of its changes."""
    old, new, begin, end = _parts(file, hunk)
    return "".join((*new[: begin[1]], *old[begin[0] : end[0]], *new[end[1] :]))


def kept(file: FileChanges, hunk: int) -> str:
    """What a file is held against once one of its changes is kept."""
    old, new, begin, end = _parts(file, hunk)
    return "".join((*old[: begin[0]], *new[begin[1] : end[1]], *old[end[0] :]))


def _parts(file: FileChanges, hunk: int) -> tuple[list[str], list[str], Place, Place]:
    """The lines of both texts, and from where to where a change lies in each."""
    old, new = file.base or "", file.current or ""
    differences = between(old, new)
    group, above = differences.groups[hunk], differences.before
    first, last = group[0], group[-1]
    begin = above + first[1], above + first[3]
    return _lines(old), _lines(new), begin, (above + last[2], above + last[4])


def _lines(text: str) -> list[str]:
    *ended, last = text.split("\n")
    return [*(f"{line}\n" for line in ended), *([last] if last else [])]
