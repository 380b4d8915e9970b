"""What stays of a judgement: what it is bound to, what it is forgotten with, where it holds."""

from uuid import UUID

import pytest

from assent.gate.approvals.tickets import Outcome
from assent.gate.call.calls import ChatId
from assent.gate.call.verdicts import Actor, Verdict
from gate.admit.scene import Scene, within
from gate.rules.books import deny
from gate.ruling.samples import Says, reading, running


async def test_a_card_that_is_judged_anew_is_bound_to_what_was_judged_first(scene: Scene) -> None:
    call = running("make test")
    turn = scene.admit(call)
    first = await scene.card()
    call.input["command"] = "rm -rf build"
    scene.rules = (Says(verdict=Verdict.ASK, name="a new rule"),)
    scene.gate.rule_again()
    again = await scene.card()
    assert again.revision > first.revision
    assert again.digest == first.digest
    receipt = await scene.answer(again)
    assert receipt.settlement is None or receipt.settlement.outcome is Outcome.REFUSED
    if not turn.done():
        scene.gate.stop(call.chat, Actor.STOP, "You stopped the agent.")
    await within(turn)
    assert scene.entered == {}


async def test_what_is_known_of_a_call_on_its_way_is_forgotten_with_its_decision(
    scene: Scene,
) -> None:
    await within(scene.admit(reading()))
    denied = scene.admit(running())
    await scene.answer(await scene.card(), "deny")
    await within(denied)
    assert scene.gate.ways == {}


async def test_a_rule_that_was_written_for_a_chat_holds_there_and_nowhere_else(
    scene: Scene,
) -> None:
    here = running("make test")
    scene.gate.grants.write(here.chat, (deny("shell(make:*)"),))
    passage = await within(scene.admit(here))
    assert passage.settlement.outcome is Outcome.REFUSED
    there = running("make test", chat=ChatId("another"))
    turn = scene.admit(there)
    await scene.answer(await scene.card(), "once")
    assert (await within(turn)).ended is not None


@pytest.mark.requirement("S-06")
async def test_a_question_has_an_id_like_no_other_and_is_of_its_chat(scene: Scene) -> None:
    first, second = scene.admit(running()), scene.admit(running(chat=ChatId("another")))
    cards = [await scene.card(), await scene.card()]
    assert len({UUID(card.id) for card in cards}) == 2
    assert {card.chat for card in cards} == {ChatId("chat-1"), ChatId("another")}
    for card in cards:
        settlement = (await scene.answer(card, "deny")).settlement
        assert settlement is not None
        assert settlement.outcome is Outcome.REFUSED
    await within(first)
    await within(second)
