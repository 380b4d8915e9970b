"""Invisible characters: controls, direction marks, and unusual blanks.

The card shows them; a text that has them is never read, since what it seems is not what it is.
What only says how the sign before it is drawn, as in most emoji, is seen with that sign.
"""

import unicodedata
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = ["drawn", "hides", "is_unseen", "stands_plain"]

_CONTROL: Final = late(r"[\x00-\x08\x0b-\x1f\x7f]")

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""The Unicode categories of characters that have no look of their own."""

_BLANK_LOOKING: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters or marks and are drawn as nothing."""

_STYLES: Final = frozenset("\ufe0e\ufe0f")
"""What says whether a sign is drawn as text or as a picture."""
_TONES: Final = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_JOINER: Final = "\u200d"
_MARKS: Final = _STYLES | {_JOINER}
_KEY: Final = "\u20e3"
_KEYS: Final = frozenset("0123456789#*")
"""What is drawn as a key, where `_KEY` closes it."""
_PICTURED: Final = frozenset("\u203c\u2049\u2139\u2194\u25fb\u25fc\u25fd\u25fe\u2934\u2935\u3030〽")
"""The characters with a picture that are not among the other symbols of Unicode."""

_MAX_LINE_LETTERS: Final = 60


def hides(text: str) -> bool:
    """Whether a character of the text has no look of its own, line breaks and tabs apart."""
    if _CONTROL.search(text):
        return True
    if text.isascii():
        return False
    unseen = {letter for letter in set(text) if not letter.isascii() and is_unseen(letter)}
    return bool(unseen) and (not unseen <= _MARKS or len(drawn(text)) < _count(text))


def stands_plain(text: str) -> bool:
    """Whether all of a text is seen in a narrow line: short words, with one blank between two.

    >>> stands_plain("Bern, Musterweg 3"), stands_plain("Bern" + " " * 150 + "; I agree.")
    (True, False)
    """
    is_short = len(text) <= _MAX_LINE_LETTERS and text == " ".join(text.split())
    return is_short and text.isprintable() and not hides(text)


def drawn(text: str) -> frozenset[int]:
    """Where the marks stand that are seen, since the sign before them is drawn by them."""
    if text.isascii():
        return frozenset()
    return frozenset(
        at for at, letter in enumerate(text) if letter in _MARKS and _is_drawn(text, at)
    )


def is_unseen(character: str) -> bool:
    """Whether a character has no look of its own; whoever draws it where it stands asks `drawn`."""
    if character.isascii():
        return not character.isprintable()
    return (
        unicodedata.category(character) in _UNSEEN
        or character in _BLANK_LOOKING
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )


def _count(text: str) -> int:
    return sum(map(text.count, _MARKS))


def _is_drawn(text: str, at: int) -> bool:
    before, after = text[max(at - 2, 0) : at], text[at + 1 : at + 2]
    if text[at] != _JOINER:
        return _is_sign(before[-1:]) or (before[-1:] in _KEYS and after == _KEY)
    worn = before[-1:] in _STYLES or before[-1:] in _TONES
    return _is_sign(after) and (_is_sign(before[:1]) if worn else _is_sign(before[-1:]))


def _is_sign(character: str) -> bool:
    """Whether it is something that may be drawn as a picture."""
    if not character or character.isascii() or character in _BLANK_LOOKING:
        return False
    return unicodedata.category(character) == "So" or character in _PICTURED
