"""The messages that wait to be written to the editor: a bounded queue that never blocks the loop.

Frames leave in the order in which they came. When the editor stops reading, what may be lost is
lost until the queue is empty again, and then told of once; what may not be lost is kept, and
where even that is too much the connection is over. Nothing is ever written in part.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from typing import Final

from assent.gate.values import frozen

__all__ = ["Limits", "Outbox"]

_WRITE_BYTES: Final = 256 * 1024
_TURN_BYTES: Final = 1024 * 1024
"""How much is written before the loop gets its turn, however fast the editor reads."""


@frozen(kw_only=True)
class Limits:
    """How much may wait."""

    frames: int = 10_000
    """From this many on, what may be lost is."""
    size: int = 8 * 1024 * 1024
    """The same, in bytes."""
    most: int = 64 * 1024 * 1024
    """In bytes: beyond it, the connection is over."""


class Outbox:
    """The frames that wait for a file descriptor to take them. Used on the loop's thread only."""

    def __init__(
        self,
        fd: int,
        *,
        caught_up: Callable[[int], None],
        broken: Callable[[str], None],
        limits: Limits | None = None,
    ) -> None:
        """`caught_up` is told how many were lost; `broken` why nothing can be written any more."""
        os.set_blocking(fd, False)
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._caught_up = caught_up
        self._broken = broken
        self._limits = limits or Limits()
        self._queue: deque[bytes | memoryview] = deque()
        self._size = 0
        self._lost = 0
        self._flush_is_due = False
        self._waits_for_room = False
        self._closed = False
        self._emptied: asyncio.Event | None = None

    def put(self, frame: bytes) -> None:
        """Send what may not be lost."""
        if self._closed:
            return
        if self._size + len(frame) > self._limits.most:
            self._end(f"The editor has not read {self._size} bytes that it must read.")
            return
        self._append(frame)

    def has_room(self, size: int) -> bool:
        """Whether so large a frame may be sent now.

        A receipt always may: that one was not taken must not be told of an answer that holds. So
        what nobody reads ends the connection, and one frame that is large does not.
        """
        small = size <= self._limits.most // 32
        return small or self._size + size <= self._limits.most // 2

    def offer(self, frame: bytes) -> None:
        """Send what may be lost where the editor does not read."""
        if self._closed:
            return
        if not self._lost and self._is_full(len(frame)) and not self._waits_for_room:
            self._flush()
        if self._lost or self._is_full(len(frame)):
            self._lost += 1
            return
        self._append(frame)

    async def drained(self) -> None:
        """Wait until everything is written, or nothing can be."""
        if self._queue:
            self._emptied = self._emptied or asyncio.Event()
            await self._emptied.wait()

    def close(self) -> None:
        """Write nothing any more."""
        if self._closed:
            return
        self._closed = True
        self._stop_waiting_for_room()
        self._queue.clear()
        self._size = 0
        self._tell_that_it_is_empty()
        os.close(self._fd)

    def _is_full(self, more: int) -> bool:
        limits = self._limits
        if not self._queue:
            # Whatever its size, it could never be sent at a better time.
            return more > limits.most // 2
        return len(self._queue) >= limits.frames or self._size + more > limits.size

    def _append(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._size += len(frame)
        # One write for all that one turn of the loop has to say.
        if not self._flush_is_due and not self._waits_for_room:
            self._flush_is_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_is_due = False
        try:
            self._write_one_turn()
        except BlockingIOError:
            self._wait_for_room()
            return
        except OSError:
            self._end("The editor has closed the stream that it reads.")
            return
        if self._queue:
            self._wait_for_room()
            return
        self._stop_waiting_for_room()
        self._tell_that_it_is_empty()
        if self._lost:
            self._tell_what_was_lost()

    def _write_one_turn(self) -> None:
        written = 0
        while self._queue and written < _TURN_BYTES:
            chunk = self._gather()
            try:
                count = os.write(self._fd, chunk)
            except OSError:
                # Also where the stream is broken: the next attempt must find that out again.
                self._queue.appendleft(chunk)
                raise
            self._size -= count
            written += count
            if count < len(chunk):
                # A view, since a copy of what is left at each write adds up for a large frame.
                self._queue.appendleft(memoryview(chunk)[count:])

    def _gather(self) -> bytes | memoryview:
        queue = self._queue
        if len(queue) == 1:
            return queue.popleft()
        parts: list[bytes | memoryview] = []
        size = 0
        while queue and size < _WRITE_BYTES:
            parts.append(queue.popleft())
            size += len(parts[-1])
        return b"".join(parts)

    def _wait_for_room(self) -> None:
        if not self._waits_for_room and not self._closed:
            self._waits_for_room = True
            self._loop.add_writer(self._fd, self._flush)

    def _stop_waiting_for_room(self) -> None:
        if self._waits_for_room:
            self._waits_for_room = False
            self._loop.remove_writer(self._fd)

    def _tell_that_it_is_empty(self) -> None:
        if self._emptied is not None:
            self._emptied.set()
            self._emptied = None

    def _tell_what_was_lost(self) -> None:
        lost, self._lost = self._lost, 0
        self._caught_up(lost)

    def _end(self, because: str) -> None:
        self.close()
        self._broken(because)
