"""A graph is carried out in the order in which its steps need each other, each of them once."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.catalogue.workers.node_server import UNPASSED
from assent.catalogue.workflows.calls_of_steps import Piece, pieces_known
from assent.catalogue.workflows.graph import Graph, GraphUnfit, graph_of
from assent.catalogue.workflows.step_references import Lacks, filled
from assent.catalogue.workflows.step_runner import PieceFailed, Seen, StepRunner
from tables import each_row

TOOLS = ("do", "fail")


def graph(**steps: Any) -> Graph:
    return graph_of({"steps": {name: {"run": "do", **it} for name, it in steps.items()}}, TOOLS)


def nothing(piece: Piece) -> Any:
    raise KeyError(piece.key)


def run(
    graph: Graph,
    gives: Callable[[Piece], Any] = lambda piece: f"out of {piece.key}",
    kept: Callable[[Piece], Any] = nothing,
) -> tuple[StepRunner, list[str]]:
    """Carry a graph out; what was run, in order."""
    taken: list[str] = []

    async def take(piece: Piece) -> Any:
        taken.append(piece.key)
        await asyncio.sleep(0)
        if piece.run == "fail":
            raise PieceFailed("no such luck")
        return gives(piece)

    carrying = StepRunner(graph, {}, take, kept, lambda _: None)
    asyncio.run(carrying.carry_out())
    return carrying, taken


def states(carrying: StepRunner) -> dict[str, str]:
    return {name: it.state for name, it in carrying.seen.items()}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of which some steps fail; each waits only for those of smaller number."""
    count = draw(st.integers(1, 12))
    steps = {}
    for at in range(count):
        needs = draw(st.sets(st.integers(0, at - 1))) if at else set()
        steps[f"s{at}"] = {
            "run": draw(st.sampled_from(["do", "do", "do", "fail"])),
            "after": [f"s{it}" for it in sorted(needs)],
        }
    shuffled = draw(st.permutations(list(steps)))
    return graph_of({"steps": {name: steps[name] for name in shuffled}}, TOOLS)


@given(graphs())
def test_no_step_runs_before_those_it_waits_for_nor_twice_nor_behind_one_that_failed(
    graph: Graph,
) -> None:
    carrying, taken = run(graph)
    assert len(taken) == len(set(taken))
    for at, name in enumerate(taken):
        assert graph.needs(name) <= set(taken[:at])
        assert all(carrying.seen[it].state == "done" for it in graph.needs(name))
    failed = {name for name in taken if graph.steps[name].run == "fail"}
    blocked = {name for it in failed for name in graph.behind(it)} - failed
    assert set(taken) == set(graph.steps) - blocked
    assert {name for name, it in states(carrying).items() if it == "unreached"} == blocked


@given(graphs())
def test_what_is_known_beforehand_is_what_is_run_where_nothing_fails(graph: Graph) -> None:
    whole = Graph.model_validate(
        {"steps": {n: {"run": "do", "after": it.after} for n, it in graph.steps.items()}}
    )
    known = [it.key for _, pieces, _ in pieces_known(whole, {}, nothing) for it in pieces or ()]
    _, taken = run(whole)
    assert sorted(known) == sorted(taken)


def test_a_step_is_given_what_earlier_ones_gave() -> None:
    seen: list[Any] = []

    def gives(piece: Piece) -> Any:
        seen.append(piece.arguments)
        return '{"a": [1, {"b": "deep"}]}'

    run(
        graph(
            one={},
            two={"with": {"whole": "${one.a}", "text": "x ${one.a.1.b} $${one}"}},
        ),
        gives,
    )
    assert seen[1] == {"whole": [1, {"b": "deep"}], "text": "x deep ${one}"}


def test_a_step_is_run_for_each_of_a_list_in_order_and_gives_a_list() -> None:
    carrying, taken = run(
        graph(
            names={},
            each={"each": "${names}", "with": {"it": "${item}"}},
        ),
        lambda piece: "a\n\nb\n" if piece.step == "names" else piece.arguments["it"].upper(),
    )
    assert taken == ["names", "each[0]", "each[1]"]
    assert carrying.outputs["each"] == ["A", "B"]


@each_row(
    ("when", "runs"),
    [
        ("${one}", True),
        ({"value": "${one}", "is": "yes"}, True),
        ({"value": "${one}", "is": "no"}, False),
        ({"value": "${one}", "isNot": "yes"}, False),
        ({"value": "${one}", "contains": "e"}, True),
        ({"value": "${one}", "contains": "e", "isNot": "yes"}, False),
        (False, False),
    ],
)
def test_a_step_runs_only_if_its_condition_is_so(when: Any, runs: bool) -> None:
    carrying, taken = run(
        graph(one={}, two={"when": when}, three={"with": {"x": "${two}"}}, four={"after": ["two"]}),
        lambda _: "yes\n",
    )
    assert ("two" in taken) == runs
    assert states(carrying)["three"] == ("done" if runs else "skipped")
    assert states(carrying)["four"] == "done"


