"""Takes a change of files back, where nobody has changed them since.

What stands in the editor and is not saved is put back there.
"""

from typing import Final

from attrs import evolve

from assent.calls import Call, Edit, Stretch
from assent.disk.buffers import Buffers
from assent.disk.large import bytes_of, digest_of
from assent.errors import CallUnreadable
from assent.tools.changing import change
from assent.tools.large_files import back
from assent.tools.tool import ToolFailed
from assent.tools.writing import remove

__all__ = ["undo"]

_CHANGED: Final = "{} has changed since, so this cannot be undone."


async def undo(call: Call, buffers: Buffers) -> str:
    """Put each file back as it was before the call, and say so; raises `ToolFailed`.

    All files are looked at before the first is touched.
    """
    shown = {target.resolved: target.shown for target in call.targets}
    edits = [(edit, shown.get(edit.path, edit.path)) for edit in call.edits]
    if not edits:
        raise ToolFailed("This changed no file that could be put back.")
    versions = [_version(edit, name, buffers) for edit, name in edits]
    undone = zip(edits, versions, strict=True)
    return " ".join([await _undone(edit, name, at, buffers) for (edit, name), at in undone])


def _version(edit: Edit, shown: str, buffers: Buffers) -> int | None:
    """The version in the editor of what stands as the edit left it; raises where it does not."""
    try:
        if edit.stretch is not None:
            _check_lines(edit, edit.stretch, shown, buffers)
            return None
        now = buffers.standing(edit.path, shown)
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if now.text != edit.new or (edit.old is None and now.version is not None):
        raise ToolFailed(_CHANGED.format(shown))
    return now.version


def _check_lines(edit: Edit, stretch: Stretch, shown: str, buffers: Buffers) -> None:
    """Raise where a large file does not stand as the edit left it."""
    is_typed = buffers.at(edit.path) is not None
    if is_typed or digest_of(bytes_of(edit.path, shown)) != stretch.new_file:
        raise ToolFailed(_CHANGED.format(shown))


async def _undone(edit: Edit, shown: str, version: int | None, buffers: Buffers) -> str:
    if edit.old is None:
        remove(edit.path, edit.new, shown)
        return f"{shown} is gone again."
    turned = evolve(edit, old=edit.new, new=edit.old, version=version)
    if edit.stretch is not None:
        turned = back(edit, edit.stretch)
    unsaved = await change(turned, shown, buffers)
    return f"{shown} is as it was{', in the editor and not saved' if unsaved else ''}."
