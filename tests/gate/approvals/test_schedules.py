"""The waiting room under any schedule: what each answerer was told is what its asker got."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from attrs import evolve
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Receipt, ReceiptKind, Settlement, Ticket
from assent.gate.call.calls import ChatId
from assent.gate.call.verdicts import Actor
from gate.approvals.samples import Told, answer_to, room_with, ticket, turn
from gate.ruling.samples import running

PATIENCE = 10.0


class HandDriven(asyncio.SelectorEventLoop):
    """A loop for which time passes only when the machine says so."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def turn(self) -> None:
        """Run what is ready, once."""
        self.call_soon(self.stop)
        self.run_forever()

    def settle_down(self) -> None:
        """Run until nothing is ready any more."""
        self.turn()
        while self._ready:  # type: ignore[attr-defined]
            self.turn()


@dataclass
class Asker:
    """One who waits, and those who answered."""

    ticket: Ticket
    task: asyncio.Task[Settlement]
    receipts: list[asyncio.Task[Receipt]] = field(default_factory=list)


class ARoom(RuleBasedStateMachine):
    """Steps are queued on the loop and run in the order drawn, several to a turn."""

    askers: Bundle[Asker] = Bundle("askers")

    @initialize()
    def a_new_room(self) -> None:
        self.loop = HandDriven()
        self.told = Told()
        self.room = room_with(self.told)
        self.all: list[Asker] = []

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        try:
            self.loop.settle_down()
            self.room.settle_all(endings.refused(Actor.STOP, "The editor closed."))
            self.loop.settle_down()
            assert all(asker.task.done() for asker in self.all)
            assert self.room.tickets == ()
            assert self.room._seats == {}
            self._everybody_was_told_the_truth()
        finally:
            self.loop.close()

    @rule(target=askers, chat=st.sampled_from(["chat-1", "chat-2"]), kept=st.booleans())
    def ask(self, chat: str, kept: bool) -> Asker:
        asked = ticket(running(chat=ChatId(chat)), patience=PATIENCE)
        asker = Asker(ticket=asked, task=self.loop.create_task(self._ask(asked, kept)))
        self.all.append(asker)
        return asker

    async def _ask(self, asked: Ticket, kept: bool) -> Settlement:
        """Do as the gate does: the answer counts once it is kept, or does not count."""
        try:
            settlement = await self.room.ask(asked)
            await turn()
        except BaseException:
            self.room.close(asked, endings.interrupted(), None)
            raise
        settlement = settlement if kept else endings.unkept(OSError("disk full"))
        self.room.close(asked, settlement, None)
        return settlement

    @rule(asker=askers, option=st.sampled_from(["once", "chat", "deny", "tell", "nonsense"]))
    def answer(self, asker: Asker, option: str) -> None:
        current = self.room.ticket(asker.ticket.id) or asker.ticket
        answer = answer_to(current, option)
        self._soon(lambda: asker.receipts.append(self.loop.create_task(self.room.answer(answer))))

    @rule(asker=askers)
    def answer_what_was_first_shown(self, asker: Asker) -> None:
        answer = answer_to(asker.ticket)
        self._soon(lambda: asker.receipts.append(self.loop.create_task(self.room.answer(answer))))

    @rule(asker=askers)
    def cancel(self, asker: Asker) -> None:
        self._soon(asker.task.cancel)

    @rule(chat=st.sampled_from(["chat-1", "chat-2"]))
    def stop(self, chat: str) -> None:
        ending = endings.refused(Actor.STOP, "You stopped it.")
        self._soon(lambda: self.room.settle_chat(ChatId(chat), ending))

    @rule(asker=askers)
    def revise(self, asker: Asker) -> None:
        self._soon(lambda: self.room.revise(evolve(asker.ticket, options=asker.ticket.options)))

    @rule(asker=askers)
    def be_patient(self, asker: Asker) -> None:
        self._soon(lambda: self.room.be_patient(asker.ticket.id))

    @rule(seconds=st.sampled_from([1.0, PATIENCE / 2, PATIENCE]))
    def time_passes(self, seconds: float) -> None:
        self.loop.now += seconds

    @rule()
    def a_turn(self) -> None:
        self.loop.turn()

    @rule()
    def all_turns(self) -> None:
        self.loop.settle_down()

    @invariant()
    def nobody_is_told_twice(self) -> None:
        closed = [ticket_id for ticket_id, _, _ in self.told.closed]
        assert len(closed) == len(set(closed))

    def _soon(self, step: Callable[[], object]) -> None:
        self.loop.call_soon(step)

    def _everybody_was_told_the_truth(self) -> None:
        closed = {ticket_id: settlement for ticket_id, settlement, _ in self.told.closed}
        for asker in self.all:
            truth = closed.get(asker.ticket.id)
            if not asker.task.cancelled():
                assert asker.task.result() == truth
            applied = 0
            for each in asker.receipts:
                receipt = each.result()
                applied += receipt.kind is ReceiptKind.APPLIED
                if receipt.settlement is not None:
                    assert receipt.settlement == truth
            assert applied <= 1


TestARoom = pytest.mark.requirement("T-08", "T-10", "C-07")(ARoom.TestCase)
TestARoom.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
