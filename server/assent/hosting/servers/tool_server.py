"""Speaks the Model Context Protocol with an agent, in place of the real tool server.

It says what the server offers and passes each call on to be ruled on; all else that such a server
may do is not offered. What the server wrote passes through here as text: it is read in the hub.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import orjson

import assent
from assent.catalogue.nodes.source import NodeFailed, Outcome, Source
from assent.gate.call.errors import AssentError
from assent.gate.text.shortening import shortened
from assent.gate.values import define, field
from assent.hosting.permission.mcp_tool_names import ServerTool
from assent.hosting.permission.requests import MAX_OPEN_REQUESTS
from assent.hosting.servers.message_seal import SealedMessages
from assent.hosting.servers.served_calls import NotRun, ServedCalls, Wanted

__all__ = ["ToolServer"]

_LOG = logging.getLogger(__name__)

_VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_MAX_TEXT_LETTERS: Final = 100_000
"""In letters: so much of what came of a call is given to a model."""
_MAX_PICTURES_LETTERS: Final = 12_000_000
"""In letters, of all pictures of an answer: the program at the other end takes no more at once."""
_PROGRESS_INTERVAL_S: Final = 10.0
"""In seconds: so often an agent is told that a call is waited for, since some give up else."""
_UNKNOWN, _ODD, _FAILED = -32601, -32602, -32603
_STOPPED: Final = "It was stopped."
_WAITING: Final = "Assent waits for it."

Id: TypeAlias = int | str


class _Odd(AssentError):
    """What is asked for in a way that nobody understands."""


@define(eq=False)
class ToolServer:
    """One conversation."""

    _name: str
    """Of the server."""
    _source: Source
    _calls: ServedCalls
    _stream: SealedMessages
    _listed: Callable[[list[str]], None]
    """Hears which tools its agent was told of."""
    _open: dict[Id, asyncio.Task[None]] = field(factory=dict)
    _all: set[asyncio.Task[None]] = field(factory=set)
    """Those too that were cancelled and have not ended."""

    async def serve(self) -> None:
        """Answer until nothing is said any more; then nobody waits for what is still asked."""
        async with asyncio.TaskGroup() as group:
            try:
                while (text := await self._stream.hear()) is not None:
                    self._take(text, group)
            finally:
                self._open = {}
                for task in self._all:
                    task.cancel()

    def _take(self, text: str, group: asyncio.TaskGroup) -> None:
        try:
            message = orjson.loads(text)
        except orjson.JSONDecodeError:
            return
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        name, method = message.get("id"), message["method"]
        if not isinstance(name, int | str):
            if method == "notifications/cancelled":
                self._cancel(params.get("requestId"))
        elif name in self._open or len(self._all) >= MAX_OPEN_REQUESTS:
            self._fail(name, _ODD, "this id is taken, or too much is asked at once")
        else:
            task = self._open[name] = group.create_task(self._answer(name, method, params))
            self._all.add(task)
            task.add_done_callback(self._all.discard)

    def _cancel(self, name: object) -> None:
        """It is waited for no more: its card is taken back, and what runs is broken off."""
        task = self._open.pop(name, None) if isinstance(name, int | str) else None
        if task is not None:
            task.cancel()

    async def _answer(self, name: Id, method: str, params: dict[str, Any]) -> None:
        try:
            match method:
                case "initialize":
                    self._say(id=name, result=_introduction(self._name, params))
                case "ping":
                    self._say(id=name, result={})
                case "tools/list":
                    self._say(id=name, result=await self._list(params))
                case "tools/call":
                    self._say(id=name, result=await self._call(params))
                case _:
                    self._fail(name, _UNKNOWN, f"`{method[:80]}` is not offered")
        except asyncio.CancelledError:
            self._tell_stopped(name)
            raise
        except NodeFailed as error:
            self._fail(name, _FAILED, str(error))
        except _Odd as error:
            self._fail(name, _ODD, str(error))
        except Exception:  # noqa: BLE001 -- a supervisor: one call ends no other, nor allows itself
            _LOG.exception("what an agent asked of %s could not be answered", self._name)
            self._fail(name, _FAILED, "Assent could not answer this.")
        finally:
            self._forget(name)

    def _is_open(self, name: Id) -> bool:
        """Whether the id stands for what runs here; after a cancel it may stand for another."""
        return self._open.get(name) is asyncio.current_task()

    def _tell_stopped(self, name: Id) -> None:
        if self._is_open(name):
            self._say(id=name, result=_failed(_STOPPED))

    def _forget(self, name: Id) -> None:
        if self._is_open(name):
            del self._open[name]

    async def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        cursor = params.get("cursor", "0")
        if not (isinstance(cursor, str) and cursor.isascii() and cursor.isdecimal()):
            raise _Odd("there is no such page")
        page = await self._source.page(self._name, int(cursor[:9]))
        self._listed(page.names)
        rest = {} if page.rest is None else {"nextCursor": str(page.rest)}
        return {"tools": orjson.Fragment(page.tools), **rest}

    async def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        tool, given, meta = params.get("name"), params.get("arguments"), params.get("_meta")
        if not isinstance(tool, str) or not isinstance(given, dict | None):
            raise _Odd("a call names a tool, and its arguments are an object")
        meta = meta if isinstance(meta, dict) else {}
        call = meta.get("claudecode/toolUseId")
        served = ServerTool(server=self._name, tool=tool, arguments=given or {})
        size = _size(served.arguments)
        wanted = Wanted(served=served, call=call if isinstance(call, str) else "", size=size)
        progress = _Progress(self._say, meta.get("progressToken"))
        async with asyncio.TaskGroup() as group:
            ticking = group.create_task(progress.tick(_PROGRESS_INTERVAL_S))
            try:
                return _result(await self._calls.run(wanted, progress.tell))
            except (NotRun, NodeFailed) as error:
                # A model reads what came of a call, and not every agent shows it an error.
                return _failed(str(error))
            finally:
                ticking.cancel()

    def _fail(self, name: Id, code: int, why: str) -> None:
        self._say(id=name, error={"code": code, "message": why})

    def _say(self, **message: Any) -> None:
        self._stream.say(orjson.dumps({"jsonrpc": "2.0", **message}).decode())


@define(eq=False)
class _Progress:
    """What is told of a call while it is waited for."""

    _say: Any
    _token: object
    _count: int = 0

    def tell(self, text: str) -> None:
        """Say how far it is."""
        if type(self._token) not in {int, str}:
            return
        self._count += 1
        params = {"progressToken": self._token, "progress": self._count, "message": text}
        self._say(method="notifications/progress", params=params)

    async def tick(self, seconds: float) -> None:
        """Say again and again that it is waited for."""
        while True:
            await asyncio.sleep(seconds)
            self.tell(_WAITING)


def _size(given: dict[str, Any]) -> int:
    try:
        return len(orjson.dumps(given))
    except TypeError as error:
        raise _Odd("its arguments are nested too deeply") from error


def _introduction(name: str, params: dict[str, Any]) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in _VERSIONS else _VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": name, "title": f"{name}, by Assent", "version": assent.__version__},
    }


def _result(came: Outcome) -> dict[str, Any]:
    kept, room = [], _MAX_PICTURES_LETTERS
    for image in came.images:
        room -= len(image.data)
        kept += [image] if room >= 0 else []
    images = [{"type": "image", "data": image.data, "mimeType": image.mime} for image in kept]
    text = shortened(came.text, _MAX_TEXT_LETTERS)
    text += "\n\nPictures were left out, since they are too large." if room < 0 else ""
    texts = [{"type": "text", "text": text}] if text or not images else []
    return {"content": [*texts, *images], "isError": came.failed}


def _failed(why: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": why}], "isError": True}
