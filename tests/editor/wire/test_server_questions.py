"""A server asks in the midst of a call: a card of its own, and it hears what the person says."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.served import setting
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.scene import IN_TIME
from host.waiting import until
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

RUN = call("run_node", {"name": "elicits:t0", "arguments": {}})
WRITTEN = {"name": "Bo", "age": "20", "news": False, "size": "l", "colors": ["r"], "mail": ""}


async def begun(
    own: OwnStage, *words: object, kind: str = "elicits", mode: str = "auto", **more: Any
) -> Own:
    """A chat in Auto, whose model runs a tool that asks."""
    it = await own(mode=mode, mcpServers={"elicits": setting(kind, *words)}, **more)
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
    because = "It asks for a secret (“apiToken”). Nobody is asked for one here."
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
    (row,) = rows
    assert row["outcome"] in {"refused", "withdrawn"}


async def test_what_is_forged_late_twice_or_unfit_answers_nothing(own: OwnStage) -> None:
    it = await begun(own, "form")
    turn = it.say()
    shown = await it.scene.card()
    stranger = await answer(it, shown, "once", **WRITTEN)
    assert stranger.kind == "unknown"
    for forged in (
        shown.model_copy(update={"digest": "0" * 64}),
        shown.model_copy(update={"revision": shown.revision + 1}),
    ):
        assert (await answer(it, forged, "answer", **WRITTEN)).kind == "stale"
    elsewhere = shown.model_copy(update={"chat_id": "elsewhere"})
    assert (await answer(it, elsewhere, "answer", **WRITTEN)).kind == "unknown"
    for unfit, why in (
        ({**WRITTEN, "more": "x"}, "The form has no such field."),
        ({**WRITTEN, "size": "xl"}, "“size” takes one of its choices."),
        ({**WRITTEN, "colors": "r"}, "“colors” takes some of its choices, each once."),
        ({**WRITTEN, "news": "yes"}, "“news” takes yes or no."),
        ({**WRITTEN, "name": "x" * 10_001}, "“Your name” takes at most 10000 characters."),
        ({"age": "20"}, "“Your name” is needed."),
    ):
        told = await answer(it, shown, "answer", **unfit)
        assert (told.kind, told.because) == ("stillOpen", why)
    first, second = await asyncio.gather(
        answer(it, shown, "answer", **WRITTEN), answer(it, shown, "decline")
    )
    assert [first.kind, second.kind] == ["applied", "alreadyDecided"]
    assert (await turn).reason == "done"
    assert '"action": "accept"' in it.model.requests[1].last
    assert (await answer(it, shown, "answer", **WRITTEN)).kind == "alreadyDecided"
    rows = [row["body"] for row in it.scene.rows("decided") if row["body"].get("tool") == "form"]
    assert [row["outcome"] for row in rows] == ["answered"]


async def test_who_gives_up_with_a_page_is_run_again_by_the_model_and_not_by_itself(
    own: OwnStage,
) -> None:
    it = await begun(own, "page", kind="gives-up")
    turn = it.say()
    shown = await it.scene.card()
    assert words(shown.card.body.host) == "example.org"
    await answer(it, shown, "open")
    assert (await turn).reason == "done"
    assert "Run it again once the person says that they are done" in it.model.requests[1].last


async def test_a_page_that_a_rule_denies_is_told_of_where_its_call_gave_up(own: OwnStage) -> None:
    it = await begun(own, "page", kind="gives-up", rules={"deny": ["fetch(domain:example.org)"]})
    assert (await it.turn()).reason == "done"
    assert "fetch(domain:example.org)" in it.model.requests[1].last


async def test_who_cancels_is_asked_no_more_for_that_call(own: OwnStage, tmp_path: Path) -> None:
    one = {"type": "object", "properties": {"it": {"type": "string"}}}
    file = tmp_path / "questions"
    file.write_text(json.dumps([{"message": "So?", "requestedSchema": one}] * 5))
    it = await begun(own, file, kind="asks-all")
    turn = it.say()
    await answer(it, await it.scene.card(), "cancel")
    assert (await turn).reason == "done"
    assert it.model.requests[1].last.count('{"action": "cancel"}') == 5
    rows = [row for row in it.scene.rows("asked") if row["body"].get("tool") == "form"]
    assert len(rows) == 1


async def test_a_server_that_dies_while_somebody_is_asked_takes_the_card_with_it(
    own: OwnStage, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    it = await begun(own, pipe, kind="asks-and-dies")
    turn = it.say()
    shown = await it.scene.card()
    await asyncio.to_thread(pipe.write_text, "end")
    assert (await turn).reason == "done"
    assert "elicits:t0 failed: it" in it.model.requests[1].last
    assert (await answer(it, shown, "answer", **WRITTEN)).kind == "alreadyDecided"

    def outcomes() -> list[str]:
        bodies = [row["body"] for row in it.scene.rows("decided")]
        return [body["outcome"] for body in bodies if body.get("tool") == "form"]

    # The row is written beside what is told.
    await asyncio.to_thread(until, outcomes, within=IN_TIME, what="it is written down")
    assert outcomes() == ["withdrawn"]


async def test_in_plan_its_call_does_not_run_so_nobody_is_asked(own: OwnStage) -> None:
    it = await begun(own, "form", mode="plan")
    assert (await it.turn()).reason == "done"
    assert [row for row in it.scene.rows() if row["body"].get("tool") == "form"] == []


async def test_in_a_workspace_that_is_not_trusted_its_call_is_asked_about_before_it_asks(
    own: OwnStage,
) -> None:
    it = await begun(own, "form", mode="default", trusted=False)
    turn = it.say()
    shown = await it.scene.card()
    assert shown.card.body.kind == "other"
    await it.scene.answer(shown, "once")
    asked = await it.scene.card()
    assert asked.card.body.kind == "form"
    await answer(it, asked, "decline")
    assert (await turn).reason == "done"
