"""Five hundred tools of thirty servers: the model is told of none before it looks for one."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.five_hundred import ASKED, SOURCES, definitions
from catalogue.mcp.served import setting
from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def thirty(folder: Path) -> dict[str, Any]:
    """The servers, each a process of its own."""
    found: dict[str, Any] = {}
    for source in SOURCES:
        told = folder / f"{source}.json"
        told.write_text(json.dumps([tool for its, tool in definitions() if its == source]))
        found[source] = setting("from", told)
    return found


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@requirement("N-08")
async def test_the_right_one_of_five_hundred_is_found_described_and_run(
    own: OwnStage, tmp_path: Path
) -> None:
    assert len(definitions()) == 500
    it = await own(mode="auto", mcpServers=thirty(tmp_path))
    it.model.reply(call("list_nodes", {"words": "delete a pod in kubernetes"}))
    it.model.reply(call("get_node", {"name": "kubernetes:delete_pod"}))
    it.model.reply(call("run_node", {"name": "kubernetes:delete_pod", "arguments": {"id": "p1"}}))
    it.model.reply(text("It is gone."))
    assert (await it.turn()).reason == "done"
    _, found, described, ran = it.model.requests
    head, first, *_ = found.last.splitlines()
    assert head.startswith("10 of 500;")
    assert first.startswith("kubernetes:delete_pod — ")
    assert "Which pod, by its id" in described.last
    assert '"given": {"id": "p1"}' in ran.last
    # What was sent is the beginning of what is sent next, to the letter, so a host reads it once.
    bodies = [asked.body for asked in it.model.requests]
    for before, after in pairwise(bodies):
        assert written(after["tools"]) == written(before["tools"])
        begun = written(before["messages"])[:-1]
        assert written(after["messages"]).startswith(begun)


@requirement("N-08")
async def test_the_first_request_is_at_most_three_kilobytes_longer_for_five_hundred(
    own: OwnStage, tmp_path: Path
) -> None:
    sizes: list[int] = []
    for servers in ({}, thirty(tmp_path)):
        it = await own(mcpServers=servers)
        it.model.reply(text("So."))
        await it.turn("Hello.")
        sizes.append(len(written(it.model.requests[-1].body)))
    assert 0 < sizes[1] - sizes[0] <= 3_000


def test_what_is_asked_is_about_tools_that_are_there() -> None:
    names = {f"{source}:{tool['name']}" for source, tool in definitions()}
    assert {name for _, name in ASKED} <= names
