"""Our own agent over a real server: what it may do, when it does it, and what stops it."""

import asyncio
import json
import stat
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from editor.wire.client import Refusal
from editor.wire.own import DIALECTS, OwnStage, model, own
from editor.wire.scene import IN_TIME
from host.waiting import until
from models.script import begin, call, cut, hold, more, status, text, think, whole

__all__ = ["model", "own"]

requirement = pytest.mark.requirement
in_each_dialect = pytest.mark.parametrize("dialect", DIALECTS)


# Calls while the model streams.


@requirement("C-03")
@requirement("M-04")
@requirement("T-14")
@in_each_dialect
async def test_a_call_runs_while_the_model_still_streams(own: OwnStage, dialect: str) -> None:
    it = await own(dialect)
    it.model.reply(
        text("I look."), call("read_file", {"path": "README.md"}), hold("tail"), text(" Seen.")
    )
    it.model.reply(text("It is small."))
    turn = it.say("What is in the readme?")
    await it.model.held("tail")
    await it.scene.reaches(it.chat, "succeeded")
    assert not it.model.requests[0].over.is_set(), "the stream is still open"
    it.model.release("tail")
    assert (await turn).reason == "done"
    assert "A small workspace." in it.model.requests[1].last
    assert it.scene.heard(it.chat) == "I look. Seen.It is small."


@requirement("T-07")
async def test_of_two_calls_the_allowed_one_does_not_wait_for_the_asked_one(
    own: OwnStage,
) -> None:
    it = await own()
    it.model.reply(
        call("run_command", {"command": "touch made"}), call("read_file", {"path": "README.md"})
    )
    it.model.reply(text("Both are done."))
    turn = it.say()
    card = await it.scene.card()
    await it.scene.reaches(it.chat, "succeeded", "README.md")
    assert not (it.scene.folder / "made").exists()
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert (it.scene.folder / "made").exists()
    first, second = _tool_results(it.model.requests[1].body)
    assert "A small workspace." in second
    assert "A small workspace." not in first


@requirement("T-05")
@in_each_dialect
async def test_a_refusal_with_words_reaches_the_model_and_it_goes_on(
    own: OwnStage, dialect: str
) -> None:
    it = await own(dialect)
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Then I shall not."))
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "tell", feedback="write it in Python instead")
    assert (await turn).reason == "done"
    assert "write it in Python instead" in it.model.requests[1].last
    assert not (it.scene.folder / "made").exists()
    assert it.scene.heard(it.chat) == "Then I shall not."


@requirement("N-05")
async def test_the_model_is_told_its_tools_and_its_mode(own: OwnStage) -> None:
    it = await own(mode="plan")
    it.model.reply(call("write_file", {"path": "a.txt", "content": "x"}))
    it.model.reply(text("I may only plan."))
    await it.turn()
    body = it.model.requests[0].body
    assert "Mode: Plan." in json.dumps(body["messages"][1])
    assert {"read_file", "run_command", "run_subtask"} <= {
        tool["function"]["name"] for tool in body["tools"]
    }
    assert "Plan mode does not let agents write in the workspace." in it.model.requests[1].last
    assert it.scene.client.told("tool/approvalRequest") == []
    assert not (it.scene.folder / "a.txt").exists()


@requirement("N-05")
async def test_the_model_is_told_what_the_workspace_says_to_agents_where_it_may_read_that(
    own: OwnStage,
) -> None:
    it = await own(rules={"deny": ["read(./secret/AGENTS.md)"]})
    guide = it.scene.folder / "AGENTS.md"
    guide.write_text("Use tabs.\n")
    it.model.reply(text("Tabs."))
    await it.turn()
    assert "Use tabs." in json.dumps(it.model.requests[0].body["messages"])
    guide.unlink()
    (it.scene.folder / "secret").mkdir()
    (it.scene.folder / "secret" / "AGENTS.md").write_text("The password is x.\n")
    guide.symlink_to("secret/AGENTS.md")
    it.model.reply(text("No tabs."))
    await it.turn()
    assert "password is x" not in json.dumps(it.model.requests[1].body)


