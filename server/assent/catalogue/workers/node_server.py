"""Serves nodes over two pipes by the Model Context Protocol, so that the hub can connect.

Of the protocol there is no more here than a list of tools and their calls.
"""

import asyncio
import base64
import json
import math
import os
import sys
from collections.abc import Callable
from typing import IO, Any, Final, Protocol

from assent.gate.call.errors import AssentError

__all__ = [
    "UNPASSED",
    "Offer",
    "ReportProgress",
    "RunFailed",
    "end",
    "plain",
    "serve",
    "stopped_in_time",
]

UNPASSED: Final = "bytes that are not passed on"
"""What stands in the place of bytes in what a node gives, with how many there are."""
_TOOLS_A_PAGE: Final = 100
"""So many tools go with one answer."""
_MAX_LINE_BYTES: Final = 64 * 1024 * 1024
_VERSION: Final = "2025-06-18"
_UNKNOWN, _FAILED = -32601, -32603
_STOP_TIMEOUT_S: Final = 3.0
"""In seconds: how long a run may take to stop that was told to."""
_PROGRESS_INTERVAL_S: Final = 0.1
"""In seconds: more often nobody is told how far a run is."""

ReportProgress = Callable[[float, float | None, str], None]
"""Is told how far a run is: a number, of how many, and a text."""


class RunFailed(AssentError):
    """A run came to nothing; the message is read by a model."""


class _Unknown(AssentError):
    """Nobody here does that."""


class Offer(Protocol):
    """Who has nodes."""

    async def listed(self) -> tuple[list[dict[str, Any]], list[str]]:
        """What can be run, and why some of it cannot, a clause each."""
        ...

    async def run(
        self, tool: str, arguments: dict[str, Any], report_progress: ReportProgress
    ) -> list[dict[str, Any]]:
        """What came of a run, as contents; raises `RunFailed`. Being cancelled ends the run."""
        ...


def end(why: str) -> None:
    """End this program and all that it runs; why stands where the hub looks for that."""
    sys.stderr.write(f"{why}\n")
    sys.stderr.flush()
    # A thread of somebody else's may go on, and nobody waits for that.
    os._exit(1)


def plain(value: Any) -> Any:
    """A value as JSON can say it: bytes as base64, and no number that is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, str):
        # Half of a letter cannot be sent.
        return value.encode("utf-8", "replace").decode()
    return value


async def stopped_in_time(coming: "asyncio.Future[Any]", why: str) -> None:
    """Whoever does not stop when they are told to is ended, with all that runs beside."""
    done, _ = await asyncio.wait({coming}, timeout=_STOP_TIMEOUT_S)
    if not done:
        end(why)
    if not coming.cancelled():
        coming.exception()


async def serve(offer: Offer, heard: IO[Any], out: int, group: asyncio.TaskGroup) -> None:
    """Answer what is heard, by that file, until nothing more comes; then all of it is over."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_MAX_LINE_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), heard)
    talk = _Talk(offer, out, group)
    while line := await reader.readline():
        talk.hear(line)
    end("Nobody speaks with it any more.")


class _Talk:
    def __init__(self, offer: Offer, out: int, group: asyncio.TaskGroup) -> None:
        self._offer, self._out, self._group = offer, out, group
        self._open: dict[Any, asyncio.Task[None]] = {}

    def hear(self, line: bytes) -> None:
        message = json.loads(line)
        params = message.get("params") or {}
        number, method = message.get("id"), message.get("method")
        if method == "notifications/cancelled":
            if task := self._open.get(params.get("requestId")):
                task.cancel()
        elif number is not None and method is not None:
            task = self._open[number] = self._group.create_task(self._do(number, method, params))
            task.add_done_callback(lambda _: self._open.pop(number, None))

    async def _do(self, number: Any, method: str, params: dict[str, Any]) -> None:
        try:
            self._say(id=number, result=await self._answer(method, params))
        except _Unknown:
            self._say(id=number, error={"code": _UNKNOWN, "message": "this is not offered"})
        except RunFailed as error:
            self._say(id=number, error={"code": _FAILED, "message": plain(str(error))})

    async def _answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                return _introduction()
            case "ping":
                return {}
            case "tools/list":
                return await self._list(params)
            case "tools/call":
                return await self._call(params)
            case _:
                raise _Unknown

    async def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        begin = int(params.get("cursor") or 0)
        tools, left_out = await self._offer.listed()
        rest = begin + _TOOLS_A_PAGE
        listing: dict[str, Any] = {"tools": plain(tools[begin:rest])}
        if begin == 0:
            listing["_meta"] = {"assent/leftOut": left_out}
        return listing if rest >= len(tools) else {**listing, "nextCursor": str(rest)}

    async def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        token = (params.get("_meta") or {}).get("progressToken")
        progress = _Progress(self._say, token)
        try:
            came = await self._offer.run(params["name"], params.get("arguments") or {}, progress)
        except RunFailed as error:
            return {"content": [{"type": "text", "text": plain(str(error))}], "isError": True}
        return {"content": plain(came)}

    def _say(self, **message: Any) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False)
        left = memoryview(line.encode() + b"\n")
        while left:
            left = left[os.write(self._out, left) :]


class _Progress:
    """Passes on how far a run is, not too often."""

    def __init__(self, say: Callable[..., None], token: Any) -> None:
        self._say, self._token, self._last = say, token, -math.inf

    def __call__(self, done: float, total: float | None, text: str) -> None:
        now = asyncio.get_running_loop().time()
        if self._token is None or now - self._last < _PROGRESS_INTERVAL_S:
            return
        self._last = now
        members = {"progressToken": self._token, "progress": plain(done), "message": plain(text)}
        whole = {} if total is None else {"total": plain(total)}
        self._say(method="notifications/progress", params={**members, **whole})


def _introduction() -> dict[str, Any]:
    return {
        "protocolVersion": _VERSION,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "assent", "version": "1"},
    }
