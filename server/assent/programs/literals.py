"""What `echo` and `printf` write, where the script itself has it word by word."""

import re
from collections.abc import Sequence
from typing import Final

from assent.bash.word import Exact, OneOf, Word
from assent.text.patterns import late

__all__ = ["echoed"]

_MOST: Final = 8
"""A word of more choices than these counts as unknown."""
_PLAIN: Final = late(r"[\w./@+][\w./@+,:=\-]*", re.ASCII)
_FORMATS: Final = frozenset((r"%s\n", r"%s\0", "%s\n", "%s "))


def echoed(words: Sequence[Word]) -> Word | None:
    """Any one of the words that `echo` prints; None where one is no plain name.

    >>> from assent.bash.word import Exact
    >>> echoed([Exact(text="src"), Exact(text="lib")]).choices
    ('src', 'lib')
    >>> echoed([Exact(text="-n"), Exact(text="lib")]) is None
    True
    """
    texts = [it.text for it in words]
    if texts[:1] and texts[0] in _FORMATS:
        words, texts = words[1:], texts[1:]
    odd = any(not it.known or it.glob or it.home for it in words)
    if odd or not 0 < len(texts) <= _MOST or not all(map(_PLAIN.fullmatch, texts)):
        return None
    if len(texts) == 1:
        return Exact(text=texts[0])
    # Also of one text twice there are two words, where they are put into others.
    return OneOf(text=texts[0], choices=tuple(dict.fromkeys(texts)))
