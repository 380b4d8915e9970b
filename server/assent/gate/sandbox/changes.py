"""What a trial changed: read from the layer that the kernel laid over the workspace.

The layer holds what was written. A file that is gone is there as a whiteout, a folder that was
made anew as an opaque one. What was written as it had been is no change.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.values import frozen

__all__ = ["Change", "Kind", "Stamp", "digest_of", "is_made_anew", "read_changes", "stamp_of"]

_OPAQUE: Final = "user.overlay.opaque"
_WHITEOUT: Final = "user.overlay.whiteout"
_ORIGIN: Final = "user.overlay.origin"
_PIECE_BYTES: Final = 1 << 20
_OWNER_BITS: Final = 0o700
_MAX_DEPTH: Final = 200


class TooDeep(AssentError):
    """Folders lie in one another too deeply to be read."""

    def __init__(self, path: str) -> None:
        super().__init__(f"More than {_MAX_DEPTH} folders lie in one another at {path[:60]}….")


class Kind(StrEnum):
    """What became of one path."""

    MADE = "made"
    CHANGED = "changed"
    DELETED = "deleted"
    MODE = "mode"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"
    """A pipe, a socket or a device: told, and never made real."""


@frozen
class Stamp:
    """By this it is seen that a file is still the one that was compared."""

    mode: int
    size: int
    changed: int
    """When its content or its rights changed last, in nanoseconds: nobody can set that back."""
    inode: int
    written: int
    """When its content changed last. A move leaves this as it is, and not `changed`."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)


@frozen(kw_only=True)
class Change:
    """What a trial did to one path."""

    kind: Kind
    path: str
    """Below the workspace."""
    before: Stamp | None = None
    """What lies there for real."""
    mode: int = 0
    size: int = 0
    target: str = ""
    """Where a link leads."""
    copied: bool = False
    """Whether it was made from something that lay in the workspace when the command ran."""


def stamp_of(path: str | Path) -> Stamp | None:
    """What lies at a path for real, itself and not what a link leads to; None for nothing."""
    try:
        facts = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Stamp(facts.st_mode, facts.st_size, facts.st_ctime_ns, facts.st_ino, facts.st_mtime_ns)


def digest_of(upper: str, changes: Sequence[Change]) -> str:
    """The SHA-256 of what these changes would make of the workspace, as the layer is now."""
    rows = [
        (change.kind.value, change.path, change.mode, change.target, _digest_at(upper, change))
        for change in changes
    ]
    return hashlib.sha256(json.dumps(rows).encode("ascii")).hexdigest()


def _digest_at(upper: str, change: Change) -> str | None:
    """What lies in the layer: the SHA-256 of a file, the path that a link leads to."""
    if change.kind is Kind.DELETED:
        return None
    path = _join(upper, change.path)
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode):
        return os.readlink(path)  # noqa: PTH115
    mode = oct(facts.st_mode)
    if not stat.S_ISREG(facts.st_mode):
        return mode
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except PermissionError:
        # Its owner may not read it either. When it changed last nobody can set back.
        return f"{mode} {facts.st_size} {facts.st_ctime_ns} {facts.st_ino}"
    with os.fdopen(descriptor, "rb") as file:
        return f"{mode} {hashlib.file_digest(file, 'sha256').hexdigest()}"


def read_changes(workspace: str, upper: str) -> list[Change]:
    """All changes: what is deleted or replaced first, then folders before what is in them."""
    changes = [*_changes_in(workspace, upper, "", alone=False, is_new=False)]
    gone = [change for change in changes if change.kind is Kind.DELETED]
    return [*gone, *(change for change in changes if change.kind is not Kind.DELETED)]


def _changes_in(
    workspace: str, upper: str, below: str, *, alone: bool, is_new: bool
) -> Iterator[Change]:
    """The changes in one folder. `alone`: nothing of what really lies there is seen through it.

    `is_new`: there is no such folder yet. What a link in its place leads to is not looked at.
    """
    folder = _join(upper, below)
    if below.count("/") > _MAX_DEPTH:
        raise TooDeep(below)
    _open_up(folder)
    with os.scandir(folder) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        path = _join(below, entry.name)
        facts = entry.stat(follow_symlinks=False)
        before = None if is_new else stamp_of(_join(workspace, path))
        if _is_whiteout(entry.path, facts):
            if before is not None and not alone:
                yield Change(kind=Kind.DELETED, path=path, before=before)
        elif stat.S_ISDIR(facts.st_mode):
            yield from _folder(workspace, upper, path, facts, before, alone=alone)
        else:
            if before is not None and before.is_folder and _is_made_real(facts):
                yield Change(kind=Kind.DELETED, path=path, before=before)
                before = None
            yield from _file(workspace, entry.path, path, facts, before)


