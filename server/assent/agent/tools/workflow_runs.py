"""One run of a graph: takes each piece to the gate, records it before and after, and shows it.

A piece that an earlier run has kept is taken from there, where it would be run with exactly the
same. One that had begun there and did not end is asked about, whatever the rules say.
"""

import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from assent.agent.tools.collections import QUERY_COLLECTION, SEARCH_COLLECTIONS
from assent.agent.tools.search_text import SEARCH_TEXT
from assent.agent.tools.step_calls import StepCalls
from assent.agent.tools.tool import Bench, Done, StepRefused, ToolFailed
from assent.catalogue.workflows.calls_of_steps import Piece
from assent.catalogue.workflows.files import GraphFile
from assent.catalogue.workflows.graph import Graph
from assent.catalogue.workflows.runs import DOUBTFUL, Kept, Run, Runs, RunsUnkept
from assent.catalogue.workflows.step_runner import PieceFailed, Seen, StepRunner
from assent.gate.call.calls import Call, Code, Effect, digest_of
from assent.gate.call.errors import CallUnreadable
from assent.gate.journal.flows import FlowStep
from assent.gate.values import define, frozen

__all__ = ["Before", "before_of", "carried_out", "doubtful_of"]

_LOG = logging.getLogger(__name__)

_OTHER_FILE: Final = (
    "{0} has changed since that run, so nothing of it can be taken over. Run it from its beginning."
)
_NO_RUN: Final = "{0} has not been run yet, so it can only be run whole."
_GONE: Final = "nothing is kept of that run of {0} any more, so it can only be run whole."
_SEARCHES: Final = frozenset(
    tool.name for tool in (SEARCH_TEXT, SEARCH_COLLECTIONS, QUERY_COLLECTION)
)
"""They read in files that their calls do not name."""
_MAX_SHOWN_LETTERS: Final = 2_000
"""In letters: so much of what one step gave the model is told."""


@frozen(kw_only=True)
class Before:
    """What an earlier run has left to this one."""

    pieces: Mapping[str, Kept]
    """What is done of it, and is not to be run again."""
    doubtful: Mapping[str, Kept]
    """What had begun in any run of the file, and of which nobody knows how it ended."""
    run: str | None = None
    """The run that left it."""
    still: Callable[[Piece], bool] = lambda _: True
    """Whether what a piece gave may still be given on."""

    @property
    def all(self) -> Mapping[str, Kept]:
        """What a new run goes on from: what is in doubt stays so until it has been run."""
        return {**self.doubtful, **self.pieces}

    def kept(self, piece: Piece) -> Any:
        """What exactly this piece gave; raises `KeyError`."""
        piece_kept = self.pieces[piece.key]
        if piece_kept.digest != _digest(piece) or not self.still(piece):
            raise KeyError(piece.key)
        return piece_kept.output


def doubtful_of(file: GraphFile, bench: Bench) -> Before:
    """What stays of earlier runs of a file for one from its beginning: what is in doubt, alone."""
    doubtful = bench.runs.doubted(file.path) if bench.runs is not None else {}
    return Before(pieces={}, doubtful=doubtful)


def before_of(  # noqa: PLR0917 -- what is run, from what on, and what stands of it
    file: GraphFile, graph: Graph, code: Code, from_step: str, of_run: str | None, bench: Bench
) -> tuple[Before, dict[str, Any]]:
    """What a run of a file has left for one from this step on, and its inputs."""
    if from_step not in graph.steps:
        there = ", ".join(graph.steps)
        raise CallUnreadable(f"{file.name} has no step `{from_step}`. There are: {there}.")
    earlier_run = bench.runs.seen(file.path, of_run) if bench.runs is not None else None
    if earlier_run is None:
        raise CallUnreadable((_NO_RUN if of_run is None else _GONE).format(file.name))
    run, pieces = earlier_run
    if run.digest != str(code.content):
        raise CallUnreadable(_OTHER_FILE.format(file.shown))
    own = [piece for piece in pieces.values() if piece.step == from_step]
    # A step that is done whole is to be run once more; of one that failed the rest is.
    is_whole = all(piece.state == "done" for piece in own)
    again = graph.behind(from_step) - (frozenset() if is_whole else {from_step})
    return (
        Before(
            pieces={
                key: piece
                for key, piece in pieces.items()
                if piece.state == "done" and piece.step not in again
            },
            doubtful=doubtful_of(file, bench).doubtful,
            run=run.id,
            still=partial(_still, bench),
        ),
        run.inputs,
    )