@requirement("N-05")
async def test_what_is_written_for_another_agent_is_told_where_there_is_no_other(
    own: OwnStage,
) -> None:
    it = await own()
    (it.scene.folder / "CLAUDE.md").write_text("Use blanks.\n")
    it.model.reply(text("Blanks."))
    await it.turn()
    assert "Use blanks." in json.dumps(it.model.requests[0].body["messages"])
    (it.scene.folder / "AGENTS.md").write_text("Use tabs.\n")
    it.model.reply(text("Tabs."))
    await it.turn()
    first, *others = it.model.requests[0].body["messages"]
    again, *more = it.model.requests[1].body["messages"]
    assert (again, more[: len(others)]) == (first, others)
    told = json.dumps(more[len(others) :])
    assert "Use tabs." in told
    assert "Use blanks." not in told


# Stopping.


@requirement("T-08")
@in_each_dialect
async def test_stop_closes_the_models_connection_at_once(own: OwnStage, dialect: str) -> None:
    it = await own(dialect)
    it.model.reply(think("Hm."), text("I begin"), hold("for ever"))
    turn = it.say()
    await it.scene.client.until(lambda: "I begin" in it.scene.heard(it.chat), within=IN_TIME)
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    await asyncio.wait_for(it.model.requests[0].closed.wait(), IN_TIME)
    it.model.reply(text("Here I am."))
    assert (await it.turn("Go on.")).reason == "done"
    assert "I begin" in json.dumps(it.model.requests[1].body)


