"""Counts the steps of calls as the ledger reports them, and keeps their spans.

It hears what everybody hears and has no say. What it keeps has a bound: the oldest spans go first,
and how many went is counted.
"""

import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Final

from assent.editor.telemetry.allowed_words import details_of, words_of
from assent.editor.telemetry.series import Series, Times, key_of
from assent.editor.telemetry.spans import Span, Trace
from assent.gate.call.calls import CallId, ChatId
from assent.gate.call.lifecycle import NEXT, State, is_end
from assent.gate.journal.events import CallMoved
from assent.gate.values import define, field

__all__ = ["MAX_SPANS", "Meter"]

MAX_SPANS: Final = 4_096
_MAX_OPEN_SPANS: Final = 4_096
_DECIDED: Final = frozenset({State.RUNNING, State.REFUSED, State.ANSWERED})


@define
class Meter:
    """One for a run, from when somebody wants to know on."""

    ours: Collection[str]
    """The agents that are built in; what others are called is not told."""
    detailed: bool = False
    """Whether spans say what a call runs and touches."""
    clock: Callable[[], int] = time.monotonic_ns
    wall: Callable[[], int] = time.time_ns
    series: Series = field(factory=Series)
    spans: deque[Span] = field(factory=deque)
    _under_way: dict[tuple[ChatId, CallId], Trace] = field(factory=dict)

    def hear(self, moved: CallMoved) -> bool:
        """A call took a step; whether there is something new to send."""
        key = (moved.call.chat, moved.call.id)
        trace = self._under_way.get(key)
        if moved.state is State.PROPOSED:
            return self._begin(key, moved)
        if trace is None or moved.state not in NEXT[trace.state]:
            # It began before anybody wanted to know, or it is told anew where it stands.
            return False
        self._step(trace, moved)
        if is_end(moved.state):
            del self._under_way[key]
            self.keep(trace.spans())
        return True

    def keep(self, spans: list[Span]) -> None:
        """Keep spans to be sent; where there is no room the oldest go."""
        self.spans += spans
        while len(self.spans) > MAX_SPANS:
            self.spans.popleft()
            self.series.dropped += 1

    def take(self, most: int, letters: int) -> list[Span]:
        """The oldest spans, at most so many, with about so many letters; one at the least."""
        taken: list[Span] = []
        while self.spans and len(taken) < most:
            letters -= self.spans[0].letters
            if taken and letters < 0:
                break
            taken.append(self.spans.popleft())
        return taken

    def put_back(self, spans: list[Span]) -> None:
        """What could not be sent comes before all that followed, as far as there is room."""
        room = MAX_SPANS - len(self.spans)
        kept = spans[-room:] if room > 0 else []
        self.series.dropped += len(spans) - len(kept)
        self.spans.extendleft(reversed(kept))

    def drop_all(self) -> None:
        """Nobody wants the spans: they are let go, and counted."""
        self.series.dropped += len(self.spans)
        self.spans.clear()

    def _begin(self, key: tuple[ChatId, CallId], moved: CallMoved) -> bool:
        trace = self._under_way.get(key)
        if trace is None or trace.state is not State.PROPOSED:
            if len(self._under_way) < _MAX_OPEN_SPANS:
                trace = Trace(self._words(moved), self.wall(), self.clock())
                self._under_way[key] = trace
        else:
            # A hook made another call of it before it was ruled on.
            trace.words = self._words(moved)
        return False

    def _words(self, moved: CallMoved) -> dict[str, str | list[str]]:
        more = details_of(moved.call) if self.detailed else {}
        return {**words_of(moved.call, self.ours), **more}

    def _step(self, trace: Trace, moved: CallMoved) -> None:
        left, words = trace.state, words_of(moved.call, self.ours)
        took = trace.step(moved.state, self.clock())
        decided = _decision(trace, moved) if moved.state in _DECIDED else {}
        if decided:
            trace.words |= decided
            self.series.decide({**words, **decided})
        of = {
            State.PROPOSED: (self.series.ruling, {"assent.effect": words["assent.effect"]}),
            State.WAITING: (self.series.answering, {"assent.by": decided.get("assent.by", "")}),
            State.RUNNING: (self.series.running, {"assent.tool": words["assent.tool"]}),
        }
        table, known = of[left]
        table.setdefault(key_of(known), Times()).add(took)


def _decision(trace: Trace, moved: CallMoved) -> dict[str, str]:
    """What was ruled, what came of it, and by whom."""
    allowed = moved.state is State.RUNNING
    verdict = "ask" if trace.was_asked else "allow" if allowed else "deny"
    outcome = {State.RUNNING: "allowed", State.ANSWERED: "answered"}.get(moved.state, "refused")
    by = moved.by.value if moved.by else ""
    return {"assent.verdict": verdict, "assent.outcome": outcome, "assent.by": by}
