"""Eliza as anybody meets her: over a real process, through a fleet and a real gate."""

import asyncio
import json
from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.approvals.tickets import OptionKind, Outcome
from assent.gate.call.calls import Call, Effect
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import CallMoved, Noticed, Said, TurnBegan, TurnEnded
from assent.hosting.eliza.verbs import HELP
from hosting.eliza.rig import BOUND, Rig


async def test_she_answers_in_conversation_and_her_turn_ends(rig: Rig) -> None:
    await rig.open()
    assert await rig.say("I want to sleep") == ("done", "")
    assert "get sleep" in rig.said()
    turns = [one for one in rig.happened if isinstance(one, TurnBegan | TurnEnded)]
    assert turns == [
        TurnBegan(chat=rig.chat),
        TurnEnded(chat=rig.chat, reason="done"),
    ]


async def test_no_word_of_hers_is_lost_or_moved_on_the_way(rig: Rig) -> None:
    await rig.open()
    await rig.say("help")
    assert rig.said() == HELP + "\n\n"
    last_said = max(i for i, one in enumerate(rig.happened) if isinstance(one, Said))
    assert isinstance(rig.happened[last_said + 1], TurnEnded)


@pytest.mark.requirement("S-01", "S-06")
async def test_what_is_allowed_is_done_and_told(rig: Rig) -> None:
    await rig.open()
    ended, call = await rig.turn("write notes.txt one two", "once")
    assert ended == ("done", "")
    assert (rig.root / "notes.txt").read_text() == "one two\n"
    assert rig.states(call) == [
        State.PROPOSED,
        State.WAITING,
        State.RUNNING,
        State.SUCCEEDED,
    ]
    ticket, settlement = rig.closed[0]
    assert ticket.chat == rig.chat
    assert ticket.digest == call.digest
    assert settlement.outcome is Outcome.ALLOWED


@pytest.mark.requirement("T-05")
async def test_a_command_that_was_refused_leaves_no_trace_on_the_disk(rig: Rig) -> None:
    await rig.open()
    ended, call = await rig.turn("run touch trace", "deny")
    assert ended == ("done", "")
    assert not (rig.root / "trace").exists()
    assert rig.states(call)[-1] is State.REFUSED
    assert "I was not allowed" in rig.said()


@pytest.mark.requirement("T-05")
async def test_the_persons_words_reach_her_with_the_refusal(rig: Rig) -> None:
    await rig.open()
    await rig.turn("write a.txt x", "tell", "put it under docs")
    assert "put it under docs" in rig.said()
    prompts = [one for one in rig.happened if isinstance(one, Said) and one.who == "user"]
    assert len(prompts) == 1


async def test_nobodys_answer_is_a_refusal_that_says_so(rig: Rig) -> None:
    rig.patience = 0.01
    await rig.open()
    await rig.say("run touch trace")
    assert rig.closed[0][1].by is Actor.TIMEOUT
    assert "Nobody answered in time" in rig.said()
    assert not (rig.root / "trace").exists()


async def test_a_command_that_fails_is_told_as_failed_with_its_output(rig: Rig) -> None:
    await rig.open()
    _, call = await rig.turn("run echo before; exit 3", "once")
    assert rig.states(call)[-1] is State.FAILED
    assert rig.output(call) == "before\n[exit code 3]\n"


async def test_a_reading_inside_passes_unasked_and_is_kept(rig: Rig) -> None:
    (rig.root / "read.me").write_text("what it says")
    await rig.open()
    assert await rig.say("read read.me") == ("done", "")
    assert rig.opened == []
    call = next(one.call for one in rig.happened if isinstance(one, CallMoved))
    assert (call.tool, call.effect) == ("read", Effect.READ)
    assert rig.output(call) == "what it says"
    kinds = [row["kind"] for row in await rig.journal.rows(call=call.id)]
    assert kinds == ["decided", "ended"]


async def test_a_reading_outside_is_asked_about(rig: Rig) -> None:
    outside = rig.root.parent / "secret"
    outside.write_text("s")
    await rig.open()
    _, call = await rig.turn(f"read {outside}", "deny")
    assert [target.inside for target in call.targets] == [False]


