"""Sends counts to the person's collector, in the background, and gives way to the work.

Nobody waits for it, but the end of a run, which gives it half a second. What fails is tried again,
each time after a longer pause, and is told once. It asks over the way that models are asked:
nothing is redirected, an answer has a bound, and no proxy stands before this machine.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Lost
from assent.editor.telemetry import otlp
from assent.editor.telemetry.collector_answers import (
    METRICS,
    TRACES,
    Answer,
    Fate,
    asked,
    is_failing,
    lacks,
    sentence,
)
from assent.editor.telemetry.meter import Meter
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect
from assent.gate.values import define, field

__all__ = ["Collector"]

_log = logging.getLogger(__name__)

_SPANS_A_REQUEST: Final = 256
_LETTERS_A_REQUEST: Final = 64 * 1024
"""So many spans, and words in them, are written at a time: more would keep others waiting."""
_MAX_PAUSE_S: Final = 300.0
_GOODBYE_TIMEOUT_S: Final = 0.5


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
    _answers: dict[str, Answer] = field(factory=dict, init=False)
    """What it said last of metrics and of traces."""
    _fails: int = field(default=0, init=False)
    _was_told: bool = field(default=False, init=False)
    _is_due: bool = field(default=False, init=False)
    _is_over: bool = field(default=False, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _line: HostConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        host = Host(
            dialect=Dialect.OPENAI, name="collector", url=self.endpoint, model="", key_name=""
        )
        self._line = HostConnection(host)

    def note(self) -> None:
        """There is something new; it is sent a little later, with what comes until then."""
        self._is_due = True
        if self._timer is None and not self._is_over:
            wait = min(self.pause * 2**self._fails, _MAX_PAUSE_S)
            self._timer = asyncio.get_running_loop().call_later(wait, self._begin)
            self.spawn(self._prepare())

    async def finish(self) -> None:
        """Send what there is, within half a second, and let go."""
        self._is_over = True
        self._stop_waiting()
        try:
            async with asyncio.timeout(_GOODBYE_TIMEOUT_S):
                await self._send_due()
                await self._line.close()
        except TimeoutError:
            _log.warning("The collector was not told of the last calls in time.")

    async def _prepare(self) -> None:
        """Load what asks, which takes longer than a goodbye may."""
        with suppress(Lost):
            await self._line.client()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._timer = None
        self.spawn(self._send_due())

    async def _send_due(self) -> None:
        """Send what nobody has sent yet, once what is under way is over."""
        async with self._turn:
            if self._is_due:
                await self._send()

    async def _send(self) -> None:
        self._is_due = False
        await self._send_all()
        if is_failing(self._answers):
            self._fails = min(self._fails + 1, 16)
            self.note()
        else:
            self._fails = 0
        self._say(sentence(self._answers))

    async def _send_all(self) -> None:
        """Both go at once, so that neither waits for the other, nor for what ails it."""
        asks = {METRICS: self._send_counts, TRACES: self._send_spans}
        known = {way.name: self._answers[way.name] for way in asks if lacks(self._answers, way)}
        missing = [way for way in asks if way.name not in known]
        answers = await asyncio.gather(*(asks[way]() for way in missing))
        fresh = zip(missing, answers, strict=True)
        self._answers = known | {way.name: said for way, said in fresh if said is not None}
        if lacks(self._answers, TRACES):
            self.meter.drop_all()

    async def _send_counts(self) -> Answer:
        return await asked(self._line, METRICS, self._counted)

    def _counted(self) -> dict[str, Any]:
        return otlp.metrics(self.run, self.meter.series, self.tickets(), time.time_ns())

    async def _send_spans(self) -> Answer | None:
        """The answer that says most: what comes after one that is not taken is kept."""
        said = None
        while self.meter.spans:
            last = await self._send_some()
            said = last if said is None or last.fate is not Fate.TAKEN else said
            if last.fate not in {Fate.TAKEN, Fate.PARTLY}:
                break
        return said

    async def _send_some(self) -> Answer:
        taken = self.meter.take(_SPANS_A_REQUEST, _LETTERS_A_REQUEST)
        is_kept = True
        try:
            said = await asked(self._line, TRACES, lambda: otlp.traces(self.run, taken))
            is_kept = said.fate in {Fate.UNKNOWN, Fate.FAILED}
        finally:
            if is_kept:
                self.meter.put_back(taken)
        # What it will never take is not offered again.
        lost = len(taken) if said.fate is Fate.REFUSED else min(said.rejected, len(taken))
        self.meter.series.dropped += lost
        return said

    def _say(self, trouble: str) -> None:
        """Trouble is told once, however often it comes back; while it lasts it is told as it is."""
        if trouble == self.trouble or (trouble and not self.trouble and self._was_told):
            return
        self._was_told |= bool(trouble)
        self.trouble = trouble
        self.tell()
