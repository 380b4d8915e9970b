"""The interface of the window's editor beside our own messages."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from assent.editor.lsp.editor_requests import in_time
from assent.editor.lsp.shapes import section
from assent.editor.lsp.wire import Wire

__all__ = ["ClientPort", "unattributed"]


class ClientPort(Protocol):
    """An editor, or what takes the place of one."""

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


async def unattributed(client: ClientPort) -> object:
    """The settings of an editor that cannot say who wrote what."""
    async with in_time("workspace/configuration"):
        sections = await client.workspace_configuration_async(section("assent"))
    return sections[0] if sections else {}
