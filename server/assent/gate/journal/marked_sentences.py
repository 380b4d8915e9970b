"""Sentences whose inserted parts are marked, so that an editor can translate them.

A sentence stands between two signs that no text of others can hold in a page (`cell` draws them by
their numbers), and each value behind one of its own. So whoever puts another language in its place
never has to guess what is ours, and what a journal holds.
"""

import re
from html import escape
from typing import Final

__all__ = ["Markup", "cell", "in_english", "say"]

_BEGIN, _VALUE, _END = "\ue000", "\ue001", "\ue002"
_MARKED: Final = re.compile(f"{_BEGIN}([^{_BEGIN}{_END}]*){_END}")
_PLACE: Final = re.compile(r"\{([a-z])\}")


class Markup(str):
    """What is ready to stand in a page: sentences of ours, and markup."""

    __slots__ = ()


def cell(text: object) -> Markup:
    """A text of others in a page: what would not be seen is drawn by its number."""
    if isinstance(text, Markup):
        return text
    seen = "".join(
        letter if letter.isprintable() else f"⟨U+{ord(letter):04X}⟩" for letter in str(text)
    )
    return Markup(escape(seen))


def say(sentence: str, *values: object) -> Markup:
    """A sentence of ours, with values where it has `{a}`, `{b}` and so on.

    >>> in_english(say("{a} of {b} questions", 3, "<b>"))
    '3 of &lt;b&gt; questions'
    """
    return Markup(f"{_BEGIN}{_VALUE.join([escape(sentence), *map(cell, values)])}{_END}")


def in_english(page: str) -> str:
    """The page as it is read where nobody says it anew."""
    while (then := _MARKED.sub(_filled, page)) != page:
        page = then
    return page


def _filled(marked: re.Match[str]) -> str:
    sentence, *values = marked[1].split(_VALUE)
    return _PLACE.sub(lambda place: values[ord(place[1]) - ord("a")], sentence)
