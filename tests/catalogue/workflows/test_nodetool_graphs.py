"""Graphs of nodetool's are read into our own form, or refused with a sentence that says why."""

from typing import Any

import pytest

from assent.catalogue.workflows.graph import GraphUnfit, graph_of
from assent.catalogue.workflows.nodetool_graphs import is_nodetools, translated
from assent.catalogue.workflows.step_references import filled
from tables import each_row


def node(number: str, kind: str = "ours.text.Upper", **data: Any) -> dict[str, Any]:
    return {"id": number, "parent_id": None, "type": kind, "data": data, "sync_mode": "on_any"}


def edge(source: str, target: str, to: str = "text", out: str = "output") -> dict[str, Any]:
    return {"source": source, "sourceHandle": out, "target": target, "targetHandle": to}


def graph(nodes: list[Any], *edges: Any) -> dict[str, Any]:
    return {"nodes": nodes, "edges": [*edges]}


def why(value: Any) -> str:
    with pytest.raises(GraphUnfit) as unfit:
        graph_of(translated(value), ())
    return str(unfit.value)


@each_row("wrapped", [True, False])
def test_nodes_become_steps_and_edges_references(wrapped: bool) -> None:
    bare = graph([node("1", text="hi"), node("2", "ours.text.Repeat", times=3)], edge("1", "2"))
    value = {"name": "A", "description": "Says it.", "graph": bare} if wrapped else bare
    assert is_nodetools(value)
    made = graph_of(translated(value), ())
    assert made.description == ("Says it." if wrapped else "")
    assert {name: (it.run, it.with_) for name, it in made.steps.items()} == {
        "Upper-1": ("nodetool:ours.text.Upper", {"text": "hi"}),
        "Repeat-2": ("nodetool:ours.text.Repeat", {"times": 3, "text": "${Upper-1.output}"}),
    }


def test_inputs_and_constants_are_values_and_what_only_shows_is_left_out() -> None:
    value = graph(
        [
            node("i", "nodetool.input.StringInput", name="what it is", value="a"),
            node("c", "nodetool.constant.Integer", value=4),
            node("r", "ours.text.Repeat"),
            node("p", "nodetool.workflows.base_node.Preview"),
            node("o", "nodetool.output.StringOutput", name="out"),
        ],
        edge("i", "r"),
        edge("c", "r", "times"),
        edge("r", "p", "value"),
        edge("r", "o", "value"),
    )
    made = graph_of(translated(value), ())
    assert {name: it.default for name, it in made.inputs.items()} == {"what-it-is": "a"}
    assert [(it.run, it.with_) for it in made.steps.values()] == [
        ("nodetool:ours.text.Repeat", {"text": "${inputs.what-it-is}", "times": 4})
    ]


def test_a_text_of_theirs_that_looks_like_a_reference_of_ours_is_none() -> None:
    made = graph_of(translated(graph([node("1", text="${x} and $${y}", more=["${z}"])])), ())
    assert made.steps["Upper-1"].with_ == {"text": "$${x} and $$${y}", "more": ["$${z}"]}
    assert made.refers("Upper-1") == frozenset()


def test_what_is_called_alike_once_it_is_plain_stays_apart() -> None:
    made = graph_of(translated(graph([node("a.b"), node("a-b"), node("a b")])), ())
    assert list(made.steps) == ["Upper-a-b", "Upper-a-b-2", "Upper-a-b-3"]


@each_row(
    ("value", "told"),
    [
        (graph([node("1"), node("2")], edge("1", "2"), edge("2", "1")), "in a circle: "),
        (graph([node("1")], edge("1", "9")), "An edge leads to `9`, and there is no such node."),
        (graph([node("1"), node("1")]), "Two of its nodes have the id `1`."),
        (graph([{**node("1"), "parent_id": "g"}]), "stands within another one"),
        (graph([node("1"), node("2")], edge("1", "2"), edge("1", "2")), "Two edges lead to `text`"),
        (graph([node("1"), node("2")], edge("1", "2", out="a.b")), "Nothing comes out of `a.b`"),
        (graph([node("p", "nodetool.output.X"), node("1")], edge("p", "1")), "Nothing comes out"),
        (graph([node("c", "nodetool.workflows.base_node.Comment")]), "no node that could be run"),
        (
            graph([node("1"), node("2")], {**edge("1", "2"), "edge_type": "control"}),
            "not done here",
        ),
        (graph([7]), "It is no graph of nodetool: look at nodes.0."),
        ({"graph": {"nodes": [], "edges": 7}}, "It is no graph of nodetool: look at edges."),
        (graph([node(str(it)) for it in range(501)]), "look at nodes."),
        (graph([node(str(it)) for it in range(101)]), "at most 100"),
    ],
)
def test_what_cannot_be_run_is_told_in_a_sentence(value: Any, told: str) -> None:
    assert told in why(value)


@each_row("value", [{"steps": {}}, [], None, {"graph": []}, {"nodes": []}])
def test_what_has_no_nodes_and_edges_is_not_theirs(value: Any) -> None:
    assert not is_nodetools(value)


@each_row(
    "text",
    ["a ${HOME", "${x}", "$${x}", "$$${x}", "echo ${x:-${y}} done", "${1.output}", "$", "{}"],
)
def test_a_constant_is_the_very_text_that_stands_in_the_graph(text: str) -> None:
    made = graph_of(translated(graph([node("1", text=text)])), ())
    (step,) = made.steps.values()
    assert filled(step.with_, {}) == {"text": text}
