"""Private files of this user: read whole or not at all, written whole or not at all.

A link, a folder, a pipe, a file of somebody else's or one that others may open is never read.
Writing goes through a new file that takes the old one's place, and is on the disk afterwards.
"""

import contextlib
import os
import pathlib
import stat
import sys
from collections.abc import Iterator
from typing import Final

from assent.gate.call.errors import AssentError

if sys.platform != "win32":
    import fcntl

__all__ = [
    "MAX_FILE_BYTES",
    "OPEN_SAFELY",
    "UnfitFile",
    "alone_in",
    "lock",
    "make_private",
    "read_private",
    "reason",
    "spare_folder",
    "write_private",
]

MAX_FILE_BYTES: Final = 4_000_000
"""In bytes: far more than a person's answers take."""

OPEN_SAFELY: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Follow no link, wait for no pipe's other end, leave nothing open to programs."""

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class UnfitFile(AssentError):
    """A private file could not be read or written; the message is a sentence's second half."""


def read_private(path: pathlib.Path) -> bytes | None:
    """The file's bytes; None where there is no such file."""
    try:
        _refuse_link(path)
        descriptor = os.open(path, os.O_RDONLY | OPEN_SAFELY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnfitFile(reason(error)) from error
    try:
        _refuse_unfit(os.fstat(descriptor))
        return _all_of(descriptor)
    except OSError as error:
        raise UnfitFile(reason(error)) from error
    finally:
        os.close(descriptor)


def write_private(path: pathlib.Path, data: bytes) -> None:
    """Put `data` in the file's place, and return when it is on the disk."""
    try:
        _own_folder(path.parent)
        _replace(path, data)
    except OSError as error:
        raise UnfitFile(reason(error)) from error


@contextlib.contextmanager
def alone_in(folder: pathlib.Path) -> Iterator[None]:
    """Keep other servers from writing in this folder meanwhile."""
    try:
        _own_folder(folder)
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | OPEN_SAFELY, 0o600)
    except OSError as error:
        raise UnfitFile(reason(error)) from error
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _own_folder(folder: pathlib.Path) -> None:
    """Make a private folder that is no link and nobody else's: what lies there is believed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        raise UnfitFile("its folder is a link")
    if _is_strangers(facts):
        raise UnfitFile("its folder belongs to somebody else")
    make_private(folder)


def make_private(folder: pathlib.Path) -> None:
    """Make a folder that nobody else may look into, or a link to one; raise `OSError` if not."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform != "win32" and folder.stat().st_mode & _OTHERS:
        folder.chmod(0o700)


def spare_folder(state: pathlib.Path, name: str) -> str | None:
    """A folder there for what memory has no room for; None leaves that to the system."""
    try:
        make_private(state)
        make_private(state / name)
    except OSError:
        return None
    return str(state / name)


def lock(descriptor: int) -> None:
    """Wait for whoever writes just now. Windows has no such lock: there the last writer wins."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        raise UnfitFile(reason(error)) from error


def _refuse_link(path: pathlib.Path) -> None:
    """O_NOFOLLOW does the same without a gap, where there is such a thing; Windows has none."""
    if stat.S_ISLNK(path.lstat().st_mode):
        raise UnfitFile("it is a link")


def _refuse_unfit(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnfitFile("it is no ordinary file")
    if _is_strangers(status):
        raise UnfitFile("it belongs to somebody else")
    if sys.platform != "win32" and status.st_mode & _OTHERS:
        raise UnfitFile("others may open it")


def _is_strangers(status: os.stat_result) -> bool:
    return sys.platform != "win32" and status.st_uid != os.geteuid()


def _all_of(descriptor: int) -> bytes:
    """Everything, if that is not too much. Its size is not asked: a file may grow meanwhile."""
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise UnfitFile("it is too large")
    return data


def _replace(path: pathlib.Path, data: bytes) -> None:
    import tempfile  # noqa: PLC0415 -- only where it is needed

    # mkstemp's file is readable and writable for its owner alone, whatever the umask.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = pathlib.Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _settle(path.parent)


def _settle(folder: pathlib.Path) -> None:
    """Put the change of names itself on the disk, where a folder can be opened for that."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | OPEN_SAFELY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def reason(error: OSError) -> str:
    """Why, in words that go into a sentence."""
    return (error.strerror or type(error).__name__).lower()