@requirement("T-08")
@requirement("T-13")
async def test_stop_folds_the_card_and_nothing_runs(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch made"}), hold("for ever"))
    turn = it.say()
    card = await it.scene.card()
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    assert (await it.scene.settled(card)).outcome in {"refused", "withdrawn"}
    assert not (it.scene.folder / "made").exists()
    it.model.reply(text("Well then."))
    assert (await it.turn()).reason == "done", "and the conversation is still a whole one"


@requirement("T-08")
@requirement("C-05")
async def test_stop_ends_a_running_command_with_all_that_it_started(own: OwnStage) -> None:
    it = await own(mode="auto")
    it.model.reply(call("run_command", {"command": "setsid sleep 1001 & echo on; sleep 1002"}))
    turn = it.say()
    await it.scene.reaches(it.chat, "running")
    await it.scene.client.until(lambda: "on" in it.scene.printed(it.chat), within=IN_TIME)
    sleepers = await _asleep("1001", "1002")
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    _, left = psutil.wait_procs(sleepers, timeout=IN_TIME)
    assert left == []
    assert (await it.scene.reaches(it.chat, "killed")).may == []


# Commands that go on.


@requirement("T-06")
async def test_a_record_says_how_its_command_ended_and_how_long_it_ran(own: OwnStage) -> None:
    it = await own(mode="auto")
    it.model.reply(call("run_command", {"command": "sleep 0.2; exit 3"}))
    it.model.reply(call("read_file", {"path": "README.md"}), text("It failed."))
    it.model.reply(text("So it is."))
    await it.turn()
    ran = await it.scene.reaches(it.chat, "failed", "exit 3")
    read = it.scene.record(it.chat, title="README")
    assert (ran.exit_code, ran.success) == (3, False)
    assert ran.took >= 200
    assert read is not None
    assert (read.exit_code, read.took, read.state) == (None, None, "succeeded")


@requirement("C-04")
@requirement("C-05")
async def test_a_running_command_is_moved_to_the_background_and_ended_later(own: OwnStage) -> None:
    it = await own(mode="auto")
    it.model.reply(call("run_command", {"command": "echo up; exec sleep 1003"}))
    it.model.reply(text("It runs."))
    turn = it.say()
    await it.scene.client.until(lambda: "up" in it.scene.printed(it.chat), within=IN_TIME)
    running = await it.scene.reaches(it.chat, "running")
    assert running.may == ["background", "kill"]
    ref = {"chatId": it.chat, "callId": running.call_id}
    await it.scene.client.request("tool/background", ref)
    assert (await turn).reason == "done"
    left = await it.scene.reaches(it.chat, "backgrounded")
    assert (left.exit_code, left.took) == (None, None)
    assert "background" in it.model.requests[1].last
    (shell,) = (await it.scene.client.request("shell/list", {"chatId": it.chat})).shells
    assert (shell.state, shell.in_background) == ("running", True)
    reading = {"chatId": it.chat, "shellId": shell.shell_id}
    assert "up" in (await it.scene.client.request("shell/output", reading)).text
    sleepers = await _asleep("1003")
    await it.scene.client.request("shell/kill", reading)
    _, left = psutil.wait_procs(sleepers, timeout=IN_TIME)
    assert left == []


@requirement("C-04")
async def test_allow_in_the_background_is_an_answer_of_its_own(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch made; exec sleep 1004"}))
    it.model.reply(text("It runs."))
    turn = it.say()
    card = await it.scene.card()
    assert "allowBackground" in {option.kind for option in card.card.options}
    await it.scene.answer(card, "background")
    assert (await turn).reason == "done"
    await it.scene.reaches(it.chat, "backgrounded")
    sleepers = await _asleep("1004")
    await it.scene.client.request("agent/closeChat", {"chatId": it.chat})
    _, left = psutil.wait_procs(sleepers, timeout=IN_TIME)
    assert left == []


@requirement("C-04")
async def test_a_person_kills_a_running_command_and_the_model_hears_of_it(own: OwnStage) -> None:
    it = await own(mode="auto")
    it.model.reply(call("run_command", {"command": "echo up; exec sleep 1005"}))
    it.model.reply(text("Pity."))
    turn = it.say()
    running = await it.scene.reaches(it.chat, "running")
    await it.scene.client.until(lambda: "up" in it.scene.printed(it.chat), within=IN_TIME)
    await it.scene.client.request("tool/kill", {"chatId": it.chat, "callId": running.call_id})
    assert (await turn).reason == "done"
    assert (await it.scene.reaches(it.chat, "killed")).may == []
    assert "killed" in it.model.requests[1].last.lower()


@pytest.mark.process
@requirement("C-05")
async def test_the_editors_end_ends_background_commands_too(own: OwnStage) -> None:
    it = await own(mode="auto")
    it.model.reply(call("run_command", {"command": "setsid sleep 1006", "background": True}))
    it.model.reply(text("It runs."))
    await it.turn()
    sleepers = await _asleep("1006")
    it.scene.client.close_stdin()
    await it.scene.client.ended()
    _, left = psutil.wait_procs(sleepers, timeout=IN_TIME)
    assert left == []


# Streams that break, calls that cannot be.


@requirement("C-03")
@in_each_dialect
async def test_a_call_inside_which_the_stream_dies_is_not_made(own: OwnStage, dialect: str) -> None:
    it = await own(dialect, mode="auto")
    broken = (
        [call("run_command", {"command": "touch one"}), cut()]
        if dialect == "ollama"
        else [
            call("run_command", {"command": "touch one"}),
            begin(9, "run_command"),
            more(9, '{"command": "touch two"'),
            cut(),
        ]
    )
    it.model.reply(text("I begin."), *broken)
    it.model.reply(text("I go on."))
    assert (await it.turn()).reason == "done"
    assert not (it.scene.folder / "two").exists()
    assert (it.scene.folder / "one").exists(), "what was whole was done, and its result is kept"
    assert "The connection broke off after this." in it.model.requests[1].last


@requirement("T-07")
@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
async def test_interleaved_calls_under_the_same_id_are_two_calls(
    own: OwnStage, dialect: str
) -> None:
    it = await own(dialect, mode="auto")
    it.model.reply(
        begin(0, "write_file", id="same"),
        begin(1, "write_file", id="same"),
        more(0, '{"path": "a.txt", '),
        more(1, '{"path": "b.txt", "content": "b"}'),
        whole(1),
        more(0, '"content": "a"}'),
        whole(0),
    )
    it.model.reply(text("Two files."))
    await it.turn()
    assert (it.scene.folder / "a.txt").read_text() == "a"
    assert (it.scene.folder / "b.txt").read_text() == "b"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("read_file", '{"path": ', "JSON"),
        ("read_file", {}, "path"),
        ("read_file", {"path": 7}, "path"),
        ("read_file", {"path": "README.md", "sudo": True}, "sudo"),
        ("run_command", {"command": ["ls"]}, "command"),
        ("teleport", {"to": "Mars"}, "teleport"),
    ],
)
@requirement("T-05")
async def test_a_call_that_is_none_goes_back_to_the_model_and_never_becomes_a_card(
    own: OwnStage, name: str, arguments: Any, words: str
) -> None:
    it = await own()
    it.model.reply(call(name, arguments))
    it.model.reply(text("Sorry."))
    assert (await it.turn()).reason == "done"
    assert words in it.model.requests[1].last
    assert it.scene.client.told("tool/approvalRequest") == []


