"""What `find` gives: names that begin with the folder that was searched."""

from collections.abc import Sequence
from typing import Final

from assent.bash.roots import root_of
from assent.bash.script import Word

__all__ = ["roots_of"]

_BEFORE: Final = ("-H", "-P", "-X", "-E", "-s", "-x", "-d")
"""Options before the folders that follow no link below these."""
_FOLLOWS: Final = frozenset(("-L", "-follow"))
_OTHER: Final = (
    "-printf", "-fprint", "-exec", "-ok", "-ls", "-fls", "-delete", "-files0", "-H", "-P", "-D",
)  # fmt: skip
"""With these it writes more than names, or names that do not begin so."""


def roots_of(words: Sequence[Word], *, prints: bool) -> Word | None:
    """What each name begins with that `find` prints or hands on; None where nobody can tell.

    >>> from assent.programs.reading import words_of
    >>> roots_of(words_of("find src -name '*.py'")[1:], prints=True).text
    'src/…'
    >>> roots_of(words_of("find -L src")[1:], prints=True) is None
    True
    """
    at = 0
    while at < len(words) and words[at].known and words[at].text in _BEFORE:
        at += 1
    roots: list[Word] = []
    while at < len(words) and not words[at].text.startswith(("-", "(", "!", ",")):
        roots.append(words[at])
        at += 1
    rest = words[at:]
    if any(it.text in _FOLLOWS for it in rest) or (prints and _does_more(rest)):
        return None
    if any(it.glob and it.text[:1] in "*?[" and "." not in it.text for it in roots) and prints:
        return None
    found = [root_of(it) for it in roots] if roots else [root_of(Word(text="."))]
    known = [it for it in found if it is not None]
    if len(known) < len(found):
        return None
    if len(known) == 1 and not known[0].text.startswith("…"):
        return known[0]
    if any(it.text.startswith("/") for it in known):
        return None
    return Word(text="./…", known=False, listed=True)


def _does_more(rest: Sequence[Word]) -> bool:
    return any(not it.known or it.text.startswith(_OTHER) for it in rest)
