"""Writes a setting through the editor, if it still has the value that was read."""

from collections.abc import Awaitable, Callable
from typing import Literal

from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor
from assent.gate.call.errors import EditorRefused

__all__ = ["Changed", "twice", "write"]


class Changed(EditorRefused):
    """Something else stands there now than what was read."""


async def write(
    wire: Wire, scope: Literal["user", "workspace"], key: str, *, before: object, value: object
) -> None:
    """Put `value` in the place of what was found there; None takes the setting out."""
    wanted = editor.WriteSetting(
        scope=scope, key=key, value=value, expected=editor.Expected(value=before)
    )
    outcome = await wire.request("settings/write", wanted, editor.Written)
    if not outcome.written:
        refused = Changed if outcome.changed else EditorRefused
        raise refused(outcome.because or "The editor did not write the setting.")


async def twice(attempt: Callable[[], Awaitable[None]]) -> None:
    """Attempt it, and once more if somebody else wrote in between."""
    try:
        await attempt()
    except Changed:
        await attempt()
