"""One file's two texts in the editor's own diff."""

from pathlib import PurePath

from assent.calls import Edit
from assent.lsp.wire import Wire
from assent.protocol import chats, editor
from assent.tools.looking import plainly

__all__ = ["show"]


async def show(wire: Wire, edit: Edit, words: str, approval_id: str | None = None) -> None:
    """Show what an edit makes of a file, with these words behind its name."""
    path = PurePath(edit.path)
    if edit.stretch is not None:
        words = f"{words}; the lines from {edit.stretch.lines + 1:,} on"
    await wire.request(
        "ui/openDiff",
        editor.OpenDiff(
            title=f"{plainly(path.name)} ({words})",
            uri=path.as_uri(),
            old=edit.old or "",
            new=edit.new,
            approval_id=approval_id,
        ),
        chats.Nothing,
    )