def test_what_an_earlier_run_kept_is_not_run_and_is_given_on() -> None:
    def kept(piece: Piece) -> Any:
        return {"one": "kept"}[piece.key]

    seen: list[Any] = []
    carrying, taken = run(
        graph(one={}, two={"with": {"x": "${one}"}}),
        lambda piece: seen.append(piece.arguments),
        kept,
    )
    assert taken == ["two"]
    assert seen == [{"x": "kept"}]
    assert states(carrying) == {"one": "kept", "two": "done"}


async def test_what_is_stopped_stands_as_stopped_and_what_waits_for_it_as_not_reached() -> None:
    began = asyncio.Event()

    async def take(piece: Piece) -> Any:
        piece.begun()
        began.set()
        await asyncio.Event().wait()

    told: list[Mapping[str, Seen]] = []
    it = StepRunner(graph(one={}, two={"after": ["one"]}), {}, take, nothing, told.append)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(it.carry_out())
        await began.wait()
        task.cancel()
    assert states(it) == {"one": "failed", "two": "unreached"}
    assert {name: seen.state for name, seen in told[-1].items()} == states(it)


def test_a_value_nested_deeper_than_python_calls_is_passed_on_as_it_is() -> None:
    deep = "[" * 700 + "]" * 700
    given: list[Any] = []

    def gives(piece: Piece) -> str:
        given.append(piece.arguments)
        return f'{{"x": {deep}}}'

    carrying, _ = run(graph(one={}, two={"with": {"it": "${one.x}"}}), gives)
    assert states(carrying) == {"one": "done", "two": "done"}
    assert str(given[1]["it"])[:500] == deep[:500]


def test_bytes_are_found_however_deep_they_lie() -> None:
    value: Any = {UNPASSED: 1}
    for _ in range(5_000):
        value = [value]
    with pytest.raises(Lacks, match="is made of bytes"):
        filled("${one}", {"one": value})


async def test_whatever_goes_wrong_with_one_step_breaks_off_none_beside_it() -> None:
    is_over = asyncio.Event()

    async def take(piece: Piece) -> Any:
        await is_over.wait()
        return "so"

    def kept(piece: Piece) -> Any:
        if piece.step == "odd":
            raise RecursionError
        raise KeyError

    def told(seen: Mapping[str, Seen]) -> None:
        if seen["odd"].state == "failed":
            is_over.set()

    it = StepRunner(graph(beside={}, odd={}, last={"after": ["odd"]}), {}, take, kept, told)
    await it.carry_out()
    assert states(it) == {"beside": "done", "odd": "failed", "last": "unreached"}
    assert it.seen["odd"].note == "It failed (RecursionError)."


async def test_what_waited_for_its_turn_alone_when_all_was_stopped_says_that_it_was() -> None:
    began = asyncio.Event()

    async def take(piece: Piece) -> Any:
        piece.begun()
        began.set()
        await asyncio.Event().wait()

    it = StepRunner(graph(**{f"s{at}": {} for at in range(5)}), {}, take, nothing, lambda _: None)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(it.carry_out())
        await began.wait()
        task.cancel()
    assert sorted(states(it).values()) == ["failed"] * 4 + ["unreached"]
    assert {seen.note for seen in it.seen.values()} == {"It was stopped."}


@each_row(
    ("value", "told"),
    [
        ({"steps": {"a": {"run": "do", "after": ["b"]}, "b": {"run": "do", "after": ["a"]}}}, "→"),
        ({"steps": {"a": {"run": "other"}}}, "Step a runs `other`, which no step can run."),
        ({"steps": {"a": {"run": "do", "with": {"x": "${b}"}}}}, "there is no such step"),
        ({"steps": {"a": {"run": "do", "with": {"x": "${inputs.b}"}}}}, "input `b`"),
        ({"steps": {"a": {"run": "do", "with": {"x": "${item}"}}}}, "it has no `each`"),
        ({"steps": {"inputs": {"run": "do"}}}, "stands for something else"),
        ({"steps": {"a b": {"run": "do"}}}, "a name begins with a letter"),
        ({"steps": {"a": {"run": "do", "wiht": {}}}}, "At steps.a.wiht: nothing of that name"),
        ({"steps": {"a": {}}}, "At steps.a.run: this has to be there."),
        ({"steps": {}}, "At steps:"),
        ([], "It is no workflow:"),
        (None, "It is no workflow:"),
    ],
)
def test_what_is_wrong_with_a_graph_is_said_in_a_sentence(value: Any, told: str) -> None:
    with pytest.raises(GraphUnfit) as found:
        graph_of(value, TOOLS)
    assert told in str(found.value)
    assert str(found.value).endswith(".")
