"""Makes the changes of a trial real: all of them that are wanted, or none.

What they replace is kept beside the trial, with a plan of the steps that is on the disk before
the first of them. So whatever breaks off in the middle, a crash included, is put back by the
plan; and so is all of it when a person undoes it. A file that somebody has changed since stays.
"""

import errno
import json
import os
import shutil
import stat
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from assent.gate.call.errors import AssentError
from assent.gate.sandbox.changes import Change, Kind, Stamp, stamp_of

__all__ = [
    "ChangedMeanwhile",
    "applied_paths",
    "apply",
    "changed_since",
    "is_kept",
    "stale",
    "undo",
]

_PLAN: Final = "plan.json"
_DONE: Final = "done"
"""A byte for each step that is done."""
_APPLIED: Final = "applied"
"""Stands where all steps are done."""
_KEPT: Final = "kept"
_MAX_OPEN_FOLDERS: Final = 200
_OF_OVERLAYS: Final = "user.overlay."
_FOLDER: Final = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ITSELF: Final = getattr(os, "O_PATH", 0) | os.O_NOFOLLOW | os.O_CLOEXEC
_UNNAMED: Final = getattr(os, "O_TMPFILE", 0) | os.O_WRONLY | os.O_CLOEXEC
_NO_UNNAMED: Final = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)
_MAX_PATHS_SHOWN: Final = 5


class ChangedMeanwhile(AssentError):
    """Files are no longer as the trial found them; the message names them."""

    def __init__(self, paths: Sequence[str]) -> None:
        more = (
            f" and {len(paths) - _MAX_PATHS_SHOWN:,} more" if len(paths) > _MAX_PATHS_SHOWN else ""
        )
        super().__init__(
            f"Changed since the command ran: {', '.join(paths[:_MAX_PATHS_SHOWN])}{more}."
        )
        self.paths = tuple(paths)


def stale(workspace: str, changes: Sequence[Change], began: int) -> list[str]:
    """The paths whose real files changed since the command began, or since they were compared."""
    paths: dict[str, None] = {}
    gone = {change.path for change in changes if change.kind is Kind.DELETED}
    for change in changes:
        if _is_below(change.path, gone):
            # What lies there goes with the link or the file in the place of its folder.
            continue
        real = f"{workspace}/{change.path}"
        now = stamp_of(real)
        is_other = change.before is not None and now != change.before and not _is_grown(now, change)
        came = change.before is None and now is not None and change.path not in gone
        late = now is not None and not now.is_folder and now.changed > began
        if is_other or late or came or _is_gone_meanwhile(workspace, change, began):
            paths[change.path] = None
        elif now is not None and now.is_folder and change.kind not in {Kind.MODE, Kind.FOLDER}:
            paths.update(dict.fromkeys(_changed_in(real, change.path, began, _changed)))
    return list(paths)


def _is_below(path: str, gone: set[str]) -> bool:
    above = os.path.dirname(path)  # noqa: PTH120 -- one for each change
    return above != "" and (above in gone or _is_below(above, gone))


def _is_gone_meanwhile(workspace: str, change: Change, began: int) -> bool:
    """Whether the command may have changed what somebody has moved or removed since.

    What the command itself moved looks the same, but leaves the real folder as it was.
    """
    if not change.copied:
        return False
    # Where there is no folder, the command made that, too, or its own change tells.
    above = stamp_of(os.path.dirname(f"{workspace}/{change.path}"))  # noqa: PTH120
    return above is not None and above.changed > began


def _changed_in(real: str, path: str, began: int, when: Callable[[Stamp], int]) -> Iterator[str]:
    """What somebody has changed in a folder that is to go, and the folder if something came."""
    for folder, _, names in os.walk(real):
        inner = path + folder[len(real) :]
        for at, lies in (
            (inner, folder),
            *((f"{inner}/{name}", f"{folder}/{name}") for name in names),
        ):
            now = stamp_of(lies)
            if now is None or when(now) > began:
                yield at


def _changed(stamp: Stamp) -> int:
    return stamp.changed


def _written(stamp: Stamp) -> int:
    """When it was written, also of a copy: that counts as changed when it was made."""
    return min(stamp.changed, stamp.written)


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
                _take(folders, upper, change, str(kept / str(number)), began)
                done.write(b".")
        Path(beside, _APPLIED).touch()
    except BaseException:
        undo(beside)
        raise
    return len(wanted)


