"""The kind of a file that is not text, by its first bytes."""

from typing import Final

__all__ = ["HEAD_BYTES", "kind_of"]

HEAD_BYTES: Final = 8 * 1024
"""How many of the first bytes tell."""

_KINDS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive, or a document in one"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program or a Java class"),
    (b"MZ", "a Windows program"),
    (b"\x00asm", "a WebAssembly module"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"OggS", "an Ogg recording"),
    (b"ID3", "an MP3 recording"),
    (b"fLaC", "a FLAC recording"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)

_TEXTUAL: Final = frozenset({b"MZ", b"BZh", b"ID3"})
"""Beginnings that a text may have too; only a zero byte tells."""

_IN_RIFF: Final = {b"WEBP": "a WebP image", b"WAVE": "a WAV recording", b"AVI ": "an AVI video"}


def kind_of(head: bytes) -> str | None:
    """What a file is, by its first bytes; None where it is text."""
    has_zero = b"\x00" in head
    for beginning, kind in _KINDS:
        if head.startswith(beginning) and (has_zero or beginning not in _TEXTUAL):
            return kind
    if head.startswith(b"RIFF") and head[8:12] in _IN_RIFF:
        return _IN_RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return "an AVIF or HEIC image" if head[8:12] in {b"avif", b"heic"} else "an MP4 video"
    return "a binary file" if has_zero else None
