"""Takes a change of files back, where nobody has changed them since.

What stands in the editor and is not saved is put back there.
"""

from attrs import evolve

from assent.calls import Call, Edit
from assent.disk.buffers import Buffers
from assent.errors import CallUnreadable
from assent.tools.changing import change
from assent.tools.tool import ToolFailed
from assent.tools.writing import remove

__all__ = ["undo"]


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
        now = buffers.standing(edit.path, shown)
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if now.text != edit.new or (edit.old is None and now.version is not None):
        raise ToolFailed(f"{shown} has changed since, so this cannot be undone.")
    return now.version


async def _undone(edit: Edit, shown: str, version: int | None, buffers: Buffers) -> str:
    if edit.old is None:
        remove(edit.path, edit.new, shown)
        return f"{shown} is gone again."
    back = evolve(edit, old=edit.new, new=edit.old, version=version)
    unsaved = await change(back, shown, buffers)
    return f"{shown} is as it was{', in the editor and not saved' if unsaved else ''}."
