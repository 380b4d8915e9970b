"""Our transport over a server's pipes, which survives whatever a server writes.

The package's takes 26 seconds for a line of 50 MB, hangs on letters that are none and on answers
that cannot be read, and waits for a server that is gone while a child of it holds the pipe. Here a
line has a bound, so has a second; what cannot be read is an error for the one who asked; and the
end of the process is the end of its calls.
"""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

import anyio
import orjson
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from assent.catalogue.mcp.bound_files import Look, insist_unchanged
from assent.catalogue.mcp.sdk import SessionMessage, types
from assent.gate.text.lines import one_line
from assent.gate.text.redactor import Redactor

__all__ = [
    "LARGE_LINE_BYTES",
    "MAX_LINE_BYTES",
    "MAX_MESSAGES_A_SECOND",
    "Heard",
    "Line",
    "Mend",
    "Pace",
    "Pipes",
    "Streams",
    "parsed",
    "transport",
    "unreadable",
]

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
MAX_MESSAGES_A_SECOND: Final = 2_000
_READ_BYTES: Final = 256 * 1024
LARGE_LINE_BYTES: Final = 1024 * 1024
"""In bytes: a line of more is parsed beside the loop."""
_MAX_ERROR_LETTERS: Final = 8 * 1024
_MAX_ERROR_LINES: Final = 4
_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,15})')
_PARSE_ERROR: Final = -32700
_CLOSE_PAUSE_S: Final = 0.2
"""In seconds."""

Mend = Callable[[dict[str, Any]], None]
"""Takes out of a message what would spoil the rest of it."""
Heard = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Heard], MemoryObjectSendStream[SessionMessage]]
"""What a session hears, and what it says."""
_HEARD: Final = frozenset(
    {
        "notifications/cancelled",
        "notifications/progress",
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
    }
)
"""What a server may tell unasked; of the rest nobody here would make anything."""


class Line:
    """The way to one server, and whether it is still there."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        """Set once the process itself is gone, whoever holds its pipes."""
        self.stirred = asyncio.Event()
        """Set whenever there is something to look after: that, or that its tools changed."""
        self.broke = ""
        """How the server broke what was agreed, a clause; nothing where it did not."""
        self.is_locked = False
        """Whether it lets nobody in who has not logged in."""

    def end(self) -> None:
        """It is gone."""
        self.ended.set()
        self.stirred.set()

    def speaking(self, mend: Mend) -> AbstractAsyncContextManager[Streams]:
        """The two streams that a session speaks over, for as long as the server is there."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise `BoundFileChanged` where what it was started from was changed meanwhile."""

    def last_lines(self) -> list[str]:
        """The last that it said beside its answers."""
        return []

    def last_words(self) -> str:
        """How it ended, a clause."""
        return self.broke or "it ended"


