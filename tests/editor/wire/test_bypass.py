"""Stop asking, and begin again: by a gesture, by hand, by a repository, over a real server."""

from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

requirement = pytest.mark.requirement


def pressing(word: str) -> Editor:
    """An editor whose person presses the button that begins with this word."""
    return Editor(
        choose=lambda asked: next((it for it in asked.actions if it.startswith(word)), None)
    )


async def deny_next(scene: Scene, chat: str, text: str = "run touch made") -> Any:
    """The card that a call raises, denied."""
    turn = scene.say(chat, text)
    ticket = await scene.card()
    await scene.answer(ticket, "deny")
    await turn
    return ticket


@requirement("S-03")
@requirement("M-05")
async def test_stop_asking_writes_the_setting_and_the_next_call_has_no_card(stage: Stage) -> None:
    scene = await stage(pressing("Stop asking"))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    assert (await scene.answer(ticket, "bypass")).outcome == "allowed"
    await turn
    assert scene.editor.layers["workspace"] == {"bypassPermissions": {"eliza": True}}
    assert "Eliza" in scene.editor.confirmed[0].title
    await scene.turn(chat, "run touch second")
    assert (scene.folder / "second").exists()
    assert len(scene.client.told("tool/approvalRequest")) == 1


async def test_drawing_back_from_the_second_question_leaves_the_card_open(stage: Stage) -> None:
    scene = await stage()
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    assert (await scene.answer(ticket, "bypass")).kind == "stillOpen"
    assert scene.editor.written == []
    assert (await scene.answer(ticket, "deny")).kind == "applied"
    await turn


async def test_taking_the_setting_out_asks_again_at_once(stage: Stage) -> None:
    scene = await stage(pressing("Stop asking"))
    chat = await scene.chat()
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    await scene.turn(chat, "run touch made")
    await scene.change_settings(workspace={"bypassPermissions": {}})
    await deny_next(scene, chat, "run touch second")
    assert not (scene.folder / "second").exists()


async def test_a_value_that_comes_back_is_a_wish_again(stage: Stage) -> None:
    scene = await stage(pressing("Stop asking"))
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": False})
    await scene.change_settings(workspace={"bypassPermissions": {"eliza": True}})
    wish = await scene.card(lambda told: told.chat_id is None)
    assert wish.card.body.kind == "trust"


@requirement("M-05")
async def test_a_shipped_bypass_asks_one_question_and_until_then_changes_nothing(
    stage: Stage,
) -> None:
    editor = pressing("Allow this")
    editor.layers["workspace"] = {"bypassPermissions": {"eliza": True}}
    scene = await stage(editor)
    wish = await scene.card()
    assert (wish.chat_id, wish.card.body.kind, wish.card.primary) == (None, "trust", "deny")
    chat = await scene.chat()
    await deny_next(scene, chat)
    assert (await scene.answer(wish, "grant")).outcome == "allowed"
    await scene.tell_of_change()
    await scene.turn(chat, "run touch made")
    assert (scene.folder / "made").exists()
    wishes = [it for it in scene.client.told("tool/approvalRequest") if it.chat_id is None]
    assert len(wishes) == 1


async def test_a_declined_wish_stays_declined_in_the_next_window(stage: Stage) -> None:
    editor = Editor(layers={"workspace": {"bypassPermissions": {"eliza": True}}})
    scene = await stage(editor)
    wish = await scene.card()
    assert (await scene.answer(wish, "keep")).outcome == "refused"
    await scene.tell_of_change()
    await scene.client.leave()
    again = await stage(editor)
    chat = await again.chat()
    ticket = await deny_next(again, chat)
    assert ticket.chat_id == chat


async def test_closing_the_window_answers_no_wish(stage: Stage) -> None:
    editor = Editor(layers={"workspace": {"bypassPermissions": {"eliza": True}}})
    scene = await stage(editor)
    await scene.card()
    await scene.client.leave()
    again = await stage(editor)
    assert (await again.card()).card.body.kind == "trust"


async def test_nothing_widens_in_an_untrusted_workspace(stage: Stage) -> None:
    editor = pressing("")
    editor.trusted = False
    editor.layers["workspace"] = {"bypassPermissions": {"eliza": True}, "mode": "auto"}
    scene = await stage(editor)
    chat = await scene.chat()
    ticket = await deny_next(scene, chat)
    assert ticket.chat_id == chat
    assert [option.kind for option in ticket.card.options] == ["allowOnce", "denyOnce", "denyTell"]
    for params in ({"agentId": "eliza", "on": True},):
        with pytest.raises(Refusal, match="do not trust"):
            await scene.client.request("agent/bypass", params)
    with pytest.raises(Refusal, match="do not trust"):
        await scene.client.request("agent/setMode", {"chatId": chat, "mode": "auto"})


