"""Runs a graph: each step once those before it are over, in parallel where possible.

It knows no gate, no tool and no disk: what a piece is run by is handed to it, and so is what an
earlier run has kept. A piece is a step, or one round of a step that is run for each of several.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from graphlib import TopologicalSorter
from typing import Any, Final

from assent.catalogue.workflows.calls_of_steps import Piece, holds
from assent.catalogue.workflows.graph import Graph, GraphStep, Standing
from assent.catalogue.workflows.step_references import Lacks, filled, items_of
from assent.gate.call.errors import AssentError
from assent.gate.values import define, evolve, field, frozen

__all__ = ["PieceFailed", "Seen", "StepRunner"]

_LOG = logging.getLogger(__name__)

_MAX_RUNNING_STEPS: Final = 4
_MAX_NOTE_LETTERS: Final = 120
_STOPPED: Final = "It was stopped."


class PieceFailed(AssentError):
    """A piece did not come to its end; the message says why, for the person and the model."""

    def __init__(self, because: str, *, is_refused: bool = False) -> None:
        super().__init__(because)
        self.is_refused = is_refused


@frozen(kw_only=True)
class Seen:
    """How a step stands."""

    state: Standing = "pending"
    note: str = ""
    """How far it is, or why it is so."""


@define(eq=False)
class StepRunner:
    """One run of a graph."""

    graph: Graph
    inputs: Mapping[str, Any]
    _take: Callable[[Piece], Awaitable[Any]]
    """Runs a piece and gives what came of it; raises `PieceFailed`."""
    _kept: Callable[[Piece], Any]
    """What an earlier run kept of exactly this piece; raises `KeyError` where that is nothing."""
    _report: Callable[[Mapping[str, Seen]], None]
    """Is told how all steps stand, whenever one stands otherwise."""
    outputs: dict[str, Any] = field(factory=dict)
    """What the steps gave that are done."""
    seen: dict[str, Seen] = field(factory=dict)
    _room: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(_MAX_RUNNING_STEPS))

    @property
    def is_done(self) -> bool:
        """Whether nothing failed."""
        return all(step.state in _OVER for step in self.seen.values())

    async def carry_out(self) -> None:
        """Run all that can be run; what fails holds up only those that wait for it."""
        try:
            await self._carry_out()
        finally:
            self._mark_unreached()

    async def _carry_out(self) -> None:
        self.seen = {name: Seen() for name in self.graph.steps}
        sorter = TopologicalSorter({step: self.graph.needs(step) for step in self.graph.steps})
        sorter.prepare()
        over: asyncio.Queue[str] = asyncio.Queue()
        under_way = 0
        self._report(self.seen)
        async with asyncio.TaskGroup() as group:
            while True:
                for name in sorter.get_ready():
                    under_way += 1
                    group.create_task(self._see_through(name, over))
                if not under_way:
                    break
                name = await over.get()
                under_way -= 1
                if self.seen[name].state in _OVER:
                    sorter.done(name)

    async def _see_through(self, name: str, over: asyncio.Queue[str]) -> None:
        try:
            async with self._room:
                await self._run(name)
        except PieceFailed as error:
            self._stand(name, "refused" if error.is_refused else "failed", str(error))
        except Lacks as error:
            self._stand(name, "failed", f"It could not be run: {error}")
        except Exception as error:  # noqa: BLE001 -- else it breaks off those beside it
            _LOG.exception("the step %s failed", name)
            self._stand(name, "failed", f"It failed ({type(error).__name__}).")
        finally:
            over.put_nowait(name)

    async def _run(self, name: str) -> None:
        step = self.graph.steps[name]
        lacking = sorted(self.graph.refers(name) - self.outputs.keys())
        if lacking:
            self._stand(name, "skipped", f"`{lacking[0]}` was skipped.")
            return
        known = {"inputs": self.inputs, **self.outputs}
        if not holds(step.when, known):
            self._stand(name, "skipped", "Its condition is not so.")
            return
        if step.each is None:
            given, is_kept = await self._piece(name, step, None, known)
            self.outputs[name] = given
            self._stand(name, "kept" if is_kept else "done")
            return
        items = items_of(filled(step.each, known))
        all_: list[Any] = []
        kept = 0
        for place, item in enumerate(items):
            note = f"{place}/{len(items)}"
            given, is_kept = await self._piece(name, step, place, {**known, "item": item}, note)
            all_.append(given)
            kept += is_kept
        self.outputs[name] = all_
        whole: Standing = "kept" if items and kept == len(items) else "done"
        self._stand(name, whole, f"{len(items)}/{len(items)}")

    async def _piece(
        self,
        name: str,
        step: GraphStep,
        place: int | None,
        known: Mapping[str, Any],
        note: str = "",
    ) -> tuple[Any, bool]:
        piece = Piece(
            step=name,
            place=place,
            run=step.run,
            arguments=filled(step.with_, known),
            waiting=lambda: self._stand(name, "waiting", note),
            begun=lambda: self._stand(name, "running", note),
        )
        try:
            return self._kept(piece), True
        except KeyError:
            return await self._take(piece), False

    def _stand(self, name: str, state: Standing, note: str = "") -> None:
        before = self.seen[name]
        short = note if len(note) <= _MAX_NOTE_LETTERS else f"{note[:_MAX_NOTE_LETTERS]}…"
        self.seen[name] = evolve(before, state=state, note=short)
        self._report(self.seen)

    def _mark_unreached(self) -> None:
        """What did not come to its turn, or not to its end."""
        for name, seen in self.seen.items():
            if seen.state in {"waiting", "running"}:
                self.seen[name] = Seen(state="failed", note=_STOPPED)
        for name in self.graph.order():
            if self.seen[name].state == "pending":
                before = [
                    need for need in self.graph.needs(name) if self.seen[need].state not in _OVER
                ]
                note = f"It needs `{min(before)}`." if before else _STOPPED
                self.seen[name] = Seen(state="unreached", note=note)
        self._report(self.seen)


_OVER: Final = frozenset({"done", "kept", "skipped"})
