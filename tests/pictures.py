"""Pictures and documents that are what they say, made here and small."""

import struct
import zlib

__all__ = ["GIF", "MOVING", "PDF", "png"]


def png(width: int = 30, height: int = 20, *, shade: int = 0) -> bytes:
    """A grey picture, whole."""
    rows = (b"\0" + bytes([shade]) * width) * height
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    sealed = name + data
    return struct.pack(">I", len(data)) + sealed + struct.pack(">I", zlib.crc32(sealed))


GIF = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
_FRAME = b"!\xf9\x04\0\x05\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02%b\x01\0"
MOVING = GIF[:13] + b"\0\0\0\xff\xff\xff" + _FRAME % b"D" + _FRAME % b"L" + b";"
"""Black first, then white."""
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    b"4 0 obj<</Type /Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
