"""Graphs that nodetool wrote, run on our engine: each node is a call of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.nodetools import played
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_workflows import flow, parts, runs
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

pytestmark = pytest.mark.long

BOTH: dict[str, Any] = {
    "nodes": [
        {"id": "1", "type": "ours.Upper", "data": {"text": "hi", "times": 1}},
        {"id": "2", "type": "ours.Upper", "data": {"times": 2}},
    ],
    "edges": [{"source": "1", "sourceHandle": "output", "target": "2", "targetHandle": "text"}],
}


def write(it: Own, graph: Any, name: str = "shout") -> None:
    path = it.scene.folder / ".assent/workflows" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"name": name, "graph": graph}))


@requirement("N-08")
async def test_a_graph_over_two_nodes_is_asked_about_once_and_runs_on_our_engine(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(
        nodetool=played(tmp_path), rules={"allow": ["mcp(nodetool:ours.Upper){times=2}"]}
    )
    write(it, BOTH)
    turn = runs(it, "shout")
    card = await it.scene.card()
    assert [said for said, _ in parts(card)] == [
        'Upper-1: nodetool:ours.Upper {"text": "hi", "times": 1}',
        "Upper-2: nodetool:ours.Upper with what earlier steps give",
    ]
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert flow(it) == {"Upper-1": "done", "Upper-2": "done"}
    assert "HIHI" in it.model.requests[1].last
    decided = str([row["body"] for row in it.scene.rows("decided")])
    assert decided.count("ours.Upper") >= 2


async def test_a_graph_whose_nodes_nobody_has_is_listed_as_one_that_cannot_be_run(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path))
    other = {**BOTH, "nodes": [*BOTH["nodes"], {"id": "3", "type": "theirs.Blur", "data": {}}]}
    write(it, other)
    it.model.reply(call("list_workflows", {}))
    it.model.reply(call("run_workflow", {"name": "shout"}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    for told in (it.model.requests[1].last, it.model.requests[2].last):
        assert "annot be run: No source has nodetool:theirs.Blur." in told
        assert "nodetool:ours.Upper" not in told


@pytest.mark.parametrize("handle", ["sound", "picture"])
async def test_bytes_that_a_node_gives_are_no_value_for_the_next(
    own: OwnStage, tmp_path: Path, handle: str
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path, "pictures"))
    edge = {**BOTH["edges"][0], "sourceHandle": handle}
    write(it, {**BOTH, "edges": [edge]})
    assert (await runs(it, "shout")).reason == "done"
    said = f"`Upper-1.{handle}` is made of bytes, which do not go from one step to the next."
    assert said in it.model.requests[1].last
    assert flow(it) == {"Upper-1": "done", "Upper-2": "failed"}


async def test_without_nodetool_all_of_its_nodes_are_missing(own: OwnStage) -> None:
    it = await own(mode="auto")
    write(it, BOTH)
    it.model.reply(call("list_workflows", {}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "No source has nodetool:ours.Upper." in it.model.requests[1].last


async def test_an_edge_to_what_a_node_does_not_take_is_told_before_anything_runs(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path))
    write(it, {**BOTH, "edges": [{**BOTH["edges"][0], "targetHandle": "txt"}]})
    assert (await runs(it, "shout")).reason == "done"
    said = "nodetool:ours.Upper of the step Upper-2 has no `txt`. There are: text, times."
    assert said in it.model.requests[1].last


async def test_an_edge_from_what_a_node_does_not_give_fails_that_step_alone(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path))
    write(it, {**BOTH, "edges": [{**BOTH["edges"][0], "sourceHandle": "out"}]})
    assert (await runs(it, "shout")).reason == "done"
    assert flow(it) == {"Upper-1": "done", "Upper-2": "failed"}
    assert "`Upper-1.out` is not there." in it.model.requests[1].last


async def test_where_nodetool_does_not_answer_that_is_said_and_no_node_is_called_missing(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", nodetool=str(tmp_path / "no" / "python"))
    write(it, BOTH)
    it.model.reply(call("list_workflows", {}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "The server nodetool is not there: " in it.model.requests[1].last
    assert "No source has" not in it.model.requests[1].last
