"""Reads small files that somebody else may have written.

What is no plain file of a bearable size is not read: a pipe would keep the reader waiting.
"""

import os
import stat
from typing import Final

__all__ = ["FOLDER", "UNREADABLE", "Unclear", "bytes_in", "kind_of", "line_in", "resolved"]

FOLDER: Final = "folder"
_OTHER: Final = "other"

UNREADABLE: Final = "not all of it can be read"

_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_MAX_LINE_BYTES: Final = 4_096


class Unclear(Exception):
    """Nobody can tell that a repository is harmless; it says why, as a clause."""


def kind_of(path: str) -> str:
    """What is there: nothing, a folder, or something else such as a link."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return FOLDER if stat.S_ISDIR(mode) else _OTHER


def bytes_in(file: str, most: int = _MAX_LINE_BYTES) -> bytes | None:
    """What stands in a file; None where there is none."""
    try:
        opened = os.open(file, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        known = os.fstat(opened)
        if not stat.S_ISREG(known.st_mode) or known.st_size > most:
            raise Unclear(UNREADABLE)
        # A file may come in several pieces, and what stands in the last one counts as well.
        return b"".join(iter(lambda: os.read(opened, known.st_size or _MAX_LINE_BYTES), b""))
    finally:
        os.close(opened)


def line_in(file: str) -> str | None:
    """The only line of a file; None where there is no such file."""
    written = bytes_in(file)
    return None if written is None else os.fsdecode(written).rstrip("\r\n")


def resolved(path: str, folder: str) -> str:
    """Where a path leads from a folder."""
    return os.path.realpath(os.path.join(folder, path))  # noqa: PTH118 -- pathlib would clean the path
