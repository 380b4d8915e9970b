"""Asks in the editor's own dialogs, with buttons, if it knows none of our messages."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from lsprotocol import types

__all__ = ["pressed"]


async def pressed(
    ask: Callable[[types.ShowMessageRequestParams], Awaitable[Any]],
    text: str,
    titles: Sequence[str],
) -> str | None:
    """The title of the button that was pressed; None where the dialog was closed."""
    params = types.ShowMessageRequestParams(
        type=types.MessageType.Warning,
        message=text,
        actions=[types.MessageActionItem(title=title) for title in titles],
    )
    item = await ask(params)
    return None if item is None else str(item.title)
