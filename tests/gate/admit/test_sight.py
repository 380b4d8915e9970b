"""What a person is to see of what a call acts on is on its card, in its row, and in what runs."""

from attrs import evolve

from assent.gate.approvals.tickets import Outcome, Settlement, TicketId
from assent.gate.call.calls import Call
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from gate.admit.scene import Scene, within
from gate.ruling.samples import reading, running


class Listening:
    """Hooks that only count."""

    def __init__(self) -> None:
        self.heard: list[Call] = []

    async def before(self, call: Call) -> HookWord:
        self.heard.append(call)
        return SILENCE

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


async def seen(call: Call) -> Call:
    return evolve(call, caution="The page asks for a password.")


async def test_a_card_shows_what_was_seen_before_it_and_its_answer_is_bound_to_that(
    scene: Scene,
) -> None:
    hooks = Listening()
    scene.gate = evolve(scene.gate, add_screenshot=seen, hooks=hooks)
    call, ran = running(), list[Call]()

    async def run(it: Call, _: Settlement) -> Ended:
        ran.append(it)
        return await scene.carry_out(it)(it, _)

    turn = scene.admit(call, run)
    card = await scene.card()
    shown = await seen(call)
    assert (card.asks, card.digest) == (shown, shown.digest)
    await scene.answer(card)
    passage = await within(turn)
    assert passage.settlement.outcome is Outcome.ALLOWED
    assert ran == [shown]
    assert [row["digest"] for row in scene.rows(kind="asked")] == [shown.digest]
    # Nothing has changed of what hooks are told.
    assert hooks.heard == [call]


async def test_the_card_of_a_call_is_kept_with_its_answer_and_none_where_nobody_was_asked(
    scene: Scene,
) -> None:
    kept = list[TicketId]()

    def pictured(ticket: TicketId) -> None:
        kept.append(ticket)

    scene.gate = evolve(scene.gate, card_of=pictured)
    await within(scene.admit(reading()))
    assert kept == []
    turn = scene.admit(running())
    card = await scene.card()
    await scene.answer(card)
    await within(turn)
    assert kept == [card.id]
