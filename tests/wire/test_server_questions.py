"""A server asks in the midst of a call: a card of its own, and it hears what the person says."""

import json
from typing import Any

import pytest

from models.script import call, text
from servers.served import setting
from wire.own import Own, OwnStage, model, own

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

RUN = call("run_node", {"name": "elicits:t0", "arguments": {}})
WRITTEN = {"name": "Bo", "age": "20", "news": False, "size": "l", "colors": ["r"], "mail": ""}


async def begun(own: OwnStage, *words: str, **more: Any) -> Own:
    """A chat in Auto, whose model runs a tool that asks."""
    it = await own(mode="auto", mcpServers={"elicits": setting("elicits", *words)}, **more)
    it.model.reply(RUN)
    it.model.reply(text("So."))
    return it


async def answer(it: Own, card: Any, option: str, **values: Any) -> Any:
    """An answer to a form."""
    given = {
        "approvalId": card.approval_id,
        "chatId": card.chat_id,
        "revision": card.revision,
        "digest": card.digest,
        "optionId": option,
        "values": values,
        "shownMs": 900,
    }
    return await it.scene.client.request("tool/approvalResponse", given)


def words(spans: Any) -> str:
    return "".join(it.text for it in spans)


@requirement("N-08")
async def test_a_form_is_filled_in_and_its_server_hears_it_and_the_call_goes_on(
    own: OwnStage,
) -> None:
    it = await begun(own, "form")
    turn = it.say()
    shown = await it.scene.card()
    card, body = shown.card, shown.card.body
    assert words(card.title) == "elicits asks you something"
    assert body.kind == "form"
    assert (words(body.server), words(body.message), body.url) == ("elicits", "Who are you?", "")
    labels = {field.name: words(field.label) for field in body.fields}
    assert list(labels.items())[:2] == [("name", "Your name"), ("mail", "mail")]
    assert [words(choice.label) for choice in body.fields[5].choices] == ["Small (s)", "Large (l)"]
    assert [option.id for option in card.options] == ["answer", "decline", "cancel"]
    young = await answer(it, shown, "answer", **{**WRITTEN, "age": "17"})
    assert (young.kind, young.because) == ("stillOpen", "“age” takes no less than 18.")
    receipt = await answer(it, shown, "answer", **WRITTEN)
    assert (receipt.kind, receipt.outcome) == ("applied", "answered")
    assert (await turn).reason == "done"
    heard = {"name": "Bo", "age": 20, "news": False, "size": "l", "colors": ["r"]}
    told = it.model.requests[1].last
    assert json.dumps({"action": "accept", "content": heard}, sort_keys=True) in told
    forms = [row["body"] for row in it.scene.rows() if row["body"].get("tool") == "form"]
    assert [row.get("outcome") for row in forms] == [None, "answered"]
    assert forms[1]["because"].startswith('You answered the server: {"age":20')


@pytest.mark.parametrize("option", ["decline", "cancel"])
async def test_who_does_not_answer_is_heard_as_that(own: OwnStage, option: str) -> None:
    it = await begun(own, "form")
    turn = it.say()
    receipt = await answer(it, await it.scene.card(), option)
    assert (receipt.kind, receipt.outcome) == ("applied", "answered")
    assert (await turn).reason == "done"
    assert json.dumps({"action": option}) in it.model.requests[1].last


async def test_a_page_is_shown_with_its_host_and_opened_by_a_yes_alone(own: OwnStage) -> None:
    it = await begun(own, "page")
    turn = it.say()
    shown = await it.scene.card()
    assert words(shown.card.title) == "elicits asks you to open a page"
    assert words(shown.card.body.host) == "example.org"
    assert shown.card.body.url == "https://example.org/log-in?x=1"
    assert [option.id for option in shown.card.options] == ["open", "decline", "cancel"]
    await answer(it, shown, "open")
    assert (await turn).reason == "done"
    assert '{"action": "accept"}' in it.model.requests[1].last


async def test_a_page_of_a_host_that_a_rule_denies_is_not_asked_about(own: OwnStage) -> None:
    it = await begun(own, "page", rules={"deny": ["fetch(domain:example.org)"]})
    assert (await it.turn()).reason == "done"
    told = it.model.requests[1].last
    assert '{"action": "cancel"}' in told
    assert "fetch(domain:example.org)" in told


@requirement("N-08")
async def test_nobody_is_asked_for_a_secret_and_the_journal_says_who_wanted_it(
    own: OwnStage,
) -> None:
    it = await begun(own, "secret")
    assert (await it.turn()).reason == "done"
    because = "A server of tools asks for a secret (“apiToken”). Nobody is asked for one here."
    told = it.model.requests[1].last
    assert '{"action": "cancel"}' in told
    assert because in told
    (row,) = [row["body"] for row in it.scene.rows() if row["body"].get("tool") == "form"]
    assert (row["outcome"], row["because"]) == ("refused", because)


async def test_stop_takes_the_question_back_with_its_call(own: OwnStage) -> None:
    it = await begun(own, "form")
    turn = it.say()
    shown = await it.scene.card()
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    late = await answer(it, shown, "answer", **WRITTEN)
    assert late.kind == "alreadyDecided"
    assert await it.scene.client.leave() == 0
    rows = [row["body"] for row in it.scene.rows("decided") if row["body"].get("tool") == "form"]
    assert rows
    assert {row["outcome"] for row in rows} <= {"refused", "withdrawn"}
