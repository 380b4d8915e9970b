"""One end of a JSON-RPC connection with an agent: one JSON value per line.

Messages are handled in the order in which they came, each up to its first wait, before the next
is looked at; a question that waits for a person holds up nothing behind it. Each request is
answered exactly once. Whatever goes wrong in handling one becomes an error, never a result.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

import orjson

from assent.gate.call.errors import AgentFailed, AssentError
from assent.gate.text.redactor import Redactor
from assent.gate.values import define, field, frozen
from assent.hosting.connection.lines import MAX_LINE_BYTES, lines

__all__ = [
    "INVALID_PARAMS",
    "METHOD_NOT_FOUND",
    "Asked",
    "ErrorAnswer",
    "Listener",
    "Peer",
    "RequestId",
]

_LOG = logging.getLogger(__name__)

RequestId = str | int

_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
_INTERNAL_ERROR: Final = -32603
_MAX_NOISE_LINES: Final = 6
_MAX_NOISE_LETTERS: Final = 500
"""So many lines that are no messages are kept, and so much of each."""
_MAX_READ_BYTES: Final = 64 * 1024
_CANCELLED: Final = -32800


class ErrorAnswer(AssentError):
    """The agent answered a request with an error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(message)


@define
class Asked:
    """A request of the agent, with the one chance to answer it."""

    id: RequestId
    method: str
    params: dict[str, Any]
    """As it came, with all that we do not know."""
    _send: Callable[[dict[str, Any]], None]
    open: bool = True
    """Whether it is still to be answered."""

    def answer(self, result: dict[str, Any]) -> bool:
        """Answer; False where there is nobody left to answer to, or it was answered before."""
        return self._end({"result": result})

    def refuse(self, code: int, message: str) -> bool:
        """Answer with an error; False as above."""
        return self._end({"error": {"code": code, "message": message}})

    def _end(self, body: dict[str, Any]) -> bool:
        if not self.open:
            return False
        # What cannot be sent is no answer, and leaves the request open for one that can.
        self._send({"id": self.id, **body})
        self.open = False
        return True


class Listener(Protocol):
    """Who is told what the agent sends."""

    def hear(self, method: str, params: dict[str, Any]) -> None:
        """A notification came."""

    async def serve(self, asked: Asked) -> None:
        """A request came; it is to be answered through `asked`."""


@frozen(kw_only=True)
class _Open:
    """A request of ours that waits for its answer."""

    method: str
    future: asyncio.Future[Any]


