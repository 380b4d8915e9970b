"""A plan and a question over the wire: what is edited, approved and answered, and in which mode."""

import asyncio
import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import IN_TIME, Scene
from models.script import call, text

__all__ = ["model", "own"]

PLAN = "1. Make `made`\n2. Look"


def edit(scene: Scene, card: Any, words: str) -> Awaitable[Any]:
    """Type something else into the document of a plan."""
    return scene.client.request("tool/editText", {"approvalId": card.approval_id, "text": words})


def modes_offered(card: Any) -> list[str]:
    """The modes in which the plan of a card may be carried out."""
    options = card.card.options
    return [it.id.removeprefix("go-") for it in options if it.kind == "approvePlan"]


async def test_a_plan_that_was_edited_is_approved_and_carried_out(own: OwnStage) -> None:
    it = await own(mode="plan")
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    assert modes_offered(card) == ["default", "acceptEdits"]
    assert card.expires_at is None
    await edit(it.scene, card, "1. Make `made`")
    again = await it.scene.card()
    assert again.revision == card.revision + 1
    stale = await it.scene.answer(card, "go-default")
    assert stale.kind == "stale"
    receipt = await it.scene.answer(again, "go-default")
    assert (receipt.kind, receipt.outcome) == ("applied", "allowed")
    # What the mode asks about is asked about as ever.
    await it.scene.answer(await it.scene.card(), "once")
    assert (await turn).reason == "done"
    assert (it.scene.folder / "made").exists()
    told = it.model.requests[1].last
    assert "1. Make `made`" in told
    assert "2. Look" not in told


async def test_a_plan_that_was_emptied_is_not_approved_until_something_stands_in_it(
    own: OwnStage,
) -> None:
    it = await own(mode="plan")
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Done."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    for words in ("", " \n"):
        edited = await edit(it.scene, card, words)
        again = await it.scene.card()
        assert (edited.was, edited.digest) == (card.digest, again.digest)
        assert edited.revision == again.revision
        receipt = await it.scene.answer(again, "go-default")
        assert receipt.kind == "stillOpen"
        assert receipt.because.startswith("There is nothing in the plan")
        card = again
    await edit(it.scene, card, "1. Look")
    receipt = await it.scene.answer(await it.scene.card(), "go-default")
    assert (receipt.kind, receipt.outcome) == ("applied", "allowed")
    assert (await turn).reason == "done"
    assert "1. Look" in it.model.requests[1].last


async def test_a_plan_that_became_too_long_is_refused_and_the_text_before_still_waits(
    own: OwnStage,
) -> None:
    it = await own(mode="plan")
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Done."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    with pytest.raises(Refusal, match="at most 20,000 letters, and this one has 20,001: the card"):
        await edit(it.scene, card, "x" * 20_001)
    receipt = await it.scene.answer(card, "go-default")
    assert (receipt.kind, receipt.outcome) == ("applied", "allowed")
    assert (await turn).reason == "done"
    assert PLAN in it.model.requests[1].last


async def test_a_plan_that_is_decided_is_not_edited_any_more(own: OwnStage) -> None:
    it = await own(mode="plan")
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Well."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    await it.scene.answer(card, "deny")
    await turn
    with pytest.raises(Refusal, match="does not wait for you any more"):
        await edit(it.scene, card, "Anything.")


