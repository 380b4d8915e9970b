"""Somebody waits behind each ticket: they are woken once, and everybody is told the same."""

import asyncio
from collections.abc import Callable

import pytest
from attrs import evolve

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, Receipt, ReceiptKind, Settlement, Ticket
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.calls import ChatId
from assent.gate.call.verdicts import Actor
from gate.approvals.samples import Told, answer_to, room_with, ticket, turn
from gate.ruling.samples import running
from tables import each_row


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def room(told: Told) -> WaitingRoom:
    return room_with(told)


async def _ask(room: WaitingRoom, asked: Ticket) -> Settlement:
    """Ask as the gate does: wait, then close."""
    settlement = endings.interrupted()
    try:
        settlement = await room.ask(asked)
    finally:
        room.close(asked, settlement, None)
    return settlement


def _start(room: WaitingRoom, asked: Ticket) -> asyncio.Task[Settlement]:
    return asyncio.ensure_future(_ask(room, asked))


@pytest.mark.requirement("C-01")
async def test_an_answer_wakes_whoever_asked(room: WaitingRoom, told: Told) -> None:
    asked = ticket()
    waiter = _start(room, asked)
    await turn()
    assert told.opened == [asked]
    receipt = await room.answer(answer_to(asked))
    settlement = await waiter
    assert receipt == Receipt(kind=ReceiptKind.APPLIED, settlement=settlement)
    assert settlement.outcome is Outcome.ALLOWED
    assert told.closed == [(asked.id, settlement, None)]


@pytest.mark.requirement("T-09")
async def test_nobodys_answer_is_a_refusal_that_is_not_a_persons(
    room: WaitingRoom, told: Told
) -> None:
    settlement = await _ask(room, ticket(patience=0.001))
    assert (settlement.outcome, settlement.by) == (Outcome.REFUSED, Actor.TIMEOUT)
    assert settlement.because == "Nobody answered in time, so it was not run."
    assert room.tickets == ()


@pytest.mark.requirement("T-10")
@pytest.mark.parametrize("first", ["click", "deadline"])
@pytest.mark.parametrize("run", range(50))
async def test_a_click_in_the_tick_of_the_deadline_is_told_what_happened(
    room: WaitingRoom, first: str, run: int
) -> None:
    asked = ticket(patience=3600.0)
    waiter = _start(room, asked)
    await turn()
    # The alarm is rung by hand, so that both are due in one and the same turn of the loop.
    alarm = room._seats[asked.id].alarm
    assert alarm is not None
    clicks: list[asyncio.Future[Receipt]] = []
    due: list[Callable[[], object]] = [
        lambda: clicks.append(asyncio.ensure_future(room.answer(answer_to(asked)))),
        alarm._run,  # type: ignore[attr-defined]
    ]
    loop = asyncio.get_running_loop()
    for each in due if first == "click" else reversed(due):
        loop.call_soon(each)
    settlement = await waiter
    receipt = await clicks[0]
    assert receipt.settlement == settlement
    applied = receipt.kind is ReceiptKind.APPLIED
    assert applied is (settlement.by is Actor.USER)
    assert applied is (settlement.outcome is Outcome.ALLOWED)


@pytest.mark.requirement("T-10")
@each_row("first", ["click", "deadline"])
def test_a_deadline_and_a_click_that_are_due_at_once_agree(first: str) -> None:
    """The same on a loop whose clock is moved by hand, without touching the room's insides."""
    loop = _HandDriven()
    try:
        for _ in range(50):
            loop.run_until_complete(_race(loop, first))
    finally:
        loop.close()


async def _race(loop: "_HandDriven", first: str) -> None:
    room = room_with(Told())
    asked = ticket(patience=5.0)
    clicks: list[asyncio.Future[Receipt]] = []

    def click() -> None:
        clicks.append(asyncio.ensure_future(room.answer(answer_to(asked))))

    if first == "click":
        loop.call_at(loop.time() + 5.0, click)
    waiter = _start(room, asked)
    await turn()
    if first == "deadline":
        loop.call_at(loop.time() + 5.0, click)
    loop.now += 5.0
    settlement = await waiter
    await turn()
    receipt = await clicks[0]
    assert receipt.settlement == settlement


@pytest.mark.requirement("T-09")
@each_row("patience", [None, 100.0])
def test_the_deadline_of_a_question_does_not_end_the_one_that_is_put_in_its_place(
    patience: float | None,
) -> None:
    loop = _HandDriven()
    try:
        loop.run_until_complete(_outlive(loop, patience))
    finally:
        loop.close()


