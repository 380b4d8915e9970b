"""Takes a change of files back, where nobody has changed them since."""

from assent.calls import Call, Edit
from assent.disk.files import text_of
from assent.errors import CallUnreadable
from assent.tools.tool import ToolFailed
from assent.tools.writing import remove, write

__all__ = ["undo"]


def undo(call: Call) -> str:
    """Put each file back as it was before the call, and say so; raises `ToolFailed`.

    All files are looked at before the first is touched.
    """
    shown = {target.resolved: target.shown for target in call.targets}
    edits = [(edit, shown.get(edit.path, edit.path)) for edit in call.edits]
    if not edits:
        raise ToolFailed("This changed no file that could be put back.")
    for edit, name in edits:
        _check(edit, name)
    return " ".join(_undone(edit, name) for edit, name in edits)


def _check(edit: Edit, shown: str) -> None:
    try:
        now = text_of(edit.path, shown)
    except CallUnreadable as error:
        raise ToolFailed(f"This cannot be undone: {error}") from error
    if now != edit.new:
        raise ToolFailed(f"{shown} has changed since, so this cannot be undone.")


def _undone(edit: Edit, shown: str) -> str:
    if edit.old is None:
        remove(edit.path, edit.new, shown)
        return f"{shown} is gone again."
    write(Edit(path=edit.path, old=edit.new, new=edit.old), shown)
    return f"{shown} is as it was."
