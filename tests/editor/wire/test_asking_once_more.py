"""A question that ended with its chat is asked once more from History, and allows nothing."""

import asyncio
import sqlite3
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import IN_TIME, Scene, Stage
from editor.wire.test_chats_that_last import again, kept, kill, subscribe
from editor.wire.test_history import listed, ref, shown
from host.waiting import until
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

LONG = f"Do NOT touch made. {'z' * 90_000} Now see."
LEFT_OUT = "What was named beside it is not said again: till.py."


async def withdrawn(scene: Scene) -> Any:
    """The record of the question that a killed run left open, once the next has closed it."""

    def is_closed() -> bool:
        with sqlite3.connect(scene.state / "journal.db") as database:
            found = database.execute("select 1 from entries where kind = 'decided'").fetchall()
        database.close()
        return bool(found)

    await asyncio.to_thread(until, is_closed, within=IN_TIME, what="it is closed")
    (row,) = [it for it in await listed(scene) if it.outcome]
    return row


async def left_open(own: OwnStage, stage: Stage, words: str = "Make it.") -> tuple[Any, Scene]:
    """A chat whose question was open when its server was killed, and the next window."""
    it = await own()
    (it.scene.folder / "till.py").write_text("total = 1\n")
    it.model.reply(call("run_command", {"command": "touch made"}))
    named = [{"kind": "file", "path": str(it.scene.folder / "till.py")}] if words is LONG else []
    wanted = {"chatId": it.chat, "text": words, "references": named}
    it.scene.client.ask("agent/prompt", wanted)
    await it.scene.card()
    await kept(it.scene, it.chat, 3 if words is LONG else 2)
    await kill(it.scene)
    return it, await again(stage, it.scene)


@pytest.mark.process
@requirement("S-10", "N-12")
async def test_a_question_that_ended_with_its_chat_is_asked_again_as_its_chat_asks_it(
    own: OwnStage, stage: Stage
) -> None:
    it, scene = await left_open(own, stage)
    await subscribe(scene)
    row = await withdrawn(scene)
    assert (await shown(scene, row)).may_ask_again
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    asked = asyncio.ensure_future(scene.client.request("history/askAgain", ref(row)))
    card = await scene.card()
    assert card.chat_id == it.chat
    assert not (scene.folder / "made").exists()
    await scene.answer(card, "deny")
    await asked
    assert "Make it." in str(it.model.requests[-1].body)
    assert not (scene.folder / "made").exists()
    # What was answered is over.
    answered = next(it for it in await listed(scene) if it.by == "user")
    assert not (await shown(scene, answered)).may_ask_again
    with pytest.raises(Refusal, match="did not end with its chat"):
        await scene.client.request("history/askAgain", ref(answered))


@pytest.mark.process
@requirement("S-10")
async def test_where_the_chat_is_not_kept_any_more_that_is_said(
    own: OwnStage, stage: Stage
) -> None:
    it, scene = await left_open(own, stage)
    await subscribe(scene)
    row = await withdrawn(scene)
    await scene.client.request("chat/delete", {"chatId": it.chat})
    with pytest.raises(Refusal, match="nobody is left who could ask it again"):
        await scene.client.request("history/askAgain", ref(row))


@pytest.mark.process
@requirement("S-10", "N-12")
async def test_long_words_are_said_again_whole_and_what_went_with_them_is_told_of(
    own: OwnStage, stage: Stage
) -> None:
    it, scene = await left_open(own, stage, LONG)
    (chat,) = (await subscribe(scene)).chats
    assert len([item for item in chat.items if item.kind == "user"]) > 1
    (notice,) = [item for item in chat.items if item.kind == "notice"]
    assert notice.offer.text == LONG
    assert notice.text.endswith(LEFT_OUT)
    row = await withdrawn(scene)
    it.model.reply(text("Done."))
    await scene.client.request("history/askAgain", ref(row))
    assert LONG in str(it.model.requests[-1].body["messages"][-1])
    assert LEFT_OUT in scene.notices(it.chat)