def _still(bench: Bench, piece: Piece) -> bool:
    """Whether a piece read nothing that is denied or asked about by now: else it is run anew.

    Nobody knows any more in which files of a folder a search has found something.
    """
    if bench.steps is None or bench.steps.effect(piece.run) is not Effect.READ:
        return True
    if piece.run in _SEARCHES:
        return False
    try:
        call = bench.steps.made(piece.run, piece.arguments, piece.key)
    except CallUnreadable:
        return False
    return all(
        bench.may_read(path) for target in call.targets for path in (target.resolved, target.named)
    )


async def carried_out(  # noqa: PLR0917 -- what is run, from what on, and by whom
    graph: Graph,
    file: GraphFile,
    code: Code,
    inputs: dict[str, Any],
    before: Before,
    call: Call,
    bench: Bench,
) -> Done:
    """Carry a graph out, and tell what came of each step."""
    if bench.steps is None or bench.runs is None:
        raise ToolFailed("Nothing is kept of runs here, so no graph can be run.")
    run = Run(
        id=call.id,
        file=file.path,
        name=file.name,
        digest=str(code.content),
        inputs=inputs,
        chat=call.chat,
    )
    try:
        await bench.runs.begin(run, before.all)
    except RunsUnkept as error:
        raise ToolFailed(f"{error} Nothing was run.") from error
    doubtful = frozenset(before.doubtful)
    taking = _Taking(steps=bench.steps, runs=bench.runs, run=run.id, doubtful=doubtful)
    show = _showing(graph, file.name, bench)
    carrying = StepRunner(graph, inputs, taking.take, before.kept, show)
    await carrying.carry_out()
    return Done(text=_describe_run(file.name, carrying), failed=not carrying.is_done, shown="")


@define(eq=False, kw_only=True)
class _Taking:
    """Brings pieces to the gate."""

    steps: StepCalls
    runs: Runs
    run: str
    doubtful: frozenset[str]

    async def take(self, piece: Piece) -> Any:
        """Run one, if it may be; what it gave. Raises `PieceFailed`."""
        try:
            return await self._take(piece)
        except StepRefused as error:
            raise PieceFailed(str(error), is_refused=True) from error
        except (CallUnreadable, ToolFailed, RunsUnkept) as error:
            raise PieceFailed(str(error)) from error
        except PieceFailed:
            raise
        except Exception as error:
            _LOG.exception("the step %s failed", piece.key)
            raise PieceFailed(f"It failed ({type(error).__name__}).") from error

    async def _take(self, piece: Piece) -> Any:
        caution = DOUBTFUL if piece.key in self.doubtful else ""
        piece.waiting()

        async def begun(as_given: bool) -> None:  # noqa: FBT001 -- see `StepCalls`
            # What ran otherwise is what no piece asks for, and so is taken for none later.
            digest = _digest(piece) if as_given else ""
            await self.runs.started(self.run, piece.key, piece.step, digest)
            piece.begun()

        done = await self.steps.take(piece.run, piece.arguments, piece.key, begun, caution)
        gives = done.text if done.gives is None else done.gives
        await self.runs.ended(self.run, piece.key, gives, failed=done.failed)
        if done.failed:
            raise PieceFailed(_brief(done.text))
        return gives


def _digest(piece: Piece) -> str:
    return digest_of([piece.run, piece.arguments])


def _showing(graph: Graph, name: str, bench: Bench) -> Callable[[Mapping[str, Seen]], None]:
    """Shows how all steps stand, in the order in which they could run."""
    levels = graph.levels()
    order = sorted(graph.order(), key=lambda step: levels[step])
    places = {step: at for at, step in enumerate(order)}

    def show(seen: Mapping[str, Seen]) -> None:
        steps = (
            FlowStep(
                name=step,
                run=graph.steps[step].run,
                state=seen[step].state,
                note=seen[step].note,
                level=levels[step],
                needs=tuple(sorted(places[need] for need in graph.needs(step))),
            )
            for step in order
        )
        bench.flowing(name, tuple(steps))

    return show


def _describe_run(name: str, carrying: StepRunner) -> str:
    """What came of it, for the model: how each step stands, and what the last ones gave."""
    whole = "is done" if carrying.is_done else "did not come to its end"
    lines = [f"The workflow {name} {whole}."]
    graph = carrying.graph
    for step_name in graph.order():
        seen = carrying.seen[step_name]
        lines.append(f"- {step_name}: {seen.state}" + (f" ({seen.note})" if seen.note else ""))
    last = {
        step for step in graph.steps if not any(step in graph.needs(other) for other in graph.steps)
    }
    lines += [
        f"\n{step} gave:\n{_brief(_text_of(carrying.outputs[step]))}"
        for step in graph.order()
        if step in carrying.outputs and step in last
    ]
    if not carrying.is_done:
        lines.append(
            "\nWhat the steps gave that are done is kept: run_workflow with from_step begins again"
            " at a step."
        )
    return "\n".join(lines)


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _brief(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_LETTERS else f"{text[:_MAX_SHOWN_LETTERS]}…"