@in_each_dialect
async def test_a_megabyte_of_arguments_is_written_as_it_is(own: OwnStage, dialect: str) -> None:
    it = await own(dialect, mode="acceptEdits")
    content = "a line of text, and another ü\n" * 35_000
    it.model.reply(call("write_file", {"path": "large.txt", "content": content}, pieces=2_000))
    it.model.reply(text("Written."))
    assert (await it.turn()).reason == "done"
    assert (it.scene.folder / "large.txt").read_text() == content


async def test_the_same_call_for_the_third_time_in_a_row_is_asked_about(own: OwnStage) -> None:
    it = await own()
    for _ in range(3):
        it.model.reply(call("read_file", {"path": "README.md"}))
    it.model.reply(text("I went in circles."))
    turn = it.say()
    card = await it.scene.card()
    assert "third time" in card.card.because.text
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


@requirement("T-14")
async def test_a_turn_makes_no_more_changes_than_it_may(own: OwnStage) -> None:
    it = await own(mode="acceptEdits", writesPerTurn=2)
    it.model.reply(*(call("write_file", {"path": f"{n}.txt", "content": "x"}) for n in range(4)))
    it.model.reply(text("Enough."))
    await it.turn()
    assert sorted(path.name for path in it.scene.folder.glob("*.txt")) == ["0.txt", "1.txt"]


@requirement("T-14")
async def test_a_turn_has_an_end_also_when_the_model_knows_none(own: OwnStage) -> None:
    it = await own(requestsPerTurn=3)
    for number in range(3):
        it.model.reply(call("read_file", {"path": f"{number}"}))
    ended = await it.turn()
    assert ended.reason == "limit"
    assert "3" in ended.because
    # The chat keeps that, so that each view can offer to go on.
    subscribed = await it.scene.client.request("agent/subscribe", {"viewId": "view"})
    (chat,) = subscribed.snapshot.chats
    assert chat.limit == ended.because
    it.model.reply(text("Done."))
    assert (await it.turn("Go on.")).reason == "done"
    subscribed = await it.scene.client.request("agent/subscribe", {"viewId": "view"})
    assert not subscribed.snapshot.chats[0].limit


