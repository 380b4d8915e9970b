"""The steps of a workflow pass by the answer to its card, each once, and no others."""

from typing import Any

from attrs import evolve

from assent.gate.approvals.tickets import Outcome
from assent.gate.call.calls import Call, Effect, Planned
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from gate.admit.scene import Scene, within
from gate.ruling.samples import running

STEP = running("make test")


def workflow(*calls: Call) -> Call:
    steps = tuple(
        Planned(name=f"s{at}", says=str(it.input["command"]), effect=Effect.EXECUTE, call=it)
        for at, it in enumerate(calls)
    )
    given = {"name": "workflow:release", "steps": [it.says for it in steps]}
    return evolve(running("x"), tool="run", action="workflow", input=given, steps=steps)


async def allowed(scene: Scene, call: Call) -> Any:
    turn = scene.admit(call)
    await scene.answer(await scene.card())
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.ALLOWED
    return passage.settlement


async def test_a_step_that_stood_on_the_card_is_asked_about_no_more_and_only_once(
    scene: Scene,
) -> None:
    whole = workflow(STEP)
    settlement = await allowed(scene, whole)
    said = scene.gate.judge_afterwards(STEP)
    with scene.gate.covered.under(whole, settlement):
        step = (await within(scene.admit(STEP))).settlement
        assert (step.outcome, step.by) == (Outcome.ALLOWED, Actor.USER)
        assert step.because == "You allowed it as a step of the workflow “release”."
        assert scene.gate.covered.take(STEP.digest, said) is None


async def test_once_the_workflow_has_ended_its_steps_are_asked_about(scene: Scene) -> None:
    whole = workflow(STEP)
    with scene.gate.covered.under(whole, await allowed(scene, whole)):
        pass
    turn = scene.admit(STEP)
    await scene.answer(await scene.card(), "deny")
    assert (await within(turn)).settlement.outcome is Outcome.REFUSED


async def test_a_denied_workflow_lets_no_step_pass(scene: Scene) -> None:
    whole = workflow(STEP)
    turn = scene.admit(whole)
    await scene.answer(await scene.card(), "deny")
    await within(turn)
    assert scene.gate.covered._drawn == {}


class Asking:
    """Hooks that ask about one command, whatever was said of it before."""

    async def before(self, call: Call) -> HookWord:
        if call.input.get("command") == STEP.input["command"]:
            return HookWord(verdict=Verdict.ASK, because="The hook wants a person.")
        return SILENCE

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


async def test_a_hook_that_asks_is_not_answered_beforehand(scene: Scene) -> None:
    whole = workflow(STEP)
    settlement = await allowed(scene, whole)
    scene.gate = evolve(scene.gate, hooks=Asking())
    with scene.gate.covered.under(whole, settlement):
        turn = scene.admit(STEP)
        card = await scene.card()
        await scene.answer(card, "deny")
    assert (await within(turn)).settlement.outcome is Outcome.REFUSED


class Rewriting:
    """Hooks that make a command another one, and deny that once they hear it."""

    async def before(self, call: Call) -> HookWord:
        if call.input.get("command") == "make all":
            return HookWord(verdict=Verdict.DENY, because="Not all.")
        return HookWord(verdict=None, because="Rewritten.", rewritten={"command": "make all"})

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


async def test_what_a_hook_makes_of_a_call_is_heard_by_hooks_before_anybody_is_asked(
    scene: Scene,
) -> None:
    scene.gate = evolve(scene.gate, hooks=Rewriting())
    call = running("make test")

    def remake(given: Any) -> Call:
        return evolve(call, input=dict(given))

    passage = await within(scene.gate.admit(call, scene.carry_out(call), remake))
    assert passage.settlement.outcome is Outcome.REFUSED
    assert "Not all." in passage.settlement.because
    assert scene.opened == set()
