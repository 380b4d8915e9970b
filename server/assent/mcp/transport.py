"""Our own transport over a server's pipes, which bears whatever a server writes.

The package's takes 26 seconds for a line of 50 MB, hangs on letters that are none and on answers
that cannot be read, and waits for a server that is gone while a child of it holds the pipe. Here a
line has a bound, so has a second; what cannot be read is an error for the one who asked; and the
end of the process is the end of its calls.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
import orjson
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from assent.mcp.sdk import SessionMessage, types

__all__ = ["LONGEST_LINE", "MOST_A_SECOND", "Pipes", "transport"]

LONGEST_LINE: Final = 64 * 1024 * 1024
MOST_A_SECOND: Final = 2_000
_AT_ONCE: Final = 256 * 1024
_LARGE: Final = 1024 * 1024
"""In bytes: a line of more is parsed beside the loop."""
_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,15})')
_UNREADABLE: Final = -32700
_LAST: Final = 0.2
"""In seconds."""

Mend = Callable[[dict[str, Any]], None]
"""Takes out of a message what would spoil the rest of it."""
_Heard = SessionMessage | Exception
_HEARD: Final = frozenset({"notifications/tools/list_changed", "notifications/progress"})
"""What a server may tell unasked; of the rest nobody here would make anything."""


class Pipes:
    """A server's two pipes, and whether it is still there."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.ended = asyncio.Event()
        """Set once the process itself is gone, whoever holds its pipes."""
        self.stirred = asyncio.Event()
        """Set whenever there is something to look after: that, or that its tools changed."""
        self.broke = ""
        """How the server broke what was agreed, a clause; nothing where it did not."""

    def end(self) -> None:
        """It is gone."""
        self.ended.set()
        self.stirred.set()


@asynccontextmanager
async def transport(
    pipes: Pipes, mend: Mend
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[_Heard], MemoryObjectSendStream[SessionMessage]]
]:
    """The two streams that a session speaks over, for as long as the server is there."""
    to_us, heard = anyio.create_memory_object_stream[_Heard](0)
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
        await asyncio.sleep(_LAST)
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


async def _read_all(pipes: Pipes, mend: Mend, to_us: MemoryObjectSendStream[_Heard]) -> None:
    """Read lines until there are none, or until there is one that breaks a bound."""
    held = bytearray()
    pace = _Pace()
    while chunk := await pipes.reader.read(_AT_ONCE):
        looked = len(held)
        held += chunk
        begin = 0
        while (end := held.find(b"\n", max(begin, looked))) >= 0:
            line = bytes(held[begin:end])
            begin = end + 1
            if line.strip():
                if not pace.keeps():
                    pipes.broke = f"it sent more than {MOST_A_SECOND:,} messages in a second"
                    return
                await _pass_on(line, mend, to_us)
        del held[:begin]
        if len(held) > LONGEST_LINE:
            pipes.broke = f"it sent a line of more than {LONGEST_LINE >> 20} MB"
            return


async def _pass_on(line: bytes, mend: Mend, to_us: MemoryObjectSendStream[_Heard]) -> None:
    message = (
        await asyncio.to_thread(_parsed, line, mend) if len(line) > _LARGE else _parsed(line, mend)
    )
    try:
        if message is not None:
            await to_us.send(message)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return


class _Pace:
    """How many messages came within this second."""

    def __init__(self) -> None:
        self._since, self._count = time.monotonic(), 0

    def keeps(self) -> bool:
        """Take one in; whether that is still as agreed."""
        now = time.monotonic()
        if now - self._since > 1:
            self._since, self._count = now, 0
        self._count += 1
        return self._count <= MOST_A_SECOND


def _parsed(line: bytes, mend: Mend) -> _Heard | None:
    """The message in a line; where it cannot be read, the error for the one who asked."""
    try:
        value = orjson.loads(line.decode("utf-8", "replace"))
        if isinstance(value, dict):
            if "id" not in value and value.get("method") not in _HEARD:
                return None
            mend(value)
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(value, by_name=False))
    except (ValueError, RecursionError) as error:
        found = _ID.search(line[:4096]) or _ID.search(line[-4096:])
        if found is None:
            return ValueError(str(error)[:200])
        why = types.ErrorData(code=_UNREADABLE, message="its answer could not be read")
        return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=int(found[1]), error=why))