async def test_an_edit_is_undone_from_its_record(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    it.model.reply(
        call("edit_file", {"path": "README.md", "edits": [{"old": "small", "new": "large"}]})
    )
    it.model.reply(text("Done."))
    await it.turn()
    readme = it.scene.folder / "README.md"
    assert readme.read_text() == "A large workspace.\n"
    record = await it.scene.reaches(it.chat, "succeeded", "README.md")
    assert record.may == ["undo"]
    await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert readme.read_text() == "A small workspace.\n"
    assert (await it.scene.reaches(it.chat, "succeeded", "README.md")).may == []


async def test_no_edit_is_undone_that_the_journal_cannot_hold(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    it.model.reply(
        call("edit_file", {"path": "README.md", "edits": [{"old": "small", "new": "large"}]})
    )
    it.model.reply(text("Done."))
    await it.turn()
    record = await it.scene.reaches(it.chat, "succeeded", "README.md")
    for path in it.scene.state.glob("journal.db*"):
        path.unlink()
    (it.scene.state / "journal.db").mkdir()
    with pytest.raises(Refusal, match="journal"):
        await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert (it.scene.folder / "README.md").read_text() == "A large workspace.\n"


# Parts of the work.


@requirement("N-06")
async def test_three_parts_deep_in_plan_mode_nothing_is_written(own: OwnStage) -> None:
    it = await own(mode="plan")
    for depth in ("one", "two", "three"):
        it.model.reply(call("run_subtask", {"name": depth, "prompt": f"do {depth}"}))
    it.model.reply(call("write_file", {"path": "a.txt", "content": "x"}), when="do three")
    it.model.reply(text("It may not be."), when="Plan mode")
    for depth in ("two", "one", "whole"):
        it.model.reply(text(f"{depth} is told."))
    assert (await it.turn()).reason == "done"
    assert not (it.scene.folder / "a.txt").exists()
    refused = await it.scene.reaches(it.chat, "refused")
    assert refused.part == "one › two › three"
    assert it.scene.client.told("tool/approvalRequest") == []


@requirement("N-06")
async def test_the_card_of_a_part_says_for_which_part_it_is(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("run_subtask", {"name": "tidy up", "prompt": "tidy up the folder"}))
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Tidied."))
    it.model.reply(text("All is done."))
    turn = it.say()
    card = await it.scene.card()
    assert "tidy up" in "".join(span.text for span in card.card.says)
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    assert not (it.scene.folder / "made").exists()


# Hooks.


def _hook(folder: Path, script: str) -> list[dict[str, Any]]:
    path = folder / "hook.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    # Only what never ends by itself has to be given up soon.
    seconds = 2 if script.startswith("sleep") else 10
    return [{"event": "PreToolUse", "command": str(path), "name": "check", "seconds": seconds}]


@requirement("C-08")
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'not on Fridays' >&2; exit 2", "not on Fridays"),
        ("""echo '{"decision": "deny", "because": "too risky"}'""", "too risky"),
    ],
)
async def test_a_hook_denies_and_the_model_hears_why(
    own: OwnStage, tmp_path: Path, script: str, words: str
) -> None:
    it = await own(mode="auto", hooks=_hook(tmp_path, script))
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("All right."))
    assert (await it.turn()).reason == "done"
    assert words in it.model.requests[1].last
    assert not (it.scene.folder / "made").exists()


@requirement("C-08")
async def test_a_hook_rewrites_and_what_it_made_of_the_call_is_what_runs(
    own: OwnStage, tmp_path: Path
) -> None:
    script = """echo '{"input": {"command": "touch rewritten"}}'"""
    it = await own(hooks=_hook(tmp_path, script))
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Done."))
    turn = it.say()
    card = await it.scene.card()
    assert "touch rewritten" in "".join(span.text for span in card.card.title)
    await it.scene.answer(card, "once")
    await turn
    assert (it.scene.folder / "rewritten").exists()
    assert not (it.scene.folder / "made").exists()