@define
class Peer:
    """Speaks with one agent over two streams."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _listener: Listener
    _clean: Redactor = Redactor()
    """What no text of the agent tells on."""
    _longest: int = MAX_LINE_BYTES
    _gone: str | None = None
    noise: str = ""
    """The last lines that were no messages, such as what a package runner prints."""
    _last_id: int = 0
    _ours: dict[RequestId, _Open] = field(factory=dict)
    _theirs: dict[RequestId, tuple[Asked, asyncio.Task[None]]] = field(factory=dict)

    @property
    def is_gone(self) -> bool:
        """Whether nothing can be said any more."""
        return self._gone is not None

    @property
    def next_id(self) -> int:
        """The id of the request that is sent next."""
        return self._last_id + 1

    async def listen(self, group: asyncio.TaskGroup) -> None:
        """Handle what comes until the agent closes its end; raise where it breaks the protocol."""
        async for line in lines(self._reader, self._longest):
            if not line.strip():
                continue
            message = self._read(line)
            if message is not None:
                self._dispatch(message, group)
                # What was just woken or begun takes its first step before the next line is read.
                await asyncio.sleep(0)

    async def listen_out(self, group: asyncio.TaskGroup) -> str:
        """Listen to the end; what was broken, if it was."""
        try:
            await self.listen(group)
        except AgentFailed as error:
            return str(error)
        except OSError:
            return "the pipe to it broke"
        return ""

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Ask the agent, and give back its result. Being cancelled is told to the agent."""
        if self._gone is not None:
            raise AgentFailed(self._gone)
        self._last_id += 1
        request_id = self._last_id
        waiting = _Open(method=method, future=asyncio.get_running_loop().create_future())
        self._ours[request_id] = waiting
        try:
            self._send({"id": request_id, "method": method, "params": params})
            return await waiting.future
        except asyncio.CancelledError:
            self.tell("$/cancel_request", {"requestId": request_id})
            raise
        finally:
            self._ours.pop(request_id, None)

    def forget(self, method: str, params: dict[str, Any]) -> None:
        """Ask the agent for something, and let the answer go by."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def leave(self, why: str) -> None:
        """Say nothing more and wait for nothing more: the agent is gone, and this is why."""
        if self._gone is not None:
            return
        self._gone = why
        for waiting in self._ours.values():
            if not waiting.future.done():
                waiting.future.set_exception(AgentFailed(why))
        for asked, _ in self._theirs.values():
            asked.open = False

    def _read(self, line: bytes) -> dict[str, Any] | None:
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            _LOG.warning("an agent sent a line that is no JSON: %r", self._begin_of(line)[:200])
            self._note(line)
            self._complain(_PARSE_ERROR, "this line is no JSON")
            return None
        if isinstance(message, dict):
            return message
        _LOG.warning("an agent sent a line that is no message: %r", self._begin_of(line)[:200])
        self._complain(_INVALID_REQUEST, "a line holds one message, and batches are not read")
        return None

    def _note(self, line: bytes) -> None:
        text = self._begin_of(line)[:_MAX_NOISE_LETTERS].strip()
        self.noise = "\n".join([*self.noise.splitlines(), text][-_MAX_NOISE_LINES:])

    def _begin_of(self, line: bytes) -> str:
        """More of a line than is kept of it, so that no secret is cut before it is found."""
        return self._clean(line[:_MAX_READ_BYTES].decode("utf-8", "replace"))

    def _dispatch(self, message: dict[str, Any], group: asyncio.TaskGroup) -> None:
        method = message.get("method")
        if not isinstance(method, str):
            self._take_answer(message)
            return
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if "id" not in message:
            self._hear(method, params)
            return
        request_id = message["id"]
        if isinstance(request_id, bool) or not isinstance(request_id, str | int):
            self._complain(_INVALID_REQUEST, "the id of a request is a string or a whole number")
            return
        before = self._theirs.get(request_id)
        if before is not None and before[0].open:
            shown_id = self._clean.of_json(request_id)
            raise AgentFailed(f"it used the request id {shown_id!r} for two questions at once")
        asked = Asked(id=request_id, method=method, params=params, send=self._send)
        task = group.create_task(self._supervise(asked, self._listener.serve))
        self._theirs[request_id] = (asked, task)
        task.add_done_callback(lambda _: self._forget(asked))

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "$/cancel_request":
            self._withdraw(params.get("requestId"))
            return
        try:
            self._listener.hear(method, params)
        except Exception:  # noqa: BLE001 -- a supervisor: one bad notification ends nothing
            _LOG.exception("a notification `%s` could not be handled", self._clean(method))

    def _withdraw(self, request_id: object) -> None:
        if not isinstance(request_id, str | int) or request_id not in self._theirs:
            return
        asked, task = self._theirs[request_id]
        if asked.open:
            task.cancel()

    async def _supervise(self, asked: Asked, serve: Callable[[Asked], Awaitable[None]]) -> None:
        try:
            await serve(asked)
        except asyncio.CancelledError:
            asked.refuse(_CANCELLED, "the request was withdrawn")
            raise
        except Exception:  # noqa: BLE001 -- the supervisor of a request: no failure is an allow
            _LOG.exception("a request `%s` could not be handled", self._clean(asked.method))
        finally:
            asked.refuse(_INTERNAL_ERROR, "Assent could not handle this request")

    def _forget(self, asked: Asked) -> None:
        held = self._theirs.get(asked.id)
        if held is not None and held[0] is asked:
            del self._theirs[asked.id]

    def _take_answer(self, message: dict[str, Any]) -> None:
        request_id = message.get("id")
        waiting = None
        if isinstance(request_id, str | int) and not isinstance(request_id, bool):
            waiting = self._ours.get(request_id)
        if waiting is None or waiting.future.done():
            shown_id = self._clean.of_json(request_id)
            _LOG.warning("an agent answered what nobody asked: id %r", shown_id)
            return
        error = message.get("error")
        if error is None:
            waiting.future.set_result(self._clean.of_json(message.get("result")))
            return
        why = self._clean.of_json(error) if isinstance(error, dict) else {}
        code = why.get("code")
        waiting.future.set_exception(
            ErrorAnswer(
                code if isinstance(code, int) else 0,
                str(why.get("message") or "it did not say why")[:2_000],
                why.get("data"),
            )
        )

    def _complain(self, code: int, message: str) -> None:
        self._send({"id": None, "error": {"code": code, "message": message}})

    def _send(self, body: dict[str, Any]) -> None:
        if self._gone is not None or self._writer.is_closing():
            return
        self._writer.write(orjson.dumps({"jsonrpc": "2.0", **body}) + b"\n")
        if self._writer.transport.get_write_buffer_size() > self._longest:
            self._reader.set_exception(AgentFailed("it does not read what it is sent"))