async def _outlive(loop: "_HandDriven", patience: float | None) -> None:
    room = room_with(Told())
    asked = ticket(patience=5.0)
    first = asyncio.ensure_future(room.ask(asked))
    await turn()
    click = asyncio.ensure_future(room.answer(answer_to(asked)))
    await first
    second = asyncio.ensure_future(room.ask_again(evolve(asked, patience=patience)))
    await turn()
    loop.now += 6.0
    await turn()
    await turn()
    assert (await click).kind is ReceiptKind.STALE
    (again,) = room.tickets
    assert not second.done()
    assert room.expires_in(again.id) == (None if patience is None else 94.0)
    await turn()
    room.settle(again.id, endings.interrupted())
    assert (await second).by is Actor.STOP


class _HandDriven(asyncio.SelectorEventLoop):
    """A loop for which time passes only when a test says so."""

    now = 1000.0

    def time(self) -> float:
        return self.now


@pytest.mark.requirement("T-07")
async def test_tickets_are_answered_apart(room: WaitingRoom) -> None:
    same = [ticket(running("make")) for _ in range(3)]
    waiters = [_start(room, each) for each in same]
    await turn()
    await room.answer(answer_to(same[1], "deny"))
    await turn()
    assert [waiter.done() for waiter in waiters] == [False, True, False]
    await room.answer(answer_to(same[0]))
    await room.answer(answer_to(same[2], "deny"))
    outcomes = [(await waiter).outcome for waiter in waiters]
    assert outcomes == [Outcome.ALLOWED, Outcome.REFUSED, Outcome.REFUSED]


@pytest.mark.requirement("T-08")
async def test_a_waiter_that_is_cancelled_leaves_no_ticket(room: WaitingRoom, told: Told) -> None:
    asked = ticket(patience=3600.0)
    waiter = _start(room, asked)
    await turn()
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert room.tickets == ()
    assert room._seats == {}
    assert [settlement.outcome for _, settlement, _ in told.closed] == [Outcome.WITHDRAWN]
    late = await room.answer(answer_to(asked))
    assert late.kind is ReceiptKind.ALREADY_DECIDED
    assert late.settlement is not None
    assert late.settlement.outcome is Outcome.WITHDRAWN


async def test_a_click_just_before_the_waiter_is_cancelled_is_told_that_it_came_to_nothing(
    room: WaitingRoom,
) -> None:
    asked = ticket()
    waiter = _start(room, asked)
    await turn()
    click = asyncio.ensure_future(room.answer(answer_to(asked)))
    await turn()
    waiter.cancel()
    receipt = await click
    assert receipt.settlement is not None
    ended = (await asyncio.gather(waiter, return_exceptions=True))[0]
    ran = isinstance(ended, Settlement) and ended.outcome is Outcome.ALLOWED
    assert (receipt.settlement.outcome is Outcome.ALLOWED) is ran


@pytest.mark.requirement("T-08", "T-13")
async def test_stop_settles_a_chats_tickets_and_no_others(room: WaitingRoom) -> None:
    here = [ticket() for _ in range(3)]
    there = ticket(running(chat=ChatId("chat-2")))
    waiters = [_start(room, each) for each in (*here, there)]
    await turn()
    room.settle_chat(here[0].chat or ChatId(""), endings.refused(Actor.STOP, "You stopped it."))
    settled = await asyncio.gather(*waiters[:3])
    assert {settlement.by for settlement in settled} == {Actor.STOP}
    assert room.tickets == (there,)
    room.settle_all(endings.refused(Actor.STOP, "The editor closed."))
    assert (await waiters[3]).because == "The editor closed."


@pytest.mark.requirement("T-09")
async def test_a_question_whose_deadline_was_taken_away_does_not_expire(room: WaitingRoom) -> None:
    asked = ticket(patience=0.0)
    waiter = asyncio.ensure_future(room.ask(asked))
    await turn()
    assert room.be_patient(asked.id)
    assert room.expires_in(asked.id) is None
    for _ in range(10):
        await turn()
    assert [it.id for it in room.tickets] == [asked.id]
    room.settle(asked.id, endings.interrupted())
    await waiter
    room.close(asked, endings.interrupted(), None)


