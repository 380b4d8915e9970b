"""Chats outlive their window and their server, and nothing is wider for it."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from assent.agent.chats.store import Store
from assent.agent.chats.values import Batch, Head
from assent.gate.settings.keys import key_from_secret
from editor.wire.client import Refusal
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import IN_TIME, Scene, Stage
from host.waiting import until
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


async def subscribe(scene: Scene) -> Any:
    """All that a view is told when it comes."""
    return (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot


async def kill(scene: Scene) -> None:
    """End the server as nothing can prepare for."""
    scene.client.process.kill()
    await scene.client.ended()


async def again(stage: Stage, scene: Scene) -> Scene:
    """Another window on the same folder, in the same editor."""
    return await stage(editor=scene.editor, folder=scene.folder)


async def kept(scene: Scene, chat: str, count: int) -> None:
    """Wait until so many entries of a chat are on the disk."""

    def is_there() -> bool:
        return len(entries(scene.state, chat)) >= count

    await asyncio.to_thread(until, is_there, within=IN_TIME, what="it is kept")


async def remembered(scene: Scene, chat: str, words: str) -> None:
    """Wait until words are on the disk among what our own agent remembers of a chat."""

    def is_there() -> bool:
        with sqlite3.connect(scene.state / "chats.db") as database:
            wanted = "select body from turns where chat = ?"
            found = database.execute(wanted, (chat,)).fetchall()
        database.close()
        return any(words in str(body) for (body,) in found)

    await asyncio.to_thread(until, is_there, within=IN_TIME, what="it is remembered")


def entries(state: Path, chat: str) -> list[Any]:
    """The entries of a chat, read from the disk by somebody else."""
    path = state / "chats.db"
    if not path.exists():
        return []
    with sqlite3.connect(path) as database:
        if not database.execute("select 1 from sqlite_master where name = 'items'").fetchall():
            # It is made the moment that something is kept.
            return []
        wanted = "select body from items where chat = ? order by number"
        # A call stands beside its entry, on a line of its own.
        found = [
            it.partition("\n" if isinstance(it, str) else b"\n")[0]
            for (it,) in database.execute(wanted, (chat,))
        ]
    database.close()
    return found


def said(chat: Any) -> list[tuple[str, str]]:
    """Who said what in a chat, as it is shown."""
    return [(it.kind, it.text) for it in chat.items if it.kind in {"user", "agent"}]


@pytest.mark.process
@requirement("N-12")
async def test_a_chat_is_there_again_after_the_server_was_killed(
    own: OwnStage, stage: Stage
) -> None:
    it = await own()
    it.model.reply(text("Twelve, I think."))
    await it.turn("How much is it?")
    await kept(it.scene, it.chat, 2)
    # What is shown may be kept a moment before what the agent remembers of it.
    await remembered(it.scene, it.chat, "Twelve, I think.")
    await kill(it.scene)
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert chat.chat_id == it.chat
    assert chat.title == "How much is it?"
    assert said(chat) == [("user", "How much is it?"), ("agent", "Twelve, I think.")]
    assert not chat.running
    it.model.reply(text("As I said."))
    await scene.turn(it.chat, "Are you sure?")
    told = str(it.model.requests[-1].body)
    assert "How much is it?" in told
    assert "Twelve, I think." in told


@requirement("N-12")
async def test_a_chat_is_there_again_after_the_window_was_closed(
    own: OwnStage, stage: Stage
) -> None:
    it = await own()
    it.model.reply(text("Twelve."))
    await it.turn("How much is it?")
    assert await it.scene.client.leave() == 0
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert said(chat) == [("user", "How much is it?"), ("agent", "Twelve.")]


async def begun(own: OwnStage, mode: str | None = None) -> Any:
    """A chat in which something was said, and which is on the disk."""
    it = await own(mode=mode)
    it.model.reply(text("Twelve."))
    await it.turn("How much is it?")
    await kept(it.scene, it.chat, 2)
    return it


def notices(chat: Any) -> list[Any]:
    """The notices of a chat, as it is shown."""
    return [it for it in chat.items if it.kind == "notice"]


@pytest.mark.process
@requirement("N-12")
@pytest.mark.parametrize("mode", ["plan", "ask", "default"])
async def test_a_strict_mode_comes_back(own: OwnStage, stage: Stage, mode: str) -> None:
    it = await begun(own, mode)
    await kill(it.scene)
    (chat,) = (await subscribe(await again(stage, it.scene))).chats
    assert chat.mode == mode
    assert notices(chat) == []


@pytest.mark.process
@requirement("N-12")
@pytest.mark.parametrize("mode", ["acceptEdits", "auto"])
async def test_a_looser_mode_comes_back_as_default_and_is_offered(
    own: OwnStage, stage: Stage, mode: str
) -> None:
    it = await begun(own, mode)
    await kill(it.scene)
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert chat.mode == "default"
    (notice,) = notices(chat)
    assert notice.offer.mode == mode
    # What was in force before is not: the same call asks.
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Well then."))
    turn = scene.say(it.chat, "Make it.")
    await scene.answer(await scene.card(), "deny")
    await turn
    assert not (scene.folder / "made").exists()


@pytest.mark.process
@requirement("N-12")
async def test_a_mode_that_the_settings_have_tightened_since_does_not_come_back(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own, "default")
    await kill(it.scene)
    it.scene.editor.layers["user"]["mode"] = "ask"
    (chat,) = (await subscribe(await again(stage, it.scene))).chats
    assert chat.mode == "ask"


@pytest.mark.process
@requirement("N-12")
async def test_an_open_question_is_withdrawn_and_can_be_asked_again(
    own: OwnStage, stage: Stage
) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.scene.say(it.chat, "Make it.")
    await it.scene.card()
    await kept(it.scene, it.chat, 2)
    await kill(it.scene)
    scene = await again(stage, it.scene)
    snapshot = await subscribe(scene)
    (chat,) = snapshot.chats
    assert snapshot.tickets == []
    (record,) = [entry for entry in chat.items if entry.kind == "call"]
    assert (record.state, record.may, record.approval_id) == ("refused", [], None)
    assert "Withdrawn" in record.because
    (notice,) = notices(chat)
    assert notice.offer.text == "Make it."
    # Asking again is one more message, and the call is asked about as any other.
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = scene.say(it.chat, notice.offer.text)
    assert not (scene.folder / "made").exists()
    await scene.answer(await scene.card(), "once")
    await turn
    assert (scene.folder / "made").exists()
    assert "Assent ended while you worked" in str(it.model.requests[1].body)


def model_was_told(it: Any) -> str:
    """The words that the model was last told as the person's, in order."""
    messages = it.model.requests[-1].body["messages"]
    return "\n".join(str(one["content"]) for one in messages if one["role"] == "user")


