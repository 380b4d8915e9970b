"""Shows tool servers to a person, and handles what they do with one."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from assent.catalogue.nodes.source import Ask, Order, Reply, Source, ask_nobody
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor, toolservers
from assent.editor.window.servers.server_accounts import ServerAccounts
from assent.gate.call.errors import AssentError, EditorRefused
from assent.gate.call.verdicts import Actor
from assent.gate.journal.journal import Entry, Journal
from assent.gate.values import define, field

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
_PAGE: Final = "You were asked whether to open its page at {}; what comes of it is made by {}."
_IN: Final = "You logged in to {}."
_OUT: Final = "You logged out of {}."
_BROKEN_OFF: Final = "It was broken off."
_OPEN: Final = "Open the page"
_BUSY: Final = "You are logging in to {} already; stop that first."
_STOPPED: Final = "You drew back, so you are not logged in to {}."

_Came = toolservers.ToolServer | AssentError


@define
class ToolServers:
    """The servers of this window."""

    _servers: Source
    _wire: Wire
    _accounts: ServerAccounts
    _logging_in: dict[str, "_LogIn"] = field(factory=dict)

    async def list(self, _: chats.Nothing) -> toolservers.ToolServers:
        """`source/list`."""
        return toolservers.ToolServers(servers=[*map(_server_shape, await self._servers.states())])

    async def restart(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/restart`: what the person gives it by their own word is asked for anew."""
        await self._servers.renew(params.name)
        return await self._order("restart", params.name)

    async def stop(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/stop`."""
        return await self._order("stop", params.name)

    async def log_out(self, params: toolservers.ToolServerRef) -> toolservers.ToolServer:
        """`source/logOut`."""
        name, outcome = params.name, ("failed", _BROKEN_OFF)
        hosts = [self._accounts.host(name)]
        try:
            tool_server = await self._order("logOut", name)
        except AssentError as error:
            outcome = ("failed", str(error))
            raise
        else:
            outcome = ("out", _OUT.format(name))
            return tool_server
        finally:
            row = _row("log out of", name, hosts, *outcome)
            await _keep_if_it_can(self._accounts.journal, row)

    async def log_in(self, params: toolservers.LogInAt) -> toolservers.ToolServer:
        """`source/logIn`: answered once the person is back from the page, or drew back."""
        name = params.name
        if name in self._logging_in:
            raise AssentError(_BUSY.format(name))
        log_in = _LogIn(params, [self._accounts.host(name)], self._accounts.journal, self._wire)
        self._logging_in[name] = log_in
        try:
            came = await log_in.as_long_as_wanted(self._tried(log_in))
            if isinstance(came, AssentError):
                await log_in.tell("failed", str(came))
                raise came
            # From here on it is kept, whatever becomes of the server that it is for.
            await log_in.tell("in", _IN.format(name))
            again = await log_in.as_long_as_wanted(self._started_anew(name))
            return came if isinstance(again, AssentError) else again
        finally:
            del self._logging_in[name]

    async def _tried(self, log_in: "_LogIn") -> _Came:
        try:
            wish = log_in.wish
            return await self._order("logIn", wish.name, log_in.ask, back=wish.back, odd=wish.odd)
        except AssentError as error:
            return log_in.unkept or error

    async def _started_anew(self, name: str) -> _Came:
        try:
            return await self._order("restart", name)
        except AssentError as error:
            return error

    async def stop_log_in(self, params: toolservers.ToolServerRef) -> chats.Nothing:
        """`source/stopLogIn`: whether it is too late for that is said by who keeps it."""
        if log_in := self._logging_in.get(params.name):
            log_in.is_unwanted = True
            if not await self._is_stopped_there(params.name):
                log_in.give_up()
        return chats.Nothing()

    async def _is_stopped_there(self, name: str) -> bool:
        try:
            return await self._servers.stop_log_in(name)
        except AssentError:
            return False

    async def _order(
        self, do: Order, name: str, ask: Ask = ask_nobody, **more: str
    ) -> toolservers.ToolServer:
        return _server_shape(await self._servers.order(do, name, ask, **more))


def _detail(form: dict[str, Any]) -> str:
    at, to, then, url = (form[member] for member in ("at", "to", "then", "url"))
    return _DETAIL.format(at, to, url) if then == to else _ELSEWHERE.format(at, to, then, url)


@define
class _LogIn:
    """One, its question, and what the journal says of it."""

    wish: toolservers.LogInAt
    _hosts: list[str]
    _journal: Journal
    _wire: Wire
    unkept: AssentError | None = None
    """Why the journal could not keep that the person is asked, so that they were not."""

    is_unwanted: bool = False
    """Whether the person drew back, also where that was too late."""
    _doing: asyncio.Task[_Came] | None = None

    async def as_long_as_wanted(self, doing: Coroutine[Any, Any, _Came]) -> _Came:
        """What comes of it, or that the person drew back."""
        async with asyncio.TaskGroup() as group:
            self._doing = task = group.create_task(doing)
            if self.is_unwanted:
                task.cancel()
        self._doing = None
        return AssentError(_STOPPED.format(self.wish.name)) if task.cancelled() else task.result()

    def give_up(self) -> None:
        """Wait no longer for what is being done."""
        if self._doing is not None:
            self._doing.cancel()

    async def ask(self, form: dict[str, Any]) -> Reply:
        """Have the page opened, if the person wants that."""
        self._hosts = list(dict.fromkeys((form["at"], form["to"], form["then"])))
        because = _PAGE.format(form["to"], form["then"])
        try:
            # As with each decision, it is on the disk before what comes of it.
            await self._journal.keep(
                _row("log in to", self.wish.name, self._hosts, "asked", because)
            )
        except AssentError as error:
            self.unkept = error
            return Reply(action="decline")
        return await self._put(form)

    async def _put(self, form: dict[str, Any]) -> Reply:
        wanted = editor.OpenPage(
            title=_TITLE.format(self.wish.name), detail=_detail(form), action=_OPEN, url=form["url"]
        )
        try:
            page = await self._wire.request("ui/openPage", wanted, editor.PageOpened)
        except EditorRefused:
            return Reply(action="decline")
        return Reply(action="accept" if page.opened else "decline")

    async def tell(self, outcome: str, because: str) -> None:
        """Have kept what came of it."""
        row = _row("log in to", self.wish.name, self._hosts, outcome, because)
        await _keep_if_it_can(self._journal, row)


async def _keep_if_it_can(journal: Journal, row: Entry) -> None:
    """It was done, and stays so: that the journal cannot keep it stands in a banner."""
    with suppress(AssentError):
        await journal.keep(row)


def _row(what: str, name: str, hosts: list[str], outcome: str, because: str) -> Entry:
    """What the journal says of a log-in; nothing of what lets anybody in."""
    body = {
        "what": f"{what} {name}",
        "server": name,
        "hosts": [host for host in hosts if host],
        "outcome": outcome,
        "by": Actor.USER.value,
        "because": because,
    }
    return Entry(kind="noted", body=body)


def _server_shape(state: dict[str, Any]) -> toolservers.ToolServer:
    return toolservers.ToolServer(**state)
