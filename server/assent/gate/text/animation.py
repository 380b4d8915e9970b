"""Whether a picture moves: a GIF, WebP or PNG may, and a viewer may want it still."""

from itertools import islice
from typing import Final

from assent.gate.text.gif import frames_in

__all__ = ["moves"]

_ANIMATION_BIT: Final = 0x02
"""The bit of a WebP that says so."""


def moves(raw: bytes) -> bool:
    """Whether a picture has more than one frame, as far as its bytes can be read.

    >>> moves(b"GIF89a"), moves(b"not a picture")
    (False, False)
    """
    try:
        if raw.startswith(b"GIF8"):
            return next(islice(frames_in(raw), 1, None), None) is not None
        if raw.startswith(b"\x89PNG"):
            return _is_moving_png(raw)
        return raw[8:16] == b"WEBPVP8X" and bool(raw[20] & _ANIMATION_BIT)
    except IndexError:
        return False


def _is_moving_png(raw: bytes) -> bool:
    at = 8
    while raw[at + 4 : at + 8] not in {b"acTL", b"IDAT", b"IEND"}:
        at += 12 + int.from_bytes(raw[at : at + 4])
        if at + 8 > len(raw):
            return False
    return raw[at + 4 : at + 8] == b"acTL"