@pytest.mark.process
@requirement("N-12")
@pytest.mark.parametrize("before", [0, 1])
async def test_the_model_is_told_which_calls_had_begun_when_the_server_was_killed(
    own: OwnStage, stage: Stage, before: int
) -> None:
    it = await own()
    for _ in range(before):
        it.model.reply(call("list_files", {"path": "."}))
    it.model.reply(
        call("list_files", {"path": "made"}),
        call("run_command", {"command": "touch begun; exec sleep 60"}),
    )
    it.scene.say(it.chat, "Do the step.")
    await it.scene.answer(await it.scene.card(), "once")
    await asyncio.to_thread(
        until, (it.scene.folder / "begun").exists, within=IN_TIME, what="it runs"
    )

    def is_known_to_run() -> bool:
        found = [json.loads(body) for body in entries(it.scene.state, it.chat)]
        # What is kept lags behind: a call before it may still stand there as one that runs.
        return any(one.get("state") == "running" and "touch" in str(one) for one in found)

    await asyncio.to_thread(until, is_known_to_run, within=IN_TIME, what="it is kept so")
    await kill(it.scene)
    scene = await again(stage, it.scene)
    await subscribe(scene)
    it.model.reply(text("I look first."))
    await scene.turn(it.chat, "Go on.")
    told = model_was_told(it)
    assert told.count("Assent ended while you worked on this") == 1
    assert '- "Run touch begun; exec sleep 60": it ran when Assent ended' in told
    assert told.count("it had begun and is over") == 1
    # It is told once, and stays told.
    it.model.reply(text("Well."))
    await scene.turn(it.chat, "And?")
    assert model_was_told(it).count("Assent ended while you worked on this") == 1


