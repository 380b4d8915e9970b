"""The hub's messages to the gate during a call: its progress, and its server's questions."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

__all__ = ["Questions", "Throttled"]

_PROGRESS_INTERVAL_S: Final = 0.2
"""In seconds: progress is not told more often."""


class Questions:
    """Those that wait for an answer."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say, self._last = say, 0
        self._open: dict[int, tuple[int, asyncio.Future[dict[str, Any]]]] = {}
        """Each by its number: of which call it is, and what will be said to it."""

    async def ask(self, of: int, form: dict[str, Any]) -> dict[str, Any]:
        """What a person says to a form of that call; being cancelled takes it back."""
        self._last += 1
        number = self._last
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._open[number] = of, future
        self._say({"of": of, "asks": number, "form": form})
        try:
            return await future
        except asyncio.CancelledError:
            self._say({"of": of, "unasks": number})
            raise
        finally:
            del self._open[number]

    def hear(self, message: dict[str, Any]) -> None:
        """An answer; one that nobody waits for is dropped."""
        _, future = self._open.get(message["to"], (0, None))
        if future is not None and not future.done():
            future.set_result(message)

    def end(self, of: int) -> None:
        """That call is over: nobody answers any more what was asked for it."""
        for whose, future in self._open.values():
            if whose == of and not future.done():
                future.set_result({"action": "cancel"})


class Throttled:
    """Tells of progress, and not more often than anybody can read."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._last = tell, 0.0

    def __call__(self, text: str) -> None:
        """Tell it, where that is time."""
        now = time.monotonic()
        if now - self._last >= _PROGRESS_INTERVAL_S:
            self._last = now
            self._tell(text)
