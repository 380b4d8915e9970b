"""The only place in the program that waits for a person.

The desk settles; the room only wakes whoever waits. A deadline is a settlement like any other,
put in by the loop's clock: with a timeout around the future instead, a click that comes in the
tick of the deadline would be reported as accepted and then be dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from assent.gate.approvals import endings
from assent.gate.approvals.desk import Desk
from assent.gate.approvals.tickets import Answer, Receipt, ReceiptKind, Settlement, Ticket, TicketId
from assent.gate.call.calls import ChatId
from assent.gate.values import define, evolve, field

__all__ = ["Before", "WaitingRoom", "Window"]

T = TypeVar("T")

Before = Callable[[], Awaitable[object]]


@define
class _Seat:
    """Where one ticket's asker waits, and where its answerers wait for the truth."""

    ticket: Ticket
    """As it was put on the desk last."""
    settled: asyncio.Future[Settlement]
    outcome: asyncio.Future[Settlement | Ticket]
    """What came of it, or what is asked in its place."""
    alarm: asyncio.TimerHandle | None = None
    shown: bool = False
    """Whether the window has been told of the ticket."""


@define
class Window:
    """Whom the room tells that a ticket was opened, changed or closed."""

    opened: Callable[[Ticket], None] = lambda _: None
    closed: Callable[[Ticket, Settlement, int | None], None] = lambda *_: None
    waits: Callable[[Ticket], None] = lambda _: None
    """Told once of each ticket, when it is shown for the first time."""