def undo(beside: str, *, unfinished: bool = False) -> list[str]:
    """Put back what was replaced and take away what was made, as far as the plan was done.

    What somebody has changed since stays as it is, and so does what was replaced there, in the
    folder `kept` of `beside`; these paths are handed back. With `unfinished`,
    only changes that were broken off are put back, and the paths of these are handed back.
    """
    plan_file = Path(beside, _PLAN)
    if not plan_file.exists() or (unfinished and Path(beside, _APPLIED).exists()):
        return []
    # From here on it is unfinished: after a crash the next trial goes on with it.
    Path(beside, _APPLIED).unlink(missing_ok=True)
    plan = json.loads(plan_file.read_text("utf-8"))
    done = Path(beside, _DONE).stat().st_size if Path(beside, _DONE).exists() else 0
    steps = [*enumerate(plan["steps"][: done + 1])]
    with _Folders(plan["workspace"]) as folders:
        stays = [
            str(step["path"])
            for number, step in reversed(steps)
            if not _put_back(folders, step, f"{beside}/{_KEPT}/{number}")
        ]
    if not any(os.path.lexists(f"{beside}/{_KEPT}/{number}") for number, _ in steps):
        shutil.rmtree(Path(beside, _KEPT), ignore_errors=True)
    for name in (_PLAN, _DONE):
        Path(beside, name).unlink(missing_ok=True)
    return [str(step["path"]) for _, step in steps] if unfinished else stays


def applied_paths(beside: str) -> list[str]:
    """The paths that `apply` has changed."""
    plan = json.loads(Path(beside, _PLAN).read_text("utf-8"))
    return [*dict.fromkeys(f"{plan['workspace']}/{step['path']}" for step in plan["steps"])]


def changed_since(beside: str) -> list[str]:
    """The paths that are no longer as `apply` left them, so that an undo would lose something."""
    plan = json.loads(Path(beside, _PLAN).read_text("utf-8"))
    # Of what was replaced there are two steps, and the second tells what is there now.
    left = {step["path"]: step for step in plan["steps"] if step["kind"] != Kind.MODE}
    return [
        changed for path, step in left.items() for changed in _changed_at(plan, path, step, left)
    ]


def _changed_at(
    plan: Mapping[str, Any], path: str, step: Mapping[str, Any], left: Container[str]
) -> Iterator[str]:
    real = f"{plan['workspace']}/{path}"
    if step["kind"] == Kind.FOLDER:
        names = sorted(os.listdir(real)) if _is_real_folder(real) else []  # noqa: PTH208
        yield from (inner for name in names if (inner := f"{path}/{name}") not in left)
        if os.path.lexists(real) and not _is_real_folder(real):
            yield path
    elif _content_of(real) != (None if step["kind"] == Kind.DELETED else step["made"]):
        yield path


def _is_real_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114


def is_kept(beside: str) -> bool:
    """Whether an undo is due, or could not put back all that was replaced."""
    return Path(beside, _KEPT).exists() and not Path(beside, _APPLIED).exists()


def _write_plan(path: Path, workspace: str, upper: str, changes: Iterable[Change]) -> None:
    steps = [
        {
            "kind": change.kind.value,
            "path": change.path,
            "made": _content_of(f"{upper}/{change.path}"),
            "mode": stat.S_IMODE(change.before.mode) if change.before is not None else None,
        }
        for change in changes
    ]
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"workspace": workspace, "steps": steps}))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _take(folders: "_Folders", upper: str, change: Change, kept: str, began: int) -> None:
    folder, name = folders.of(change.path), os.path.basename(change.path)  # noqa: PTH119
    match change.kind:
        case Kind.FOLDER:
            # A folder is writable for us while it is filled.
            os.mkdir(name, change.mode | 0o700, dir_fd=folder)
            _set_rights(folder, name, change.mode | 0o700)
            folders.later.append((change.path, change.mode))
        case Kind.MODE:
            _set_rights(folder, name, change.mode)
        case _:
            if change.before is not None:
                _move_away(folder, name, kept)
                _check_kept(change, change.before, kept, began)
            if change.kind is not Kind.DELETED:
                _move_in(f"{upper}/{change.path}", folder, name, change)


