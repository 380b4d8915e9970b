"""Encodings of text files: UTF-8, UTF-16 with its mark, or Windows-1252.

Whatever is read here is written back byte for byte where it did not change. Windows-1252 (and
Latin-1, but for five bytes that are nothing in the other) is a guess: any bytes could be it. So
only letters and signs that western texts are written with are taken for it, one by one or two
small ones in a row: Cyrillic, Chinese or Japanese files have others. And nothing is added to such
a text but what is the same in all of these encodings, or stands in it already.
"""

import re
from enum import StrEnum
from typing import Final

__all__ = ["Encoding", "added", "decoded"]


class Encoding(StrEnum):
    """Those that are known, by Python's names."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS = "cp1252"

    @property
    def words(self) -> str:
        """What people call it."""
        return _WORDS[self]


_WORDS: Final = {
    Encoding.UTF_8: "UTF-8",
    Encoding.UTF_16_LE: "UTF-16 (little-endian)",
    Encoding.UTF_16_BE: "UTF-16 (big-endian)",
    Encoding.WINDOWS: "Windows-1252",
}
_MARKS: Final = {b"\xff\xfe": Encoding.UTF_16_LE, b"\xfe\xff": Encoding.UTF_16_BE}
_FOREIGN: Final = re.compile(
    rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]|[\xc0-\xff]{3}|[\xc0-\xde][\xc0-\xff]|[\xc0-\xff][\xc0-\xde]"
    rb"|[\x80-\xbf]{3}|[^\x00-\x7f\x80\x85\x8c\x91-\x97\x99\x9c\xa0\xa1\xa3\xa7\xa9\xab\xae\xb0\xb2\xb3"
    rb"\xb5\xb7\xbb-\xd6\xd8-\xf6\xf8-\xff]"
)
"""What no western text has: controls, rare signs, and letters in a row but for two small ones."""
_SHIFTS: Final = re.compile(rb"\x1b[$(]")
"""What says that letters of ASCII stand for others from here on, as Japanese mails do."""
_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_ASCII: Final = bytes(range(128))
_LETTERS_PER_NON_ASCII: Final = 3
"""Of so many letters one at most is none of ASCII's."""


def decoded(data: bytes) -> tuple[str, Encoding] | None:
    r"""A text with its mark, if it has one, and its encoding; None where that is not known.

    >>> decoded(b"f\xfcr")
    ('für', <Encoding.WINDOWS: 'cp1252'>)
    >>> decoded(b"\xff\xfea\x00")
    ('\ufeffa', <Encoding.UTF_16_LE: 'utf-16-le'>)
    >>> decoded(b"\xcf\xf0\xe8\xe2\xe5\xf2") is None
    True
    """
    marked = _MARKS.get(data[:2])
    if marked is not None:
        text = _read(data, marked)
        return None if text is None or "\0" in text else (text, marked)
    text = _read(data, Encoding.UTF_8)
    if text is not None:
        # UTF-16 without its mark has such letters, and so has what is no text.
        known = "\0" not in text and not _SHIFTS.search(data)
        return (text, Encoding.UTF_8) if known else None
    text = _read(data, Encoding.WINDOWS) if _is_western(data) else None
    return None if text is None else (text, Encoding.WINDOWS)


def added(old: str, new: str, encoding: Encoding) -> str:
    """The letters that a change may not add to a text of this encoding, in their order.

    >>> added("für", "für 5 €", Encoding.WINDOWS), added("für", "für ü", Encoding.WINDOWS)
    ('€', '')
    """
    if encoding is not Encoding.WINDOWS:
        return "".join(letter for letter in dict.fromkeys(new) if "\ud800" <= letter <= "\udfff")
    return "".join(
        letter for letter in dict.fromkeys(new) if not letter.isascii() and letter not in old
    )


def _is_western(data: bytes) -> bool:
    """Whether what is no UTF-8 may be a text of western Europe."""
    if data.startswith(_UTF_8_MARK) or _FOREIGN.search(data):
        return False
    return _LETTERS_PER_NON_ASCII * len(data.translate(None, _ASCII)) <= len(data)


def _read(data: bytes, encoding: Encoding) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