async def test_an_editor_that_cannot_say_who_wrote_what_widens_nothing(stage: Stage) -> None:
    editor = pressing("")
    editor.refuses = frozenset({"settings/inspect", "secret/get"})
    editor.layers["workspace"] = {"bypassPermissions": {"eliza": True}}
    scene = await stage(editor)
    await deny_next(scene, await scene.chat())
    assert (scene.state / "attestations.key").stat().st_mode & 0o077 == 0


@requirement("N-01")
async def test_a_looser_mode_is_asked_about_once_more_and_then_rules_on_open_cards(
    stage: Stage,
) -> None:
    scene = await stage(pressing("Turn on Auto"))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    await scene.client.request("agent/setMode", {"chatId": chat, "mode": "auto"})
    assert (await scene.settled(ticket)).by == "mode"
    await turn
    assert (scene.folder / "made").exists()


async def test_a_protected_place_is_asked_about_under_a_bypass(stage: Stage) -> None:
    scene = await stage(pressing("Stop asking"))
    chat = await scene.chat()
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    ticket = await deny_next(scene, chat, "write .vscode/settings.json {}")
    assert (ticket.card.level, ticket.card.primary) == ("high", "deny")
    assert not (scene.folder / ".vscode").exists()


async def test_asking_again_holds_even_where_the_setting_cannot_be_taken_out(
    stage: Stage,
) -> None:
    scene = await stage(pressing("Stop asking"))
    chat = await scene.chat()
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    scene.editor.refuses = frozenset({"settings/write"})
    with pytest.raises(Refusal):
        await scene.client.request("agent/bypass", {"agentId": "eliza", "on": False})
    await deny_next(scene, chat)


@pytest.mark.parametrize("on", [True, False])
async def test_what_is_saved_by_hand_while_a_bypass_is_written_stays(
    stage: Stage, *, on: bool
) -> None:
    scene = await stage(pressing("Stop asking"))
    chat = await scene.chat()
    if not on:
        await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    by_hand = {"claude-code": False, **({} if on else {"eliza": True})}

    def save_once() -> None:
        scene.editor.layers["workspace"] = {"bypassPermissions": dict(by_hand)}
        scene.editor.meanwhile = lambda: None

    scene.editor.meanwhile = save_once
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": on})
    written = scene.editor.layers["workspace"]["bypassPermissions"]
    assert written == {"claude-code": False, **({"eliza": True} if on else {})}
    if on:
        await scene.turn(chat, "run touch made")
        assert (scene.folder / "made").exists()
    else:
        await deny_next(scene, chat)


async def test_what_a_folder_grants_is_taken_back_with_the_rest(stage: Stage) -> None:
    editor = pressing("Allow this")
    editor.layers["folder"] = {"bypassPermissions": {"eliza": True}}
    scene = await stage(editor)
    await scene.answer(await scene.card(), "grant")
    await scene.tell_of_change()
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": False})
    await deny_next(scene, await scene.chat())


async def test_an_answer_that_the_agent_would_remember_is_asked_about_once_more(
    stage: Stage,
) -> None:
    scene = await stage()
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    own = next(option for option in ticket.card.options if option.kind == "agentAlways")
    assert (await scene.answer(ticket, own.id)).kind == "stillOpen"
    assert "remember" in scene.editor.confirmed[0].title
    await scene.answer(ticket, "deny")
    await turn


async def test_a_loose_mode_does_not_outlive_trust(stage: Stage) -> None:
    scene = await stage(pressing("Turn on Auto"))
    chat = await scene.chat(mode="auto")
    scene.editor.trusted = False
    await scene.change_settings()
    await deny_next(scene, chat)


@requirement("N-01")
async def test_each_chat_has_its_mode_and_a_new_one_starts_at_default(stage: Stage) -> None:
    scene = await stage()
    one, other = await scene.chat(), await scene.chat()
    await scene.client.request("agent/setMode", {"chatId": one, "mode": "plan"})
    third = await scene.chat()
    opened = {
        told.chat_id: told.event.chat.mode
        for told in scene.client.told("agent/event")
        if told.event.kind == "chatOpened"
    }
    assert opened == dict.fromkeys((one, other, third), "default")
    changed = [
        (told.chat_id, told.event.mode)
        for told in scene.client.told("agent/event")
        if told.event.kind == "mode"
    ]
    assert changed == [(one, "plan")]


