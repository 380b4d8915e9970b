"""A gate with all that stands around it for real: ledger, journal on disk, waiting room.

Only the person is played, by answering what the window was shown.
"""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Coroutine
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Outcome, Receipt, Settlement, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved, Happening
from assent.gate.journal.journal import Journal
from assent.gate.journal.ledger import Ledger
from assent.gate.passage import Ended, Passage, Run
from assent.gate.ruling.facts import UNKNOWN
from assent.gate.ruling.policy import Policy, Rule
from gate.approvals.samples import answer_to

__all__ = ["Scene", "within"]

T = TypeVar("T")


async def within(wait: "asyncio.Future[T] | Coroutine[Any, Any, T]", seconds: float = 30.0) -> T:
    """What comes. The limit only ends a test that would hang, however busy the machine is."""
    async with asyncio.timeout(seconds):
        return await wait


class Scene:
    """One gate, and what happened at it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "state" / "journal.db"
        self.mode = Mode.DEFAULT
        self.rules: tuple[Rule, ...] = ()
        self.bypassed: frozenset[AgentId] = frozenset()
        self.patience: float | None = None
        self.told: list[CallMoved] = []
        self.shown: asyncio.Queue[Ticket] = asyncio.Queue()
        self.opened: set[TicketId] = set()
        """The tickets that the window was shown."""
        self.closed: dict[TicketId, tuple[Settlement, int | None]] = {}
        self.entered: Counter[str] = Counter()
        """How often each call was carried out, by its id."""
        self.unrecorded: list[str] = []
        """The calls that were carried out without a row that allows exactly them."""
        ticks = count(1)
        self.journal = Journal(path=self.path, epoch="epoch-1", now=lambda: next(ticks))
        self.room = WaitingRoom(window=Window(opened=self._open, closed=self._close))
        self.ledger = Ledger(tell=self._tell)
        self.gate = Gate(
            ledger=self.ledger,
            journal=self.journal,
            room=self.room,
            policy=self._policy,
            patience=lambda: self.patience,
            agent_name=str.title,
            facts=lambda _: UNKNOWN,
            why_stale=lambda _: None,
        )

    def admit(self, call: Call, run: Run | None = None) -> "asyncio.Task[Passage]":
        """Bring a call to the gate; if it may run, it is only counted."""
        return asyncio.ensure_future(self.gate.admit(call, run or self.carry_out(call)))

    def carry_out(self, call: Call, ended: Ended | None = None) -> Run:
        """Carry a call out by looking, with eyes of its own, whether the journal allows it."""

        async def run(_: Call, __: Settlement) -> Ended:
            self.entered[call.id] += 1
            if not self.allowing_rows(call):
                self.unrecorded.append(call.id)
            return ended or Ended(state=State.SUCCEEDED, output="done")

        return run

    async def card(self) -> Ticket:
        """The next card that is shown."""
        return await within(self.shown.get())

    async def answer(self, ticket: Ticket, option: str = "once", **more: Any) -> Receipt:
        """Answer a card."""
        return await within(self.room.answer(answer_to(ticket, option, **more)))

    def rows(self, **equal: str) -> list[dict[str, Any]]:
        """What stands in the journal, read through a connection of its own."""
        if not self.path.is_file():
            return []
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            database.row_factory = sqlite3.Row
            where = " and ".join(f"{name} = :{name}" for name in equal) or "true"
            found = database.execute(f"select * from entries where {where} order by seq", equal)  # noqa: S608 -- names that tests choose
            return [{**row, "body": json.loads(row["body"])} for row in found]
        finally:
            database.close()

    def allowing_rows(self, call: Call) -> list[dict[str, Any]]:
        """The rows that allow exactly this call."""
        decided = self.rows(kind="decided", call=call.id, digest=call.digest)
        return [row for row in decided if row["body"]["outcome"] == Outcome.ALLOWED]

    def steps(self, call: Call) -> list[State]:
        """The states that a call was told to have taken."""
        return [each.state for each in self.told if each.call.id == call.id]

    async def written(self) -> None:
        """Wait until everything that was handed in is on the disk."""
        await within(self.journal.rows())

    def _policy(self, _chat: ChatId, _agent: AgentId) -> Policy:
        return Policy(mode=self.mode, rules=self.rules, bypassed=self.bypassed, trusted=True)

    def _tell(self, happening: Happening) -> None:
        assert isinstance(happening, CallMoved)
        self.told.append(happening)

    def _open(self, ticket: Ticket) -> None:
        self.opened.add(ticket.id)
        self.shown.put_nowait(ticket)

    def _close(self, ticket: Ticket, settlement: Settlement, record: int | None) -> None:
        assert ticket.id not in self.closed
        self.closed[ticket.id] = (settlement, record)
