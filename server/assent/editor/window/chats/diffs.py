"""Opens two versions of a file in the editor's diff: one file in a tab, or several in one."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from assent.agent.tools.folder_view import plainly
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor
from assent.gate.call.calls import Edit
from assent.gate.call.errors import AssentError

__all__ = ["show", "show_all"]

_MAX_LETTERS: Final = 8_000_000
"""So many characters go to the editor at once."""
_TOO_MUCH: Final = (
    "These changes are too long to be shown together. Open them one by one, by their names."
)


async def show(wire: Wire, edit: Edit, words: str, approval_id: str | None = None) -> None:
    """Show what an edit makes of a file, with these words behind its name."""
    await wire.request("ui/openDiff", _drawn(edit, words, approval_id), chats.Nothing)


async def show_all(wire: Wire, title: str, edits: Sequence[tuple[Edit, str]]) -> None:
    """Show several files in one tab; each edit with the words behind its name."""
    if sum(len(edit.old or "") + len(edit.new) for edit, _ in edits) > _MAX_LETTERS:
        raise AssentError(_TOO_MUCH)
    files = [_drawn(edit, words) for edit, words in edits]
    await wire.request("ui/openDiffs", editor.OpenDiffs(title=title, files=files), chats.Nothing)


def _drawn(edit: Edit, words: str, approval_id: str | None = None) -> editor.OpenDiff:
    path = PurePath(edit.path)
    if edit.stretch is not None:
        words = f"{words}; the lines from {edit.stretch.lines + 1:,} on"
    return editor.OpenDiff(
        title=f"{plainly(path.name)} ({words})",
        uri=path.as_uri(),
        old=edit.old or "",
        new=edit.new,
        approval_id=approval_id,
    )
