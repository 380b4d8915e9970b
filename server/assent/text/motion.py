"""Whether a picture moves: GIF, WebP and PNG can, and whoever looks at one may want it still."""

from typing import Final

__all__ = ["moves"]

_PICTURE, _MORE, _TABLE = 0x2C, 0x21, 0x80
"""What each block of a GIF begins with; and the bit that says that it brings colours."""
_ANIMATED: Final = 0x02
"""The bit of a WebP that says so."""


def moves(raw: bytes) -> bool:
    """Whether a picture has more than one frame, as far as its bytes can be read.

    >>> moves(b"GIF89a"), moves(b"not a picture")
    (False, False)
    """
    try:
        if raw.startswith(b"GIF8"):
            return _is_moving_gif(raw)
        if raw.startswith(b"\x89PNG"):
            return _is_moving_png(raw)
        return raw[8:16] == b"WEBPVP8X" and bool(raw[20] & _ANIMATED)
    except IndexError:
        return False


def _is_moving_gif(raw: bytes) -> bool:
    at = 13 + _colours(raw[10])
    frames = 0
    while raw[at] in {_PICTURE, _MORE}:
        if raw[at] == _PICTURE:
            frames += 1
            at += 10 + _colours(raw[at + 9]) + 1
        else:
            at += 2
        if frames > 1:
            return True
        while raw[at]:
            at += raw[at] + 1
        at += 1
    return False


def _colours(flags: int) -> int:
    """How long a table of colours is."""
    return 3 << (flags & 7) + 1 if flags & _TABLE else 0


def _is_moving_png(raw: bytes) -> bool:
    at = 8
    while raw[at + 4 : at + 8] not in {b"acTL", b"IDAT", b"IEND"}:
        at += 12 + int.from_bytes(raw[at : at + 4])
        if at + 8 > len(raw):
            return False
    return raw[at + 4 : at + 8] == b"acTL"
