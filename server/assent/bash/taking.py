"""What a program puts into the words of what it runs: names that another lists, or texts.

`xargs` and its kin are read with a mark, `…`, where they put something in (`port.Inside`).
"""

import re
from typing import Final

from attrs import evolve

from assent.bash.commands import Simple
from assent.bash.port import Inside
from assent.bash.word import Below, Word
from assent.text.patterns import late

__all__ = ["taken"]

_BEFORE: Final = late(r"(?!-)(?:(?!\.\.?/)[\w.\-]+/)*", re.ASCII)
_BEHIND: Final = late(r"(?:/(?!\.\.?(?:/|\Z))[\w.\-]+)*|[.\w\-]*\w", re.ASCII)


def taken(word: Word, simple: Simple, names: Word | None, inside: Inside) -> tuple[Word, ...]:
    """What is put in for one word: a name below the folder, where such names are read.

    Where many are put in, there are two: what follows treats two as any number.

    >>> from assent.bash.word import Unknown
    >>> names = Below(text="src/…")
    >>> mark = Unknown(text="…")
    >>> [it.text for it in taken(mark, Simple(), names, Inside())]
    ['src/…']
    >>> [it.known for it in taken(mark, Simple(), None, Inside())]
    [False]
    """
    reads = any(not it.writes for it in simple.redirects) or simple.fed
    if names is None or reads or inside.cuts or word.known or "…" not in word.text:
        return (word,)
    if not word.several:
        found = _put(word, names)
        return (found or word,)
    if names.known:
        return (names,)
    if names.choices:
        return (names, names)
    if inside.lines and not names.text.startswith("…"):
        return (names, names)
    return (evolve(names, several=True) if isinstance(names, Below) else names,)


def _put(word: Word, names: Word) -> Word | None:
    """A name in the place of the mark; None where the two together may name anything."""
    if names.choices or not (names.known or names.listed):
        return None
    if word.text == "…":
        return names.quoted
    before, _, behind = word.text.partition("…")
    if names.known or not _BEFORE.fullmatch(before) or not _BEHIND.fullmatch(behind):
        return None
    return Below(text=f"{before}{names.text.removeprefix('./')}{behind}")