@requirement("N-12")
async def test_the_model_is_told_of_nothing_broken_off_where_its_turn_had_ended(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own)
    await it.scene.client.leave()
    scene = await again(stage, it.scene)
    await subscribe(scene)
    it.model.reply(text("Yes."))
    await scene.turn(it.chat, "Go on.")
    assert "Assent ended while" not in model_was_told(it)


@pytest.mark.process
@requirement("N-12")
async def test_a_grant_for_the_chat_does_not_come_back(own: OwnStage, stage: Stage) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = it.say("Make it.")
    await it.scene.answer(await it.scene.card(), "chat")
    await turn
    await kept(it.scene, it.chat, 3)
    await kill(it.scene)
    scene = await again(stage, it.scene)
    await subscribe(scene)
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Not again."))
    turn = scene.say(it.chat, "Once more.")
    await scene.answer(await scene.card(), "deny")
    await turn


@pytest.mark.process
@requirement("N-12")
async def test_a_chat_is_listed_in_its_own_workspace_alone(
    own: OwnStage, stage: Stage, tmp_path: Path
) -> None:
    it = await begun(own)
    await kill(it.scene)
    other = await stage(editor=it.scene.editor, folder=tmp_path / "other")
    assert (await subscribe(other)).chats == []
    assert (await other.client.request("chat/list", {})).chats == []
    for method in ("chat/open", "chat/delete"):
        with pytest.raises(Refusal):
            await other.client.request(method, {"chatId": it.chat})
    with pytest.raises(Refusal):
        await other.client.request("chat/export", {"chatId": it.chat, "format": "json"})


@requirement("N-12")
async def test_a_closed_chat_is_in_the_list_and_is_opened_again(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own)
    client = it.scene.client
    await client.request("agent/closeChat", {"chatId": it.chat})
    (listed,) = (await client.request("chat/list", {})).chats
    assert (listed.chat_id, listed.title, listed.where) == (it.chat, "How much is it?", "closed")
    await client.request("chat/open", {"chatId": it.chat})
    (chat,) = (await subscribe(it.scene)).chats
    assert said(chat) == [("user", "How much is it?"), ("agent", "Twelve.")]
    it.model.reply(text("Yes."))
    await it.scene.turn(it.chat, "Sure?")
    assert "How much is it?" in str(it.model.requests[-1].body)


@requirement("N-12")
async def test_a_chat_is_found_by_its_words_renamed_and_deleted(own: OwnStage) -> None:
    it = await begun(own)
    client = it.scene.client

    async def found(words: str) -> list[str]:
        return [it.title for it in (await client.request("chat/list", {"find": words})).chats]

    assert await found("twel") == ["How much is it?"]
    assert await found("thirteen") == []
    for odd in ('"', "much AND NOT", "*", "%", "a\0b", "NEAR(", "-"):
        await found(odd)
    await client.request("chat/rename", {"chatId": it.chat, "title": "  The\n sum "})
    assert (await subscribe(it.scene)).chats[0].title == "The sum"
    await client.request("chat/delete", {"chatId": it.chat})
    assert (await subscribe(it.scene)).chats == []
    assert await found("") == []
    for method, more in (("chat/delete", {}), ("chat/rename", {"title": "a"})):
        with pytest.raises(Refusal, match="no such chat any more"):
            await client.request(method, {"chatId": it.chat, **more})
    left = b"".join(path.read_bytes() for path in it.scene.state.glob("chats.db*"))
    assert b"Twelve" not in left
    assert b"twelve" not in left


@requirement("N-12")
async def test_a_chat_is_written_down(own: OwnStage) -> None:
    it = await begun(own)
    wanted = {"chatId": it.chat, "format": "markdown"}
    page = await it.scene.client.request("chat/export", wanted)
    assert page.name == "How-much-is-it.md"
    assert (
        "## You\n\n```text\nHow much is it?\n```\n\n## Assent\n\n```text\nTwelve.\n```\n"
        in page.text
    )
    told = await it.scene.client.request("chat/export", {**wanted, "format": "json"})
    assert [entry["text"] for entry in json.loads(told.text)["items"]] == [
        "How much is it?",
        "Twelve.",
    ]


