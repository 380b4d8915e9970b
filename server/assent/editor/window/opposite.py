"""Whom the house stands opposite to, and on what terms: an editor, or what takes its place."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from assent.editor.lsp.asks import in_time
from assent.editor.lsp.shapes import section
from assent.editor.lsp.wire import Wire
from assent.gate.call.calls import Premise
from assent.gate.call.modes import Mode
from assent.gate.values import frozen

__all__ = ["USUAL", "Opposite", "Terms", "unattributed"]


class Opposite(Protocol):
    """Whom the house stands opposite to: an editor, or what takes the place of one."""

    opening: dict[str, Any]

    @property
    def wire(self) -> Wire:
        """How it is spoken to."""
        ...

    @property
    def text_document_publish_diagnostics(self) -> Callable[[Any], None]:
        """Marks what is wrong in files."""
        ...

    @property
    def workspace_configuration_async(self) -> Callable[[Any], Awaitable[Any]]:
        """The settings, where nobody can say who wrote what."""
        ...

    @property
    def workspace_apply_edit_async(self) -> Callable[[Any], Awaitable[Any]]:
        """Changes what stands in the editor, as long as it is of the version that is named."""
        ...

    @property
    def window_show_message_request_async(self) -> Callable[[Any], Awaitable[Any]]:
        """Asks in a dialog, where the editor draws no cards."""
        ...


@frozen(kw_only=True)
class Terms:
    """What holds for one run beside all settings."""

    untrusted: Mode = Mode.DEFAULT
    """The loosest mode of a chat where the workspace is not trusted."""
    beside: tuple[Premise, ...] = ()
    """What else makes the gate of this run."""
    keeps_chats: bool = True
    """Whether chats last longer than this run."""


USUAL: Final = Terms()
"""In an editor."""


async def unattributed(server: Opposite) -> object:
    """The settings of an editor that cannot say who wrote what."""
    async with in_time("workspace/configuration"):
        found = await server.workspace_configuration_async(section("assent"))
    return found[0] if found else {}
