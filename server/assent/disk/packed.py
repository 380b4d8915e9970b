"""What a file holds that fills a folder: the names in an archive, or the text of a patch.

The archive may be anybody's, so nothing is unpacked but its list, within bounds, and what is odd
about it is not told. `tarfile` is left out: it follows what a header says without such bounds.
"""

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from assent.disk.files import LARGEST, data_of
from assent.errors import CallUnreadable

__all__ = ["contents_of"]

_MOST: Final = 8 * LARGEST
"""In bytes: so much of a packed archive is looked at."""
_BLOCK: Final = 512
_NAMES: Final = 10_000
_KNOWN: Final = frozenset(b"\x0001234567gxLK")
"""The kinds of entries that are read: files, links, folders, devices, and names for the next."""


def contents_of(path: str) -> str | None:
    """The names in the archive at a resolved path, or the text of what is none.

    Nothing where there is no file; None where it cannot be told.
    """
    try:
        data = data_of(path, path)
        names = _names_in(data) if data else []
    except (
        CallUnreadable,
        ValueError,
        EOFError,
        OSError,
        RuntimeError,
        lzma.LZMAError,
        zlib.error,
    ):
        return None
    if names is not None:
        return "\n".join(names)
    # An archive of another kind is no text.
    return data.decode(errors="replace") if data and b"\0" not in data else None


def _names_in(data: bytes) -> list[str] | None:
    """The names in an archive; None where it is none."""
    if data[:4] in {b"PK\3\4", b"PK\5\6"}:
        return _in_zip(data)
    for begins, unpacker in _UNPACKERS.items():
        if data.startswith(begins):
            return [*_in_tar(_unpacked(unpacker(), data))]
    return [*_in_tar(data)] if data[257:262] == b"ustar" else None


def _in_zip(data: bytes) -> list[str]:
    import zipfile  # noqa: PLC0415 -- only where there is one

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise ValueError("It is no whole archive.") from error


def _in_tar(data: bytes) -> Iterator[str]:
    """The name of each entry, and where each link leads."""
    at, count = 0, 0
    while data[at : at + _BLOCK].strip(b"\0"):
        head = data[at : at + _BLOCK]
        count += 1
        if len(head) < _BLOCK or head[156] not in _KNOWN or count > _NAMES:
            raise ValueError("It is no plain archive.")
        size = int(head[124:136].strip(b"\0 ") or b"0", 8)
        body = data[at + _BLOCK : at + _BLOCK + size]
        if head[156] in b"xgLK":
            # A name that is too long for a header, or as many as there is room for.
            yield body.decode(errors="replace")
        # GNU's own form keeps times where others have the folder.
        folder = _until_zero(head[345:500]) if head[257:263] == b"ustar\0" else ""
        name = _until_zero(head[:100])
        yield f"{folder}/{name}" if folder else name
        yield _until_zero(head[157:257])
        at += _BLOCK * (1 + -(-size // _BLOCK))
    if at > len(data):
        raise ValueError("It ends before it should.")


def _until_zero(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")


def _unpacked(unpacker: "_Unpacker", data: bytes) -> bytes:
    found = unpacker.decompress(data, _MOST)
    if not unpacker.eof or unpacker.unused_data.strip(b"\0"):
        raise ValueError("It is too large, or has more behind its end.")
    return found


class _Unpacker(Protocol):
    """What unpacks, up to a number of bytes."""

    @property
    def eof(self) -> bool:
        """Whether all was unpacked."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What stands behind that."""
        ...

    def decompress(self, data: bytes, most: int, /) -> bytes:
        """The first of what is packed."""
        ...


_UNPACKERS: Final[dict[bytes, Callable[[], _Unpacker]]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\0": lambda: lzma.LZMADecompressor(memlimit=4 * _MOST),
}
"""By how a packed file begins."""
