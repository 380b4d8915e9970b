"""Makes the change that was judged, where what it changes stands: in the editor, or on the disk.

What the person has typed and not saved is changed in the editor, and stays unsaved: whether it is
saved is theirs to say. What is on the disk is changed there.
"""

from typing import Final

from assent.calls import Edit
from assent.disk.buffers import Buffer, Buffers
from assent.errors import CallUnreadable, EditorRefused
from assent.tools.tool import ToolFailed
from assent.tools.writing import write

__all__ = ["UNSAVED", "change"]

UNSAVED: Final = (
    " The file has unsaved changes in the editor, so this was changed there and is not saved"
    " either: commands see the file without it until the person saves it."
)
"""What the model is told of a change that is not on the disk."""


async def change(edit: Edit, shown: str, buffers: Buffers) -> str:
    """Make a file what an edit says, if it still is what the edit says it was.

    What is to be said of it beside that; raises `ToolFailed`.
    """
    try:
        buffer = buffers.at(edit.path)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    found = None if buffer is None else buffer.version
    if found != edit.version:
        raise ToolFailed(_stale(shown))
    if buffer is None:
        write(edit, shown)
        return ""
    if buffer.text != edit.old or not await _applied(buffers, buffer, edit, shown):
        raise ToolFailed(_stale(shown))
    return UNSAVED


async def _applied(buffers: Buffers, buffer: Buffer, edit: Edit, shown: str) -> bool:
    try:
        return await buffers.apply(buffer, edit.new)
    except EditorRefused as error:
        raise ToolFailed(f"The editor did not change {shown}: {error}") from error


def _stale(shown: str) -> str:
    return f"{shown} has changed since this was judged."
