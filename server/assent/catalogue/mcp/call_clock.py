"""The time limit of one call, which stops while a person thinks, but not for ever."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from assent.gate.call.errors import AssentError

__all__ = ["CallClock", "TookTooLong"]

_PERSON_TIMEOUT_S: Final = 24 * 3_600.0
"""In seconds: how long people are waited for in one call, all its questions together."""


class TookTooLong(AssentError):
    """A call was given up; the message is a clause."""


class CallClock:
    """The time of one call."""

    def __init__(self, patience: float) -> None:
        self._patience = self._left = patience
        self._for_people, self._since = _PERSON_TIMEOUT_S, 0.0
        self._timeout: asyncio.Timeout | None = None
        self._open = 0
        """How many questions stand."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For as long as the call runs; raises `TookTooLong`."""
        timeout = asyncio.timeout(self._patience)
        try:
            async with timeout:
                self._timeout = timeout
                try:
                    yield
                finally:
                    self._timeout = None
        except TimeoutError:
            if not timeout.expired():
                raise
            raise TookTooLong(self._why()) from None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """For as long as a person is asked."""
        self._open += 1
        if self._open == 1:
            self._stop()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._go_on()

    def _why(self) -> str:
        if self._open:
            return f"nobody answered what it asked within {_PERSON_TIMEOUT_S / 3_600:g} hours"
        return f"it did not answer within {self._patience:g} seconds"

    def _stop(self) -> None:
        if self._timeout is None or (due := self._timeout.when()) is None:
            return
        self._since = asyncio.get_running_loop().time()
        self._left = due - self._since
        self._timeout.reschedule(self._since + self._for_people)

    def _go_on(self) -> None:
        if self._timeout is None or self._timeout.expired():
            return
        now = asyncio.get_running_loop().time()
        self._for_people -= now - self._since
        self._timeout.reschedule(now + self._left)
