"""Replaces a file by a new one, if the old one is still the one that was judged.

It is one step: whoever is stopped has replaced it or not. What somebody puts there in the last
moment is not written over, where the file system can exchange two files.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EPERM
from typing import BinaryIO, Final

from assent.agent.tools.tool import ToolFailed
from assent.gate.disk.exchange import exchanged
from assent.gate.disk.files import SAFELY
from assent.gate.values import frozen

__all__ = ["Before", "new_name", "opened", "replace"]

_SINCE: Final = "has changed since this was judged."


@frozen(kw_only=True)
class Before:
    """What is to stand in a file before it is changed."""

    data: bytes
    shown: str


def new_name() -> str:
    """A name that nobody has."""
    return f".assent-{secrets.token_hex(8)}"


def replace(folder: int, name: str, data: bytes, before: Before) -> None:
    """Put this in a file's place, if what is to stand there does."""
    with _beside(folder, data) as (beside, temporary), _standing(folder, name, before) as file:
        facts = os.fstat(file.fileno())
        if beside is None or facts.st_uid != os.geteuid():
            # Another file in its place would be no longer its owner's.
            _overwrite(file, data)
            return
        os.fchmod(beside, stat.S_IMODE(facts.st_mode) & 0o777)
        # In this order the name's own event is the last one, so that who watches it hears of it.
        if exchanged(name, temporary, folder):
            _check_taken(folder, temporary, name, data, before)
        else:
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _check_taken(folder: int, taken: str, name: str, data: bytes, before: Before) -> None:
    """Look once more at what stood there, and put it back where it is another now.

    Between the look before and the exchange somebody could have changed it. Nobody has it by its
    new name, so it stays what it is. What comes out when it is put back is ours, or again
    somebody's, which is kept beside it.
    """
    with suppress(OSError, ToolFailed), _standing(folder, taken, before):
        return
    where = ""
    if not (_put_back(folder, taken, name) and _holds(folder, taken, data)):
        kept = new_name()
        os.rename(taken, kept, src_dir_fd=folder, dst_dir_fd=folder)
        where = f" What stood there is kept beside it, in {kept}."
    raise ToolFailed(f"{before.shown} {_SINCE}{where}")


def _put_back(folder: int, taken: str, name: str) -> bool:
    with suppress(OSError):
        return exchanged(name, taken, folder)
    return False


def _holds(folder: int, name: str, data: bytes) -> bool:
    """Whether a file is one with this content."""
    with suppress(OSError), opened(folder, name) as file:
        return file is not None and file.read(len(data) + 1) == data
    return False


@contextmanager
def _beside(folder: int, data: bytes) -> Iterator[tuple[int | None, str]]:
    """A new file with this content, or none where the folder takes none; in the end it is gone."""
    name = new_name()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY
    try:
        descriptor = os.open(name, flags, 0o600, dir_fd=folder)
    except OSError as error:
        if error.errno not in {EACCES, EPERM}:
            raise
        yield None, name
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            yield descriptor, name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


@contextmanager
def _standing(folder: int, name: str, before: Before) -> Iterator[BinaryIO]:
    """The file as it stands, opened, if it is what it was.

    It is opened for writing as well, so that one that may only be read stays as it is.
    """
    with opened(folder, name) as file:
        if file is None or file.read(len(before.data) + 1) != before.data:
            raise ToolFailed(f"{before.shown} {_SINCE}")
        yield file


@contextmanager
def opened(folder: int, name: str) -> Iterator[BinaryIO | None]:
    """What is to be read and written; None where it is no file at all."""
    descriptor = os.open(name, os.O_RDWR | SAFELY, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        yield None
        return
    with os.fdopen(descriptor, "r+b") as file:
        yield file


def _overwrite(file: BinaryIO, data: bytes) -> None:
    file.seek(0)
    file.write(data)
    file.truncate()