@pytest.mark.requirement("S-01")
async def test_a_lying_title_changes_nothing_in_the_call(rig: Rig) -> None:
    await rig.open()
    _, call = await rig.turn("spoof touch spoofed", "deny")
    assert call.says == "Read README.md"
    assert (call.tool, call.effect) == ("shell", Effect.EXECUTE)
    assert call.input == {"command": "touch spoofed", "cwd": str(rig.root)}
    assert call.targets == ()
    assert not (rig.root / "spoofed").exists()


@pytest.mark.requirement("S-01")
async def test_a_call_that_was_not_asked_for_raises_the_alarm_once(rig: Rig) -> None:
    await rig.open()
    await rig.say("cheat touch cheated")
    assert (rig.root / "cheated").exists()
    assert rig.notices("error") == ["Eliza ran “touch cheated” without asking."]
    assert [it.alarm for it in rig.happened if isinstance(it, Noticed)] == [True]
    rows = await rig.journal.rows(kind="noted")
    assert len(rows) == 1
    assert "without asking" in rows[0]["body"]


@pytest.mark.requirement("T-07")
async def test_two_calls_of_one_turn_are_answered_apart(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "two calls"))
        one, other = await rig.ticket(1), await rig.ticket(2)
        writing, running = sorted((one, other), key=_tool, reverse=True)
        await rig.answer(running, "once")
        # The allowed one runs to its end while the other still waits.
        await rig.until(lambda: rig.states(_call(running))[-1] is State.SUCCEEDED)
        assert rig.states(_call(writing))[-1] is State.WAITING
        await rig.answer(writing, "deny")
    assert turn.result() == ("done", "")
    assert not (rig.root / "eliza-was-here.txt").exists()
    assert rig.output(_call(running)) == "Two calls, two cards.\n"


@pytest.mark.requirement("C-06")
async def test_an_approval_does_not_reach_the_same_call_made_again(rig: Rig) -> None:
    await rig.open()
    _, first = await rig.turn("run echo x", "once")
    _, again = await rig.turn("run echo x", "deny")
    assert first.id != again.id
    assert first.likeness == again.likeness
    assert rig.states(again)[-1] is State.REFUSED


async def test_many_calls_at_once_are_all_asked_and_all_run(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "many 7"))
        for number in range(1, 8):
            await rig.answer(await rig.ticket(number), "once")
    assert turn.result() == ("done", "")
    outputs = sorted(rig.output(_call(ticket)) for ticket, _ in rig.closed)
    assert outputs == [f"call {number} of 7\n" for number in range(1, 8)]


async def test_what_she_would_remember_herself_is_offered_verbatim_and_chosen_by_id(
    rig: Rig,
) -> None:
    await rig.open()
    _, call = await rig.turn("run echo x", "agent:allow_always")
    assert [(offer.id, offer.label) for offer in call.offers] == [
        ("allow_always", "Always allow this")
    ]
    assert rig.states(call)[-1] is State.SUCCEEDED
    chosen = rig.closed[0][1].option
    assert chosen is not None
    assert chosen.kind is OptionKind.AGENT_ALWAYS


@pytest.mark.requirement("T-08")
async def test_stop_refuses_every_open_question_and_ends_the_turn(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "two calls"))
        await rig.ticket(2)
        await rig.fleet.stop(rig.chat)
    assert turn.result()[0] == "stopped"
    assert [settlement.by for _, settlement in rig.closed] == [Actor.STOP, Actor.STOP]
    assert list(rig.root.iterdir()) == []


@pytest.mark.requirement("T-08")
async def test_stop_ends_a_command_that_runs(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "run echo on; sleep 600; touch late"))
        ticket = await rig.ticket()
        await rig.answer(ticket, "once")
        await rig.until(lambda: rig.output(_call(ticket)))
        await rig.fleet.stop(rig.chat)
    assert turn.result()[0] == "stopped"
    assert rig.states(_call(ticket))[-1] is State.KILLED
    assert not (rig.root / "late").exists()


async def test_the_next_turn_after_a_stop_is_an_ordinary_one(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "run touch no"))
        await rig.ticket()
        await rig.fleet.stop(rig.chat)
    ended, _ = await rig.turn("run touch yes", "once")
    assert ended == ("done", "")
    assert [path.name for path in rig.root.iterdir()] == ["yes"]


async def test_what_plan_mode_denies_is_refused_with_its_reason(rig: Rig) -> None:
    rig.mode = Mode.PLAN
    await rig.open()
    await rig.say("run touch trace")
    assert rig.opened == []
    assert "Plan mode does not let agents run commands" in rig.said()


