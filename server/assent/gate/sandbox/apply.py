"""Makes the changes of a trial real: all of them that are wanted, or none.

What they replace is kept beside the trial, with a plan of the steps that is on the disk before
the first of them. So whatever breaks off in the middle, a crash included, is put back by the
plan; and so is all of it when a person undoes it.
"""

import errno
import json
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from assent.gate.call.errors import AssentError
from assent.gate.sandbox.changes import Change, Kind, Stamp, stamp_of

__all__ = ["ChangedMeanwhile", "apply", "stale", "undo"]

_PLAN: Final = "plan.json"
_DONE: Final = "done"
"""A byte for each step that is done."""
_KEPT: Final = "kept"
_OF_OVERLAYS: Final = "user.overlay."
_FOLDER: Final = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class ChangedMeanwhile(AssentError):
    """Files are no longer as the trial found them; the message names them."""

    def __init__(self, paths: Sequence[str]) -> None:
        more = f" and {len(paths) - 5:,} more" if len(paths) > 5 else ""  # noqa: PLR2004
        super().__init__(f"Changed since the command ran: {', '.join(paths[:5])}{more}.")
        self.paths = tuple(paths)


def stale(workspace: str, changes: Iterable[Change], began: int) -> list[str]:
    """The paths whose real files changed since the command began, or since they were compared."""
    found: dict[str, None] = {}
    for change in changes:
        now = stamp_of(f"{workspace}/{change.path}")
        is_other = change.before is not None and now != change.before and not _is_grown(now, change)
        came = change.before is None and now is not None and change.kind is not Kind.FOLDER
        late = now is not None and not now.is_folder and now.changed > began
        if is_other or late or came:
            found[change.path] = None
    return list(found)


def _is_grown(now: Stamp | None, change: Change) -> bool:
    """Whether only what is in a folder changed, of which the rights are to change."""
    return (
        change.kind is Kind.MODE
        and now is not None
        and now.is_folder
        and _rights(now) == _rights(change.before)
    )


def _rights(stamp: Stamp | None) -> tuple[int, int] | None:
    return None if stamp is None else (stamp.mode, stamp.inode)


def apply(workspace: str, upper: str, changes: Sequence[Change], beside: str, began: int) -> int:
    """Make these changes real; how many. `beside` is a folder for what they replace.

    Where anything fails, all is as it was before, and the failure is raised.
    """
    wanted = [change for change in changes if change.kind is not Kind.SPECIAL]
    if late := stale(workspace, wanted, began):
        raise ChangedMeanwhile(late)
    kept = Path(beside, _KEPT)
    kept.mkdir(mode=0o700, parents=True)
    _write_plan(Path(beside, _PLAN), workspace, upper, wanted)
    try:
        with _Folders(workspace) as folders, Path(beside, _DONE).open("wb", buffering=0) as done:
            for number, change in enumerate(wanted):
                _take(folders, upper, change, str(kept / str(number)))
                done.write(b".")
    except BaseException:
        undo(beside)
        raise
    return len(wanted)


def undo(beside: str) -> None:
    """Put back what was replaced, and take away what was made, as far as the plan was done.

    Of the step that broke off, only what is surely of the trial is taken away.
    """
    plan = json.loads(Path(beside, _PLAN).read_text("utf-8"))
    done = Path(beside, _DONE).stat().st_size if Path(beside, _DONE).exists() else 0
    with _Folders(plan["workspace"]) as folders:
        for number, step in reversed([*enumerate(plan["steps"][: done + 1])]):
            _put_back(folders, step, f"{beside}/{_KEPT}/{number}", is_done=number < done)
    shutil.rmtree(Path(beside, _KEPT), ignore_errors=True)
    for name in (_PLAN, _DONE):
        Path(beside, name).unlink(missing_ok=True)


def _write_plan(path: Path, workspace: str, upper: str, changes: Iterable[Change]) -> None:
    steps = [
        {
            "kind": change.kind.value,
            "path": change.path,
            "inode": _inode(f"{upper}/{change.path}"),
            "mode": stat.S_IMODE(change.before.mode) if change.before is not None else None,
        }
        for change in changes
    ]
    with path.open("w", encoding="utf-8") as file:
        json.dump({"workspace": workspace, "steps": steps}, file)
        file.flush()
        os.fsync(file.fileno())