@requirement("C-08")
@pytest.mark.parametrize("script", ["sleep 1007", "kill -9 $$", "exit 7", "echo nonsense"])
async def test_a_hook_that_hangs_crashes_or_babbles_asks(
    own: OwnStage, tmp_path: Path, script: str
) -> None:
    it = await own(mode="auto", hooks=_hook(tmp_path, script))
    it.model.reply(call("read_file", {"path": "README.md"}))
    it.model.reply(text("Pity."))
    turn = it.say()
    card = await it.scene.card()
    assert "check" in card.card.because.text
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    if script.startswith("sleep"):
        is_gone = partial(until, lambda: not _sleepers("1007"), within=IN_TIME, what="it is gone")
        await asyncio.to_thread(is_gone)


# What is said where there is no model.


async def test_without_a_model_the_person_is_told_how_to_get_one(own: OwnStage) -> None:
    it = await own()
    await it.scene.change_settings(user={"models": []})
    agents = (await it.scene.client.request("agent/list")).agents
    (ours,) = [agent for agent in agents if agent.id == "assent"]
    assert (ours.state, ours.models) == ("failed", [])
    assert "Ollama" in ours.because


async def test_a_chat_goes_on_with_another_model(own: OwnStage) -> None:
    it = await own()
    other = {"provider": "ollama", "model": "second", "url": it.model.url_for("ollama")}
    first = it.scene.editor.layers["user"]["models"][0]
    await it.scene.change_settings(user={"models": [first, other]})
    it.model.reply(text("One."))
    it.model.reply(text("Two."))
    await it.turn("first")
    params = {"chatId": it.chat, "model": "ollama/second"}
    await it.scene.client.request("agent/setModel", params)
    await it.turn("second")
    assert [asked.body["model"] for asked in it.model.requests] == ["tiny", "second"]
    assert "One." in json.dumps(it.model.requests[1].body), "it knows what was said before"


async def test_an_ollama_that_comes_later_is_found_when_the_view_is_opened(own: OwnStage) -> None:
    it = await own()
    await it.scene.change_settings(user={"models": []})
    it.model.tags.append({"name": "tiny"})
    await it.scene.client.request("agent/subscribe", {"viewId": "v"})

    def offered() -> bool:
        told = [e.event for e in it.scene.client.told("agent/event") if e.event.kind == "agents"]
        ours = [agent for agent in told[-1].agents if agent.id == "assent"]
        return [model.id for model in ours[0].models] == ["ollama/tiny"]

    await it.scene.client.until(offered, within=IN_TIME)


async def test_a_host_that_is_not_there_is_named_with_what_to_do(own: OwnStage) -> None:
    it = await own("ollama")
    given = {"provider": "ollama", "model": "tiny", "url": "http://127.0.0.1:9"}
    await it.scene.change_settings(user={"models": [given]})
    ended = await it.turn()
    assert ended.reason == "error"
    assert "http://127.0.0.1:9" in ended.because
    assert "ollama serve" in ended.because


async def test_how_much_a_model_thinks_is_chosen_for_a_chat(own: OwnStage) -> None:
    it = await own()
    client = it.scene.client
    url = it.model.url_for("openai")
    models = [
        {"provider": "openai", "model": "gpt-oss:20b", "name": "a", "url": url, "effort": "low"},
        {"provider": "openai", "model": "tiny", "name": "b", "url": url},
    ]
    await it.scene.change_settings(user={"models": models})
    chat = await it.scene.chat("assent", model="a")
    for effort, told in ((..., "low"), ("high", "high"), (None, None)):
        if effort is not ...:
            await client.request("agent/setEffort", {"chatId": chat, "effort": effort})
        it.model.reply(text("So."))
        await it.scene.turn(chat, "Go.")
        assert it.model.requests[-1].body.get("reasoning_effort") == told
    opened = [it.event.chat for it in client.told("agent/event") if it.event.kind == "chatOpened"]
    assert (opened[-1].effort, opened[-1].efforts) == ("low", ["low", "medium", "high"])
    with pytest.raises(Exception, match="cannot be told to think so much"):
        await client.request("agent/setEffort", {"chatId": chat, "effort": "max"})
    await client.request("agent/setModel", {"chatId": chat, "model": "b"})
    last = [it.event for it in client.told("agent/event") if it.event.kind == "model"][-1]
    assert (last.model, last.effort, last.efforts) == ("b", None, [])