async def test_the_alarm_does_not_wait_for_a_command_to_end(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "cheat sleep 1000"))
        await rig.until(lambda: rig.notices("error"))
        assert not turn.done()
        await rig.fleet.stop(rig.chat)
    assert rig.notices("error")[0] == "Eliza ran “sleep 1000” without asking."


@pytest.mark.requirement("S-01", "S-06")
async def test_a_tool_of_a_server_is_judged_as_that_tool_and_really_used(rig: Rig) -> None:
    await rig.open()
    wanted = 'use tool toolbox::shout with {"text": "hello there"}'
    _, call = await rig.turn(wanted, "once")
    given = {"server": "toolbox", "tool": "shout", "arguments": {"text": "hello there"}}
    assert (call.tool, call.input) == ("mcp", given)
    assert rig.output(call) == "HELLO THERE"
    assert rig.states(call)[-1] is State.SUCCEEDED


async def test_a_tool_of_a_server_that_was_refused_starts_nothing(rig: Rig, tmp_path: Path) -> None:
    trace = tmp_path / "started"
    server = {"mine": {"command": "touch", "args": [str(trace)]}}
    env = {**rig.agent.env, "ELIZA_SERVERS": json.dumps(server)}
    rig.agent = evolve(rig.agent, env=env)
    await rig.open()
    await rig.turn("use tool mine::x", "deny")
    assert not trace.exists()
    _, call = await rig.turn("use tool mine::x", "once")
    assert trace.exists()
    assert rig.states(call)[-1] is State.FAILED
    assert rig.output(call) == "mine ended without an answer."


async def test_listing_tools_asks_to_start_the_server(rig: Rig) -> None:
    await rig.open()
    _, call = await rig.turn("list tools from toolbox", "once")
    assert call.tool == "shell"
    assert str(call.input["command"]).endswith("-m assent.hosting.eliza.toolbox")
    assert rig.output(call) == "shout: Gives a text back in capitals\nadd: Adds numbers"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("list tools from nowhere", "I know no server called nowhere."),
        ("use tool nowhere::x with {}", "I know no server called nowhere."),
        ("use tool toolbox", "I use a tool as in"),
        ("use tool toolbox::add with [1]", "I use a tool as in"),
    ],
)
async def test_a_server_or_a_tool_that_is_not_clear_is_said(
    rig: Rig, words: str, said: str
) -> None:
    await rig.open()
    await rig.say(words)
    assert rig.said().startswith(said)
    assert rig.opened == []


@pytest.mark.parametrize(
    ("arguments", "well", "output"),
    [
        ('add with {"numbers": [1, 2.5]}', True, "3.5"),
        ("add with {}", False, "The arguments do not fit: 'numbers'"),
        ("none", False, "There is no such tool."),
    ],
)
async def test_what_a_server_answers_is_told(
    rig: Rig, arguments: str, well: bool, output: str
) -> None:
    await rig.open()
    _, call = await rig.turn(f"use tool toolbox::{arguments}", "once")
    assert rig.output(call) == output
    assert rig.states(call)[-1] is (State.SUCCEEDED if well else State.FAILED)


async def test_a_change_shows_what_really_stands_in_the_file(rig: Rig) -> None:
    (rig.root / "a.txt").write_text("as it is\n")
    await rig.open()
    _, call = await rig.turn("write a.txt as it will be", "once")
    assert [(edit.old, edit.new) for edit in call.edits] == [("as it is\n", "as it will be\n")]


async def test_a_second_chat_shares_her_process_and_nothing_else(rig: Rig) -> None:
    await rig.open()
    other = type(rig.chat)("chat-2")
    await rig.fleet.open(other, rig.agent, str(rig.root))
    assert len(rig.fleet._hosts._alive) == 1
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        held = group.create_task(rig.fleet.prompt(rig.chat, "run touch held"))
        await rig.ticket(1)
        assert await rig.fleet.prompt(other, "hello") == ("done", "")
        await rig.fleet.close(other)
        assert len(rig.gate.room.tickets) == 1
        await rig.answer(rig.opened[0], "deny")
    assert held.result() == ("done", "")


def _tool(ticket: object) -> str:
    return _call(ticket).tool


def _call(ticket: object) -> Call:
    call = ticket.asks  # type: ignore[attr-defined]
    assert isinstance(call, Call)
    return call
