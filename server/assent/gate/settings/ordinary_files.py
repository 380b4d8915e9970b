"""Reads files that somebody else may have put there: only ordinary ones, up to a size.

Nothing here waits: a pipe that nobody writes to is refused, as a folder and a device are.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

__all__ = ["opened", "read_bounded", "read_ordinary"]


def read_ordinary(path: str | os.PathLike[str], most: int) -> bytes:
    """What stands in a file; `OSError` says why it is not had, in `strerror`."""
    with opened(path) as file:
        return read_bounded(file, most)


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """An ordinary file, open for reading."""
    # Looked at before it is opened: opening a device may be enough for it.
    _refuse_odd(os.stat(path))  # noqa: PTH116 -- beside `fstat`
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        _refuse_odd(os.fstat(descriptor))
        yield file


def _refuse_odd(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "It is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "It is no ordinary file")


def read_bounded(file: BinaryIO, most: int) -> bytes:
    """All of an open file, if that is not too much."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(0, "It is too large")
    return data
