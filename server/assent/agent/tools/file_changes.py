"""Makes a judged change in the editor's buffer if there is one, else on the disk.

What the person has typed and not saved is changed in the editor, and stays unsaved: whether it is
saved is theirs to say. What is on the disk is changed there.
"""

from typing import Final

from assent.agent.tools.file_writes import write
from assent.agent.tools.tool import ToolFailed
from assent.gate.call.calls import Edit, Target
from assent.gate.call.errors import CallUnreadable, EditorRefused
from assent.gate.disk.buffers import Buffer, Buffers, Standing
from assent.gate.text.encodings import Encoding, added

__all__ = ["UNSAVED", "change", "edit_of"]

UNSAVED: Final = (
    " The file has unsaved changes in the editor, so this was changed there and is not saved"
    " either: commands see the file without it until the person saves it."
)
"""What the model is told of a change that is not on the disk."""
_MAX_SHOWN_LETTERS: Final = 20
_UNSURE: Final = (
    "{0} is not in UTF-8: it was read as Windows-1252, which is not sure, so only plain ASCII and"
    " letters that stand in it already can be written into it, and not “{1}”. It could be"
    " converted to UTF-8 by a command, if the person wants that."
)
_NO_LETTERS: Final = "What is to stand in {0} has halves of letters in it, so it cannot be written."


def edit_of(target: Target, standing: Standing, new: str) -> Edit:
    """The change of a file to this text, in its own encoding; raises `CallUnreadable`."""
    odd = added(standing.text or "", new, standing.encoding)
    if odd and standing.version is None:
        words = _UNSURE if standing.encoding is Encoding.WINDOWS else _NO_LETTERS
        raise CallUnreadable(
            words.format(target.shown, odd[:_MAX_SHOWN_LETTERS].encode("utf-8", "replace").decode())
        )
    return Edit(
        path=target.resolved,
        old=standing.text,
        new=new,
        version=standing.version,
        encoding=standing.encoding,
    )


async def change(edit: Edit, shown: str, buffers: Buffers) -> str:
    """Make a file what an edit says, if it still is what the edit says it was.

    What is to be said of it beside that; raises `ToolFailed`.
    """
    try:
        buffer = buffers.at(edit.path)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    version = None if buffer is None else buffer.version
    if version != edit.version:
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
