"""Writes what was judged, if the file is still what was judged.

No link is followed on the way. A file is replaced as a whole or not at all, where its folder and
its owner allow that. It happens in one step: whoever is stopped has written all or nothing.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST, ELOOP, ENOENT, ENOTDIR
from typing import BinaryIO, Final

from assent.agent.tools.file_swap import Before, new_name, opened, replace
from assent.agent.tools.large_files import whole_after
from assent.agent.tools.tool import NewFile, ToolFailed
from assent.gate.call.calls import Edit, Stretch
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import SAFELY, entered, folder_of
from assent.gate.text.encodings import Encoding

__all__ = ["check_made", "create", "remove", "take_back", "write"]

_WHY: Final = {
    EEXIST: "somebody else has made it meanwhile",
    ELOOP: "it leads elsewhere than it did when this was judged",
    ENOENT: "it is no longer there",
    ENOTDIR: "a folder on the way to it is no folder any more",
}
_CHANGED: Final = "has changed since, so this cannot be undone."


def write(edit: Edit, shown: str) -> None:
    """Make a file what an edit says, if it still is what the edit says it was."""
    if edit.stretch is not None:
        _write_stretch(edit, edit.stretch, shown)
        return
    data = _encoded(edit.new, edit, shown)
    with _explain_failure(shown, "written"), folder_of(edit.path, _made) as (folder, name):
        if edit.old is None:
            _create(folder, name, data)
        else:
            replace(folder, name, data, Before(data=_encoded(edit.old, edit, shown), shown=shown))


def create(new: NewFile, data: bytes) -> None:
    """Make a new file of these bytes, where there still is none."""
    with _explain_failure(new.shown, "written"), folder_of(new.path, _made) as (folder, name):
        _create(folder, name, data)


def check_made(new: NewFile) -> None:
    """Raise `ToolFailed` where a file is not what was made."""
    with _explain_failure(new.shown, "removed"), folder_of(new.path) as (folder, name):
        _check(folder, name, new.shown, _is(new))


def take_back(new: NewFile) -> None:
    """Remove a file that was made so, if it still is that."""
    _remove(new.path, new.shown, _is(new))


def _is(new: NewFile) -> Callable[[BinaryIO], bool]:
    return lambda file: hashlib.sha256(file.read(new.size + 1)).hexdigest() == new.digest


def _write_stretch(edit: Edit, stretch: Stretch, shown: str) -> None:
    """Put the new lines where the old ones stand in a large file."""
    try:
        old, new = whole_after(edit, stretch, shown)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    with _explain_failure(shown, "written"), folder_of(edit.path) as (folder, name):
        replace(folder, name, new, Before(data=old, shown=shown))


def _encoded(text: str, edit: Edit, shown: str) -> bytes:
    try:
        return text.encode(edit.encoding)
    except UnicodeEncodeError as error:
        letter = text[error.start]
        words = f"{letter!a} cannot be written in {edit.encoding.words}, as the file is"
        raise ToolFailed(f"{shown} could not be written: {words}.") from error


def remove(path: str, text: str, shown: str, encoding: Encoding = Encoding.UTF_8) -> None:
    """Remove a file, if this is what stands in it."""
    data = text.encode(encoding)
    _remove(path, shown, lambda file: file.read(len(data) + 1) == data)


def _remove(path: str, shown: str, is_ours: Callable[[BinaryIO], bool]) -> None:
    """Remove a file whose content is ours; one that is not stays where it is.

    Between a look and the removal somebody could put another file in its place. So it is looked
    at once more when it is aside, where nobody else reaches for it.
    """
    with _explain_failure(shown, "removed"), folder_of(path) as (folder, name):
        _check(folder, name, shown, is_ours)
        with _aside(folder, name, shown) as aside:
            _check(folder, aside, shown, is_ours)
            os.unlink(aside, dir_fd=folder)


def _check(folder: int, name: str, shown: str, is_ours: Callable[[BinaryIO], bool]) -> None:
    with opened(folder, name) as file:
        if file is None or not is_ours(file):
            raise ToolFailed(f"{shown} {_CHANGED}")


@contextmanager
def _aside(folder: int, name: str, shown: str) -> Iterator[str]:
    """The new name of a file that is moved aside; where this goes wrong, it is put back.

    Where the process dies meanwhile, the file lies whole beside its place, and the person finds it
    there: it is called `.assent-` and sixteen letters.
    """
    aside = new_name()
    os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
    try:
        yield aside
    except BaseException:
        _put_back(folder, aside, name, shown)
        raise


def _put_back(folder: int, aside: str, name: str, shown: str) -> None:
    """Give a file its name again; where that is taken meanwhile, nothing is written over."""
    try:
        os.link(aside, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        where = f"What stood there is kept beside it, in {aside}."
        raise ToolFailed(f"{shown} {_CHANGED} {where}") from error
    os.unlink(aside, dir_fd=folder)


@contextmanager
def _explain_failure(shown: str, done: str) -> Iterator[None]:
    """Say of a file in a sentence why it could not be written or removed."""
    try:
        yield
    except OSError as error:
        why = _WHY.get(error.errno or 0, error.strerror or type(error).__name__)
        raise ToolFailed(f"{shown} could not be {done}: {why}.") from error


def _made(name: str, folder: int) -> int:
    """Enter a folder, and make it where there is none."""
    try:
        return entered(name, folder)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
        return entered(name, folder)


def _create(folder: int, name: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY
    descriptor = os.open(name, flags, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise
