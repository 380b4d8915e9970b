"""Turns somebody else's text into one line."""

from typing import Final

__all__ = ["one_line"]

_MAX_LETTERS: Final = 500


def one_line(text: object, most: int = _MAX_LETTERS) -> str:
    r"""All of it in a row, of letters that can be seen, and no longer than that.

    >>> one_line("a \x1b[31m\nb")
    'a [31m b'
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in str(text)[: 2 * most])
    return " ".join(seen.split())[:most]