def _folder(
    workspace: str,
    upper: str,
    path: str,
    facts: os.stat_result,
    before: Stamp | None,
    *,
    alone: bool,
) -> Iterator[Change]:
    mode = stat.S_IMODE(facts.st_mode)
    was_folder = before is not None and before.is_folder
    if not was_folder:
        if before is not None:
            yield Change(kind=Kind.DELETED, path=path, before=before)
        copied = _has(_join(upper, path), _ORIGIN)
        yield Change(kind=Kind.FOLDER, path=path, mode=mode, copied=copied)
    elif before is not None and stat.S_IMODE(before.mode) != mode:
        yield Change(kind=Kind.MODE, path=path, before=before, mode=mode)
    hides = alone or _has(_join(upper, path), _OPAQUE)
    if was_folder and hides:
        _open_up(_join(upper, path))
        real = _join(workspace, path)
        for name in sorted({*os.listdir(real)} - {*os.listdir(_join(upper, path))}):  # noqa: PTH208
            inner = _join(path, name)
            yield Change(kind=Kind.DELETED, path=inner, before=stamp_of(_join(workspace, inner)))
    yield from _changes_in(workspace, upper, path, alone=hides, is_new=not was_folder)


def _file(
    workspace: str, lies: str, path: str, facts: os.stat_result, before: Stamp | None
) -> Iterator[Change]:
    mode, real = stat.S_IMODE(facts.st_mode), _join(workspace, path)
    if stat.S_ISLNK(facts.st_mode):
        target = os.readlink(lies)  # noqa: PTH115
        if before is None or not stat.S_ISLNK(before.mode) or os.readlink(real) != target:  # noqa: PTH115
            yield Change(kind=Kind.LINK, path=path, before=before, target=target)
    elif not _is_made_real(facts):
        yield Change(kind=Kind.SPECIAL, path=path, before=before)
    elif before is None or not stat.S_ISREG(before.mode):
        copied = before is None and _has(lies, _ORIGIN)
        yield Change(
            kind=Kind.MADE, path=path, before=before, mode=mode, size=facts.st_size, copied=copied
        )
    elif before.size != facts.st_size or not _is_same(lies, real):
        yield Change(kind=Kind.CHANGED, path=path, before=before, mode=mode, size=facts.st_size)
    elif stat.S_IMODE(before.mode) != mode:
        yield Change(kind=Kind.MODE, path=path, before=before, mode=mode)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name


def _is_made_real(facts: os.stat_result) -> bool:
    """Whether it is no pipe, socket or device."""
    return stat.S_ISREG(facts.st_mode) or stat.S_ISLNK(facts.st_mode)


def _is_whiteout(path: str, facts: os.stat_result) -> bool:
    if stat.S_ISCHR(facts.st_mode):
        return facts.st_rdev == 0
    return stat.S_ISREG(facts.st_mode) and facts.st_size == 0 and _has(path, _WHITEOUT)


def is_made_anew(folder: str) -> bool:
    """Whether nothing of what really lies in a folder of a layer is seen through it."""
    return _has(folder, _OPAQUE)


def _has(path: str, name: str) -> bool:
    try:
        os.getxattr(path, name, follow_symlinks=False)
    except OSError:
        return False
    return True


def _open_up(folder: str) -> None:
    """A command may have taken the right to look into a folder from itself; it is ours to give."""
    facts = os.lstat(folder)
    if facts.st_uid == os.getuid() and facts.st_mode & _OWNER_BITS != _OWNER_BITS:
        with suppress(OSError):
            os.chmod(folder, facts.st_mode & 0o7777 | _OWNER_BITS)  # noqa: PTH101


def _is_same(first: str, second: str) -> bool:
    """Whether two files hold the same; a file that may not be read is never the same."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        ours, theirs = os.open(first, flags), -1
        try:
            theirs = os.open(second, flags)
            while True:
                piece = os.read(ours, _PIECE_BYTES)
                if piece != os.read(theirs, _PIECE_BYTES):
                    return False
                if not piece:
                    return True
        finally:
            os.close(ours)
            if theirs >= 0:
                os.close(theirs)
    except OSError:
        return False
