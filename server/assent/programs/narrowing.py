"""What narrows a list of names: endings, beginnings, and letters that each of them must have.

A pattern counts only where it is plain enough to mean the same to every program.
"""

import fnmatch
from collections.abc import Callable, Sequence
from typing import Final

from assent.bash.word import Word
from assent.programs.finding import Sample
from assent.programs.listing import GREP
from assent.text.patterns import late

__all__ = ["PLAIN", "Admits", "by_ending", "contains", "ends", "filtered"]

Admits = Callable[[Sample], bool]
"""Whether a file may be among the names."""

PLAIN: Final = late(r"[\w./-]*[A-Za-z0-9]{2}[\w./-]*")
_ENDING: Final = late(r"[\w./*-]*\\\.(?:(\w+)|\\?\((\w+(?:\\?\|\w+)*)\\?\))\$")
"""`\\.ts$` and `\\.(ts|tsx)$`, with or without backslashes before what groups."""
_NO_LINES: Final = "-v --invert-match -z"
"""Flags with which a line that is let through need not match."""
_HEAD: Final = late(r"\^([\w/-]*\w/?)")


def filtered(words: Sequence[Word]) -> Admits | None:
    """Which names `grep` lets through; None where its pattern is not plain enough to tell.

    >>> from assent.programs.reading import words_of
    >>> admits = filtered(words_of("grep '^src/'")[1:])
    >>> [admits(Sample(name="a", path=it)) for it in ("src/a", "lib/a")]
    [True, False]
    >>> filtered(words_of("grep -v src")[1:]) is None
    True
    """
    found = GREP.sort(words)
    if found is None or found.has(_NO_LINES) or len(found.operands) != 1:
        return None
    pattern, plain = found.operands[0].text, found.has("-F --fixed-strings")
    head = _HEAD.fullmatch(pattern)
    ending = by_ending(pattern)
    if ending and not plain:
        return ending
    if head and not plain:
        return _begins(head[1].casefold())
    return contains(pattern) if PLAIN.fullmatch(pattern) else None


def by_ending(pattern: str) -> Admits | None:
    r"""The names that a pattern means which says how they end; None where it says more.

    >>> leaves = by_ending(r"\.(ts|tsx)$")
    >>> [leaves(Sample(name=it)) for it in ("a.tsx", "a.py")]
    [True, False]
    """
    ending = _ENDING.fullmatch(pattern)
    if ending is None:
        return None
    text = ending[1] or ending[2].replace("\\", "")
    return ends(tuple(f".{it.casefold()}" for it in text.split("|")))


def ends(endings: tuple[str, ...]) -> Admits:
    """Names that end so.

    >>> admits = ends((".ts", ".tsx"))
    >>> [admits(Sample(name=it)) for it in ("a.ts", ".env")]
    [True, False]
    """
    return lambda it: (it.path or it.name).casefold().endswith(endings)


def _begins(head: str) -> Admits:
    return lambda it: it.path is None or it.path.casefold().startswith(head)


def contains(text: str) -> Admits:
    """Names with these letters in them, where nothing else is known to stand before a name.

    >>> admits = contains("test")
    >>> [admits(Sample(name="a", path=it)) for it in ("tests/a", "src/a")]
    [True, False]
    """
    pattern = f"*{text.replace('.', '?').casefold()}*"
    return lambda it: it.path is None or fnmatch.fnmatchcase(it.path.casefold(), pattern)
