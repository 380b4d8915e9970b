"""What a person sees of servers of tools, and does about one."""

import asyncio
from typing import Any, Final

from attrs import define, field

from assent.catalogue.source import Ask, Order, Reply, Source, ask_nobody
from assent.errors import AssentError, EditorRefused
from assent.lsp.wire import Wire
from assent.protocol import chats, editor, toolservers

__all__ = ["ToolServers"]

_TITLE: Final = "Log in to {}?"
_DETAIL: Final = (
    "The server at {} has you log in at {}. That page opens in your browser, and comes back to"
    " this machine. What you allow there, its tools may do.\n\n{}"
)
_ELSEWHERE: Final = (
    "The server at {} has you log in at {}. That page opens in your browser, and comes back to"
    " this machine. What you allow there, its tools may do. What it comes back with is sent to {},"
    " which gives the log-in for it and makes it new.\n\n{}"
)
_OPEN: Final = "Open the page"
_BUSY: Final = "You are logging in to {} already; stop that first."
_STOPPED: Final = "You drew back, so you are not logged in to {}."


@define
class ToolServers:
    """The servers of this window."""

    _servers: Source
    _wire: Wire
    _logging_in: dict[str, asyncio.Task[toolservers.ToolServer | AssentError]] = field(factory=dict)

    async def list(self, _: chats.Nothing) -> toolservers.ToolServers:
        """`source/list`."""
        return toolservers.ToolServers(servers=[*map(_told, await self._servers.states())])

    async def restart(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/restart`."""
        return await self._order("restart", params.name)

    async def stop(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/stop`."""
        return await self._order("stop", params.name)

    async def log_out(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/logOut`."""
        return await self._order("logOut", params.name)

    async def log_in(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/logIn`: answered once the person is back from the page, or drew back."""
        name = params.name
        if name in self._logging_in:
            raise AssentError(_BUSY.format(name))
        try:
            async with asyncio.TaskGroup() as group:
                self._logging_in[name] = task = group.create_task(self._tried_log_in(name))
        finally:
            del self._logging_in[name]
        if task.cancelled():
            raise AssentError(_STOPPED.format(name))
        came = task.result()
        if isinstance(came, AssentError):
            raise came
        return came

    async def _tried_log_in(self, name: str) -> toolservers.ToolServer | AssentError:
        try:
            return await self._order("logIn", name, self._asking(name))
        except AssentError as error:
            return error

    async def stop_log_in(self, params: toolservers.ToolServerRef) -> chats.Nothing:
        """`source/stopLogIn`."""
        if task := self._logging_in.get(params.name):
            task.cancel()
        return chats.Nothing()

    def _asking(self, name: str) -> Ask:
        async def ask(form: dict[str, Any]) -> Reply:
            wanted = editor.OpenPage(
                title=_TITLE.format(name),
                detail=_detail(form),
                action=_OPEN,
                url=form["url"],
            )
            try:
                found = await self._wire.request("ui/openPage", wanted, editor.PageOpened)
            except EditorRefused:
                return Reply(action="decline")
            return Reply(action="accept" if found.opened else "decline")

        return ask

    async def _order(self, do: Order, name: str, ask: Ask = ask_nobody) -> toolservers.ToolServer:
        return _told(await self._servers.order(do, name, ask))


def _detail(form: dict[str, Any]) -> str:
    at, to, then, url = (form[it] for it in ("at", "to", "then", "url"))
    return _DETAIL.format(at, to, url) if then == to else _ELSEWHERE.format(at, to, then, url)


def _told(state: dict[str, Any]) -> toolservers.ToolServer:
    return toolservers.ToolServer(**state)