@requirement("N-12")
async def test_of_two_windows_one_has_a_chat_and_the_other_reads_it(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own)
    other = await again(stage, it.scene)
    assert (await subscribe(other)).chats == []
    (listed,) = (await other.client.request("chat/list", {})).chats
    assert listed.where == "elsewhere"
    await other.client.request("chat/open", {"chatId": it.chat})
    (chat,) = (await subscribe(other)).chats
    assert chat.elsewhere
    assert said(chat)[0] == ("user", "How much is it?")
    with pytest.raises(Refusal, match="another window"):
        await other.turn(it.chat, "And here?")
    for method in ("chat/continue", "chat/delete"):
        with pytest.raises(Refusal, match="another window"):
            await other.client.request(method, {"chatId": it.chat})
    await it.scene.client.leave()
    await other.client.request("agent/closeChat", {"chatId": it.chat})
    await other.client.request("chat/open", {"chatId": it.chat})
    (chat,) = (await subscribe(other)).chats
    assert not chat.elsewhere
    it.model.reply(text("Yes."))
    await other.turn(it.chat, "And here?")
    assert "How much is it?" in str(it.model.requests[-1].body)


def store_of(scene: Scene) -> Store:
    """The kept chats, with the key of the editor; no run owns them."""
    made = Store(scene.state / "chats.db", "", lambda _: False)
    key = key_from_secret(scene.editor.secrets["attestationKey"])
    made.key = hmac.new(key, b"chats", hashlib.sha256).digest()
    return made


@requirement("N-12")
async def test_of_a_long_chat_the_older_entries_come_by_page(stage: Stage) -> None:
    scene = await stage()
    await scene.client.leave()
    store = store_of(scene)
    place = str(scene.folder.resolve())
    entry = '{"kind":"user","messageId":"m%d","text":"said %d"}'
    items = {number: (entry % (number, number)).encode() for number in range(250)}
    head = Head(
        id="long", workspace=place, agent="eliza", title="Long", mode="default", touched=2**42
    )
    store.put([Batch(head=head, items=items)])
    store.close()
    scene = await again(stage, scene)
    (chat,) = (await subscribe(scene)).chats
    assert (chat.first, len(chat.items)) == (150, 100)
    before, seen = chat.first, []
    while before > 0:
        wanted = {"chatId": "long", "before": before, "limit": 60}
        page = await scene.client.request("agent/turns", wanted)
        assert page.kept_from == 0
        seen[:0] = [it.text for it in page.items]
        before = page.first
    assert seen == [f"said {number}" for number in range(150)]


@pytest.mark.process
@requirement("N-12")
@pytest.mark.parametrize(
    "statement",
    [
        "update chats set mode = 'auto', session = 'theirs'",
        'update turns set body = \'{"text":"Zanzibar says yes.","is":"Said"}\'',
        "update items set body = replace(body, 'Twelve', 'Thirteen')",
        "update items set body = x'5b'",
        "delete from items where number = 1",
    ],
)
async def test_a_chat_that_somebody_changed_comes_back_to_be_read_and_no_more(
    own: OwnStage, stage: Stage, statement: str
) -> None:
    it = await begun(own)
    await kill(it.scene)
    with contextlib.closing(sqlite3.connect(it.scene.state / "chats.db")) as database:
        database.execute(statement)
        database.commit()
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert chat.mode == "ask"
    told = [notice for notice in notices(chat) if "changed, cut or put back" in notice.text]
    assert len(told) == 1
    assert [notice.offer for notice in notices(chat)] == [None] * len(notices(chat))
    other = await scene.chat("assent", "default")
    named = {"references": [{"kind": "chat", "chatId": it.chat}], "text": "Look."}
    with pytest.raises(Refusal, match=r"changed, cut or put back.*, so nothing was sent"):
        await scene.client.request("agent/prompt", {"chatId": other, **named})
    it.model.reply(text("Who are you?"))
    await scene.turn(it.chat, "Hello?")
    asked = str(it.model.requests[-1].body)
    assert "Twelve" not in asked
    assert "Zanzibar" not in asked
    # What was not told to the agent is not told to it later either.
    await kept(scene, it.chat, len(chat.items) + 2)
    await kill(scene)
    scene = await again(stage, scene)
    await subscribe(scene)
    it.model.reply(text("Again?"))
    await scene.turn(it.chat, "And now?")
    asked = str(it.model.requests[-1].body)
    assert "Zanzibar" not in asked