def _move_away(folder: int, name: str, kept: str) -> None:
    try:
        os.rename(name, kept, src_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        real = f"/proc/self/fd/{folder}/{name}"
        whole = f"{kept}.part"
        if _is_real_folder(real):
            shutil.copytree(real, whole, symlinks=True)
            os.rename(whole, kept)  # noqa: PTH104
            shutil.rmtree(real)
        else:
            shutil.copy2(real, whole, follow_symlinks=False)
            os.rename(whole, kept)  # noqa: PTH104
            os.unlink(name, dir_fd=folder)


def _check_kept(change: Change, before: Stamp, kept: str, began: int) -> None:
    """Raise where somebody has changed it since it was compared: then it is put back."""
    now = stamp_of(kept)
    same = now is not None and (now.mode, now.size, now.written) == (
        before.mode,
        before.size,
        before.written,
    )
    inside = [*_changed_in(kept, change.path, began, _written)] if before.is_folder else []
    if not same or any(path != change.path for path in inside):
        raise ChangedMeanwhile([change.path])


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
    """Copy a file from another disk, whole or not at all where this one can make unnamed files."""
    facts = os.lstat(source)
    try:
        target = os.open(f"/proc/self/fd/{folder}", _UNNAMED, 0o600)
        is_named = False
    except OSError as error:
        if error.errno not in _NO_UNNAMED:
            raise
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        target = os.open(name, flags, 0o600, dir_fd=folder)
        is_named = True
    try:
        with open(source, "rb") as read, os.fdopen(target, "wb") as written:  # noqa: PTH123
            shutil.copyfileobj(read, written, 1 << 20)
            written.flush()
            os.fchmod(target, mode)
            os.utime(target, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            if not is_named:
                os.link(f"/proc/self/fd/{target}", name, dst_dir_fd=folder, follow_symlinks=True)
    except BaseException:
        if is_named:
            os.unlink(name, dir_fd=folder)
        raise


def _content_of(path: str) -> list[int] | None:
    """By this a file that was made by a trial is known again: its size, and when it was written."""
    try:
        facts = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    is_link = stat.S_ISLNK(facts.st_mode)
    return [stat.S_IFMT(facts.st_mode), facts.st_size, 0 if is_link else facts.st_mtime_ns]


def _put_back(folders: "_Folders", step: dict[str, Any], kept: str) -> bool:
    """Take one step back; whether nobody has changed since what it made."""
    try:
        folder, name = folders.of(step["path"]), os.path.basename(step["path"])  # noqa: PTH119
    except OSError:
        return not os.path.lexists(kept)
    match Kind(step["kind"]):
        case Kind.FOLDER:
            return _is_removed(folder, name)
        case Kind.MODE:
            with suppress(FileNotFoundError):
                _set_rights(folder, name, step["mode"])
            return True
        case kind:
            return _put_file_back(folder, name, kind, step, kept)


def _is_removed(folder: int, name: str) -> bool:
    try:
        os.rmdir(name, dir_fd=folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _put_file_back(folder: int, name: str, kind: Kind, step: dict[str, Any], kept: str) -> bool:
    real = f"/proc/self/fd/{folder}/{name}"
    if kind is not Kind.DELETED and os.path.lexists(real):
        if _content_of(real) != step["made"]:
            # What was there before lies there still, or somebody has changed what was made.
            return not os.path.lexists(kept) and step["mode"] is not None
        os.unlink(name, dir_fd=folder)
    if not os.path.lexists(kept):
        return True
    if os.path.lexists(real):
        # It was being moved to another disk, and is still there, or part of it.
        is_whole = kind is Kind.DELETED and _fill_in(kept, real)
        if is_whole:
            shutil.rmtree(kept)
        return is_whole
    _bring_back(kept, folder, name)
    return True


def _fill_in(kept: str, real: str) -> bool:
    """Put back what a folder lacks of what it held; whether it is a folder still."""
    if not _is_real_folder(real):
        return False
    for path, folders, files in os.walk(kept):
        there = real + path[len(kept) :]
        for name in (*folders, *files):
            source, target = f"{path}/{name}", f"{there}/{name}"
            if os.path.lexists(target):
                continue
            if _is_real_folder(source):
                shutil.copytree(source, target, symlinks=True)
            else:
                shutil.copy2(source, target, follow_symlinks=False)
    return True


def _set_rights(folder: int, name: str, mode: int) -> None:
    """Set the rights of a file or a folder; a link in its place is not followed."""
    descriptor = os.open(name, _ITSELF, dir_fd=folder)
    try:
        if not stat.S_ISLNK(os.fstat(descriptor).st_mode):
            os.chmod(f"/proc/self/fd/{descriptor}", mode)  # noqa: PTH101
    finally:
        os.close(descriptor)


def _bring_back(kept: str, folder: int, name: str) -> None:
    try:
        os.rename(kept, name, dst_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        real = f"/proc/self/fd/{folder}/{name}"
        if _is_real_folder(kept):
            shutil.copytree(kept, real, symlinks=True)
            shutil.rmtree(kept)
        else:
            shutil.copy2(kept, real, follow_symlinks=False)
            os.unlink(kept)  # noqa: PTH108


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
                    _set_rights(self.of(path), os.path.basename(path), mode)  # noqa: PTH119
        finally:
            self._close()

    def _close(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])

    def of(self, path: str) -> int:
        """The folder that a path lies in, open until the next one is asked for."""
        if len(self._open) > _MAX_OPEN_FOLDERS:
            root = self._open.pop("")
            self._close()
            self._open[""] = root
        return self._folder(os.path.dirname(path))  # noqa: PTH120

    def _folder(self, path: str) -> int:
        if path not in self._open:
            above, _, name = path.rpartition("/")
            self._open[path] = os.open(name, _FOLDER, dir_fd=self._folder(above))
        return self._open[path]
