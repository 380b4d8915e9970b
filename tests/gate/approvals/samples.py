"""Tickets and answers to test with."""

import asyncio
from itertools import count
from typing import Any

from attrs import evolve

from assent.gate.approvals.options import options_for
from assent.gate.approvals.tickets import Answer, Settlement, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.calls import Call
from assent.gate.rules.drafts import Drafts
from assent.gate.ruling.decide import decide
from gate.ruling.samples import policy, running

__all__ = ["DRAFTS", "Told", "answer_to", "room_with", "ticket", "turn"]

_NUMBERS = count(1)
DRAFTS = Drafts(allow=("shell(make test)",), deny=("shell(make:*)",))


def ticket(call: Call | None = None, **more: Any) -> Ticket:
    """A question about a call, as the gate would ask it."""
    asked = call or running()
    ruling = decide(asked, policy())
    question = Ticket(
        id=TicketId(f"ticket-{next(_NUMBERS)}"),
        asks=asked,
        digest=asked.digest,
        ruling=ruling,
        options=options_for(asked, ruling, policy(), "Eliza", DRAFTS),
    )
    return evolve(question, **more)


def answer_to(question: Ticket, option: str = "once", **more: Any) -> Answer:
    """A person's answer to a question as it stands."""
    answer = Answer(
        ticket=question.id,
        chat=question.chat,
        revision=question.revision,
        digest=question.digest,
        option=option,
    )
    return evolve(answer, **more)


class Told:
    """What the window of a waiting room was told."""

    def __init__(self) -> None:
        self.opened: list[Ticket] = []
        self.closed: list[tuple[TicketId, Settlement, int | None]] = []

    def __call__(self, closed: Ticket, settlement: Settlement, record: int | None) -> None:
        self.closed.append((closed.id, settlement, record))


def room_with(told: Told) -> WaitingRoom:
    """A waiting room that tells it."""
    return WaitingRoom(window=Window(opened=told.opened.append, closed=told))


async def turn() -> None:
    """Let everything run that is ready to."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_soon(done.set)
    await done.wait()
