"""The hub: the only process that parses what tool servers write, one for each window.

It answers each frame of its input by its id. Where that input ends its keeper ends all servers.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from assent.catalogue.mcp.accounts import Accounts
from assent.catalogue.mcp.connection import Connection, ServerFailed
from assent.catalogue.mcp.gate_requests import GateRequests
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.offered_tools import OfferedTools
from assent.catalogue.mcp.questions import Questions, Throttled
from assent.catalogue.mcp.redacted_messages import RedactedMessages
from assent.catalogue.mcp.restart_delays import RestartDelays
from assent.catalogue.mcp.server_states import state_of
from assent.catalogue.nodes.node import first_sentence
from assent.catalogue.nodes.search import Index

__all__ = ["Hub"]

_SEARCH_WAIT_S: Final = 15.0
"""In seconds: how long a search waits for servers that start."""
_MAX_RESULTS: Final = 50
_CHANGED: Final = "it was ended, since its settings or its files are others now"


class Hub:
    """All servers of one window."""

    def __init__(self, say: Callable[[dict[str, Any]], None], group: asyncio.TaskGroup) -> None:
        self._say, self._group = RedactedMessages(say), group
        self._launches: dict[str, Launch] = {}
        self._open: dict[str, Connection] = {}
        self._pauses = RestartDelays()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._index: tuple[tuple[OfferedTools, ...], Index] = ((), Index())
        self._questions, self._gate_requests = Questions(self._say), GateRequests(say)
        self._accounts = Accounts(self._gate_requests, group)
        self._words: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "servers": self._servers,
            "search": self._search,
            "describe": self._describe,
            "page": self._page,
            "run": self._call,
            "states": self._states,
            "restart": self._restart,
            "stop": self._stop,
            "logIn": self._log_in,
            "stopLogIn": self._accounts.stop_log_in,
            "logOut": self._log_out,
            "settle": self._accounts.settled,
        }
        self._stopped: set[str] = set()
        """Those that the person ended, until they start them again."""

    def hear(self, message: dict[str, Any]) -> None:
        """A request: it is worked on beside all others."""
        number = message["id"]
        if message["do"] == "cancel":
            if task := self._tasks.get(message["of"]):
                task.cancel()
            return
        others = {"reply": self._questions.hear, "errand": self._gate_requests.hear}
        if hear := others.get(message["do"]):
            hear(message)
            return
        task = self._group.create_task(self._answer(number, message))
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._tasks.pop(number, None))

    async def close(self) -> None:
        """End all servers."""
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*(connection.close() for connection in self._open.values()))

    async def _answer(self, number: int, message: dict[str, Any]) -> None:
        try:
            self._say({"id": number, "is": await self._words[message["do"]](message)})
        except ServerFailed as error:
            self._say({"id": number, "failed": str(error)})
        except Exception as error:  # a supervisor: what ails one request ends no other
            logging.getLogger(__name__).exception("a request failed")
            self._say({"id": number, "failed": f"the hub failed ({type(error).__name__})"})

    async def _servers(self, message: dict[str, Any]) -> dict[str, Any]:
        """These are the servers from now on."""
        wanted = {server["name"]: Launch.of(server) for server in message["servers"]}
        over = [name for name, launch in self._launches.items() if wanted.get(name) != launch]
        self._launches = wanted
        self._say.keep(value for launch in wanted.values() for value in launch.given)
        for name in over:
            self._accounts.drop(name)
            self._pauses.end(name)
        ended = [self._open.pop(name) for name in over if name in self._open]
        await asyncio.gather(*(connection.close(_CHANGED) for connection in ended))
        return {}

    async def _states(self, _: dict[str, Any]) -> dict[str, Any]:
        """How each is, without starting any."""
        return {"states": [self._state(launch) for launch in sorted(self._launches)]}

    def _state(self, name: str) -> dict[str, Any]:
        connection = None if name in self._stopped else self._open.get(name)
        account = self._accounts.describe(self._launches[name])
        return state_of(name, connection, stopped=name in self._stopped, **account)

    async def _log_in(self, message: dict[str, Any]) -> dict[str, Any]:
        """Log the person in; how it is once that is kept."""
        ask = partial(self._questions.ask, message["id"])
        await self._accounts.log_in(self._known(message["name"]), ask, message)
        return self._state(message["name"])

    async def _log_out(self, message: dict[str, Any]) -> dict[str, Any]:
        """Forget what was kept of a log-in, and end the server until it is wanted again."""
        name = message["name"]
        await self._accounts.log_out(self._known(name))
        if connection := self._open.pop(name, None):
            await connection.close()
        return self._state(name)

    def _known(self, name: str) -> Launch:
        if name not in self._launches:
            raise ServerFailed(f"There is no server `{name[:80]}`.")
        return self._launches[name]

    async def _restart(self, message: dict[str, Any]) -> dict[str, Any]:
        """End it where it is there, and start it at once."""
        name = message["name"]
        try:
            await self._stop(message)
        finally:
            self._stopped.discard(name)
        await self._tried(name)
        return self._state(name)

    async def _stop(self, message: dict[str, Any]) -> dict[str, Any]:
        """End it; nobody but the person starts it again."""
        name = message["name"]
        self._known(name)
        self._stopped.add(name)
        self._pauses.end(name)
        if connection := self._open.pop(name, None):
            await connection.close()
        return self._state(name)

    def _connected(self, name: str) -> Connection:
        """The connection to a server, which is started where it is not there."""
        launch = self._known(name)
        if name in self._stopped:
            raise ServerFailed(f"The server {name} is not there: it was ended by the person.")
        connection = self._open.get(name)
        if connection is not None and not connection.is_over:
            return connection
        if connection is not None:
            self._pauses.begin(name, connection.why)
        self._open[name] = started = Connection(launch, self._group, self._accounts.of(launch))
        return started

    async def _offered(self, name: str) -> OfferedTools:
        connection = self._connected(name)
        try:
            return await connection.ready()
        except ServerFailed as error:
            raise ServerFailed(f"The server {name} is not there: {error}.") from error

    async def _tried(self, name: str) -> OfferedTools | str:
        """What a server offers, or why that is not known."""
        try:
            return await self._offered(name)
        except ServerFailed as error:
            return str(error)

    async def _search(self, message: dict[str, Any]) -> dict[str, Any]:
        starting = {
            launch: self._group.create_task(self._tried(launch))
            for launch in sorted(self._launches)
        }
        if starting:
            await asyncio.wait(starting.values(), timeout=_SEARCH_WAIT_S)
        offered: dict[str, OfferedTools] = {}
        notes: list[str] = []
        for name, task in starting.items():
            if not task.done():
                task.cancel()
                notes.append(f"The server {name} is still starting.")
            elif isinstance(came := task.result(), str):
                notes.append(came)
            else:
                offered[name] = came
        notes += filter(None, (offered_tools.note(name) for name, offered_tools in offered.items()))
        index = await self._indexed(offered)
        limit, words = min(int(message["limit"]), _MAX_RESULTS), message["words"]
        hits = index.find(words, limit) if words.strip() else index.first(limit)
        return {
            "found": [{"name": hit, "says": self._says(offered, hit)} for hit in hits],
            "total": sum(len(offered_tools.tools) for offered_tools in offered.values()),
            "notes": [note[:1_000] for note in notes[:_MAX_RESULTS]],
        }

    def _says(self, offered: dict[str, OfferedTools], name: str) -> str:
        server, _, tool = name.partition(":")
        return first_sentence(offered[server].clean.of_json(offered[server].tools[tool]))

    async def _indexed(self, offered: dict[str, OfferedTools]) -> Index:
        """All that is offered, indexed anew where any of it changed."""
        state = tuple(offered.values())
        if state != self._index[0]:
            self._index = (state, await asyncio.to_thread(_index_of, offered))
        return self._index[1]

    async def _describe(self, message: dict[str, Any]) -> dict[str, Any]:
        server, _, tool = message["name"].partition(":")
        described = (await self._offered(server)).described(tool)
        if described is None:
            raise ServerFailed(f"The server {server} has no tool `{tool[:80]}`.")
        return {"source": server, "workspace": self._known(server).workspace, **described}

    async def _page(self, message: dict[str, Any]) -> dict[str, Any]:
        """What one server offers, from the nth tool on."""
        offered = await self._offered(message["name"])
        return await asyncio.to_thread(offered.page, message["begin"])

    async def _call(self, message: dict[str, Any]) -> dict[str, Any]:
        server, tool = message["source"], message["tool"]
        described = (await self._offered(server)).described(tool)
        if described is None or described["fingerprint"] != message["fingerprint"]:
            raise ServerFailed(
                f"The server {server} changed what it says of `{tool[:80]}` after that was looked"
                " at, so it was not run. Look at it again with get_node."
            )
        progress = Throttled(lambda text: self._say({"of": message["id"], "told": text}))
        ask = partial(self._questions.ask, message["id"])
        try:
            return await self._open[server].call(tool, message["arguments"], progress, ask)
        except ServerFailed as error:
            raise ServerFailed(f"{server}:{tool[:80]} failed: {error}.") from error
        finally:
            self._questions.end(message["id"])


def _index_of(offered: dict[str, OfferedTools]) -> Index:
    index = Index()
    for name, offered_tools in offered.items():
        for definition in offered_tools.tools.values():
            index.add(name, definition)
    return index
