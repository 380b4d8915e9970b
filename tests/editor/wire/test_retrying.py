"""A model that failed can be asked the same again, where its error stands, and nothing twice."""

import pytest

from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_chats_that_last import notices, subscribe
from models.script import call, status, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


async def retry(it: Own) -> object:
    """What comes of asking again."""
    return (await it.scene.client.request("agent/retry", {"chatId": it.chat})).reason


@requirement("C-03")
async def test_retry_asks_the_same_again_and_says_nothing_twice(own: OwnStage) -> None:
    it = await own()
    it.model.reply(status(400, "odd"))
    ended = await it.turn("How much is it?")
    assert ended.reason == "error"
    (chat,) = (await subscribe(it.scene)).chats
    (told,) = notices(chat)
    assert (told.level, told.text) == ("error", ended.because)
    assert (told.offer.kind, told.offer.wants_key) == ("retry", False)

    it.model.reply(text("Twelve."))
    assert await retry(it) == "done"
    assert str(it.model.requests[1].body).count("How much is it?") == 1
    (chat,) = (await subscribe(it.scene)).chats
    assert [item.kind for item in chat.items] == ["user", "notice", "agent"]
    with pytest.raises(Refusal, match="nothing to ask the model again"):
        await retry(it)
    assert len(it.model.requests) == 2


@requirement("C-03")
async def test_a_call_that_was_made_before_the_error_is_not_made_again(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("read_file", {"path": "README.md"}))
    it.model.reply(status(400, "odd"))
    assert (await it.turn("What is it?")).reason == "error"
    it.model.reply(text("Small."))
    assert await retry(it) == "done"
    assert "A small workspace." in str(it.model.requests[2].body)
    (chat,) = (await subscribe(it.scene)).chats
    assert [item.kind for item in chat.items].count("call") == 1


@requirement("C-03")
async def test_a_key_that_is_refused_is_what_is_asked_for(own: OwnStage) -> None:
    it = await own()
    it.model.reply(status(401, "no"))
    await it.turn()
    (chat,) = (await subscribe(it.scene)).chats
    assert notices(chat)[-1].offer.wants_key


@requirement("C-03")
async def test_what_is_at_work_is_not_asked_again_and_new_words_end_the_offer(
    own: OwnStage,
) -> None:
    it = await own()
    it.model.reply(status(400, "odd"))
    await it.turn()
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = it.say("Something else.")
    card = await it.scene.card()
    with pytest.raises(Refusal, match="nothing to ask the model again"):
        await retry(it)
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
