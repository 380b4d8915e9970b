"""A question whose call is told anew, ended by others, or judged by a policy that breaks."""

import asyncio
from typing import Any

import pytest
from attrs import evolve

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, Settlement
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from assent.gate.ruling.policy import Policy
from gate.admit.scene import Scene, within
from gate.ruling.samples import Says, reading, running


class Listening:
    """Hooks that note what they heard, and deny one command."""

    def __init__(self, denied: str = "") -> None:
        self.denied = denied
        self.heard: list[Any] = []

    async def before(self, call: Call) -> HookWord:
        command = call.input.get("command")
        self.heard.append(command)
        if command == self.denied:
            return HookWord(verdict=Verdict.DENY, because="The hook denied it.")
        return SILENCE

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


async def test_a_policy_that_breaks_refuses_what_waits(scene: Scene) -> None:
    turn = scene.admit(running())
    await scene.card()

    def broken(_chat: ChatId, _agent: AgentId) -> Policy:
        raise RuntimeError("no policy")

    # A gate is frozen; this one shares all its parts with the one that asks.
    evolve(scene.gate, policy=broken).rule_again()
    assert (await within(turn)).settlement.by is Actor.ERROR
    assert scene.entered == {}


async def test_one_question_is_refused_and_no_other(scene: Scene) -> None:
    call, other = running("make a"), running("make b")
    turn, stays = scene.admit(call), scene.admit(other)
    cards = [await scene.card(), await scene.card()]
    scene.gate.refuse(call, endings.refused(Actor.AGENT_GONE, "The agent went."))
    assert (await within(turn)).settlement.by is Actor.AGENT_GONE
    assert [it.asks for it in scene.room.tickets] == [other]
    await scene.answer(cards[1])
    assert (await within(stays)).ended is not None


async def test_a_call_that_is_told_anew_is_asked_about_and_decided_as_it_is_now(
    scene: Scene,
) -> None:
    hooks = Listening()
    scene.gate = evolve(scene.gate, hooks=hooks)
    call = running("make test")
    again = evolve(call, input={"command": "make all"})
    turn = scene.admit(call, scene.carry_out(again))
    first = await scene.card()
    assert scene.gate.reword(again)
    second = await scene.card()
    assert (second.id, second.asks, second.digest) == (first.id, again, again.digest)
    assert second.revision > first.revision
    assert scene.told[-1].call == again
    assert scene.told[-1].state is State.WAITING
    await scene.answer(second)
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.ALLOWED
    assert hooks.heard == ["make test", "make all"]
    (decided,) = scene.rows(kind="decided")
    assert decided["digest"] == again.digest
    assert [row["digest"] for row in scene.rows(kind="asked")] == [call.digest, again.digest]


async def test_a_call_that_is_denied_as_it_is_told_now_is_refused_at_once(scene: Scene) -> None:
    call = running("make test")
    turn = scene.admit(call)
    await scene.card()
    scene.rules = (Says(verdict=Verdict.DENY, name="no more"),)
    assert scene.gate.reword(evolve(call, input={"command": "make all"}))
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.REFUSED
    assert passage.settlement.by is Actor.RULE


async def test_what_a_hook_denies_of_a_call_told_anew_beats_the_answer(scene: Scene) -> None:
    scene.gate = evolve(scene.gate, hooks=Listening(denied="make all"))
    call = running("make test")
    turn = scene.admit(call)
    await scene.card()
    scene.gate.reword(evolve(call, input={"command": "make all"}))
    await scene.answer(await scene.card())
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.REFUSED
    assert "The hook denied it." in passage.settlement.because
    assert passage.settlement.because != "The hook denied it."
    assert scene.entered == {}


async def test_what_is_not_being_asked_cannot_be_told_anew(scene: Scene) -> None:
    call = reading()
    assert not scene.gate.reword(call)
    assert scene.told == []
    turn = asyncio.ensure_future(within(scene.admit(call)))
    await turn
    assert not scene.gate.reword(call)


class Suspicious(Listening):
    """Hooks that ask about each command that they hear, and deny one."""

    async def before(self, call: Call) -> HookWord:
        said = await super().before(call)
        asks = HookWord(verdict=Verdict.ASK, because="The hook asked.")
        return asks if said == SILENCE else said


@pytest.mark.parametrize("times", range(4, 9))
async def test_however_often_a_call_is_told_anew_hooks_hear_what_would_run(
    scene: Scene, times: int
) -> None:
    """Each time a rule lets it pass, the agent has told it anew, and the hooks ask about that."""
    hooks = Suspicious(denied="make evil")
    scene.gate = evolve(scene.gate, hooks=hooks)
    call = running("make 0")
    let_pass = Settlement(outcome=Outcome.ALLOWED, by=Actor.RULE, because="A rule allows it.")
    turn = scene.admit(call, scene.carry_out(evolve(call, input={"command": "make evil"})))
    for number in range(1, times + 1):
        command = "make evil" if number == times else f"make {number}"
        shown = asyncio.ensure_future(scene.card())
        await asyncio.wait({turn, shown}, return_when=asyncio.FIRST_COMPLETED)
        if turn.done():
            shown.cancel()
            break
        assert scene.gate.reword(evolve(call, input={"command": command}))
        ticket = await scene.card()
        # What came before the hooks could hear it: somebody else's answer, then the person's.
        if number == times:
            await scene.answer(ticket)
        else:
            scene.room.settle(ticket.id, let_pass)
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.REFUSED
    assert scene.entered == {}
    if times <= 6:
        assert hooks.heard[-1] == "make evil"
    else:
        assert "changed too often" in passage.settlement.because


class Slow(Listening):
    """Hooks that take with what they hear anew until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.again, self.go_on = asyncio.Event(), asyncio.Event()

    async def before(self, call: Call) -> HookWord:
        said = await super().before(call)
        if len(self.heard) > 1:
            self.again.set()
            await self.go_on.wait()
        return said


async def test_no_row_allows_what_was_stopped_while_a_hook_heard_it_anew(scene: Scene) -> None:
    hooks = Slow()
    scene.gate = evolve(scene.gate, hooks=hooks)
    call = running("make a")
    turn = scene.admit(call)
    await scene.card()
    assert scene.gate.reword(evolve(call, input={"command": "make b"}))
    click = asyncio.ensure_future(scene.answer(scene.room.tickets[0]))
    await within(hooks.again.wait())
    scene.gate.stop(call.chat, Actor.STOP, "You stopped the agent.")
    hooks.go_on.set()
    passage = await within(turn)
    await within(click)
    assert passage.settlement.because == "You stopped the agent."
    assert scene.entered == {}
    assert [row["body"]["outcome"] for row in scene.rows(kind="decided")] == [Outcome.REFUSED]