@define
class WaitingRoom:
    """Tickets with somebody waiting behind each."""

    window: Window = field(factory=Window)
    """Set once what shows the tickets is made, before the first of them is opened."""
    _desk: Desk = field(factory=Desk)
    _seats: dict[TicketId, _Seat] = field(factory=dict)
    _over: Settlement | None = None
    """How every question ends that is asked once there is nobody left to answer it."""

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """The open tickets, oldest first."""
        return self._desk.tickets

    def count_of(self, chat: ChatId) -> int:
        """How many open tickets a chat has."""
        return sum(ticket.chat == chat for ticket in self._desk.tickets)

    def ticket(self, ticket_id: TicketId) -> Ticket | None:
        """The open ticket of that id."""
        return self._desk.ticket(ticket_id)

    def expires_in(self, ticket_id: TicketId) -> float | None:
        """Seconds until nobody's answer is a refusal; None where the ticket waits."""
        seat = self._seats.get(ticket_id)
        if seat is None or seat.alarm is None:
            return None
        return max(0.0, seat.alarm.when() - asyncio.get_running_loop().time())

    def last(self, ticket_id: TicketId) -> Ticket:
        """A ticket as it stood when it was settled, until it is closed."""
        return self._seats[ticket_id].ticket

    async def ask(self, ticket: Ticket, before: Before | None = None) -> Settlement:
        """Open a ticket and wait until it is settled, by whomever.

        What must be done `before` anybody sees it is done while it is open already: a stop or a
        change of the rules in the meantime finds it.
        """
        self._desk.open(ticket)
        return await self._wait(_seat(ticket), before)

    async def ask_again(self, ticket: Ticket, before: Before | None = None) -> Settlement:
        """Put a question back that was settled, as it stands by now, and wait as for the first.

        Whoever answered what it was is told that this was stale, and what it is.
        """
        held = self._seats[ticket.id]
        ticket = evolve(ticket, revision=held.ticket.revision + 1)
        self._desk.reopen(ticket)
        _wake(held.outcome, ticket)
        return await self._wait(_seat(ticket, shown=held.shown), before)

    async def _wait(self, seat: _Seat, before: Before | None) -> Settlement:
        ticket_id = seat.ticket.id
        self._seats[ticket_id] = seat
        if self._over is not None:
            self.settle(ticket_id, self._over)
        try:
            if before is not None:
                await before()
            self._show_first(seat, ticket_id)
            return await seat.settled
        finally:
            if seat.alarm is not None:
                seat.alarm.cancel()
            # A waiter that was cancelled leaves no question behind that nobody waits for.
            self._desk.settle(ticket_id, endings.interrupted())

    def check(self, answer: Answer) -> Receipt | None:
        """Why an answer would come to nothing, or None where it would settle its ticket."""
        checked = self._desk.check(answer)
        return checked if isinstance(checked, Receipt) else None

    async def answer(self, answer: Answer) -> Receipt:
        """Take a person's answer, and say what came of it once that is certain."""
        receipt = self._desk.answer(answer)
        if receipt.settlement is None:
            return receipt
        seat = self._seats.get(answer.ticket)
        if seat is None:
            return receipt
        if receipt.kind is ReceiptKind.APPLIED:
            _wake(seat.settled, receipt.settlement)
        # The receipt waits for the journal: nobody is told of a decision that was not kept.
        certain = await asyncio.shield(seat.outcome)
        if isinstance(certain, Ticket):
            return Receipt(kind=ReceiptKind.STALE, current=self._desk.ticket(certain.id) or certain)
        return Receipt(kind=receipt.kind, settlement=certain)

    def settle(self, ticket_id: TicketId, settlement: Settlement) -> bool:
        """End a ticket otherwise than by an answer. False if it had ended already."""
        if not self._desk.settle(ticket_id, settlement):
            return False
        _wake(self._seats[ticket_id].settled, settlement)
        return True

    def settle_chat(self, chat: ChatId, settlement: Settlement) -> None:
        """End all tickets of a chat."""
        for ticket in self.tickets:
            if ticket.chat == chat:
                self.settle(ticket.id, settlement)

    def settle_all(self, settlement: Settlement) -> None:
        """End every ticket."""
        for ticket in self.tickets:
            self.settle(ticket.id, settlement)

    async def end_all(self, settlement: Settlement) -> None:
        """End every ticket, and wait until its end has been kept, or could not be.

        What is asked from now on ends at once in the same way.
        """
        self._over = settlement
        ends = [seat.outcome for seat in self._seats.values()]
        self.settle_all(settlement)
        if ends:
            await asyncio.wait(ends)

    def revise(self, ticket: Ticket) -> None:
        """Show a changed question in the place of the old."""
        if ticket.patience is None:
            self._let_wait(ticket.id)
        self._show_again(self._desk.revise(ticket))

    def be_patient(self, ticket_id: TicketId) -> bool:
        """Take the deadline from a ticket. False if it is no longer open."""
        ticket = self._desk.be_patient(ticket_id)
        if ticket is None:
            return False
        self._let_wait(ticket_id)
        self._show_again(ticket)
        return True

    def _let_wait(self, ticket_id: TicketId) -> None:
        seat = self._seats.get(ticket_id)
        if seat is not None and seat.alarm is not None:
            seat.alarm.cancel()
            seat.alarm = None

    def close(self, ticket: Ticket, settlement: Settlement, record: int | None) -> None:
        """Tell everybody how a ticket ended, now that its end has been kept, or could not be."""
        self._desk.correct(ticket.id, settlement)
        seat = self._seats.pop(ticket.id, None)
        if seat is None:
            return
        _wake(seat.outcome, settlement)
        if seat.shown:
            self.window.closed(ticket, settlement, record)

    def _show_first(self, seat: _Seat, ticket_id: TicketId) -> None:
        """Show a ticket as it stands by now, if it is still open; from now on its time runs."""
        current = self._desk.ticket(ticket_id)
        if current is None:
            return
        if current.patience is not None:
            loop = asyncio.get_running_loop()
            seat.alarm = loop.call_later(
                current.patience, self.settle, ticket_id, endings.expired()
            )
        is_new, seat.shown = not seat.shown, True
        self.window.opened(current)
        # What cannot be shown is refused at once.
        if is_new and self._desk.ticket(ticket_id) is not None:
            self.window.waits(current)

    def _show_again(self, ticket: Ticket | None) -> None:
        """Show what changed of a ticket that has been shown."""
        if ticket is None:
            return
        seat = self._seats[ticket.id]
        seat.ticket = ticket
        if seat.shown:
            self.window.opened(ticket)


def _seat(ticket: Ticket, *, shown: bool = False) -> _Seat:
    loop = asyncio.get_running_loop()
    return _Seat(
        ticket=ticket, settled=loop.create_future(), outcome=loop.create_future(), shown=shown
    )


def _wake(waiting: "asyncio.Future[T]", what: T) -> None:
    if not waiting.done():
        waiting.set_result(what)
