"""The journal's thread: does its tasks one after the other.

What was handed in before `close` is done. Only a look at what is there is left out once nobody
waits for it. A plain queue and no executor, which would make and tell a second future for every
row.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from assent.gate.call.errors import JournalUnwritable
from assent.gate.values import define, field

__all__ = ["WriterThread"]

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)


@define
class WriterThread:
    """Used from one thread, the loop's; works in another, which begins with the first thing."""

    _queue: "SimpleQueue[Callable[[], None] | None]" = field(factory=SimpleQueue)
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

    def order(self, work: Callable[[], None]) -> None:
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
        while (work := self._queue.get()) is not None:
            work()


def _do(
    work: Callable[[], Result], waiting: "asyncio.Future[Result]", loop: asyncio.AbstractEventLoop
) -> None:
    outcome: Any
    settle: Callable[[Any], None]
    try:
        outcome, settle = work(), waiting.set_result
    except BaseException as error:  # noqa: BLE001 -- raised again where it is waited for
        outcome, settle = error, waiting.set_exception
    # A loop that has ended has nobody left to tell.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_tell, waiting, settle, outcome)


def _tell(waiting: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    if not waiting.done():
        settle(outcome)
    elif isinstance(outcome, BaseException):
        _LOG.error("what the journal was handed was lost, and nobody waits for it: %s", outcome)
