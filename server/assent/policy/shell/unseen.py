"""Characters that nobody sees: controls, marks of direction, and blanks that are none.

The card shows them; a text that has them is never read, since what it seems is not what it is.
"""

import unicodedata
from typing import Final

from assent.policy.patterns import late

__all__ = ["hides"]

_CONTROL: Final = late(r"[\x00-\x08\x0b-\x1f\x7f]")

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})

_BLANK_LOOKING: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters or marks and are drawn as nothing."""


def hides(text: str) -> bool:
    """Whether a character of the text has no look of its own, line breaks and tabs apart."""
    if _CONTROL.search(text):
        return True
    return not text.isascii() and any(map(_is_unseen, set(text)))


def _is_unseen(character: str) -> bool:
    return not character.isascii() and (
        unicodedata.category(character) in _UNSEEN
        or character in _BLANK_LOOKING
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )
