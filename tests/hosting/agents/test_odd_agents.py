"""Agents that are broken, forward or hostile: nothing runs that was not allowed."""

import asyncio
from collections.abc import Callable

import pytest
from attrs import evolve

from assent.gate.approvals.tickets import Ticket
from assent.gate.call.calls import Call, ChatId, Effect
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import (
    AgentMoved,
    CallMoved,
    Noticed,
    PlanLine,
    PlanMade,
    Said,
    TurnEnded,
)
from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]


async def test_an_agent_that_floods_its_errors_still_starts(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        sys.stderr.write("noise " * 500_000)
        sys.stderr.flush()
        number = begin()
        say("here")
        end(number)
        until("never")
        """
    )
    await rig.open()
    assert await rig.say("hello") == ("done", "")
    assert rig.said() == "here"


async def test_updates_of_unknown_kinds_and_broken_ones_are_let_pass(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin({"unheardOf": True})
        update(sessionUpdate="compaction_update", so=1)
        update(sessionUpdate=["no"])
        update(sessionUpdate="tool_call")
        update(sessionUpdate="tool_call", toolCallId=5, content="x")
        update(sessionUpdate="plan", entries="none")
        update(sessionUpdate="agent_message_chunk", content=7)
        send(method="session/update", params={"sessionId": "s"})
        send(method="session/update", params=[1])
        send(method="session/update", params={"sessionId": "another", "update": {}})
        send(method="unheard/of", params={})
        sys.stdout.write("this is no JSON\\n[1]\\n\\n17\\n")
        send(id=99, result={})
        say("still here")
        end(number)
        until("never")
        """
    )
    await rig.open()
    assert await rig.say("hello") == ("done", "")
    assert rig.said().endswith("still here")


async def test_what_we_do_not_offer_is_answered_as_unknown(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        told = []
        for method in ("fs/read_text_file", "fs/write_text_file", "terminal/create"):
            send(id=method, method=method, params={"sessionId": "s", "path": "a"})
            told.append(answer_to(method)["error"]["code"])
        send(id="x", method="session/request_permission", params={"sessionId": "s"})
        told.append(answer_to("x")["error"]["code"])
        say(repr(told))
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.said() == "[-32601, -32601, -32601, -32602]"
    assert rig.opened == []


async def test_a_permission_without_anything_to_judge_is_asked_as_unreadable(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "title": "Read README.md", "kind": "read"})
        say(json.dumps(answer_to(1)["result"]["outcome"]))
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "deny")
    assert call.unreadable is not None
    assert call.effect is Effect.EXTERNAL
    assert rig.said() == '{"outcome": "selected", "optionId": "no"}'


async def test_what_was_told_of_a_call_before_counts_when_it_is_asked_for(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        update(sessionUpdate="tool_call", toolCallId="t", title="A", kind="execute",
               rawInput={"command": "true"}, status="pending")
        ask(1, {"toolCallId": "t"})
        say(json.dumps(answer_to(1)["result"]["outcome"]))
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "once")
    assert call.input == {"command": "true"}
    assert rig.said() == '{"outcome": "selected", "optionId": "yes"}'
    # The agent never said how the call ended, and nobody claims to know.
    assert rig.states(call)[-1] is State.FAILED


async def test_nothing_in_meta_gets_into_the_call(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        lie = {"toolCall": {"toolCallId": "t", "rawInput": {"command": "ls"}},
               "tool_call": {"title": "read"}, "sessionId": "trusted"}
        send(id=1, method="session/request_permission",
             params={"sessionId": "s", "options": [ONCE, NO], "_meta": lie,
                     "toolCall": {"toolCallId": "t", "rawInput": {"command": "rm -rf /"}}})
        answer_to(1)
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "deny")
    assert call.input == {"command": "rm -rf /"}


@pytest.mark.requirement("C-06")
async def test_an_id_that_is_used_again_inherits_nothing(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "title": "A", "rawInput": {"command": "true"}})
        answer_to(1)
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        ask(2, {"toolCallId": "t", "title": "B"})
        answer_to(2)
        update(sessionUpdate="tool_call", toolCallId="t", title="C", status="in_progress",
               rawInput={"command": "false"})
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.answer(await rig.ticket(1), "once")
        again = await rig.ticket(2)
        await rig.answer(again, "deny")
    assert call_of(again).unreadable is not None
    assert rig.notices("error") == ["Odd ran “false” without asking."] or rig.notices("error") == [
        "Odd ran “false” although it had been refused."
    ]


