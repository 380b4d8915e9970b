"""The hub: the one process in which what servers wrote is parsed, for one window.

It hears requests as frames on its standard input and answers on its standard output, each by its
id, as they are done. It ends when its input does, and its keeper ends all servers with it.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from assent.catalogue.node import first_sentence
from assent.catalogue.search import Index
from assent.mcp.connection import Connection, ServerFailed
from assent.mcp.launch import Launch
from assent.mcp.offered import Offered
from assent.mcp.questions import Questions, Throttled

__all__ = ["Hub"]

_WAITS: Final = 15.0
"""In seconds: how long a search waits for servers that start."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_MOST_FOUND: Final = 50


class Hub:
    """All servers of one window."""

    def __init__(self, say: Callable[[dict[str, Any]], None], group: asyncio.TaskGroup) -> None:
        self._say, self._group = say, group
        self._launches: dict[str, Launch] = {}
        self._open: dict[str, Connection] = {}
        self._pauses: dict[str, tuple[float, float]] = {}
        """Until when a server that ended is left alone, and for how long that was."""
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._index: tuple[tuple[Offered, ...], Index] = ((), Index())
        self._words: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "servers": self._servers,
            "search": self._search,
            "describe": self._describe,
            "page": self._page,
            "run": self._call,
            "states": self._states,
            "restart": self._restart,
            "stop": self._stop,
        }
        self._questions = Questions(say)
        self._stopped: set[str] = set()
        """Those that the person ended, until they start them again."""

    def hear(self, message: dict[str, Any]) -> None:
        """A request: it is worked on beside all others."""
        number = message["id"]
        if message["do"] == "cancel":
            if task := self._tasks.get(message["of"]):
                task.cancel()
            return
        if message["do"] == "reply":
            self._questions.hear(message)
            return
        task = self._group.create_task(self._answer(number, message))
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._tasks.pop(number, None))

    async def close(self) -> None:
        """End all servers."""
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*(it.close() for it in self._open.values()))

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
        wanted = {it["name"]: Launch.of(it) for it in message["servers"]}
        over = [name for name, it in self._launches.items() if wanted.get(name) != it]
        self._launches = wanted
        ended = [self._open.pop(name) for name in over if name in self._open]
        for name in over:
            self._pauses.pop(name, None)
        await asyncio.gather(*(it.close() for it in ended))
        return {}

    async def _states(self, _: dict[str, Any]) -> dict[str, Any]:
        """How each is, without starting any."""
        return {"states": [self._state(it) for it in sorted(self._launches)]}

    def _state(self, name: str) -> dict[str, Any]:
        if name in self._stopped:
            return {"name": name, "state": "stopped", "tools": 0, "says": "", "lines": []}
        found = self._open.get(name)
        if found is None:
            return {"name": name, "state": "idle", "tools": 0, "says": "", "lines": []}
        offered = None if found.is_over else found.offered
        ended = f"The server {name} is not there: {found.why}." if found.is_over else ""
        return {
            "name": name,
            "state": "ended" if found.is_over else "starting" if offered is None else "running",
            "tools": 0 if offered is None else len(offered.tools),
            "says": (ended or ("" if offered is None else offered.note(name)))[:1_000],
            "lines": found.lines,
        }

    async def _restart(self, message: dict[str, Any]) -> dict[str, Any]:
        """End it where it is there, and start it at once."""
        await self._stop(message)
        name = message["name"]
        self._stopped.discard(name)
        await self._tried(name)
        return self._state(name)

    async def _stop(self, message: dict[str, Any]) -> dict[str, Any]:
        """End it; nobody but the person starts it again."""
        name = message["name"]
        if name not in self._launches:
            raise ServerFailed(f"There is no server `{name[:80]}`.")
        self._stopped.add(name)
        self._pauses.pop(name, None)
        if found := self._open.pop(name, None):
            await found.close()
        return self._state(name)

    def _connected(self, name: str) -> Connection:
        """The connection to a server, which is started where it is not there."""
        launch = self._launches.get(name)
        if launch is None:
            raise ServerFailed(f"There is no server `{name[:80]}`.")
        if name in self._stopped:
            raise ServerFailed(f"The server {name} is not there: it was ended by the person.")
        found = self._open.get(name)
        if found is not None and not found.is_over:
            return found
        if found is not None:
            self._pause(name, found)
        self._open[name] = started = Connection(launch, self._group)
        return started

    def _pause(self, name: str, ended: Connection) -> None:
        """Leave a server that ended alone for a while, each time for longer."""
        now = time.monotonic()
        until, length = self._pauses.get(name, (0.0, _FIRST_PAUSE))
        if now < until:
            raise ServerFailed(f"The server {name} is not there: {ended.why}.")
        length = _FIRST_PAUSE if now - until > _LONGEST_PAUSE else min(2 * length, _LONGEST_PAUSE)
        self._pauses[name] = (now + length, length)

    async def _offered(self, name: str) -> Offered:
        connection = self._connected(name)
        try:
            return await connection.ready()
        except ServerFailed as error:
            raise ServerFailed(f"The server {name} is not there: {error}.") from error

    async def _tried(self, name: str) -> Offered | str:
        """What a server offers, or why that is not known."""
        try:
            return await self._offered(name)
        except ServerFailed as error:
            return str(error)

    async def _search(self, message: dict[str, Any]) -> dict[str, Any]:
        names = sorted(self._launches)
        starting = {it: self._group.create_task(self._tried(it)) for it in names}
        if starting:
            await asyncio.wait(starting.values(), timeout=_WAITS)
        offered: dict[str, Offered] = {}
        notes: list[str] = []
        for name, task in starting.items():
            if not task.done():
                task.cancel()
                notes.append(f"The server {name} is still starting.")
            elif isinstance(came := task.result(), str):
                notes.append(came)
            else:
                offered[name] = came
        notes += filter(None, (it.note(name) for name, it in offered.items()))
        index = await self._indexed(offered)
        limit = min(int(message["limit"]), _MOST_FOUND)
        words = message["words"]
        hits = index.find(words, limit) if words.strip() else index.first(limit)
        return {
            "found": [{"name": it, "says": _says(offered, it)} for it in hits],
            "total": sum(len(it.tools) for it in offered.values()),
            "notes": [it[:1_000] for it in notes[:_MOST_FOUND]],
        }

    async def _indexed(self, offered: dict[str, Offered]) -> Index:
        """All that is offered, indexed anew where any of it changed."""
        state = tuple(offered.values())
        if state != self._index[0]:
            self._index = (state, await asyncio.to_thread(_index_of, offered))
        return self._index[1]

    async def _describe(self, message: dict[str, Any]) -> dict[str, Any]:
        server, _, tool = message["name"].partition(":")
        found = (await self._offered(server)).described(tool)
        if found is None:
            raise ServerFailed(f"The server {server} has no tool `{tool[:80]}`.")
        return {"source": server, **found}

    async def _page(self, message: dict[str, Any]) -> dict[str, Any]:
        """What one server offers, from the nth tool on."""
        offered = await self._offered(message["name"])
        return await asyncio.to_thread(offered.page, message["begin"])

    async def _call(self, message: dict[str, Any]) -> dict[str, Any]:
        server, tool = message["source"], message["tool"]
        found = (await self._offered(server)).described(tool)
        if found is None or found["fingerprint"] != message["fingerprint"]:
            raise ServerFailed(
                f"The server {server} changed what it says of `{tool[:80]}` after that was looked"
                " at, so it was not run. Look at it again with get_node."
            )
        told = Throttled(lambda it: self._say({"of": message["id"], "told": it}))
        ask = partial(self._questions.ask, message["id"])
        try:
            return await self._open[server].call(tool, message["arguments"], told, ask)
        except ServerFailed as error:
            raise ServerFailed(f"{server}:{tool[:80]} failed: {error}.") from error
        finally:
            self._questions.end(message["id"])


def _index_of(offered: dict[str, Offered]) -> Index:
    index = Index()
    for name, it in offered.items():
        for definition in it.tools.values():
            index.add(name, definition)
    return index


def _says(offered: dict[str, Offered], name: str) -> str:
    server, _, tool = name.partition(":")
    return first_sentence(offered[server].tools[tool])
