"""Graphs of steps as calls: one call that lists its steps, and a call for each step.

What stands on the card is made of the same calls that the steps make when they are reached, with
the same ids: where one of them comes out otherwise then, it is another call, and ruled on anew.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from assent.agent.tools.step_calls import StepCalls
from assent.agent.tools.tool import Aim, Bench, Done, ToolFailed
from assent.agent.tools.workflow_nodes import checked, insist_on
from assent.agent.tools.workflow_runs import Before, before_of, carried_out, doubtful_of
from assent.catalogue.workflows.calls_of_steps import pieces_known
from assent.catalogue.workflows.files import GraphFile, graphs_in
from assent.catalogue.workflows.graph import Graph
from assent.catalogue.workflows.runs import DOUBTFUL, RunsUnkept
from assent.catalogue.workflows.step_references import Lacks
from assent.gate.call.calls import Call, Code, Effect, Planned
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.freshness import code_at
from assent.gate.values import field, frozen

__all__ = ["Wish", "aim", "back", "describe", "listed", "ready", "run"]

_CHANGED = "{0} has changed since this was judged, so nothing was run. Try again."
_FROM_EARLIER_STEPS = "with what earlier steps give"
_MAX_CALLS = 200
_as_json: Final = partial(json.dumps, ensure_ascii=False)
_TOO_MANY = "it would make more than 200 calls. Give it fewer."


@frozen(kw_only=True)
class Wish:
    """What is to be run."""

    name: str
    inputs: dict[str, Any] | None = field(hash=False)
    from_step: str | None
    of_run: str | None = None
    """The run that this goes on with; None is the last one."""


@frozen(kw_only=True)
class Ground:
    """A graph that can be run, and what it is run with."""

    file: GraphFile
    graph: Graph
    code: Code
    """The file as it was before it was read."""
    inputs: dict[str, Any] = field(hash=False)
    before: Before


def listed(bench: Bench, only: str | None = None) -> tuple[GraphFile, ...]:
    """All of them, or the one of a name."""
    places = bench.places()
    return graphs_in(places.roots, places.home, bench.may_read, _steps(bench).tools, only)


async def describe(name: str, bench: Bench) -> str:
    """What one does, as its file says."""
    file = await checked(await asyncio.to_thread(_file, name, bench), bench.nodes)
    wrong = f"It cannot be run: {file.wrong}" if file.wrong else ""
    head = f"{file.name} is a graph of steps in {file.shown}."
    return "\n\n".join(filter(None, (head, wrong, file.text)))


async def ready(wish: Wish, bench: Bench) -> None:
    """Look at what is kept of its last run, and at whatever its steps have to know."""
    await _look(wish, bench)
    ground = _ground(wish, bench)
    await insist_on(ground.file, bench.nodes)
    for _, pieces, _ in _known(ground):
        for piece in pieces or ():
            with _naming(piece.key):
                await _steps(bench).ready(piece.run, piece.arguments)


def aim(wish: Wish, bench: Bench) -> Aim:
    """The call that says all its steps."""
    ground = _ground(wish, bench)
    steps = tuple(_planned(ground, bench))
    effects = {step.effect for step in steps}
    given = {"inputs": wish.inputs, "from_step": wish.from_step, "of_run": ground.before.run}
    return Aim(
        tool="run",
        effect=Effect.READ if effects <= {Effect.READ, Effect.CHAT} else Effect.EXECUTE,
        input={
            "name": f"workflow:{wish.name}",
            **{name: value for name, value in given.items() if value is not None},
            "steps": [step.says for step in steps],
        },
        action="workflow",
        code=(ground.code,),
        steps=steps,
    )


def back(given: dict[str, Any]) -> object:
    """The arguments in the input of such a call."""
    name = given.get("name")
    if not isinstance(name, str) or not name.startswith("workflow:"):
        return given
    kept = {key: value for key, value in given.items() if key in {"inputs", "from_step", "of_run"}}
    return {"name": name.removeprefix("workflow:"), **kept}


async def run(wish: Wish, call: Call, bench: Bench) -> Done:
    """Carry out the graph that was judged, if its file still says it."""
    try:
        await _look(wish, bench)
        ground = _ground(wish, bench)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    if ground.code not in call.code:
        raise ToolFailed(_CHANGED.format(ground.file.shown))
    return await carried_out(
        ground.graph, ground.file, ground.code, ground.inputs, ground.before, call, bench
    )


async def _look(wish: Wish, bench: Bench) -> None:
    """Have at hand what is kept of the run that this goes on with, or that came before it."""
    if bench.runs is None:
        return
    try:
        await bench.runs.look(_file(wish.name, bench).path, wish.from_step and wish.of_run)
    except RunsUnkept as error:
        raise CallUnreadable(str(error)) from error


def _ground(wish: Wish, bench: Bench) -> Ground:
    path = _file(wish.name, bench)
    code = code_at(path.path, path.shown)
    # Read behind that: what changes in between is found changed.
    file = _file(wish.name, bench)
    if file.graph is None:
        raise CallUnreadable(f"{file.shown} cannot be run: {file.wrong}")
    before, inputs = doubtful_of(file, bench), wish.inputs or {}
    if wish.from_step is not None:
        before, kept = before_of(file, file.graph, code, wish.from_step, wish.of_run, bench)
        inputs = kept if wish.inputs is None else wish.inputs
    return Ground(
        file=file,
        graph=file.graph,
        code=code,
        inputs=_given(file.graph, inputs),
        before=before,
    )


def _file(name: str, bench: Bench) -> GraphFile:
    graph_file = next(iter(listed(bench, name)), None)
    if graph_file is None:
        raise CallUnreadable(f"there is no workflow `{name}`; list_workflows finds them.")
    return graph_file


def _steps(bench: Bench) -> StepCalls:
    if bench.steps is None:
        raise CallUnreadable("a step of a workflow cannot run another one.")
    return bench.steps


def _given(graph: Graph, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Its inputs, with what stands for those that are not given."""
    for name in inputs.keys() - graph.inputs.keys():
        there = ", ".join(graph.inputs) or "none"
        raise CallUnreadable(f"it has no input `{name}`. There are: {there}.")
    for name, described in graph.inputs.items():
        if described.required and name not in inputs:
            raise CallUnreadable(f"it needs the input `{name}`.")
    return {name: declared.default for name, declared in graph.inputs.items()} | dict(inputs)


