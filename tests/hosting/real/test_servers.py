"""Real agents use a person's servers of tools through us: one question, one ruling, run here."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.served import setting
from editor.wire.scene import Stage
from hosting.real.hosted import BOUND, Hosted, opened
from hosting.real.known import KNOWN
from hosting.real.model import Model

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

GIVEN = {"title": "It breaks", "owner": "acme"}
NAMED = {
    "claude": "mcp__helpful__create_issue",
    "codex": "mcp__helpful/create_issue",
    "opencode": "helpful_create_issue",
}
"""What each calls the tool."""

LATE = {"codex", "opencode"}
"""Those that begin before they have looked what their servers offer."""

Open = Callable[..., Any]

EACH = pytest.mark.parametrize("name", NAMED)


async def hosted(stage: Stage, model: Model, name: str, home: Path, **more: Any) -> Hosted:
    servers = {"helpful": setting("helpful")}
    it = await opened(stage, model, KNOWN[name], home, mcpServers=servers, **more)
    async with asyncio.timeout(BOUND):
        while name in LATE and not any("helpful" in told for told in model.offered):
            await it.scene.say(it.chat, "Look what there is.")
    return it


def said_to(model: Model) -> str:
    """What the model was last shown."""
    return str(model.asked[-1])


@EACH
async def test_a_call_of_a_server_is_asked_about_once_and_run(
    stage: Stage, model: Model, name: str, home: Path
) -> None:
    it = await hosted(stage, model, name, home)
    async with it.person():
        rows = await it.use(NAMED[name], GIVEN)
    assert len(it.cards) == 1
    title = "".join(span.text for span in it.cards[0].card.title)
    assert title == "Use create_issue of the server helpful"
    decided = [row["body"] for row in rows if row["kind"] == "decided"]
    assert [row["outcome"] for row in decided] == ["allowed"]
    assert [row["kind"] for row in rows][:2] == ["asked", "decided"]
    assert "'given': {" in said_to(model) or '"given"' in said_to(model).replace("\\", "")
    assert it.notices("error") == []


@EACH
async def test_a_call_of_a_server_that_was_denied_is_not_run(
    stage: Stage, model: Model, name: str, home: Path
) -> None:
    it = await hosted(stage, model, name, home)
    async with it.person("deny"):
        await it.use(NAMED[name], GIVEN)
    assert len(it.cards) == 1
    assert '"given"' not in said_to(model).replace("\\", "")
    assert it.notices("error") == []
