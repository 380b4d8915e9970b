"""The journal's thread: does its tasks one after the other.

What was handed in before `close` is done. Only a look at what is there is left out once nobody
waits for it. A plain queue and no executor, which would make and tell a second future for every
row. Rows that wait behind each other are written together, so that they wait for the disk once.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from assent.gate.call.errors import JournalUnwritable
from assent.gate.values import define, field, frozen

__all__ = ["MAX_ROWS_AT_ONCE", "WriteRows", "WriterThread"]

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)

MAX_ROWS_AT_ONCE: Final = 100
"""So many are written before whoever else shares the file has a turn."""

WriteRows = Callable[[list[Any]], list[Any]]
"""Writes rows, and returns for each what came of it, or the error."""


@frozen(eq=False)
class _Row:
    """One row that was handed in."""

    row: Any
    write: WriteRows
    settle: Callable[[Any], None]
    """Told what came of it."""


@define
class WriterThread:
    """Used from one thread, the loop's; works in another, which begins with the first thing."""

    _queue: "SimpleQueue[Callable[[], None] | _Row | None]" = field(factory=SimpleQueue)
    _thread: Thread | None = field(default=None, init=False)
    _closed: bool = field(default=False, init=False)

    async def ask(self, work: Callable[[], Result], *, surely: bool = False) -> Result:
        """Have it done in its turn; return what it returns, or raise what it raises.

        `surely` it is done whether or not somebody still waits for it then.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Result] = loop.create_future()
        self.order(lambda: None if waiting.cancelled() and not surely else _do(work, waiting, loop))
        return await waiting

    async def write(self, row: object, write: WriteRows) -> Any:
        """Have a row written in its turn, whoever still waits; return what comes of it, or raise.

        Rows that stand behind each other and have the same `write` are given to it together.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Any] = loop.create_future()
        self.order(_Row(row, write, lambda outcome: _settle(outcome, waiting, loop)))
        return await waiting

    def write_unwatched(
        self, row: object, write: WriteRows, failed: Callable[[BaseException], None]
    ) -> None:
        """Have a row written in its turn, for which nobody waits."""

        def settle(outcome: object) -> None:
            if isinstance(outcome, BaseException):
                failed(outcome)

        self.order(_Row(row, write, settle))

    def order(self, work: Callable[[], None] | _Row) -> None:
        """Have it done in its turn; it must not raise, since nobody would be told."""
        if self._closed:
            raise JournalUnwritable("the journal has been closed")
        if self._thread is None:
            self._thread = self._started()
        self._queue.put(work)

    def close(self) -> None:
        """Wait until all is done that was handed in; a second time does nothing."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _started(self) -> Thread:
        thread = Thread(target=self._work, name="journal", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise JournalUnwritable("the journal's thread could not be started") from error
        return thread

    def _work(self) -> None:
        work = self._queue.get()
        while work is not None:
            if isinstance(work, _Row):
                work = self._write_with_those_behind(work)
            else:
                work()
                work = self._queue.get()

    def _write_with_those_behind(self, first: _Row) -> Callable[[], None] | _Row | None:
        """Write a row and those that wait right behind it; return what follows them."""
        rows = [first]
        while len(rows) < MAX_ROWS_AT_ONCE and not self._queue.empty():
            behind = self._queue.get()
            if not isinstance(behind, _Row) or behind.write != first.write:
                _write(rows)
                return behind
            rows.append(behind)
        _write(rows)
        return self._queue.get()


def _write(rows: list[_Row]) -> None:
    try:
        outcomes = rows[0].write([row.row for row in rows])
    except BaseException as error:  # noqa: BLE001 -- raised again where they are waited for
        outcomes = [error] * len(rows)
    for row, outcome in zip(rows, outcomes, strict=True):
        row.settle(outcome)


def _do(
    work: Callable[[], Result], waiting: "asyncio.Future[Result]", loop: asyncio.AbstractEventLoop
) -> None:
    outcome: object
    try:
        outcome = work()
    except BaseException as error:  # noqa: BLE001 -- raised again where it is waited for
        outcome = error
    _settle(outcome, waiting, loop)


def _settle(
    outcome: object, waiting: "asyncio.Future[Any]", loop: asyncio.AbstractEventLoop
) -> None:
    is_error = isinstance(outcome, BaseException)
    settle: Callable[[Any], None] = waiting.set_exception if is_error else waiting.set_result
    # A loop that has ended has nobody left to tell.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_tell, waiting, settle, outcome)


def _tell(waiting: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    if not waiting.done():
        settle(outcome)
    elif isinstance(outcome, BaseException):
        _LOG.error("what the journal was handed was lost, and nobody waits for it: %s", outcome)
