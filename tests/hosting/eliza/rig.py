"""A fleet with a real gate behind it, and what is needed to look at both."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from assent.catalogue.nodes.catalogue import Catalogue
from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Answer, Receipt, Settlement, Ticket
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.journal.events import CallMoved, CallPrinted, Happening, Noticed, Said
from assent.gate.journal.journal import Journal
from assent.gate.journal.ledger import Ledger
from assent.gate.rules.book import EMPTY, Book
from assent.gate.ruling.facts import UNKNOWN, Facts
from assent.gate.ruling.policy import Policy
from assent.hosting.connection.fleet import Fleet
from assent.hosting.connection.spec import AgentSpec, eliza
from assent.hosting.connection.time_limits import Patience

__all__ = ["BOUND", "PATIENCE", "Rig"]

PATIENCE = Patience(greeting=10, stop=5, stubborn=5, ending=2, words=1)
BOUND = 20
"""Seconds after which a test that waits has failed; the machine may be busy."""


@define
class Rig:
    """Everything between an agent and a person."""

    root: Path
    mode: Mode = Mode.DEFAULT
    book: Book = EMPTY
    patience: float | None = None
    agent: AgentSpec = field(factory=eliza)
    facts: Facts = UNKNOWN
    bypassed: frozenset[AgentId] = frozenset()
    """The agents that ask about nothing but what is asked about in every mode."""
    nodes: Catalogue = field(factory=Catalogue)
    """The tools of servers that agents are handed."""
    sockets: Path | None = None
    """Where hooks of agents ask."""
    happened: list[Happening] = field(factory=list)
    opened: list[Ticket] = field(factory=list)
    closed: list[tuple[Ticket, Settlement]] = field(factory=list)
    more: asyncio.Event = field(factory=asyncio.Event)
    journal: Journal = field(init=False)
    gate: Gate = field(init=False)
    fleet: Fleet = field(init=False)
    chat: ChatId = field(default="chat-1", converter=ChatId)

    def __attrs_post_init__(self) -> None:
        self.journal = Journal(self.root.parent / "journal.db", "epoch", lambda: 0)
        room = WaitingRoom(Window(opened=self._open, closed=self._close))
        self.gate = Gate(
            ledger=Ledger(self.tell),
            journal=self.journal,
            room=room,
            policy=lambda *_: Policy(
                mode=self.mode, trusted=True, book=self.book, bypassed=self.bypassed
            ),
            patience=lambda: self.patience,
            agent_name=lambda _: self.agent.name,
            facts=lambda _: self.facts,
            why_stale=lambda _: None,
        )
        self.fleet = self.new_fleet(PATIENCE)

    def new_fleet(self, patience: Patience) -> Fleet:
        return Fleet(
            gate=self.gate,
            tell=self.tell,
            places=lambda: Places(roots=(str(self.root),), home=str(self.root.parent / "home")),
            patience=patience,
            sockets=self.sockets,
            nodes=self.nodes,
        )

    def tell(self, happening: Happening) -> None:
        self.happened.append(happening)
        self.more.set()

    async def until(self, there: Callable[[], Any]) -> Any:
        """Wait until something is there, woken by whatever happens."""
        async with asyncio.timeout(BOUND):
            while not (found := there()):
                self.more.clear()
                await self.more.wait()
        return found

    async def open(self) -> None:
        await self.fleet.open(self.chat, self.agent, str(self.root))

    async def say(self, text: str) -> tuple[str, str]:
        """A whole turn in which nobody is asked, or others answer."""
        async with asyncio.timeout(BOUND):
            return await self.fleet.prompt(self.chat, text)

    async def ticket(self, number: int = 1) -> Ticket:
        """The ticket that was opened as the nth."""
        await self.until(lambda: len(self.opened) >= number)
        return self.opened[number - 1]

    async def answer(self, ticket: Ticket, option: str, feedback: str | None = None) -> Receipt:
        return await self.gate.room.answer(
            Answer(
                ticket=ticket.id,
                chat=ticket.chat,
                revision=ticket.revision,
                digest=ticket.digest,
                option=option,
                feedback=feedback,
            )
        )

    async def turn(
        self, text: str, option: str, feedback: str | None = None
    ) -> tuple[tuple[str, str], Call]:
        """A turn with one question, and its answer."""
        number = len(self.opened) + 1
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            turn = group.create_task(self.fleet.prompt(self.chat, text))
            ticket = await self.ticket(number)
            await self.answer(ticket, option, feedback)
        assert isinstance(ticket.asks, Call)
        return turn.result(), ticket.asks

    def said(self, who: str = "agent") -> str:
        return "".join(
            one.text for one in self.happened if isinstance(one, Said) and one.who == who
        )

    def notices(self, level: str) -> list[str]:
        return [
            one.text for one in self.happened if isinstance(one, Noticed) and one.level == level
        ]

    def states(self, call: Call) -> list[State]:
        return [
            one.state
            for one in self.happened
            if isinstance(one, CallMoved) and one.call.id == call.id
        ]

    def output(self, call: Call) -> str:
        return "".join(
            one.text
            for one in self.happened
            if isinstance(one, CallPrinted) and one.call == call.id
        )

    def _open(self, ticket: Ticket) -> None:
        self.opened.append(ticket)
        self.more.set()

    def _close(self, ticket: Ticket, settlement: Settlement, record: int | None) -> None:
        self.closed.append((ticket, settlement))
        self.more.set()
