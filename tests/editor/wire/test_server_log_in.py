"""Logging in at a server of tools, for real: the page, the secret storage and the rules."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from assent.editor.protocol import editor
from catalogue.mcp.authority import Authority, authority
from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

LOCKED = {"name": "locked"}
RUN = {"name": "locked:t0", "arguments": {}}


@pytest.fixture
def at() -> Iterator[Authority]:
    with authority() as it:
        yield it


def browse(page: editor.OpenPage) -> bool:
    with httpx2.Client() as browser:
        browser.get(browser.get(page.url).headers["location"])
    return True


def secrets_of(kept: dict[str, Any]) -> list[str]:
    """What lets somebody in there."""
    return [kept["token"]["access_token"], kept["token"]["refresh_token"]]


@requirement("N-08")
async def test_a_person_logs_in_sees_where_and_the_tool_is_then_a_call_like_any_other(
    own: OwnStage, at: Authority
) -> None:
    page_at = f"{at.url.replace('127.0.0.1', 'localhost')}/authorize"
    at.server = {"authorization_endpoint": page_at}
    it = await own(mcpServers={"locked": {"url": f"{at.url}/mcp"}})
    client, window = it.scene.client, it.scene.editor
    window.browses = browse
    it.model.reply(call("list_nodes", {}))
    it.model.reply(text("Nothing."))
    await it.turn()
    assert "it needs a log-in" in it.model.requests[-1].last
    assert window.pages == []
    said = await client.request("source/logIn", LOCKED)
    assert (said.state, said.account, said.tools) == ("running", "in", 1)
    (page,) = window.pages
    assert page.title == "Log in to locked?"
    assert page.url in page.detail
    assert "The server at 127.0.0.1 has you log in at localhost." in page.detail
    assert "is sent to 127.0.0.1, which" in page.detail
    (name,) = (it for it in window.secrets if it.startswith("serverLogIn.locked."))
    kept = json.loads(window.secrets[name])
    assert kept["token"]["access_token"] in at.good
    it.model.reply(call("run_node", RUN))
    it.model.reply(text("So."))
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "once")
    assert (await turn).reason == "done"
    assert "it ran" in it.model.requests[-1].last
    out = await client.request("source/logOut", LOCKED)
    assert (out.state, out.account) == ("idle", "out")
    assert name not in window.secrets
    noted = [row["body"] for row in it.scene.rows("noted")]
    assert [(row["what"], row["outcome"], row["hosts"]) for row in noted] == [
        ("log in to locked", "asked", ["127.0.0.1", "localhost"]),
        ("log in to locked", "in", ["127.0.0.1", "localhost"]),
        ("log out of locked", "out", ["127.0.0.1"]),
    ]
    assert {row["by"] for row in noted} == {"user"}
    assert len(it.scene.rows()) > len(noted)
    told = json.dumps([str(row) for row in it.scene.rows()])
    assert [it for it in secrets_of(kept) if it in told] == []


async def test_who_does_not_want_the_page_is_told_that_they_are_not_logged_in(
    own: OwnStage, at: Authority
) -> None:
    it = await own(mcpServers={"locked": {"url": f"{at.url}/mcp"}})
    with pytest.raises(Exception, match="You are not logged in to locked: you did not open its"):
        await it.scene.client.request("source/logIn", LOCKED)
    assert not any(it.startswith("serverLogIn.") for it in it.scene.editor.secrets)
    rows = [row["body"] for row in it.scene.rows("noted")]
    assert [row["outcome"] for row in rows] == ["asked", "failed"]
    assert "you did not open its page" in rows[-1]["because"]
    assert at.of("/token") == []


async def test_a_host_that_a_rule_denies_is_not_asked_how_to_log_in(
    own: OwnStage, at: Authority
) -> None:
    at.resource = {"authorization_servers": ["https://login.example.com"]}
    rules = {"deny": ["fetch(domain:login.example.com)"]}
    it = await own(mcpServers={"locked": {"url": f"{at.url}/mcp"}}, rules=rules)
    with pytest.raises(Exception, match=r"a rule of yours denies login\.example\.com"):
        await it.scene.client.request("source/logIn", LOCKED)
    assert it.scene.editor.pages == []


async def test_a_log_in_that_nobody_wants_any_more_is_given_up(
    own: OwnStage, at: Authority
) -> None:
    it = await own(mcpServers={"locked": {"url": f"{at.url}/mcp"}})
    client, window = it.scene.client, it.scene.editor
    window.browses = lambda _: True
    _, waiting = client.ask("source/logIn", LOCKED)
    await client.until(lambda: bool(window.pages))
    await client.request("source/stopLogIn", LOCKED)
    with pytest.raises(Exception, match="You drew back, so you are not logged in to locked"):
        await waiting
    window.browses = browse
    assert (await client.request("source/logIn", LOCKED)).account == "in"


async def test_a_log_in_that_cannot_be_written_down_is_not_gone_through(
    own: OwnStage, at: Authority
) -> None:
    it = await own(mcpServers={"locked": {"url": f"{at.url}/mcp"}})
    it.scene.editor.browses = browse
    for path in it.scene.state.glob("journal.db*"):
        path.unlink()
    (it.scene.state / "journal.db").mkdir()
    with pytest.raises(Exception, match="journal"):
        await it.scene.client.request("source/logIn", LOCKED)
    assert it.scene.editor.pages == []
    assert at.of("/token") == []
