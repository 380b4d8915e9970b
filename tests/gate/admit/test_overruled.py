"""What comes to stand against a call while the row that allows it is being written."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from attrs import define, evolve, field

from assent.gate.approvals.tickets import Outcome
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.journal.journal import Entry, Journal
from assent.gate.passage import NO_HOOKS
from assent.gate.ruling.hook_verdicts import HookWord
from gate.admit.scene import Scene, within
from gate.ruling.samples import Says, running

Change = Callable[[Scene], None]


@define
class Slow:
    """The journal of a scene, of which the first decision takes until it is let go."""

    _journal: Journal
    written: asyncio.Event = field(factory=asyncio.Event)
    go_on: asyncio.Event = field(factory=asyncio.Event)

    async def keep(self, entry: Entry, picture: Callable[[], str] | None = None) -> int:
        row = await self._journal.keep(entry, picture)
        if entry.kind == "decided":
            self.written.set()
            await self.go_on.wait()
        return row

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


def rule(verdict: Verdict) -> Change:
    def change(scene: Scene) -> None:
        scene.rules = (Says(verdict=verdict, name="a new rule"),)

    return change


def plan(scene: Scene) -> None:
    scene.mode, scene.rules = Mode.PLAN, ()


def take_back(scene: Scene) -> None:
    scene.bypassed, scene.rules = frozenset(), ()


def stop(scene: Scene) -> None:
    scene.gate.stop(ChatId("chat-1"), Actor.STOP, "You stopped the agent.")


DENYING = {"a rule that denies": rule(Verdict.DENY), "Plan mode": plan}
ASKING = {"a rule that asks": rule(Verdict.ASK), "what allowed it is taken back": take_back}
ALLOWING = ["a card", "a rule", "a bypass"]


async def while_it_is_written(scene: Scene, by: str, change: Change) -> "asyncio.Task[Any]":
    """Have a call allowed, and change what is set while that is being written down."""
    slow = Slow(scene.journal)
    scene.gate = evolve(scene.gate, journal=slow)
    call = running("make test")
    if by == "a rule":
        scene.rules = (Says(verdict=Verdict.ALLOW, name="make"),)
    if by == "a bypass":
        scene.bypassed = frozenset({call.agent})
    turn = scene.admit(call)
    clicks = [asyncio.ensure_future(scene.answer(await scene.card()))] if by == "a card" else []
    await within(slow.written.wait())
    change(scene)
    scene.gate.rule_again()
    slow.go_on.set()
    for click in clicks:
        await within(click)
    if not clicks:
        shown = asyncio.ensure_future(scene.shown.get())
        await within(asyncio.wait([turn, shown], return_when=asyncio.FIRST_COMPLETED))
        shown.cancel()
    return turn


@pytest.mark.parametrize("by", ALLOWING)
@pytest.mark.parametrize("change", DENYING.values(), ids=DENYING)
async def test_what_denies_a_call_while_its_decision_is_written_stops_it(
    scene: Scene, by: str, change: Change
) -> None:
    passage = await within(await while_it_is_written(scene, by, change))
    assert passage.ended is None
    assert passage.settlement.because.startswith("What you have set has changed since")
    assert scene.entered == {}
    outcomes = [row["body"]["outcome"] for row in scene.rows(kind="decided")]
    assert outcomes == [Outcome.ALLOWED, Outcome.REFUSED]


@pytest.mark.parametrize("by", ALLOWING[1:])
@pytest.mark.parametrize("change", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("option", ["once", "deny"])
async def test_what_asks_about_a_call_while_its_decision_is_written_is_asked(
    scene: Scene, by: str, change: Change, option: str
) -> None:
    turn = await while_it_is_written(scene, by, change)
    (ticket,) = scene.room.tickets
    assert scene.entered == {}
    receipt = await scene.answer(ticket, option)
    passage = await within(turn)
    assert receipt.settlement == passage.settlement
    assert (passage.ended is not None) is (option == "once")


@pytest.mark.parametrize("change", ASKING.values(), ids=ASKING)
async def test_what_a_person_allowed_needs_no_second_answer(scene: Scene, change: Change) -> None:
    passage = await within(await while_it_is_written(scene, "a card", change))
    assert passage.ended is not None
    assert len(scene.opened) == 1


@pytest.mark.parametrize("by", ALLOWING)
@pytest.mark.parametrize("change", [stop, lambda scene: (rule(Verdict.ASK)(scene), stop(scene))])
async def test_a_stop_while_a_decision_is_written_ends_the_call_and_nobody_is_asked(
    scene: Scene, by: str, change: Change
) -> None:
    passage = await within(await while_it_is_written(scene, by, change))
    assert passage.ended is None
    assert (passage.settlement.by, passage.settlement.because) == (
        Actor.STOP,
        "You stopped the agent.",
    )
    assert scene.entered == {}
    assert len(scene.opened) == (by == "a card")
    outcomes = [row["body"]["outcome"] for row in scene.rows(kind="decided")]
    assert outcomes == [Outcome.ALLOWED, Outcome.REFUSED]


async def test_a_stop_of_another_chat_lets_what_is_being_written_go_on(scene: Scene) -> None:
    def stop_another(scene: Scene) -> None:
        scene.gate.stop(ChatId("chat-2"), Actor.STOP, "You stopped the agent.")

    passage = await within(await while_it_is_written(scene, "a rule", stop_another))
    assert passage.ended is not None


@define
class Hearing:
    """A hook of the person's that takes until it is let go, and allows."""

    heard: asyncio.Event = field(factory=asyncio.Event)
    go_on: asyncio.Event = field(factory=asyncio.Event)

    async def before(self, call: Call) -> HookWord:
        self.heard.set()
        await self.go_on.wait()
        return HookWord(verdict=Verdict.ALLOW, because="Fine.")

    after = NO_HOOKS.after


@pytest.mark.parametrize("mode", [Mode.ASK, Mode.AUTO])
async def test_what_was_stopped_while_a_hook_heard_it_is_neither_asked_about_nor_run(
    scene: Scene, mode: Mode
) -> None:
    scene.mode, hook = mode, Hearing()
    scene.gate = evolve(scene.gate, hooks=hook)
    turn = scene.admit(running())
    await within(hook.heard.wait())
    stop(scene)
    hook.go_on.set()
    passage = await within(turn)
    assert passage.settlement.because == "You stopped the agent."
    assert (scene.entered, scene.opened) == ({}, set())
    assert [row["body"]["outcome"] for row in scene.rows(kind="decided")] == [Outcome.REFUSED]
