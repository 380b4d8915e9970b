"""Reads small files that lie where anybody may have put them: ordinary ones, and no others.

A pipe, a socket or a device in the place of one would have us wait, or do something.
"""

import os
import stat
from pathlib import Path

__all__ = ["regular_text"]

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def regular_text(path: Path, most: int) -> str:
    """What stands in an ordinary file of so many bytes; else raises `OSError` or `ValueError`."""
    # Looked at before it is opened: opening a device may be enough for it.
    _insist(os.stat(path), most)  # noqa: PTH116 -- beside `fstat`
    file = os.open(path, _FLAGS)
    try:
        _insist(os.fstat(file), most)
        with open(file, "rb", closefd=False) as reader:
            data = reader.read(most + 1)
    finally:
        os.close(file)
    if len(data) > most:
        raise ValueError("it is too large")
    return data.decode("utf-8")


def _insist(found: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError("it is no ordinary file")
    if found.st_size > most:
        raise ValueError("it is too large")
