"""Opens files by the path that was judged, and by no other.

No link is followed on the way: where a folder or the file has been replaced by one since the
path was resolved, it is not opened at all.
"""

import os
import stat
from typing import Final

from assent.errors import CallUnreadable

__all__ = ["open_resolved", "text_of"]

LARGEST: Final = 4 * 1024 * 1024
"""In bytes: a larger file's change could not be shown."""

_FOLDER: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_FILE: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Without waiting: somebody may have put a pipe there that nobody writes to."""


def open_resolved(path: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the file at a resolved path."""
    *folders, name = [part for part in path.split("/") if part]
    folder = os.open("/", _FOLDER)
    try:
        for part in folders:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(name, flags | _FILE, dir_fd=folder)
    finally:
        os.close(folder)


def text_of(path: str, shown: str) -> str | None:
    """What stands in the file at a resolved path now; None where there is none."""
    try:
        descriptor = open_resolved(path)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        _check_way(path, shown)
        return None
    except OSError as error:
        raise CallUnreadable(f"{shown} cannot be read: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        _check(os.fstat(file.fileno()), shown)
        data = file.read(LARGEST + 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CallUnreadable(f"{shown} is not text, so its change cannot be shown.") from error


def _check_way(path: str, shown: str) -> None:
    """A file may stand in the way, and then there is nothing; a link is not looked through."""
    if os.path.realpath(path) != path:
        raise CallUnreadable(f"A folder on the way to {shown} was replaced by a link.")


def _check(facts: os.stat_result, shown: str) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise CallUnreadable(f"{shown} is not an ordinary file.")
    if facts.st_size > LARGEST:
        raise CallUnreadable(f"{shown} is too large for its change to be shown.")