async def test_a_card_with_no_text_to_change_is_not_edited(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("web_fetch", {"url": "https://docs.example.org/"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert card.card.edits is None
    with pytest.raises(Refusal, match="does not wait"):
        await edit(it.scene, card, "https://other.example.org/")
    await it.scene.answer(card, "deny")
    await turn


async def test_a_mode_looser_than_before_is_asked_about_once_more(own: OwnStage) -> None:
    it = await own(mode="plan")
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Well."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    asked = len(it.scene.editor.confirmed)
    it.scene.editor.choose = lambda _: None
    kept = await it.scene.answer(card, "go-acceptEdits")
    assert kept.kind == "stillOpen"
    assert len(it.scene.editor.confirmed) == asked + 1
    assert (await it.scene.answer(card, "go-default")).kind == "applied"
    assert len(it.scene.editor.confirmed) == asked + 1
    await turn


async def test_a_plan_goes_back_to_the_mode_that_was_before_without_another_question(
    own: OwnStage,
) -> None:
    it = await own(mode="acceptEdits")
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": "plan"})
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Well."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    assert modes_offered(card) == ["acceptEdits", "default"]
    asked = len(it.scene.editor.confirmed)
    await it.scene.answer(card, "go-acceptEdits")
    assert len(it.scene.editor.confirmed) == asked
    await turn
    assert "The mode is Accept edits now" in it.model.requests[1].last


async def test_auto_is_offered_only_where_it_was_before_and_asked_about_once_more(
    own: OwnStage,
) -> None:
    it = await own(mode="auto")
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": "plan"})
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Well."))
    turn = it.say("Plan it.")
    card = await it.scene.card()
    assert modes_offered(card) == ["auto", "default", "acceptEdits"]
    it.scene.editor.choose = lambda _: None
    assert (await it.scene.answer(card, "go-auto")).kind == "stillOpen"
    await it.scene.answer(card, "deny")
    await turn


async def test_a_question_is_a_card_without_any_allow(own: OwnStage) -> None:
    it = await own()
    choices = [{"label": "SQLite"}, {"label": "Allow once"}]
    it.model.reply(call("ask_person", {"question": "Which?", "choices": choices}))
    it.model.reply(text("Good."))
    turn = it.say()
    card = await it.scene.card()
    assert card.card.body.kind == "question"
    assert {it.kind for it in card.card.options} == {"answer", "answerWords", "skip"}
    receipt = await it.scene.answer(card, "answer:0")
    assert receipt.outcome == "answered"
    assert (await turn).reason == "done"
    assert "The person chose: SQLite" in it.model.requests[1].last
    record = await it.scene.reaches(it.chat, "answered")
    assert record.because == "You answered with its answer 1"


def pipe(path: Path) -> int:
    """A pipe that can be opened at once, whoever has its other end."""
    os.mkfifo(path)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


async def reached(end: int) -> None:
    """Wait until something was written into a pipe."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(end, done.set)
    async with asyncio.timeout(IN_TIME):
        await done.wait()
    loop.remove_reader(end)


async def test_a_mode_that_was_set_after_a_plan_was_approved_is_stronger(
    own: OwnStage, tmp_path: Path
) -> None:
    heard, go = pipe(tmp_path / "heard"), pipe(tmp_path / "go")
    # The second time, when the edited plan is heard, it holds the approval up.
    again = f"echo > {tmp_path}/heard; read _ < {tmp_path}/go"
    script = f"cat >/dev/null; if [ -e {tmp_path}/once ]; then {again}; fi; touch {tmp_path}/once"
    it = await own(mode="auto", hooks=[{"event": "PreToolUse", "command": script}])
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = it.say("Plan it.")
    await edit(it.scene, await it.scene.card(), "1. Make `made`")
    answer = it.scene.answering(await it.scene.card(), "go-auto")
    _, answered = it.scene.client.ask("tool/approvalResponse", answer)
    await reached(heard)
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": "plan"})
    os.write(go, b"\n")
    await answered
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "made").exists()
    assert "The mode was set since the plan was approved" in it.model.requests[1].last
    os.close(heard)
    os.close(go)


async def test_a_looser_mode_than_the_chat_had_is_asked_about_though_new_chats_begin_in_it(
    own: OwnStage,
) -> None:
    it = await own(mode="ask")
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": "plan"})
    it.model.reply(call("present_plan", {"plan": PLAN}))
    it.model.reply(text("Done."))
    turn = it.say("Plan it.")
    asked = len(it.scene.editor.confirmed)
    await it.scene.answer(await it.scene.card(), "go-acceptEdits")
    assert len(it.scene.editor.confirmed) == asked + 1
    await turn
