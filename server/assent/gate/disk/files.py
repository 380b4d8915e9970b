"""Opens files by the judged path, and by no other.

No link is followed on the way: where a folder or the file has been replaced by one since the
path was resolved, it is not opened at all.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.text.encodings import Encoding, decoded

__all__ = [
    "MAX_FILE_BYTES",
    "SAFELY",
    "data_of",
    "entered",
    "folder_of",
    "found_in",
    "open_resolved",
    "text_of",
    "too_large",
]

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
"""In bytes: a larger file's change could not be shown."""

_FOLDER: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
SAFELY: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
"""Through no link, and without waiting: there may be a pipe that nobody writes to."""


def open_resolved(path: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the file at a resolved path."""
    with folder_of(path) as (folder, name):
        return os.open(name, flags | SAFELY, dir_fd=folder)


def entered(name: str, folder: int) -> int:
    """A descriptor of the folder of that name in an opened one."""
    return os.open(name, _FOLDER, dir_fd=folder)


@contextmanager
def folder_of(path: str, enter: Callable[[str, int], int] = entered) -> Iterator[tuple[int, str]]:
    """The folder that a resolved path lies in, opened, and the path's last name in it."""
    *folders, name = [part for part in path.split("/") if part] or ["."]
    folder = os.open("/", _FOLDER)
    try:
        for part in folders:
            inner = enter(part, folder)
            os.close(folder)
            folder = inner
        yield folder, name
    finally:
        os.close(folder)


def text_of(path: str, shown: str) -> str | None:
    """What stands in the UTF-8 file at a resolved path now; None where there is none."""
    text, encoding = found_in(path, shown) or (None, Encoding.UTF_8)
    if encoding is not Encoding.UTF_8:
        raise _no_text(shown)
    return text


def found_in(path: str, shown: str) -> tuple[str, Encoding] | None:
    """What stands in the file at a resolved path now, and how; None where there is none."""
    data = data_of(path, shown)
    if data is None:
        return None
    text_and_encoding = decoded(data)
    if text_and_encoding is None:
        raise _no_text(shown)
    return text_and_encoding


def data_of(path: str, shown: str) -> bytes | None:
    """The bytes of the file at a resolved path; None where there is none."""
    try:
        descriptor = open_resolved(path)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        _check_way(path, shown)
        return None
    except OSError as error:
        raise CallUnreadable(f"{shown} cannot be read: {error.strerror}.") from error
    with _checked(descriptor, shown) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if data is None:
        raise CallUnreadable(f"{shown} has nothing to be read yet.")
    if len(data) > MAX_FILE_BYTES:
        # It may have grown since it was measured.
        raise too_large(shown)
    return data


def _no_text(shown: str) -> CallUnreadable:
    return CallUnreadable(
        f"{shown} is not text, or in an encoding that is not known, so its change cannot be shown."
    )


def _check_way(path: str, shown: str) -> None:
    """A file may stand in the way, and then there is nothing; a link is not looked through."""
    if os.path.realpath(path) != path:
        raise CallUnreadable(f"A folder on the way to {shown} was replaced by a link.")


def _checked(descriptor: int, shown: str) -> BinaryIO:
    """The opened file, looked at before anything is done with it: nobody opens a folder as one."""
    try:
        _check(os.fstat(descriptor), shown)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _check(facts: os.stat_result, shown: str) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise CallUnreadable(f"{shown} is not an ordinary file.")
    if facts.st_size > MAX_FILE_BYTES:
        raise too_large(shown)


def too_large(shown: str) -> CallUnreadable:
    """Nobody could look at all of its change."""
    return CallUnreadable(f"{shown} is too large for its change to be shown.")