class Pipes(Line):
    """The line to a program: its two pipes, and the last that it wrote to its standard error."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__()
        self.reader = reader
        self.writer = writer
        self.errors: deque[bytes] = deque(maxlen=64)
        self.clean = Redactor()
        """Takes out what it was given, before what it wrote is cut."""
        self.look: Look = {}
        """How the files stood that it was started from."""

    def check(self) -> None:
        """See `Line`."""
        insist_unchanged(self.look)

    def last_words(self) -> str:
        """How it ended: what it broke, or the last that it wrote to its standard error."""
        lines = " / ".join(self.last_lines()[-_MAX_ERROR_LINES:])
        return self.broke or (f"it ended: {lines}" if lines else "it ended")

    def last_lines(self) -> list[str]:
        """The last that it wrote to its standard error, line by line."""
        text = self.clean(b"".join(self.errors).decode("utf-8", "replace"))[-_MAX_ERROR_LETTERS:]
        return [one_line(line) for line in text.strip().splitlines()]


@asynccontextmanager
async def transport(pipes: Pipes, mend: Mend) -> AsyncIterator[Streams]:
    """The two streams that a session speaks over, for as long as the server is there."""
    to_us, heard = anyio.create_memory_object_stream[Heard](0)
    said, from_us = anyio.create_memory_object_stream[SessionMessage](0)

    reading = anyio.CancelScope()

    async def listen() -> None:
        async with to_us:
            try:
                with reading:
                    await _read_all(pipes, mend, to_us)
            finally:
                pipes.end()

    async def stop() -> None:
        await pipes.ended.wait()
        # What was written before the end is still read; somebody else may hold the pipe for ever.
        await asyncio.sleep(_CLOSE_PAUSE_S)
        reading.cancel()

    async def speak() -> None:
        async with from_us:
            async for message in from_us:
                line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                pipes.writer.write(line.encode() + b"\n")
                await pipes.writer.drain()

    async def speak_while_heard() -> None:
        try:
            await speak()
        except OSError:
            # One that has just ended is told of with its last words.
            with anyio.move_on_after(_CLOSE_PAUSE_S):
                await pipes.ended.wait()
            if not pipes.ended.is_set():
                pipes.broke = pipes.broke or "it closed its pipe"
            pipes.end()

    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        group.start_soon(stop)
        group.start_soon(speak_while_heard)
        try:
            yield heard, said
        finally:
            group.cancel_scope.cancel()


async def _read_all(pipes: Pipes, mend: Mend, to_us: MemoryObjectSendStream[Heard]) -> None:
    """Read lines until there are none, or until there is one that breaks a bound."""
    held = bytearray()
    pace = Pace()
    while chunk := await pipes.reader.read(_READ_BYTES):
        looked = len(held)
        held += chunk
        begin = 0
        while (end := held.find(b"\n", max(begin, looked))) >= 0:
            line = bytes(held[begin:end])
            begin = end + 1
            if line.strip():
                if not pace.keeps():
                    pipes.broke = (
                        f"it sent more than {MAX_MESSAGES_A_SECOND:,} messages in a second"
                    )
                    return
                await _pass_on(line, mend, to_us)
        del held[:begin]
        if len(held) > MAX_LINE_BYTES:
            pipes.broke = f"it sent a line of more than {MAX_LINE_BYTES >> 20} MB"
            return


async def _pass_on(line: bytes, mend: Mend, to_us: MemoryObjectSendStream[Heard]) -> None:
    message = (
        await asyncio.to_thread(parsed, line, mend)
        if len(line) > LARGE_LINE_BYTES
        else parsed(line, mend)
    )
    try:
        if message is not None:
            await to_us.send(message)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return


class Pace:
    """How many messages came within this second."""

    def __init__(self) -> None:
        self._since, self._count = time.monotonic(), 0

    def keeps(self) -> bool:
        """Take one in; whether that is still as agreed."""
        now = time.monotonic()
        if now - self._since > 1:
            self._since, self._count = now, 0
        self._count += 1
        return self._count <= MAX_MESSAGES_A_SECOND


def parsed(line: bytes, mend: Mend) -> Heard | None:
    """The message in a line; where it cannot be read, the error for the one who asked."""
    try:
        value = _loaded(line.decode("utf-8", "replace"))
        if isinstance(value, dict):
            if "id" not in value and value.get("method") not in _HEARD:
                return None
            mend(value)
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(value, by_name=False))
    except (ValueError, RecursionError) as error:
        match = _ID.search(line[:4096]) or _ID.search(line[-4096:])
        if match is None:
            return ValueError(str(error)[:200])
        return unreadable(int(match[1]))


def unreadable(number: int | str, why: str = "its answer could not be read") -> SessionMessage:
    """The error for the one who asked."""
    error = types.ErrorData(code=_PARSE_ERROR, message=why)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=error))


def _loaded(text: str) -> Any:
    """What stands in it; half of a letter is replaced, since it would spoil all the others."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        if len(text) > LARGE_LINE_BYTES or "\\u" not in text:
            raise
        whole = json.dumps(json.loads(text), ensure_ascii=False)
        return orjson.loads(whole.encode("utf-8", "replace"))
