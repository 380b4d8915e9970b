"""Brings what was counted to the person's collector, beside the work and never before it.

Nobody waits for it, but the end of a run, which gives it half a second. What fails is tried again,
each time after a longer pause, and is told once. It asks over the way that models are asked:
nothing is redirected, an answer has a bound, and no proxy stands before this machine.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from attrs import define, field

from assent.providers.hosts import Host
from assent.providers.line import Line
from assent.providers.models import Dialect
from assent.providers.posting import Question, answer
from assent.providers.trouble import Declined, Loss, Lost, Trouble
from assent.telemetry import otlp
from assent.telemetry.meter import Meter
from assent.telemetry.spans import Span

__all__ = ["Collector"]

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 256
"""So many spans are written down at a time: more would keep others waiting."""
_LONGEST_PAUSE: Final = 300.0
_GOODBYE: Final = 0.5
_UNWANTED: Final = range(400, 500)
_LATER: Final = frozenset({408, 429})
"""Of the refusals these alone mean that the same may be taken another time."""


@define
class Collector:
    """One for an endpoint."""

    endpoint: str
    meter: Meter
    run: otlp.Run
    tickets: Callable[[], int]
    spawn: Callable[[Coroutine[Any, Any, None]], object]
    tell: Callable[[], None]
    """Called when there is trouble, the first time, and when it is over."""
    pause: float = 10.0
    """In seconds, from something new to when it is sent."""
    trouble: str = ""
    """Why nothing arrives, as a sentence for a banner."""
    _fails: int = field(default=0, init=False)
    _was_told: bool = field(default=False, init=False)
    _is_due: bool = field(default=False, init=False)
    _is_over: bool = field(default=False, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _line: Line = field(init=False)

    def __attrs_post_init__(self) -> None:
        host = Host(
            dialect=Dialect.OPENAI, name="collector", url=self.endpoint, model="", key_name=""
        )
        self._line = Line(host)

    def note(self) -> None:
        """There is something new; it is sent a little later, with what comes until then."""
        self._is_due = True
        if self._timer is None and not self._is_over:
            wait = min(self.pause * 2**self._fails, _LONGEST_PAUSE)
            self._timer = asyncio.get_running_loop().call_later(wait, self._begin)

    async def finish(self) -> None:
        """Send what there is, within half a second, and let go."""
        self._is_over = True
        self._stop_waiting()
        try:
            async with asyncio.timeout(_GOODBYE):
                if self._is_due:
                    await self._send()
                await self._line.close()
        except TimeoutError:
            _log.warning("The collector was not told of the last calls in time.")

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._timer = None
        self.spawn(self._send())

    async def _send(self) -> None:
        async with self._turn:
            try:
                await self._send_all()
            except Exception as error:  # noqa: BLE001 -- whatever ails a collector ails nobody else
                self._fails = min(self._fails + 1, 16)
                self._say(_sentence(error))
                self.note()
            else:
                self._fails = 0
                self._say("")

    async def _send_all(self) -> None:
        self._is_due = False
        now = time.time_ns()
        counted = otlp.metrics(self.run, self.meter.series, self.tickets(), now)
        await self._post("/v1/metrics", counted)
        while self.meter.spans:
            await self._send_some()

    async def _send_some(self) -> None:
        kept = self.meter.spans
        taken: list[Span] = [kept.popleft() for _ in range(min(_AT_ONCE, len(kept)))]
        arrived = False
        try:
            await self._post("/v1/traces", otlp.traces(self.run, taken))
            arrived = True
        except Declined as error:
            # What it will never take is not offered again.
            arrived = error.status in _UNWANTED and error.status not in _LATER
            self.meter.series.dropped += len(taken) if arrived else 0
            raise
        finally:
            if not arrived:
                self.meter.put_back(taken)

    async def _post(self, path: str, body: dict[str, Any]) -> None:
        told = await answer(self._line, Question(path=path, body=body))
        _see_taken(told)

    def _say(self, trouble: str) -> None:
        """Trouble is told once, however often it comes back."""
        if bool(trouble) == bool(self.trouble) or (trouble and self._was_told):
            return
        self._was_told |= bool(trouble)
        self.trouble = trouble
        self.tell()


def _see_taken(told: bytes) -> None:
    """Raise where the answer is not one of a collector; an empty one is."""
    try:
        said = json.loads(told) if told.strip() else {}
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise Lost(Loss.UNUSABLE, "what answers there is no collector")
    partly = said.get("partialSuccess")
    if isinstance(partly, dict) and any(
        partly.get(it) not in {None, 0, "0"} for it in ("rejectedSpans", "rejectedDataPoints")
    ):
        raise Declined(400, "it did not take all")


_WHY: Final = {
    Loss.ABSENT: "nothing answers there",
    Loss.BROKEN: "the connection broke off",
    Loss.LATE: "it takes too long to answer",
    Loss.UNTRUSTED: "it cannot prove who it is",
    Loss.UNUSABLE: "what answers there is no collector",
}


def _sentence(error: Exception) -> str:
    """Why nothing arrives, in our own words: those of whoever answers there are not repeated."""
    match error:
        case Lost():
            why = _WHY[error.loss]
        case Declined():
            why = f"it answered {error.status}"
        case Trouble():
            why = "what answers there is no collector"
        case _:
            why = f"{type(error).__name__} was raised"
    return (
        f"The collector that assent.telemetry names gets nothing ({why}). Everything else works"
        " as ever; it is tried again from time to time."
    )
