"""Undoes changes of files that nobody has changed since.

What stands in the editor and is not saved is put back there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from assent.agent.tools.file_changes import change
from assent.agent.tools.file_writes import check_made, remove, take_back
from assent.agent.tools.large_files import back
from assent.agent.tools.tool import NewFile, ToolFailed
from assent.gate.call.calls import Call, Edit, Stretch
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.buffers import Buffers, Standing
from assent.gate.disk.large_files import bytes_of, digest_of
from assent.gate.sandbox.trials import Applied
from assent.gate.values import evolve

__all__ = ["check", "check_lines", "put_back", "put_lines_back", "undo"]

_CHANGED: Final = "{} has changed since, so this cannot be undone."


async def _at_once() -> None:
    """Nothing is to be done before."""


async def undo(
    call: Call,
    buffers: Buffers,
    new: NewFile | None = None,
    before: Callable[[], Awaitable[object]] = _at_once,
    *,
    applied: Applied | None = None,
) -> str:
    """Put each file back as it was before the call, and say so; raises `ToolFailed`.

    All files are looked at, and then something is done `before` the first is touched.
    """
    if applied is not None:
        return await _undone_trial(call, buffers, applied, before)
    if new is not None:
        await asyncio.to_thread(check_made, new)
        await before()
        await asyncio.to_thread(take_back, new)
        return f"{new.shown} is gone again."
    shown = {target.resolved: target.shown for target in call.targets}
    edits = [(edit, shown.get(edit.path, edit.path)) for edit in call.edits]
    if not edits:
        raise ToolFailed("This changed no file that could be put back.")
    versions = [_version(edit, name, buffers) for edit, name in edits]
    await before()
    undone = zip(edits, versions, strict=True)
    return " ".join([await _undone(edit, name, at, buffers) for (edit, name), at in undone])


async def _undone_trial(
    call: Call, buffers: Buffers, applied: Applied, before: Callable[[], Awaitable[object]]
) -> str:
    """Put back all that a trial replaced, if all of it is as the trial left it."""
    shown = {target.resolved: target.shown for target in call.targets}
    paths = await asyncio.to_thread(applied.paths)
    changed = [shown.get(path, path) for path in paths if buffers.within(path)]
    changed = changed or await asyncio.to_thread(applied.changed_since)
    if not changed:
        await before()
        changed = await asyncio.to_thread(applied.undo)
    if changed:
        raise ToolFailed(_CHANGED.format(", ".join(changed)))
    return "The workspace is as it was before the trial."


async def put_back(
    path: str, shown: str, left: str | None, then: str | None, buffers: Buffers
) -> str:
    """Make a file what it was, if it still is what was left there; raises `ToolFailed`.

    None stands for no file. What is to be said of it.
    """
    now = check(path, shown, left, buffers)
    if then is None:
        if now.version is not None:
            raise ToolFailed(_CHANGED.format(shown))
        remove(path, left or "", shown, now.encoding)
        return f"{shown} is gone again."
    edit = Edit(path=path, old=left, new=then, version=now.version, encoding=now.encoding)
    unsaved = await change(edit, shown, buffers)
    return _said(shown, is_unsaved=bool(unsaved))


def check(path: str, shown: str, left: str | None, buffers: Buffers) -> Standing:
    """What stands in a file; raises `ToolFailed` where that is not what was left there."""
    try:
        now = buffers.standing(path, shown)
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if now.text != left:
        raise ToolFailed(_CHANGED.format(shown))
    return now


async def put_lines_back(edit: Edit, stretch: Stretch, shown: str, buffers: Buffers) -> str:
    """Put lines of a large file back, if all of it still is what was left there."""
    check_lines(edit, stretch, shown, buffers)
    return _said(shown, is_unsaved=bool(await change(back(edit, stretch), shown, buffers)))


def _said(shown: str, *, is_unsaved: bool) -> str:
    return f"{shown} is as it was{', in the editor and not saved' if is_unsaved else ''}."


def _version(edit: Edit, shown: str, buffers: Buffers) -> int | None:
    """The version in the editor of what stands as the edit left it; raises where it does not."""
    try:
        if edit.stretch is not None:
            check_lines(edit, edit.stretch, shown, buffers)
            return None
        now = buffers.standing(edit.path, shown)
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if now.text != edit.new or (edit.old is None and now.version is not None):
        raise ToolFailed(_CHANGED.format(shown))
    return now.version


def check_lines(edit: Edit, stretch: Stretch, shown: str, buffers: Buffers) -> None:
    """Raise `ToolFailed` where a large file does not stand as the edit left it."""
    try:
        is_typed = buffers.at(edit.path) is not None
        is_as_left = digest_of(bytes_of(edit.path, shown)) == stretch.new_file
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if is_typed or not is_as_left:
        raise ToolFailed(_CHANGED.format(shown))


async def _undone(edit: Edit, shown: str, version: int | None, buffers: Buffers) -> str:
    if edit.old is None:
        remove(edit.path, edit.new, shown)
        return f"{shown} is gone again."
    turned = evolve(edit, old=edit.new, new=edit.old, version=version)
    if edit.stretch is not None:
        turned = back(edit, edit.stretch)
    return _said(shown, is_unsaved=bool(await change(turned, shown, buffers)))