@pytest.mark.process
@requirement("N-12")
async def test_a_chat_that_somebody_loosened_stays_in_ask_every_time_under_a_new_title(
    own: OwnStage, stage: Stage
) -> None:
    it = await begun(own, "plan")
    await kill(it.scene)
    with contextlib.closing(sqlite3.connect(it.scene.state / "chats.db")) as database:
        database.execute("update chats set mode = 'auto', is_open = 0")
        database.commit()
    scene = await again(stage, it.scene)
    await subscribe(scene)
    await scene.client.request("chat/rename", {"chatId": it.chat, "title": "Nicer"})
    await scene.client.request("chat/open", {"chatId": it.chat})
    (chat,) = (await subscribe(scene)).chats
    assert (chat.title, chat.mode) == ("Nicer", "ask")
    (notice,) = notices(chat)
    assert "changed, cut or put back" in notice.text
    assert notice.offer is None


@pytest.mark.process
@requirement("N-12")
async def test_an_agent_that_cannot_go_on_with_a_chat_says_that_it_does_not_remember(
    stage: Stage,
) -> None:
    scene = await stage()
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    await kept(scene, chat, 3)
    await kill(scene)
    scene = await again(stage, scene)
    (shown,) = (await subscribe(scene)).chats
    assert [it.state for it in shown.items if it.kind == "call"] == ["succeeded"]
    await scene.turn(chat, "help")
    assert any("does not know what was said before" in it for it in scene.notices(chat))


@requirement("N-12")
async def test_a_file_that_cannot_be_kept_is_said_and_ends_nothing(stage: Stage) -> None:
    scene = await stage()
    await scene.client.leave()
    for path in scene.state.glob("chats.db*"):
        path.unlink()
    (scene.state / "chats.db").write_bytes(b"no database" * 100)
    scene = await again(stage, scene)
    (banner,) = [it for it in (await subscribe(scene)).banners if "Chats are not kept" in it]
    assert "damaged" in banner
    chat = await scene.chat()
    assert (await scene.turn(chat, "read README.md")).reason == "done"
    with pytest.raises(Refusal, match="cannot be used"):
        await scene.client.request("chat/list", {})
    assert (scene.state / "chats.db").read_bytes() == b"no database" * 100


@pytest.mark.process
@requirement("N-12")
async def test_of_a_chat_that_lives_calls_are_told_as_they_are(own: OwnStage, stage: Stage) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch begun; exec sleep 60"}))
    it.model.reply(text("Done."))
    it.scene.say(it.chat, "Do it.")
    card = await it.scene.card()
    other = await again(stage, it.scene)

    async def told(scene: Scene) -> tuple[str, str]:
        wanted = {"chatId": it.chat, "format": "json"}
        page = json.loads((await scene.client.request("chat/export", wanted)).text)
        (record,) = [entry for entry in page["items"] if entry["kind"] == "call"]
        return record["state"], record["because"]

    async def read() -> tuple[str, str]:
        await other.client.request("chat/open", {"chatId": it.chat})
        (chat,) = (await subscribe(other)).chats
        (record,) = [entry for entry in chat.items if entry.kind == "call"]
        assert (record.may, record.approval_id) == ([], None)
        await other.client.request("agent/closeChat", {"chatId": it.chat})
        return record.state, record.because

    waits = ("waiting", "It waits for an answer where the chat is open.")
    assert [await told(it.scene), await told(other), await read()] == [waits] * 3
    await it.scene.answer(card, "once")
    await it.scene.reaches(it.chat, "running")
    runs = ("running", "It runs where the chat is open.")
    assert [await told(it.scene), await told(other), await read()] == [runs] * 3
    # Once its window is gone, what is told is what is known then.
    await kill(it.scene)
    assert (await told(other))[0] == "failed"
