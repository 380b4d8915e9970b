"""What a person sees of servers of tools, and does about one."""

from typing import Any, Literal

from attrs import define

from assent.catalogue.source import Source
from assent.protocol import chats, toolservers

__all__ = ["ToolServers"]


@define
class ToolServers:
    """The servers of this window."""

    _servers: Source

    async def list(self, _: chats.Nothing) -> toolservers.ToolServers:
        """`source/list`."""
        return toolservers.ToolServers(servers=[*map(_told, await self._servers.states())])

    async def restart(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/restart`."""
        return await self._order("restart", params.name)

    async def stop(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/stop`."""
        return await self._order("stop", params.name)

    async def _order(self, do: Literal["restart", "stop"], name: str) -> toolservers.ToolServer:
        return _told(await self._servers.order(do, name))


def _told(state: dict[str, Any]) -> toolservers.ToolServer:
    return toolservers.ToolServer(**state)
