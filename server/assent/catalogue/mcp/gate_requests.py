"""What the hub asks the gate outside of calls: to keep a log-in, to rule on an address.

The hub itself keeps nothing, and knows no rules.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, Literal

from assent.gate.call.errors import AssentError

__all__ = ["GateRequest", "GateRequestFailed", "GateRequests"]

_ANSWER_TIMEOUT_S: Final = 30.0
"""In seconds: an answer that does not come by then comes no more."""

_SILENT: Final = "the editor did not answer in time"
_FAILED: Final = "the editor did not do it"

GateRequest = Literal["kept", "keep", "judge"]


class GateRequestFailed(AssentError):
    """It was not done, or nobody said so in time."""


class GateRequests:
    """Those that wait for an answer."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say, self._last = say, 0
        self._open: dict[int, asyncio.Future[str]] = {}

    async def go(self, what: GateRequest, server: str, text: str = "") -> str:
        """What the gate says to it; raises `GateRequestFailed`."""
        self._last += 1
        number = self._last
        self._open[number] = future = asyncio.get_running_loop().create_future()
        self._say({"errand": number, "what": what, "server": server, "text": text})
        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                return str(await future)
        except TimeoutError:
            raise GateRequestFailed(_SILENT) from None
        finally:
            del self._open[number]

    def hear(self, message: dict[str, Any]) -> None:
        """An answer; one that nobody waits for is dropped."""
        future = self._open.get(message["to"])
        if future is None or future.done():
            return
        if "is" in message:
            future.set_result(message["is"])
        else:
            future.set_exception(GateRequestFailed(_FAILED))
