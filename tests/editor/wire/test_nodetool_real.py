"""The real nodetool behind our own agent: its nodes by `run_node`, and its graphs on our engine."""

from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.nodetools import real
from editor.wire.own import OwnStage, model, own
from editor.wire.test_nodetool_graphs import write
from editor.wire.test_workflows import flow, parts, runs
from models.script import call, text

__all__ = ["model", "own"]

pytestmark = [pytest.mark.agents, pytest.mark.requirement("N-08")]

GRAPH: dict[str, Any] = {
    "nodes": [
        {"id": "1", "type": "ours.text.Upper", "data": {"text": "hi"}},
        {"id": "2", "type": "ours.text.Repeat", "data": {"times": 3}},
    ],
    "edges": [{"source": "1", "sourceHandle": "output", "target": "2", "targetHandle": "text"}],
}


async def test_both_nodes_of_a_pack_are_run_each_by_a_call_that_is_asked_about(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(nodetool=real(tmp_path))
    given = [("Upper", {"text": "hi"}, "HI"), ("Repeat", {"text": "ab", "times": 2}, "abab")]
    it.model.reply(call("list_nodes", {"words": "text"}))
    for name, arguments, _ in given:
        it.model.reply(call("run_node", _named(name, arguments)))
    it.model.reply(text("Done."))
    turn = it.say()
    for at, (name, _, came) in enumerate(given):
        card = await it.scene.card(lambda it, name=name: name in str(it.card.title))
        title = "".join(span.text for span in card.card.title)
        assert title == f"Use ours.text.{name} of the server nodetool"
        assert came not in str(it.model.requests[-1].last)
        await it.scene.answer(card, "once")
        assert at == 0 or "HI" in it.model.requests[2].last
    assert (await turn).reason == "done"
    assert "abab" in it.model.requests[3].last


async def test_a_graph_over_both_of_them_runs_on_our_engine(own: OwnStage, tmp_path: Path) -> None:
    it = await own(
        nodetool=real(tmp_path), rules={"allow": ["mcp(nodetool:ours.text.Repeat){times=3}"]}
    )
    write(it, GRAPH)
    turn = runs(it, "shout")
    card = await it.scene.card()
    assert [said.partition(" ")[0] for said, _ in parts(card)] == ["Upper-1:", "Repeat-2:"]
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert flow(it) == {"Upper-1": "done", "Repeat-2": "done"}
    assert "HIHIHI" in it.model.requests[1].last


def _named(node: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": f"nodetool:ours.text.{node}", "arguments": arguments}
