"""Reads git's index: the tracked files with their digests, and the folders that are repositories.

An index may be large, so for those folders it is only looked through for the mode that such a note
has. What looks like one by chance names a folder that is not there, or may as well be looked at.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from assent.gate.disk.git.files import UNREADABLE, Unclear

__all__ = ["MAX_INDEX_BYTES", "digests_noted", "files_noted", "folders_noted"]

MAX_INDEX_BYTES: Final = 32 * 1024 * 1024
"""A larger index is not read."""

_MODE: Final = b"\0\0\xe0\0"
_MODE_OFFSET: Final = 24
"""Where in a note the mode stands."""
_NAMES: Final = (62, 64, 74, 76)
"""Where its name may begin: after a short or a long digest, and with more flags."""
_MAX_NAME_BYTES: Final = 4_096
_HEADER_BYTES: Final = 12
_SHORTENED: Final = b"DIRC\0\0\0\4"
_DIGESTS: Final = (20, 32)
_TYPES: Final = frozenset({0o04, 0o10, 0o12, 0o16})
_MORE_FLAGS, _MORE = 0x4000, 0x80


def folders_noted(index: bytes) -> Iterator[str]:
    """The names of those folders, and perhaps some that are none."""
    shortened = index.startswith(_SHORTENED)
    at = -1
    while (at := index.find(b"\xe0", at + 1)) >= 0:
        if index[at - 2 : at + 2] != _MODE:
            continue
        if shortened:
            yield from _in_full(index)
            return
        note = at - 2 - _MODE_OFFSET
        for begin in _NAMES:
            name = index[note + begin : index.find(b"\0", note + begin)]
            if name and len(name) <= _MAX_NAME_BYTES:
                yield os.fsdecode(name)


def files_noted(index: bytes) -> list[str]:
    """The names of all that it notes, from the top of the work tree."""
    return [os.fsdecode(name) for _, _, name in _in_order(index)]


def digests_noted(index: bytes, file: str) -> list[bytes]:
    """The digests of what it notes under this name: several where a merge is not ended."""
    noted = os.fsencode(file)
    return [digest for _, digest, name in _in_order(index) if name == noted]


def _in_full(index: bytes) -> Iterator[str]:
    """Spell out each folder, whose name is written without what it shares with the one before."""
    yield from (os.fsdecode(name) for mode, _, name in _in_order(index) if mode == _MODE)


def _in_order(index: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Each note's mode, digest and name."""
    for digest in _DIGESTS:
        with suppress(IndexError, ValueError):
            return [*_notes(index, digest)]
    raise Unclear(UNREADABLE)


def _notes(index: bytes, digest: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each note's mode, digest and name; an error where the digests are of another length."""
    shortened = index.startswith(_SHORTENED)
    at, name = _HEADER_BYTES, b""
    for _ in range(int.from_bytes(index[8:_HEADER_BYTES], "big")):
        mode = index[at + _MODE_OFFSET : at + _MODE_OFFSET + 4]
        if int.from_bytes(mode, "big") >> 12 not in _TYPES:
            raise ValueError
        flags = at + 40 + digest
        noted = index[at + 40 : flags]
        more = int.from_bytes(index[flags : flags + 2], "big") & _MORE_FLAGS
        begin = flags + (4 if more else 2)
        dropped, begin = _number(index, begin) if shortened else (len(name), begin)
        end = index.index(b"\0", begin)
        name = name[: max(len(name) - dropped, 0)] + index[begin:end]
        # What is not shortened is filled up to eight bytes.
        at = end + 1 if shortened else end + 8 - (end - at) % 8
        yield mode, noted, name


def _number(index: bytes, at: int) -> tuple[int, int]:
    byte = index[at]
    number = byte & 0x7F
    while byte & _MORE:
        at += 1
        byte = index[at]
        number = (number + 1 << 7) + (byte & 0x7F)
    return number, at + 1