async def test_a_host_that_is_busy_is_asked_again_when_it_says_or_the_person_does(
    own: OwnStage,
) -> None:
    it = await own()
    client = it.scene.client
    it.model.reply(status(503, "busy", headers={"retry-after": "300"}))
    it.model.reply(text("Here I am."))
    turn = it.say()
    told = await client.expect("agent/event", lambda told: told.event.kind == "waiting")
    waiting = told.event.waiting
    assert "is overloaded" in waiting.because
    assert waiting.until - waiting.now == 300_000
    again = await client.request("agent/subscribe", {"viewId": "late", "have": None})
    (chat,) = again.snapshot.chats
    assert chat.waiting.until == waiting.until
    await client.request("agent/tryNow", {"chatId": it.chat})
    assert (await turn).reason == "done"
    assert it.scene.heard(it.chat) == "Here I am."
    told = [it for it in client.told("agent/event") if it.event.kind == "waiting"]
    assert told[-1].event.waiting is None


async def test_a_key_goes_to_its_host_and_nowhere_else(own: OwnStage) -> None:
    it = await own()
    key = "sk-a-very-secret-key"
    it.scene.editor.secrets["modelKey.MY_KEY"] = key
    given = {
        "provider": "openai",
        "model": "tiny",
        "url": it.model.url_for("openai"),
        "key": "MY_KEY",
    }
    await it.scene.change_settings(user={"models": [given]})
    it.model.reply(text("Hello."))
    await it.turn()
    assert it.model.requests[0].headers["authorization"] == f"Bearer {key}"
    assert key not in it.scene.client.log
    assert all(key not in repr(told) for told in it.scene.client.notices)
    assert all(key not in repr(row) for row in it.scene.rows())


def _tool_results(body: dict[str, Any]) -> list[str]:
    return [it["content"] for it in body["messages"] if it["role"] == "tool"]


async def _asleep(*seconds: str) -> list[psutil.Process]:
    """The commands that sleep so long, once a shell has started each of them."""
    await asyncio.to_thread(
        until,
        lambda: len(_sleepers(*seconds)) >= len(seconds),
        within=IN_TIME,
        what="commands that sleep",
    )
    return _sleepers(*seconds)


def _sleepers(*seconds: str) -> list[psutil.Process]:
    return [
        it
        for it in psutil.process_iter(["cmdline"])
        if it.info["cmdline"]
        and it.info["cmdline"][-2:-1] == ["sleep"]
        and it.info["cmdline"][-1] in seconds
    ]


@requirement("T-13")
async def test_an_edit_whose_file_changed_under_its_card_is_shown_and_asked_about_again(
    own: OwnStage,
) -> None:
    it = await own()
    path = it.scene.folder / "till.txt"
    path.write_text("one\ntwo\n")
    edits = [{"old": "two", "new": "2"}]
    it.model.reply(call("edit_file", {"path": "till.txt", "edits": edits}))
    it.model.reply(text("Done."))
    turn = it.say()
    first = await it.scene.card()
    path.write_text("zero\none\ntwo\n")
    stale = await it.scene.answer(first, "once")
    assert stale.kind == "stale"
    second = await it.scene.card(lambda one: one.revision > first.revision)
    assert second.approval_id == first.approval_id
    assert stale.current.revision == second.revision
    assert path.read_text() == "zero\none\ntwo\n"
    assert (await it.scene.answer(second, "once")).kind == "applied"
    assert (await turn).reason == "done"
    assert path.read_text() == "zero\none\n2\n"