async def test_a_person_who_draws_back_from_a_looser_mode_keeps_the_one_there_was(
    stage: Stage,
) -> None:
    scene = await stage()
    chat = await scene.chat()
    with pytest.raises(Refusal, match="You drew back"):
        await scene.client.request("agent/setMode", {"chatId": chat, "mode": "auto"})
    with pytest.raises(Refusal, match="You drew back"):
        await scene.chat(mode="acceptEdits")
    asked = [it.title for it in scene.editor.confirmed]
    assert asked == [
        "Run everything unasked in this chat?",
        "Let this chat work in Accept edits mode?",
    ]
    await deny_next(scene, chat)
    assert not (scene.folder / "made").exists()


async def test_auto_is_asked_about_by_a_question_whose_first_button_changes_nothing(
    stage: Stage,
) -> None:
    scene = await stage(pressing("Turn on Auto"))
    scene.editor.choose = lambda _: None
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    with pytest.raises(Refusal, match="You drew back"):
        await scene.client.request("agent/setMode", {"chatId": chat, "mode": "auto"})
    [asked] = scene.editor.confirmed
    assert (asked.keeps, asked.actions) == ("Keep asking", ["Turn on Auto"])
    assert "Eliza edits files, runs commands" in asked.detail
    assert "A question waits here" in asked.detail
    await scene.answer(ticket, "deny")
    await turn


async def test_auto_is_asked_about_each_time_also_where_new_chats_start_in_it(
    stage: Stage,
) -> None:
    editor = Editor(layers={"user": {"mode": "auto"}}, choose=lambda asked: asked.actions[0])
    scene = await stage(editor)
    chat = await scene.chat()
    assert [it.keeps for it in scene.editor.confirmed] == ["Keep asking"]
    for mode in ("default", "auto", "plan", "auto"):
        await scene.client.request("agent/setMode", {"chatId": chat, "mode": mode})
    assert [it.keeps for it in scene.editor.confirmed] == ["Keep asking"] * 3


@requirement("M-05")
async def test_a_chat_that_would_start_in_auto_asks_where_the_person_draws_back(
    stage: Stage,
) -> None:
    scene = await stage(Editor(layers={"user": {"mode": "auto"}}))
    chat = await scene.chat()
    [asked] = scene.editor.confirmed
    assert asked.title == "Run everything unasked in this chat?"
    turn = scene.say(chat, "run make it-so")
    await scene.answer(await scene.card(), "deny")
    await turn
    with pytest.raises(Refusal):
        await scene.client.request("agent/newChat", {"agentId": "eliza", "mode": "auto"})


@requirement("M-05")
async def test_a_bypass_is_attested_and_in_the_journal_before_it_stands_in_the_settings(
    stage: Stage,
) -> None:
    """Where the house falls between the two, what is written is a wish, and nothing widens."""
    scene = await stage(pressing("Stop asking"))
    seen: list[tuple[int, list[Any]]] = []

    def look() -> None:
        attested = len(list((scene.state / "attestations").glob("*.json")))
        seen.append((attested, [row["body"] for row in scene.rows("noted")]))

    scene.editor.meanwhile = look
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    ((attested, rows),) = seen
    assert attested == 1
    told = [(it["setting"], it["outcome"], it["because"]) for it in rows if "setting" in it]
    assert told == [("assent.bypassPermissions", "allowed", "You stopped asking")]


async def test_a_bypass_that_the_settings_do_not_take_leaves_nothing_attested(stage: Stage) -> None:
    scene = await stage(pressing("Stop asking"))
    scene.editor.keeps = False
    with pytest.raises(Refusal, match="read-only"):
        await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    scene.editor.keeps = True
    await scene.change_settings(workspace={"bypassPermissions": {"eliza": True}})
    wish = await scene.card(lambda told: told.chat_id is None)
    assert wish.card.body.kind == "trust"


async def test_what_waits_when_the_window_closes_is_refused_for_that(stage: Stage) -> None:
    scene = await stage()
    chat = await scene.chat()
    scene.say(chat, "run touch made")
    await scene.card()
    await scene.client.leave()
    (decided,) = scene.rows("decided")
    assert decided["body"]["outcome"] == "refused"
    assert decided["body"]["because"] == "The editor was closed, so it was not run."
    assert decided["body"]["by"] == "stop"
    assert not (scene.folder / "made").exists()