def _take(folders: "_Folders", upper: str, change: Change, kept: str) -> None:
    folder, name = folders.of(change.path), os.path.basename(change.path)  # noqa: PTH119
    match change.kind:
        case Kind.FOLDER:
            # A folder is writable for us while it is filled.
            os.mkdir(name, change.mode | 0o700, dir_fd=folder)
            os.chmod(name, change.mode | 0o700, dir_fd=folder)
            folders.later.append((change.path, change.mode))
        case Kind.MODE:
            os.chmod(name, change.mode, dir_fd=folder)
        case _:
            if change.before is not None:
                _move_away(folder, name, kept)
            if change.kind is not Kind.DELETED:
                _move_in(f"{upper}/{change.path}", folder, name, change)


def _move_away(folder: int, name: str, kept: str) -> None:
    try:
        os.rename(name, kept, src_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        real = f"/proc/self/fd/{folder}/{name}"
        if os.path.isdir(real) and not os.path.islink(real):  # noqa: PTH112, PTH114
            shutil.copytree(real, kept, symlinks=True)
            shutil.rmtree(real)
        else:
            shutil.copy2(real, kept, follow_symlinks=False)
            os.unlink(name, dir_fd=folder)


def _move_in(source: str, folder: int, name: str, change: Change) -> None:
    """Put a new file in place. It never replaces one that somebody has put there meanwhile."""
    for attribute in os.listxattr(source, follow_symlinks=False):
        if attribute.startswith(_OF_OVERLAYS):
            os.removexattr(source, attribute, follow_symlinks=False)
    try:
        os.link(source, name, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM):
            raise
        if change.kind is Kind.LINK:
            os.symlink(change.target, name, dir_fd=folder)
        else:
            _copy_in(source, folder, name, change.mode)


def _copy_in(source: str, folder: int, name: str, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    target = os.open(name, flags, 0o600, dir_fd=folder)
    try:
        with open(source, "rb") as read, os.fdopen(target, "wb") as written:  # noqa: PTH123
            shutil.copyfileobj(read, written, 1 << 20)
            os.fchmod(written.fileno(), mode)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise


def _inode(path: str) -> int:
    stamp = stamp_of(path)
    return 0 if stamp is None else stamp.inode


def _put_back(folders: "_Folders", step: dict[str, Any], kept: str, *, is_done: bool) -> None:
    try:
        folder, name = folders.of(step["path"]), os.path.basename(step["path"])  # noqa: PTH119
    except OSError:
        return
    real = f"/proc/self/fd/{folder}/{name}"
    match Kind(step["kind"]):
        case Kind.FOLDER:
            with suppress(OSError):
                os.chmod(name, 0o700, dir_fd=folder)
                os.rmdir(name, dir_fd=folder)
        case Kind.MODE:
            with suppress(FileNotFoundError):
                os.chmod(name, step["mode"], dir_fd=folder)
        case kind:
            is_ours = is_done or _inode(real) == step["inode"]
            if kind is not Kind.DELETED and is_ours:
                with suppress(FileNotFoundError, IsADirectoryError):
                    os.unlink(name, dir_fd=folder)
            if os.path.lexists(kept) and not os.path.lexists(real):
                _bring_back(kept, folder, name)


def _bring_back(kept: str, folder: int, name: str) -> None:
    try:
        os.rename(kept, name, dst_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        real = f"/proc/self/fd/{folder}/{name}"
        if os.path.isdir(kept) and not os.path.islink(kept):  # noqa: PTH112, PTH114
            shutil.copytree(kept, real, symlinks=True)
        else:
            shutil.copy2(kept, real, follow_symlinks=False)


class _Folders:
    """The folders of a workspace, each opened step by step, so that no link leads elsewhere."""

    def __init__(self, workspace: str) -> None:
        self._open: dict[str, int] = {"": os.open(workspace, _FOLDER)}
        self.later: list[tuple[str, int]] = []
        """Folders with the rights that they get when all is in them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        try:
            if failed is None:
                for path, mode in reversed(self.later):
                    os.chmod(os.path.basename(path), mode, dir_fd=self.of(path))  # noqa: PTH119
        finally:
            for descriptor in self._open.values():
                os.close(descriptor)

    def of(self, path: str) -> int:
        """The folder that a path lies in."""
        return self._folder(os.path.dirname(path))  # noqa: PTH120

    def _folder(self, path: str) -> int:
        if path not in self._open:
            above, _, name = path.rpartition("/")
            self._open[path] = os.open(name, _FOLDER, dir_fd=self._folder(above))
        return self._open[path]
