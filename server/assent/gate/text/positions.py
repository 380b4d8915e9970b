"""Positions in a text as editors count them: line and column, from 0.

A column counts units of UTF-16, of which a letter has one or two. A line ends at a line feed, at
a carriage return, or at both. What lies behind the end of a line or of the text is that end.
"""

import re
from typing import Final

from assent.gate.text.prefixes import shared
from assent.gate.values import frozen

__all__ = ["Change", "Position", "difference", "offset_of", "position_of", "text_after"]

Position = tuple[int, int]
"""A line and a column."""

_BREAK: Final = re.compile(r"\r\n|\r|\n")
_MAX_ONE_UNIT_CODE_POINT: Final = 0xFFFF


@frozen(kw_only=True)
class Change:
    """A stretch of a text, and what stands there instead."""

    start: Position = (0, 0)
    end: Position | None = None
    """None where the stretch is all of the text."""
    text: str


def text_after(text: str, change: Change) -> str:
    r"""The text after a change.

    >>> text_after("one\ntwo", Change(start=(1, 0), end=(1, 2), text="T"))
    'one\nTo'
    """
    if change.end is None:
        return change.text
    start, end = offset_of(text, change.start), offset_of(text, change.end)
    return f"{text[:start]}{change.text}{text[max(start, end) :]}"


def difference(old: str, new: str) -> Change:
    r"""The one change that makes the one text the other; no pair that belongs together is cut.

    >>> difference("a = 1\n", "a = 2\n")
    Change(start=(0, 4), end=(0, 5), text='2')
    """
    same = shared(old, new)
    rest = min(len(old), len(new)) - same
    after = min(rest, shared(old[::-1], new[::-1]))
    if "\r\n" in {old[same - 1 : same + 1], new[same - 1 : same + 1]}:
        same -= 1
    if "\r\n" in {text[len(text) - after - 1 : len(text) - after + 1] for text in (old, new)}:
        after -= 1
    end = len(old) - after
    return Change(
        start=position_of(old, same), end=position_of(old, end), text=new[same : len(new) - after]
    )


def offset_of(text: str, position: Position) -> int:
    r"""How many letters stand before a place; raises `ValueError` for one within a letter.

    >>> offset_of("one\r\ntwo", (1, 1))
    6
    """
    line, column = position
    start, end = _line(text, line)
    if text[start:end].isascii():
        return min(start + max(column, 0), end)
    for at in range(start, end):
        if column <= 0:
            return at
        column -= _units(text[at])
        if column < 0:
            raise ValueError("it lies within a letter")
    return end


def position_of(text: str, offset: int) -> Position:
    r"""Where a letter stands.

    >>> position_of("one\r\ntwo", 6)
    (1, 1)
    """
    line, start = 0, 0
    for match in _BREAK.finditer(text):
        if match.end() > offset:
            break
        line, start = line + 1, match.end()
    return line, sum(map(_units, text[start:offset]))


def _line(text: str, line: int) -> tuple[int, int]:
    """Where a line begins and ends, its break left out."""
    start = 0
    for number, match in enumerate(_BREAK.finditer(text)):
        if number >= line:
            return start, match.start()
        start = match.end()
    lines = len(_BREAK.findall(text))
    return (start if line <= lines else len(text)), len(text)


def _units(letter: str) -> int:
    return 1 if ord(letter) <= _MAX_ONE_UNIT_CODE_POINT else 2
