"""Asks a person about a workspace's wish, and writes their answer into the journal."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from uuid import uuid4

from assent.editor.window.spawn import Spawn
from assent.gate.approvals import endings
from assent.gate.approvals.options import options_for_repository, options_for_wish
from assent.gate.approvals.tickets import Option, Outcome, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.journal.journal import Entry, Journal
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.wishes import REPOSITORY, SERVERS, Wish
from assent.gate.values import define, field, frozen

__all__ = ["WishQuestions", "forgotten_row", "question_of", "wish_row"]


@frozen(eq=False)
class _Asked:
    """An open question about a wish."""

    wish: Wish
    ticket: Ticket
    answered: asyncio.Future[bool]
    """Whether a person answered, once it is over and what they said is kept."""


@define
class WishQuestions:
    """The open questions about wishes, one for each."""

    _room: WaitingRoom
    _journal: Journal
    _spawn: Spawn
    _attest: Callable[[Wish, Outcome], Awaitable[None]]
    """Keeps an answer."""
    _asked: dict[str, _Asked] = field(factory=dict)
    """By the wish's digest."""

    def ask(self, wish: Wish, name: str) -> asyncio.Future[bool]:
        """Ask about a wish, unless that is done already; `name` is of the agent it is about."""
        ticket = question_of(wish, name)
        question = self._asked.get(ticket.digest)
        if question is None:
            over = asyncio.get_running_loop().create_future()
            question = self._asked[ticket.digest] = _Asked(wish, ticket, over)
            self._spawn(self._see_through(question))
        return question.answered

    def withdraw(self, unwanted: Callable[[Wish, str], bool]) -> None:
        """End the questions about those wishes that nobody has any more, by wish and digest."""
        for digest, question in tuple(self._asked.items()):
            if unwanted(question.wish, digest):
                self._room.settle(question.ticket.id, endings.interrupted())

    @property
    def open(self) -> Collection[str]:
        """The digests of the wishes about which a question is open."""
        return self._asked.keys()

    async def _see_through(self, asked: _Asked) -> None:
        ticket, wish = asked.ticket, asked.wish
        settlement, row, answered = endings.interrupted(), None, False
        try:
            settlement = await self._room.ask(ticket)
            answered = settlement.by is Actor.USER
            row = await self._journal.keep(wish_row(wish, settlement.outcome, settlement.because))
            # Closing the editor answers nothing: the next one asks about the wish again.
            if answered:
                await self._attest(wish, settlement.outcome)
        except AssentError as error:
            settlement = endings.refused(Actor.ERROR, str(error))
        except BaseException as error:
            settlement = endings.failed(error)  # Nobody is told that it was granted.
            raise
        finally:
            self._asked.pop(ticket.digest, None)
            if not asked.answered.done():
                asked.answered.set_result(answered)
            self._room.close(ticket, settlement, row)


def wish_row(wish: Wish, outcome: Outcome, because: str) -> Entry:
    """What the journal says of an answer to a wish."""
    return _row(wish, outcome.value, because)


def forgotten_row(wish: Wish) -> Entry:
    """What the journal says of an answer that is taken back."""
    return _row(wish, "forgotten", "You took back what you had said of it")


def _row(wish: Wish, outcome: str, because: str) -> Entry:
    of_settings = {"setting": f"assent.{wish.key}"}
    return Entry(
        kind="noted",
        agent=wish.name or None,
        digest=wish.digest,
        body={
            **({"what": REPOSITORY} if wish.key == REPOSITORY else of_settings),
            "value": wish.value,
            "outcome": outcome,
            "because": because,
        },
    )


def question_of(wish: Wish, name: str) -> Ticket:
    """The question that a wish raises; `name` is of the agent that it is about."""
    return Ticket(
        id=TicketId(str(uuid4())),
        asks=wish,
        digest=wish.digest,
        ruling=Ruling(verdict=Verdict.ASK, because=_asks(wish, name), lasting=False),
        options=_options(wish),
    )


def _options(wish: Wish) -> tuple[Option, ...]:
    if wish.key != REPOSITORY:
        return options_for_wish("Allow this…")
    labels = {ASSENT.id: "Take them…", SERVERS: "Let them run…"}
    return options_for_repository(labels.get(wish.name, "Let it run here…"))


def _asks(wish: Wish, name: str) -> str:
    """The question that a wish raises, as a card's title."""
    match wish.key:
        case "bypassPermissions":
            return f"This workspace asks to stop asking for {name}"
        case "repository" if wish.name == ASSENT.id:
            return f"This repository offers skills and commands to {name}"
        case "repository" if wish.name == SERVERS:
            return "This repository asks to start servers of tools"
        case "repository":
            return f"This repository configures {name}"
        case "agents":
            return f"This workspace asks to add the agent {name}"
        case "rules":
            return "This workspace asks to allow calls by its own rules"
        case "additionalDirectories":
            return "This workspace asks to let agents work in folders beside it"
        case _:
            return f"This workspace asks to set assent.{wish.key} to {wish.value}"
