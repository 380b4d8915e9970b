"""Whatever the interleaving, a call is carried out at most once and only after its row."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, Receipt, ReceiptKind, TicketId
from assent.gate.call.calls import Call, ChatId, canonical
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal import chain
from assent.gate.passage import Passage
from gate.admit.scene import Scene, within
from gate.approvals.samples import answer_to, turn
from gate.ruling.samples import reading, running, writing

CHATS = st.sampled_from([ChatId("chat-1"), ChatId("chat-2")])
MADE = st.builds(
    lambda make, chat: (make, chat), st.sampled_from([running, reading, writing]), CHATS
)
STEPS = st.one_of(
    st.tuples(st.just("admit"), MADE),
    st.tuples(st.just("answer"), st.sampled_from(["once", "chat", "deny", "tell", "none such"])),
    st.tuples(st.just("answer old"), st.sampled_from(["once", "chat", "deny"])),
    st.tuples(st.just("cancel"), st.integers(0, 20)),
    st.tuples(st.just("change"), st.integers(0, 20)),
    st.tuples(st.just("stop"), CHATS),
    st.tuples(st.just("expire"), st.integers(0, 20)),
    st.tuples(st.just("mode"), st.sampled_from(Mode)),
    st.tuples(st.just("turn"), st.integers(1, 5)),
    st.tuples(st.just("written"), st.none()),
)


class _Play:
    """Plays a schedule at a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.calls: list[Call] = []
        self.admitted: list[asyncio.Task[Passage]] = []
        self.clicks: list[tuple[TicketId, asyncio.Future[Receipt]]] = []

    async def step(self, name: str, given: Any) -> None:  # noqa: C901 -- one case for each step
        match name:
            case "admit":
                make, chat = given
                self.calls.append(make(chat=chat))
                self.admitted.append(self.scene.admit(self.calls[-1]))
            case "answer":
                self._answer_each(given)
            case "answer old":
                self._answer_shown(given)
            case "cancel" if self.admitted:
                self.admitted[given % len(self.admitted)].cancel()
            case "change" if self.calls:
                self.calls[given % len(self.calls)].input["changed"] = given
            case "stop":
                self.scene.gate.stop(given, Actor.STOP, "You stopped the agent.")
            case "expire" if self.scene.room.tickets:
                tickets = self.scene.room.tickets
                self.scene.room.settle(tickets[given % len(tickets)].id, endings.expired())
            case "mode":
                self.scene.mode = given
                self.scene.gate.rule_again()
            case "turn":
                for _ in range(given):
                    await turn()
            case "written":
                await self.scene.written()

    async def end(self) -> list[Passage | BaseException]:
        """Stop all that waits, and what came of each call."""
        await turn()
        for _ in range(2):
            for chat in ("chat-1", "chat-2"):
                self.scene.gate.stop(ChatId(chat), Actor.STOP, "The editor closed.")
            await turn()
        return await within(asyncio.gather(*self.admitted, return_exceptions=True), 30)

    def _answer_each(self, option: str) -> None:
        for ticket in self.scene.room.tickets[:2]:
            click = asyncio.ensure_future(self.scene.room.answer(answer_to(ticket, option)))
            self.clicks.append((ticket.id, click))

    def _answer_shown(self, option: str) -> None:
        if not self.scene.shown.empty():
            ticket = self.scene.shown.get_nowait()
            click = asyncio.ensure_future(self.scene.room.answer(answer_to(ticket, option)))
            self.clicks.append((ticket.id, click))


async def _play(folder: Path, steps: list[tuple[str, Any]]) -> None:
    scene = Scene(folder)
    play = _Play(scene)
    try:
        for name, drawn in steps:
            await play.step(name, drawn)
        ended = await play.end()
        receipts = await within(asyncio.gather(*(click for _, click in play.clicks)))
        await scene.written()
    finally:
        scene.journal.close()
    assert scene.unrecorded == []
    assert all(times == 1 for times in scene.entered.values())
    for call, end in zip(play.calls, ended, strict=True):
        ran = isinstance(end, Passage) and end.ended is not None
        cancelled = isinstance(end, asyncio.CancelledError)
        assert cancelled or isinstance(end, Passage), end
        assert ran is (call.id in scene.entered) or cancelled
        if isinstance(end, Passage):
            assert ran is (end.settlement.outcome is Outcome.ALLOWED)
    for (ticket_id, _), receipt in zip(play.clicks, receipts, strict=True):
        if receipt.settlement is not None and ticket_id in scene.opened:
            assert receipt.settlement == scene.closed[ticket_id][0]
    # Nobody is told of the end of what they were never shown, and of every end they were.
    assert set(scene.closed) == scene.opened
    heard = zip(play.clicks, receipts, strict=True)
    applied = [ticket for (ticket, _), r in heard if r.kind is ReceiptKind.APPLIED]
    assert len(applied) == len(set(applied))
    assert scene.room.tickets == ()
    assert scene.ledger._standing == {}
    raw = [{**row, "body": canonical(row["body"])} for row in scene.rows()]
    assert chain.first_break(raw) is None


@pytest.mark.requirement("T-01", "C-06", "C-07")
@settings(max_examples=60, deadline=None)
@example(
    [
        ("admit", (reading, ChatId("chat-1"))),
        ("turn", 1),
        ("answer", "once"),
        ("answer", "once"),
        ("mode", Mode.ASK),
    ]
)
@given(st.lists(STEPS, max_size=30))
def test_no_schedule_runs_a_call_twice_or_without_its_row(steps: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_play(Path(folder), steps))
