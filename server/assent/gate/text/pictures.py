"""The kind of a picture and its size, by its bytes alone."""

import struct
from typing import Final

from assent.gate.text.gif import frames_in
from assent.gate.values import frozen

__all__ = ["Picture", "picture_in"]

_MAX_SIDE_PIXELS: Final = 8_192
_MAX_AREA_PIXELS: Final = 16_000_000
"""In pixels: a small file can hold a picture that takes gigabytes to draw."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_MARKER_BYTE: Final = 0xFF
"""What each marker of a JPEG begins with."""
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The markers of a JPEG that say how large it is."""
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Those that have no length."""


@frozen(kw_only=True)
class Picture:
    """What is known of a picture."""

    mime: str
    width: int
    height: int


def picture_in(raw: bytes) -> Picture | None:
    """The picture that these bytes are; None where they are none, or one beyond all bounds.

    >>> frame = b"," + bytes([0, 0, 0, 0, 30, 0, 20, 0, 0, 2, 0])
    >>> picture_in(b"GIF89a" + bytes(7) + frame + b";")
    Picture(mime='image/gif', width=30, height=20)
    """
    size = _size_of(raw)
    if size is None:
        return None
    mime, width, height = size
    if (
        not 0 < width <= _MAX_SIDE_PIXELS
        or not 0 < height <= _MAX_SIDE_PIXELS
        or width * height > _MAX_AREA_PIXELS
    ):
        return None
    return Picture(mime=mime, width=width, height=height)


def _size_of(raw: bytes) -> tuple[str, int, int] | None:
    try:
        if raw.startswith(_PNG) and raw[12:16] == b"IHDR":
            return ("image/png", *struct.unpack(">II", raw[16:24]))
        if raw.startswith(b"\xff\xd8\xff"):
            return _jpeg(raw)
        if raw.startswith((b"GIF87a", b"GIF89a")):
            return _gif(raw)
        if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
            return _webp(raw)
    except (struct.error, IndexError):
        return None
    return None


def _gif(raw: bytes) -> tuple[str, int, int] | None:
    """Its screen, which those who draw it make larger where the first frame reaches beyond it."""
    width, height = struct.unpack("<HH", raw[6:10])
    right, below = next(frames_in(raw), (0, 0))
    return ("image/gif", max(width, right), max(height, below)) if right and below else None


def _jpeg(raw: bytes) -> tuple[str, int, int] | None:
    at = 2
    while raw[at] == _MARKER_BYTE:
        marker = raw[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", raw[at + 5 : at + 9])
            return "image/jpeg", width, height
        # Fill bytes stand for nothing; some markers have no length.
        step = 1 if marker == _MARKER_BYTE else 2
        if marker != _MARKER_BYTE and marker not in _JPEG_BARE:
            step += max(2, struct.unpack(">H", raw[at + 2 : at + 4])[0])
        at += step
    return None


def _webp(raw: bytes) -> tuple[str, int, int] | None:
    kind = raw[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(raw[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8 ":
        width, height = (number & 0x3FFF for number in struct.unpack("<HH", raw[26:30]))
    elif kind == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        return None
    return "image/webp", width, height