async def test_a_call_that_goes_on_before_it_is_asked_for_raises_no_alarm(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        update(sessionUpdate="tool_call", toolCallId="t", title="T", status="in_progress",
               rawInput={"command": "true"})
        ask(1, {"toolCallId": "t"})
        answer_to(1)
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.turn("hello", "once")
    assert rig.notices("error") == []


async def test_a_call_that_runs_without_waiting_for_the_answer_raises_the_alarm(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        answer_to(1)
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        await rig.until(lambda: rig.notices("error"))
        await rig.answer(ticket, "deny")
    assert rig.notices("error") == ["Odd ran “true” without waiting for the answer."]


async def test_a_question_holds_up_nothing_that_comes_behind_it(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        say("before")
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        say("behind")
        answer_to(1)
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        await rig.until(lambda: "behind" in rig.said())
        await rig.answer(ticket, "deny")
    order = [
        one.text if isinstance(one, Said) else "the call"
        for one in rig.happened
        if (isinstance(one, Said) and one.who == "agent")
        or (isinstance(one, CallMoved) and one.state is State.PROPOSED)
    ]
    assert order == ["before", "the call", "behind"]


async def test_an_agent_that_offers_only_for_ever_is_not_given_it(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}}, [ALWAYS, NO])
        say(json.dumps(answer_to(1)["result"]["outcome"]))
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "once")
    assert rig.said() == '{"outcome": "cancelled"}'
    assert rig.states(call)[-1] is State.KILLED
    assert len(rig.notices("warning")) == 1


async def test_options_of_kinds_that_nobody_knows_are_never_chosen(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        odd = {"optionId": "all", "name": "Everything", "kind": "allow_all_of_it"}
        bare = {"optionId": "bare"}
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}}, [odd, bare, ONCE])
        say(json.dumps(answer_to(1)["result"]["outcome"]))
        ask(2, {"toolCallId": "u", "rawInput": {"command": "true"}}, [odd, bare, ONCE])
        say(json.dumps(answer_to(2)["result"]["outcome"]))
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
    assert rig.said() == '{"outcome": "selected", "optionId": "yes"}{"outcome": "cancelled"}'


@pytest.mark.requirement("T-05")
async def test_the_persons_words_reach_an_agent_that_reads_no_reasons_as_a_prompt(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "rm x"}})
        answer_to(1)
        end(number)
        prompt = until("session/prompt")
        say(prompt["params"]["prompt"][0]["text"])
        end(prompt["id"])
        until("never")
        """
    )
    await rig.open()
    ended, _ = await rig.turn("hello", "tell", "use git rm")
    assert ended == ("done", "")
    assert rig.said() == "The person denied `rm x` and says: use git rm"
    assert len([one for one in rig.happened if isinstance(one, TurnEnded)]) == 1


async def test_an_agent_may_withdraw_its_question(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        send(method="$/cancel_request", params={"requestId": 1})
        say(str(answer_to(1)["error"]["code"]))
        end(number)
        until("never")
        """
    )
    await rig.open()
    assert await rig.say("hello") == ("done", "")
    assert rig.said() == "-32800"
    assert rig.gate.room.tickets == ()
    moves = [one.state for one in rig.happened if isinstance(one, CallMoved)]
    assert moves[-1] is State.REFUSED
    assert State.RUNNING not in moves