async def test_an_answer_can_be_checked_before_it_is_given(room: WaitingRoom) -> None:
    asked = ticket()
    waiter = asyncio.ensure_future(room.ask(asked))
    await turn()
    assert room.check(answer_to(asked)) is None
    stale = room.check(answer_to(asked, digest="another"))
    assert stale is not None
    assert (stale.kind, stale.current) == (ReceiptKind.STALE, asked)
    room.settle(asked.id, endings.interrupted())
    await waiter
    settled = room.check(answer_to(asked))
    assert settled is not None
    assert settled.kind is ReceiptKind.ALREADY_DECIDED
    room.close(asked, endings.interrupted(), None)


async def test_whoever_ends_all_waits_until_each_end_is_kept(room: WaitingRoom) -> None:
    await room.end_all(endings.refused(Actor.STOP, "The editor closed."))
    asked = ticket()
    waiter = asyncio.ensure_future(room.ask(asked))
    await turn()
    ended = asyncio.ensure_future(room.end_all(endings.refused(Actor.STOP, "The editor closed.")))
    settlement = await waiter
    await turn()
    assert not ended.done()
    room.close(asked, settlement, 1)
    await ended
    assert settlement.because == "The editor closed."


async def test_a_receipt_waits_until_the_outcome_is_certain(room: WaitingRoom) -> None:
    asked = ticket()
    waiter = asyncio.ensure_future(room.ask(asked))
    await turn()
    click = asyncio.ensure_future(room.answer(answer_to(asked)))
    late = asyncio.ensure_future(room.answer(answer_to(asked, "deny")))
    await waiter
    await turn()
    assert not click.done()
    assert not late.done()
    unkept = endings.unkept(OSError("disk full"))
    room.close(asked, unkept, None)
    assert await click == Receipt(kind=ReceiptKind.APPLIED, settlement=unkept)
    assert await late == Receipt(kind=ReceiptKind.ALREADY_DECIDED, settlement=unkept)
    after = await room.answer(answer_to(asked))
    assert after.settlement == unkept


async def test_an_answerer_who_leaves_takes_nobody_along(room: WaitingRoom) -> None:
    asked = ticket()
    waiter = asyncio.ensure_future(room.ask(asked))
    await turn()
    gone = asyncio.ensure_future(room.answer(answer_to(asked)))
    stays = asyncio.ensure_future(room.answer(answer_to(asked)))
    settlement = await waiter
    gone.cancel()
    await turn()
    room.close(asked, settlement, 7)
    assert (await stays).settlement == settlement


async def test_a_revised_ticket_keeps_its_deadline_and_refuses_the_old_answer(
    room: WaitingRoom, told: Told
) -> None:
    asked = ticket(patience=3600.0)
    waiter = _start(room, asked)
    await turn()
    alarm = room._seats[asked.id].alarm
    room.revise(evolve(asked, options=asked.options[:1]))
    assert room._seats[asked.id].alarm is alarm
    assert (await room.answer(answer_to(asked))).kind is ReceiptKind.STALE
    assert [each.revision for each in told.opened] == [1, 2]
    assert (await room.answer(answer_to(told.opened[-1]))).kind is ReceiptKind.APPLIED
    await waiter


async def test_patience_takes_the_deadline_away(room: WaitingRoom, told: Told) -> None:
    asked = ticket(patience=3600.0)
    waiter = _start(room, asked)
    await turn()
    assert (room.expires_in(asked.id) or 0) > 3000
    assert room.be_patient(asked.id)
    assert room.expires_in(asked.id) is None
    assert told.opened[-1].patience is None
    assert (await room.answer(answer_to(asked))).kind is ReceiptKind.APPLIED
    await waiter
    assert not room.be_patient(asked.id)


async def test_a_second_ticket_of_the_same_id_leaves_the_first_alone(room: WaitingRoom) -> None:
    asked = ticket()
    waiter = _start(room, asked)
    await turn()
    with pytest.raises(ValueError, match="opened before"):
        await room.ask(evolve(asked, patience=0.0))
    await turn()
    await turn()
    assert room.tickets == (asked,)
    await room.answer(answer_to(asked))
    assert (await waiter).by is Actor.USER


async def test_a_window_that_cannot_show_a_card_leaves_no_ticket() -> None:
    def broken(_: Ticket) -> None:
        raise OSError("the view is gone")

    told = Told()
    room = WaitingRoom(window=Window(opened=broken, closed=told))
    with pytest.raises(OSError, match="the view is gone"):
        await _ask(room, ticket())
    assert room.tickets == ()
    assert room._seats == {}
