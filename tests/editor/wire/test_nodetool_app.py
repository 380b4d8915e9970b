"""The nodetool application's tools, run by our own agent: each is the call `mcp(nodetool:TOOL)`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.nodetools import played
from catalogue.mcp.recorded import Recorded, recorded
from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

pytestmark = pytest.mark.long

GIVEN = {"workflow_id": "wf-shout", "params": {"text": "hi"}}
RUN = {"name": "nodetool:run_workflow", "arguments": GIVEN}


@pytest.fixture
def app() -> Iterator[Recorded]:
    with recorded() as here:
        yield here


def preset(app: Recorded) -> dict[str, Any]:
    return {"mcpServers": {"nodetool": {"preset": "nodetool", "url": app.url}}}


@requirement("N-08")
async def test_its_nodes_are_found_and_a_workflow_of_its_is_run_as_the_card_shows(
    own: OwnStage, app: Recorded
) -> None:
    it = await own(**preset(app), rules={"allow": ["mcp(nodetool:list_*)"]})
    it.model.reply(call("list_nodes", {"words": "run a workflow of nodetool"}))
    it.model.reply(call("get_node", {"name": "nodetool:run_workflow"}))
    it.model.reply(call("run_node", {"name": "nodetool:list_workflows", "arguments": {}}))
    it.model.reply(call("run_node", RUN))
    it.model.reply(text("Done."))
    turn = it.say()
    card = await it.scene.card()
    assert "nodetool:run_workflow — Run a workflow on the backend" in it.model.requests[1].last
    assert '"workflow_id"' in it.model.requests[2].last
    assert "Writes a text in capitals, twice." in it.model.requests[3].last
    title = "".join(span.text for span in card.card.title)
    assert title == "Use run_workflow of the server nodetool"
    rows = {
        "".join(s.text for s in row.name): "".join(s.text for s in row.value)
        for row in card.card.body.rows
    }
    assert rows["workflow_id"] == "wf-shout"
    # The decision is on disk before anything reaches the application.
    assert [name for name, _ in app.calls] == ["list_workflows"]
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert "HIHI" in it.model.requests[4].last
    assert app.calls[1:] == [("run_workflow", GIVEN)]
    decided = [str(row["body"]) for row in it.scene.rows("decided") if "tool" in str(row["body"])]
    assert "run_workflow" in decided[-1]
    assert "run_node" not in decided[-1]


@requirement("N-08")
@pytest.mark.parametrize(
    ("mode", "ends"), [("plan", "denied"), ("default", "asked"), ("auto", "ran")]
)
async def test_each_mode_says_of_its_tools_what_it_says_of_what_is_external(
    own: OwnStage, app: Recorded, mode: str, ends: str
) -> None:
    it = await own(mode=None if mode == "default" else mode, **preset(app))
    it.model.reply(call("run_node", RUN))
    it.model.reply(text("So."))
    turn = it.say()
    if ends == "asked":
        await it.scene.answer(await it.scene.card(), "deny")
    assert (await turn).reason == "done"
    assert app.calls == ([("run_workflow", GIVEN)] if ends == "ran" else [])


@pytest.mark.parametrize(
    "rule",
    ["mcp(nodetool:*)", "mcp(nodetool:run_*)", "mcp(nodetool:run_workflow){workflow_id=wf-*}"],
)
async def test_a_rule_that_denies_it_denies_it_in_auto(
    own: OwnStage, app: Recorded, rule: str
) -> None:
    it = await own(mode="auto", **preset(app), rules={"deny": [rule]})
    it.model.reply(call("run_node", RUN))
    it.model.reply(text("So not."))
    assert (await it.turn()).reason == "done"
    assert app.calls == []
    assert "rule" in it.model.requests[1].last


async def test_beside_the_worker_it_needs_another_name_and_both_are_found(
    own: OwnStage, app: Recorded, tmp_path: Path
) -> None:
    servers = {"nodetool-app": preset(app)["mcpServers"]["nodetool"]}
    it = await own(mode="auto", nodetool=played(tmp_path), mcpServers=servers)
    it.model.reply(call("run_node", {**RUN, "name": "nodetool-app:run_workflow"}))
    it.model.reply(call("list_nodes", {"words": "capitals"}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "HIHI" in it.model.requests[1].last
    assert "nodetool:ours.Upper" in it.model.requests[2].last


async def test_where_it_is_not_running_the_agent_is_told_so(own: OwnStage) -> None:
    with recorded() as gone:
        given = preset(gone)
    it = await own(mode="auto", **given)
    it.model.reply(call("list_nodes", {"words": "workflow"}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert f"nodetool is not running at {gone.url}; start it" in it.model.requests[1].last
