"""An answer that meets a change: what was shown is never run as something else."""

import asyncio
from typing import Any

import pytest
from attrs import define, evolve, field

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, ReceiptKind, Ticket
from assent.gate.call.calls import Call
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.passage import Ended, Passage
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from gate.admit.scene import Scene, within
from gate.ruling.samples import says, writing

MOVED = "src/till.py has changed since this was shown."


@define
class Disk:
    """A file that others write, too, and a call that would write it."""

    scene: Scene
    text: str = "old"
    aimed: int = 0
    carried: list[Call] = field(factory=list)
    first: Call = field(factory=lambda: writing(new="new"))

    def __attrs_post_init__(self) -> None:
        self.first = self._showing(self.first)
        self.scene.gate = evolve(self.scene.gate, why_stale=self.changed)

    def changed(self, call: Call) -> str | None:
        return None if call.edits[0].old == self.text else MOVED

    def remake(self, given: dict[str, Any]) -> Call:
        assert given == self.first.input
        self.aimed += 1
        if self.text == "gone":
            raise CallUnreadable("the text is not there any more")
        return self._showing(self.first)

    def admit(self, *, own: bool = True) -> "asyncio.Task[Passage]":
        remake = self.remake if own else None
        return asyncio.ensure_future(self.scene.gate.admit(self.first, self._run, remake))

    async def _run(self, call: Call, _: object) -> Ended:
        self.carried.append(call)
        assert self.scene.allowing_rows(call), "it ran without a row that allows exactly it"
        return await self.scene.carry_out(call)(call, _)  # type: ignore[arg-type]

    def _showing(self, call: Call) -> Call:
        return evolve(call, edits=(evolve(call.edits[0], old=self.text),))


@pytest.fixture
def disk(scene: Scene) -> Disk:
    return Disk(scene=scene)


def shown(ticket: Ticket) -> str | None:
    assert isinstance(ticket.asks, Call)
    return ticket.asks.edits[0].old


async def test_an_own_call_whose_file_changed_is_asked_about_anew_on_the_same_card(
    disk: Disk,
) -> None:
    passage = disk.admit()
    first = await disk.scene.card()
    disk.text = "somebody else's"
    receipt = await disk.scene.answer(first)
    second = await disk.scene.card()
    assert (receipt.kind, receipt.current) == (ReceiptKind.STALE, second)
    assert (second.id, second.revision) == (first.id, first.revision + 1)
    assert second.digest != first.digest
    assert shown(second) == "somebody else's"
    assert second.ruling.because.startswith(MOVED)
    assert disk.carried == []
    assert (await disk.scene.answer(second)).kind is ReceiptKind.APPLIED
    assert (await within(passage)).settlement.outcome is Outcome.ALLOWED
    assert disk.carried == [second.asks]
    kinds = [row["kind"] for row in disk.scene.rows()]
    assert kinds[:3] == ["asked", "asked", "decided"]
    assert list(disk.scene.closed) == [first.id]


async def test_what_a_call_becomes_is_told_and_heard_by_the_hooks(disk: Disk) -> None:
    heard: list[Call] = []

    class Listening:
        async def before(self, call: Call) -> HookWord:
            heard.append(call)
            return SILENCE

        async def after(self, call: Call, ended: Ended) -> str:
            return ""

    disk.scene.gate = evolve(disk.scene.gate, hooks=Listening())
    passage = disk.admit()
    first = await disk.scene.card()
    disk.text = "somebody else's"
    await disk.scene.answer(first)
    second = await disk.scene.card()
    assert heard == [first.asks, second.asks]
    assert disk.scene.told[-1].call == second.asks
    assert disk.scene.told[-1].because == MOVED
    await disk.scene.answer(second)
    await within(passage)


async def test_the_call_of_another_agent_is_refused_with_the_reason(disk: Disk) -> None:
    passage = disk.admit(own=False)
    card = await disk.scene.card()
    disk.text = "somebody else's"
    receipt = await disk.scene.answer(card)
    assert receipt.settlement is not None
    assert receipt.settlement.because.startswith(MOVED)
    assert (await within(passage)).ended is None
    assert disk.carried == []


async def test_what_passes_without_a_card_is_aimed_and_ruled_on_anew(disk: Disk) -> None:
    disk.scene.mode = Mode.AUTO
    disk.text = "somebody else's"
    await within(disk.admit())
    assert [call.edits[0].old for call in disk.carried] == ["somebody else's"]


async def test_what_is_denied_by_now_is_denied(disk: Disk) -> None:
    passage = disk.admit()
    card = await disk.scene.card()
    disk.text = "somebody else's"
    # Told to nobody, so that the open card is not judged anew.
    disk.scene.rules = (says(Verdict.DENY),)
    receipt = await disk.scene.answer(card)
    assert receipt.settlement is not None
    assert receipt.settlement.outcome is Outcome.REFUSED
    assert (await within(passage)).ended is None
    assert disk.carried == []


async def test_what_cannot_be_aimed_any_more_is_refused_and_says_why(disk: Disk) -> None:
    passage = disk.admit()
    card = await disk.scene.card()
    disk.text = "gone"
    receipt = await disk.scene.answer(card)
    assert receipt.settlement is not None
    assert "the text is not there any more" in receipt.settlement.because
    assert (await within(passage)).ended is None


async def test_a_file_that_never_comes_to_rest_ends_the_asking(disk: Disk) -> None:
    passage = disk.admit()
    for number in range(20):
        if passage.done():
            break
        card = await disk.scene.card()
        disk.text = f"{number}"
        await disk.scene.answer(card)
        await asyncio.sleep(0)
    settlement = (await within(passage)).settlement
    assert settlement.outcome is Outcome.REFUSED
    assert settlement.because.startswith(MOVED)
    assert disk.aimed == 5
    assert disk.carried == []


async def test_an_answer_for_the_whole_chat_that_meets_a_change_grants_nothing(disk: Disk) -> None:
    passage = disk.admit()
    card = await disk.scene.card()
    disk.text = "somebody else's"
    assert (await disk.scene.answer(card, "chat")).kind is ReceiptKind.STALE
    await disk.scene.answer(await disk.scene.card(), "deny")
    await within(passage)
    assert disk.scene.gate.grants.of(disk.first.chat) == ()


async def test_a_stop_finds_a_question_that_was_put_back(disk: Disk) -> None:
    passage = disk.admit()
    card = await disk.scene.card()
    disk.text = "somebody else's"
    await disk.scene.answer(card)
    again = await disk.scene.card()
    disk.scene.room.settle_all(endings.refused(Actor.STOP, "You stopped it."))
    assert (await within(passage)).ended is None
    assert list(disk.scene.closed) == [again.id]


async def test_a_journal_that_cannot_keep_the_second_question_refuses(
    disk: Disk,
) -> None:
    passage = disk.admit()
    card = await disk.scene.card()
    disk.text = "somebody else's"
    disk.scene.journal.close()
    await disk.scene.answer(card)
    assert (await within(passage)).ended is None
    assert disk.carried == []
    assert disk.scene.room.tickets == ()