@pytest.mark.requirement("T-08")
async def test_stop_answers_every_open_permission_with_cancelled(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        ask(2, {"toolCallId": "u", "rawInput": {"command": "true"}})
        until("session/cancel")
        said = [answer_to(1)["result"]["outcome"], answer_to(2)["result"]["outcome"]]
        ask(3, {"toolCallId": "v", "rawInput": {"command": "true"}})
        said.append(answer_to(3)["result"]["outcome"])
        say(json.dumps(said))
        end(number, "cancelled")
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket(2)
        await rig.fleet.stop(rig.chat)
    assert turn.result()[0] == "stopped"
    assert rig.said() == str([{"outcome": "cancelled"}] * 3).replace("'", '"')
    assert [settlement.by for _, settlement in rig.closed] == [Actor.STOP, Actor.STOP]


async def test_an_agent_that_does_not_stop_is_ended(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        begin()
        say("deaf")
        while True:
            time.sleep(600)
        """
    )
    quick = rig.new_fleet(evolve(PATIENCE, stop=0.05, stubborn=0.05, ending=0.05))
    async with quick:
        await quick.open(rig.chat, rig.agent, str(rig.root))
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            turn = group.create_task(quick.prompt(rig.chat, "hello"))
            await rig.until(rig.said)
            await quick.stop(rig.chat)
    assert turn.result()[0] == "stopped"
    assert rig.notices("warning") == [
        "Odd was told to stop and has not stopped yet.",
        "Odd did not stop, so its process was ended.",
    ]


@pytest.mark.requirement("S-01")
async def test_an_agent_that_dies_with_a_question_open_settles_it_and_nothing_runs(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        until("test/die")
        sys.stderr.write("out of luck\\n")
        sys.stderr.flush()
        os._exit(7)
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        rig.fleet._hosts._newest["odd"].peer.tell("test/die", {})
    reason, because = turn.result()
    assert reason == "error"
    assert because == "Odd ended (exit code 7). Its last words were:\nout of luck"
    assert rig.notices("error") == [because]
    assert [settlement.by for _, settlement in rig.closed] == [Actor.AGENT_GONE]
    assert rig.states(call_of(rig.opened[0]))[-1] is State.REFUSED
    moved = [one for one in rig.happened if isinstance(one, AgentMoved)]
    assert moved[-1].state == "failed"


async def test_an_agent_that_dies_while_a_call_runs_is_told_as_killing_it(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        answer_to(1)
        os._exit(0)
        """
    )
    await rig.open()
    ended, call = await rig.turn("hello", "once")
    assert ended[0] == "error"
    assert rig.states(call)[-1] is State.KILLED


async def test_the_next_prompt_starts_a_dead_agent_anew_and_says_so(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        if os.path.exists(os.environ["MARK"]):
            say("again")
            end(number)
            until("never")
        open(os.environ["MARK"], "w").close()
        """,
        env={"MARK": str(rig.root / "was-here")},
    )
    await rig.open()
    assert (await rig.say("one"))[0] == "error"
    assert await rig.say("two") == ("done", "")
    assert rig.said() == "again"
    assert rig.notices("info") == ["Odd was started anew and does not know what was said before."]


async def test_an_agent_that_uses_an_id_for_two_questions_is_ended(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        ask(1, {"toolCallId": "u", "rawInput": {"command": "rm -rf /"}})
        until("never")
        """
    )
    await rig.open()
    reason, because = await rig.say("hello")
    assert reason == "error"
    assert because.startswith("Odd was ended, because it used the request id 1 for two questions")
    assert {settlement.by for _, settlement in rig.closed} <= {Actor.AGENT_GONE}


async def test_an_agent_whose_message_never_ends_is_ended(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        begin()
        while True:
            sys.stdout.write("x" * (1024 * 1024))
        """
    )
    await rig.open()
    reason, because = await rig.say("hello")
    assert reason == "error"
    assert "longer than" in because


async def test_an_agent_that_is_not_there_says_what_to_do(rig: Rig) -> None:
    rig.agent = AgentSpec(id="gemini", name="Gemini", command="no-such-program")
    with pytest.raises(AgentFailed) as failed:
        await rig.open()
    assert str(failed.value) == (
        "Gemini could not be started: there is no program `no-such-program` on the PATH;"
        " install it or change assent.agents.gemini.command."
    )
    with pytest.raises(AgentFailed) as unsent:
        await rig.say("hello")
    assert str(unsent.value) == str(failed.value)


async def test_an_agent_that_exits_at_once_says_its_last_words(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted("sys.exit('I need a newer machine')")
    with pytest.raises(AgentFailed) as failed:
        await rig.open()
    assert str(failed.value) == (
        "Odd ended before it was ready (exit code 1). Its last words were:\nI need a newer machine"
    )


async def test_an_agent_that_does_not_answer_is_given_up(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted("until('never')")
    quick = rig.new_fleet(evolve(PATIENCE, greeting=0.3))
    async with quick:
        with pytest.raises(AgentFailed, match=r"Odd did not answer .* within 0.3 seconds"):
            await quick.open(rig.chat, rig.agent, str(rig.root))


async def test_an_agent_of_another_version_is_given_up(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        send(id=until("initialize")["id"], result={"protocolVersion": 2})
        until("never")
        """
    )
    with pytest.raises(AgentFailed, match="speaks version 2 of the Agent Client Protocol"):
        await rig.open()


async def test_an_agent_that_wants_a_login_says_how(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        send(id=until("initialize")["id"],
             result={"protocolVersion": 1, "authMethods": [{"id": "g", "name": "With Google"}]})
        send(id=until("session/new")["id"],
             error={"code": -32000, "message": "Authentication required"})
        until("never")
        """
    )
    wanted = "wants you to log in first, in one of its own ways: “With Google”"
    with pytest.raises(AgentFailed, match=wanted):
        await rig.open()


async def test_an_agent_in_a_loose_mode_is_put_in_one_that_asks(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        send(id=until("initialize")["id"], result={"protocolVersion": 1})
        modes = [{"id": "auto", "name": "Auto"}, {"id": "default", "name": "Default"}]
        send(id=until("session/new")["id"],
             result={"sessionId": "s",
                     "modes": {"currentModeId": "auto", "availableModes": modes}})
        setting = until("session/set_mode")
        send(id=setting["id"], result={})
        number = until("session/prompt")["id"]
        say(setting["params"]["modeId"])
        update(sessionUpdate="current_mode_update", currentModeId="plan")
        update(sessionUpdate="current_mode_update", currentModeId="yolo")
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.said() == "default"
    assert rig.notices("warning") == ["Odd is now in its own mode “yolo”, so it may ask less."]


async def test_a_plan_is_told(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        update(sessionUpdate="plan", entries=[
            {"content": "one", "status": "completed", "priority": "low"},
            {"content": "two", "status": "in_progress"}, {"content": "three"}, 4])
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    plans = [one for one in rig.happened if isinstance(one, PlanMade)]
    assert plans == [
        PlanMade(
            chat=rig.chat,
            lines=(
                PlanLine(text="one", state="done"),
                PlanLine(text="two", state="inProgress"),
                PlanLine(text="three", state="pending"),
            ),
        )
    ]


async def test_the_environment_is_clean_but_for_what_was_configured(
    rig: Rig, scripted: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN_OF_OURS", "secret")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/somewhere")
    rig.agent = scripted(
        """
        number = begin()
        say(json.dumps(sorted(os.environ)))
        end(number)
        until("never")
        """,
        env={"CONFIGURED": "1"},
    )
    await rig.open()
    await rig.say("hello")
    assert "A_TOKEN_OF_OURS" not in rig.said()
    assert "CONFIGURED" in rig.said()
    assert "XDG_CONFIG_HOME" in rig.said()


async def test_a_changed_agent_is_another_process_for_new_chats_only(
    rig: Rig, scripted: Make
) -> None:
    old = rig.agent
    await rig.open()
    new = evolve(old, env={**old.env, "NEW": "1"})
    await rig.fleet.open(ChatId("chat-2"), new, str(rig.root))
    assert len(rig.fleet._hosts._alive) == 2
    assert await rig.say("hello") == ("done", "")


async def test_an_agent_that_was_removed_is_not_started_anew(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted("begin()")
    await rig.open()
    await rig.say("hello")
    rig.fleet.agents_changed([])
    with pytest.raises(AgentFailed, match=r"^Odd is no longer among assent\.agents\.$"):
        await rig.say("hello")


async def test_a_second_prompt_in_the_middle_of_a_turn_is_refused(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "run true"))
        ticket = await rig.ticket()
        with pytest.raises(AgentFailed, match="still working"):
            await rig.fleet.prompt(rig.chat, "and another")
        await rig.answer(ticket, "deny")


async def test_closing_a_chat_refuses_its_questions_and_ends_its_agent(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "run touch trace"))
        await rig.ticket()
        await rig.fleet.close(rig.chat)
    assert turn.result()[0] == "stopped"
    assert rig.fleet._hosts._alive == set()
    assert [settlement.by for _, settlement in rig.closed] == [Actor.STOP]
    assert list(rig.root.iterdir()) == []
    assert not [one for one in rig.happened if isinstance(one, Noticed)]


def call_of(ticket: Ticket) -> Call:
    assert isinstance(ticket.asks, Call)
    return ticket.asks
