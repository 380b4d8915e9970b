"""Reads the frames of a GIF from its bytes."""

from collections.abc import Iterator

__all__ = ["frames_in"]

_PICTURE, _MORE, _TABLE = 0x2C, 0x21, 0x80
"""What each block begins with; and the bit that says that it brings colours."""


def frames_in(raw: bytes) -> Iterator[tuple[int, int]]:
    """How far right and how far down each reaches; raises `IndexError` where it is cut off.

    >>> frame = b"," + bytes([10, 0, 0, 0, 30, 0, 20, 0, 0, 2, 0])
    >>> [*frames_in(b"GIF89a" + bytes(7) + frame + b";")]
    [(40, 20)]
    """
    at = 13 + _colours(raw[10])
    while raw[at] in {_PICTURE, _MORE}:
        if raw[at] == _PICTURE:
            left, top, width, height = (_number(raw, at + offset) for offset in (1, 3, 5, 7))
            yield left + width, top + height
            at += 10 + _colours(raw[at + 9]) + 1
        else:
            at += 2
        while raw[at]:
            at += raw[at] + 1
        at += 1


def _number(raw: bytes, at: int) -> int:
    return raw[at] | raw[at + 1] << 8


def _colours(flags: int) -> int:
    """How long a table of colours is."""
    return 3 << (flags & 7) + 1 if flags & _TABLE else 0
