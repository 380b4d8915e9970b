"""Pictures and documents that are what they say, made here and small."""

import struct
import zlib
from collections.abc import Iterator

__all__ = ["GIF", "MOVING", "MOVING_PNG", "MOVING_WEBP", "PDF", "labelled", "moving", "png"]


def png(width: int = 30, height: int = 20, *, shade: int = 0) -> bytes:
    """A grey picture, whole."""
    rows = (b"\0" + bytes([shade]) * width) * height
    return _png(width, height, (b"IDAT", zlib.compress(rows)))


def labelled(picture: bytes, name: bytes, text: bytes) -> bytes:
    """A PNG that carries a text, which no viewer shows."""
    end = picture.rindex(b"IEND") - 4
    return picture[:end] + _chunk(b"tEXt", name + b"\0" + text) + picture[end:]


def _png(width: int, height: int, *parts: tuple[bytes, bytes]) -> bytes:
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", size), *parts, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    sealed = name + data
    return struct.pack(">I", len(data)) + sealed + struct.pack(">I", zlib.crc32(sealed))


GIF = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
_FRAME = b"!\xf9\x04\0\x05\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02%b\x01\0"
MOVING = GIF[:13] + b"\0\0\0\xff\xff\xff" + _FRAME % b"D" + _FRAME % b"L" + b";"
"""Black first, then white."""


def moving(width: int, height: int) -> bytes:
    """Black first, then white: some kilobytes, however large it is."""
    size = struct.pack("<HH", width, height)
    place = b"!\xf9\x04\0\x05\0\0\0,\0\0\0\0" + size + b"\0\x02"
    frames = b"".join(place + _blocks(_codes(width * height, of)) for of in (0, 1))
    return b"GIF89a" + size + b"\x80\0\0\0\0\0\xff\xff\xff" + frames + b";"


def _codes(left: int, colour: int) -> Iterator[tuple[int, int]]:
    """So many points of a colour, as codes and their bits: each is one point more than the last."""
    free = 6
    while left > 0:
        yield 4, min(12, free.bit_length())
        yield colour, 3
        left -= 1
        free = 6
        while left > 0 and free < 4_096:
            run = min(left, free - 4)
            yield (colour if run == 1 else run + 4), free.bit_length()
            left -= run
            free += 1
    yield 5, min(12, free.bit_length())


def _blocks(codes: Iterator[tuple[int, int]]) -> bytes:
    bits = length = 0
    for code, wide in codes:
        bits, length = bits | code << length, length + wide
    raw = bits.to_bytes(length // 8 + 1, "little")
    parts = [raw[at : at + 255] for at in range(0, len(raw), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


_POINT = zlib.compress(b"\0\0")
_TURN = struct.pack(">IIIIIHHBB", 0, 1, 1, 0, 0, 1, 10, 0, 0)
MOVING_PNG = _png(
    1,
    1,
    (b"acTL", struct.pack(">II", 2, 0)),
    (b"fcTL", _TURN),
    (b"IDAT", _POINT),
    (b"fcTL", b"\0\0\0\1" + _TURN[4:]),
    (b"fdAT", b"\0\0\0\2" + _POINT),
)
_LOSSLESS = b"VP8L\r\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"
_SHOWN = b"ANMF" + struct.pack("<I", 16 + len(_LOSSLESS)) + bytes(12) + b"\x0a\0\0\0" + _LOSSLESS
_WHOLE = b"WEBPVP8X\x0a\0\0\0\x12" + bytes(9) + b"ANIM\x06\0\0\0" + bytes(6) + _SHOWN * 2
MOVING_WEBP = b"RIFF" + struct.pack("<I", len(_WHOLE)) + _WHOLE
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    b"4 0 obj<</Type /Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
