"""Chats whose file somebody else holds: nothing is lost without a word, or comes back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from editor.wire.own import OwnStage, model, own
from editor.wire.scene import Scene, Stage
from editor.wire.test_chats_that_last import again, begun, entries, kill, notices, said, subscribe
from models.script import text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement
# The locks of one process do not keep it from its own files.
pytestmark = [pytest.mark.process, pytest.mark.long]


@contextmanager
def held(scene: Scene, begin: str) -> Iterator[None]:
    """Somebody else has the file for so long."""
    with closing(sqlite3.connect(scene.state / "chats.db", isolation_level=None)) as database:
        database.execute(begin)
        database.execute("select count(*) from items").fetchall()
        yield
        database.execute("rollback")


async def banner(scene: Scene, words: str, *, there: bool = True) -> None:
    """Wait until a banner says so, or none does any more."""

    def is_told() -> bool:
        events = [it.event for it in scene.client.told("agent/event")]
        told = [it for it in events if it.kind == "workspace"]
        return any(words in it for it in (told[-1].banners if told else [])) is there

    await scene.client.until(is_told, within=20)


def left(state: Path) -> bytes:
    return b"".join(path.read_bytes() for path in state.glob("chats.db*"))


async def said_while_locked(it: Any) -> None:
    it.model.reply(text("Zanzibar."))
    await it.turn("Where is it?")
    await banner(it.scene, "Chats are not kept")


@requirement("N-12")
async def test_a_chat_that_was_deleted_does_not_come_back_once_the_file_is_free(
    own: OwnStage,
) -> None:
    it = await begun(own)
    client = it.scene.client
    await subscribe(it.scene)
    with held(it.scene, "begin immediate"):
        await said_while_locked(it)
        await client.request("agent/closeChat", {"chatId": it.chat})
    await client.request("chat/delete", {"chatId": it.chat})
    # Whatever waits to be kept again is kept with the next chat.
    it.model.reply(text("Other."))
    other = await it.scene.chat("assent")
    await it.scene.turn(other, "Something else?")
    await client.request("chat/rename", {"chatId": other, "title": "Other"})
    assert [one.title for one in (await client.request("chat/list", {})).chats] == ["Other"]
    assert b"Zanzibar" not in left(it.scene.state)


@requirement("N-12")
async def test_words_that_could_not_be_kept_are_there_when_the_chat_is_opened_again(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own)
    client = it.scene.client
    await subscribe(it.scene)
    with held(it.scene, "begin immediate"):
        await said_while_locked(it)
        await client.request("agent/closeChat", {"chatId": it.chat})
    await client.request("chat/open", {"chatId": it.chat})
    (chat,) = (await subscribe(it.scene)).chats
    assert [words for _, words in said(chat)][-2:] == ["Where is it?", "Zanzibar."]
    it.model.reply(text("Yes."))
    await it.turn("Sure?")
    assert "Zanzibar" in str(it.model.requests[-1].body)
    await it.scene.client.leave()
    (chat,) = (await subscribe(await again(stage, it.scene))).chats
    assert [words for _, words in said(chat)][-2:] == ["Sure?", "Yes."]


@requirement("N-12")
async def test_a_name_is_kept_before_it_is_answered(own: OwnStage, stage: Stage) -> None:
    it = await begun(own)
    await it.scene.client.request("chat/rename", {"chatId": it.chat, "title": "Payroll"})
    await kill(it.scene)
    (chat,) = (await subscribe(await again(stage, it.scene))).chats
    assert chat.title == "Payroll"


@requirement("N-12")
async def test_a_chat_that_the_file_says_another_has_says_that_it_is_not_kept(
    own: OwnStage,
) -> None:
    it = await begun(own)
    with closing(sqlite3.connect(it.scene.state / "chats.db", isolation_level=None)) as database:
        database.execute("update chats set owner = 'somebody'")
    before = len(entries(it.scene.state, it.chat))
    for words in ("More?", "Still more?"):
        it.model.reply(text("More."))
        await it.turn(words)
        await it.scene.client.request("chat/rename", {"chatId": it.chat, "title": words})
    (chat,) = (await subscribe(it.scene)).chats
    assert [one.level for one in notices(chat)] == ["warning"]
    assert "not kept any more" in notices(chat)[0].text
    assert len(entries(it.scene.state, it.chat)) == before


@requirement("N-12")
async def test_deleted_words_that_a_reader_keeps_in_the_file_are_told_of_and_wiped_later(
    own: OwnStage,
) -> None:
    it = await begun(own)
    await subscribe(it.scene)
    with held(it.scene, "begin"):
        await it.scene.client.request("chat/delete", {"chatId": it.chat})
        await banner(it.scene, "Words of a deleted chat")
        assert b"Twelve" in left(it.scene.state)
    await banner(it.scene, "Words of a deleted chat", there=False)
    assert b"Twelve" not in left(it.scene.state)