def _known(ground: Ground) -> Iterator[tuple[str, Any, bool]]:
    count = 0
    try:
        for name, pieces, is_sure in pieces_known(ground.graph, ground.inputs, ground.before.kept):
            count += len(pieces or ())
            # Each of them is looked at before anybody is asked.
            if count > _MAX_CALLS:
                raise CallUnreadable(_TOO_MANY)
            yield name, pieces, is_sure
    except Lacks as error:
        raise CallUnreadable(str(error)) from error


def _planned(ground: Ground, bench: Bench) -> Iterator[Planned]:
    """Each call that it is known to make, and each step of which that is not known yet."""
    steps = _steps(bench)
    known = [*_known(ground)]
    changing = [
        name
        for name, pieces, _ in known
        if pieces is None and _may_change(steps, ground.graph.steps[name].run)
    ]
    for name, pieces, is_sure in known:
        step = ground.graph.steps[name]
        perhaps = "" if is_sure else ", if its condition is so"
        if pieces is None:
            says = f"{name}: {step.run} {_FROM_EARLIER_STEPS}{perhaps}"
            effect = steps.effect(step.run)
            yield Planned(name=name, says=says, effect=effect, is_sure=is_sure)
            continue
        for piece in pieces:
            caution = DOUBTFUL if piece.key in ground.before.doubtful else ""
            call = _made(steps, piece.run, piece.arguments, piece.key, caution)
            yield Planned(
                name=name,
                says=f"{piece.key}: {_words(piece.run, piece.arguments)}{perhaps}",
                effect=call.effect,
                call=call,
                is_sure=is_sure,
                waits_for=_before(ground.graph, name, call, changing),
            )


def _may_change(steps: StepCalls, run: str) -> bool:
    """Whether what a step leaves on the disk may be what another runs; of servers nobody knows."""
    return ":" in run or steps.effect(run) in {Effect.WRITE, Effect.EXECUTE}


def _before(graph: Graph, name: str, call: Call, changing: Iterable[str]) -> str:
    """The step that may run before this one and change what it does, though its words stay."""
    if call.effect not in {Effect.EXECUTE, Effect.EXTERNAL}:
        return ""
    behind = graph.behind(name)
    return next((step for step in changing if step not in behind), "")


def _made(steps: StepCalls, run: str, arguments: dict[str, Any], key: str, caution: str) -> Call:
    with _naming(key):
        return steps.made(run, arguments, key, caution)


@contextmanager
def _naming(key: str) -> Iterator[None]:
    """Say which step cannot be read."""
    try:
        yield
    except CallUnreadable as error:
        raise CallUnreadable(f"its step {key} cannot be run: {error}") from error


def _words(run: str, arguments: Mapping[str, Any]) -> str:
    """What is run with what: of a command its text, of all else each argument."""
    command = arguments.get("command")
    if run == "run_command" and isinstance(command, str):
        rest = {name: value for name, value in arguments.items() if name != "command"}
        return f"$ {command}" + (f" with {_as_json(rest)}" if rest else "")
    return f"{run} {_as_json(arguments)}"
