"""Nodes of nodetool, run by our own agent: each is the call `mcp(nodetool:NODE)`."""

import os
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.nodetools import played
from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

UPPER = {"name": "nodetool:ours.Upper", "arguments": {"times": 2, "text": "hi"}}


@requirement("N-08")
async def test_a_node_is_found_described_and_run_as_the_call_that_its_card_shows(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(nodetool=played(tmp_path))
    it.model.reply(call("list_nodes", {"words": "capitals"}))
    it.model.reply(call("get_node", {"name": "nodetool:ours.Upper"}))
    it.model.reply(call("run_node", UPPER))
    it.model.reply(text("Done."))
    turn = it.say()
    card = await it.scene.card()
    assert "nodetool:ours.Upper — Writes a text in capitals." in it.model.requests[1].last
    assert '"times"' in it.model.requests[2].last
    title = "".join(span.text for span in card.card.title)
    assert title == "Use ours.Upper of the server nodetool"
    rows = {
        "".join(s.text for s in row.name): "".join(s.text for s in row.value)
        for row in card.card.body.rows
    }
    assert list(rows.items())[:2] == [("text", "hi"), ("times", "2")]
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert "HIHI" in it.model.requests[3].last
    decided = [row for row in it.scene.rows("decided") if "tool" in str(row["body"])]
    assert "ours.Upper" in str(decided[-1]["body"])


@requirement("N-08")
@pytest.mark.parametrize(
    ("mode", "ends"), [("plan", "denied"), ("default", "asked"), ("auto", "ran")]
)
async def test_each_mode_says_of_a_node_what_it_says_of_what_is_external(
    own: OwnStage, tmp_path: Path, mode: str, ends: str
) -> None:
    it = await own(mode=None if mode == "default" else mode, nodetool=played(tmp_path))
    it.model.reply(call("run_node", UPPER))
    it.model.reply(text("So."))
    turn = it.say()
    if ends == "asked":
        await it.scene.answer(await it.scene.card(), "deny")
    assert (await turn).reason == "done"
    assert ("HIHI" in it.model.requests[1].last) == (ends == "ran")


@pytest.mark.parametrize(
    "rule",
    [
        "mcp(nodetool:*)",
        "mcp(nodetool:ours.*)",
        "mcp(nodetool:ours.Upper)",
        "mcp(nodetool:ours.Upper){text=hi}",
    ],
)
async def test_a_rule_that_denies_a_node_denies_it_in_auto(
    own: OwnStage, tmp_path: Path, rule: str
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path), rules={"deny": [rule]})
    it.model.reply(call("run_node", UPPER))
    it.model.reply(text("So not."))
    assert (await it.turn()).reason == "done"
    assert "HIHI" not in it.model.requests[1].last
    assert "rule" in it.model.requests[1].last


async def test_a_node_whose_interpreter_became_another_asks_again_in_auto(
    own: OwnStage, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    (tmp_path / "other").mkdir()
    link.symlink_to(played(tmp_path))
    it = await own(mode="auto", nodetool=str(link))
    for _ in range(2):
        it.model.reply(call("run_node", UPPER))
        it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    link.unlink()
    link.symlink_to(played(tmp_path / "other"))
    turn = it.say()
    card = await it.scene.card()
    assert "changed" in str(card.card)
    assert str(os.path.realpath(link)) in str(card.card)
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


async def test_a_worker_that_dies_in_the_midst_of_a_call_ends_that_call_and_no_chat(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", nodetool=played(tmp_path, "dies"))
    it.model.reply(call("run_node", UPPER))
    it.model.reply(text("So it died."))
    assert (await it.turn()).reason == "done"
    assert "out of luck" in it.model.requests[1].last


async def test_a_server_of_the_same_name_is_left_out_and_that_is_told(
    own: OwnStage, tmp_path: Path
) -> None:
    other: dict[str, Any] = {"nodetool": {"command": "/bin/false"}}
    it = await own(mode="auto", nodetool=played(tmp_path), mcpServers=other)
    it.model.reply(call("run_node", UPPER))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "HIHI" in it.model.requests[1].last
