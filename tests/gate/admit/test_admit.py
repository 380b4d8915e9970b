"""Scenes at the gate: what runs, what does not, and what everybody is told."""

import asyncio
import errno
import threading
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve

from assent.catalogue.mcp.server_requests import ServerRequest
from assent.gate.approvals.tickets import OptionKind, Outcome, Receipt, ReceiptKind, Settlement
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.lifecycle import NEXT, State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.journal.journal import Entry, Journal
from assent.gate.passage import Ended
from gate.admit.scene import Scene, within
from gate.approvals.samples import turn
from gate.ruling.samples import AGENT, reading, running, says, using, writing


async def test_what_the_mode_allows_runs_without_a_card_and_after_its_row(scene: Scene) -> None:
    call = reading()
    passage = await within(scene.admit(call))
    assert passage.settlement.outcome is Outcome.ALLOWED
    assert passage.settlement.by is Actor.MODE
    assert passage.ended == Ended(state=State.SUCCEEDED, output="done")
    assert scene.shown.empty()
    assert scene.entered == {call.id: 1}
    assert scene.steps(call) == [State.PROPOSED, State.RUNNING, State.SUCCEEDED]


@pytest.mark.requirement("T-01", "C-01")
async def test_what_is_asked_runs_once_and_only_after_the_answer(scene: Scene) -> None:
    call = running()
    admitted = scene.admit(call)
    card = await scene.card()
    assert not admitted.done()
    assert scene.entered == {}
    assert scene.steps(call) == [State.PROPOSED, State.WAITING]
    receipt = await scene.answer(card)
    passage = await within(admitted)
    assert receipt.kind is ReceiptKind.APPLIED
    assert receipt.settlement == passage.settlement
    assert scene.entered == {call.id: 1}
    assert scene.steps(call)[-2:] == [State.RUNNING, State.SUCCEEDED]


@pytest.mark.requirement("T-01", "T-05")
async def test_what_is_denied_does_not_run_and_the_reason_is_told(scene: Scene) -> None:
    call = running()
    admitted = scene.admit(call)
    card = await scene.card()
    await scene.answer(card, "tell", feedback="use the Makefile")
    passage = await within(admitted)
    assert passage.ended is None
    assert passage.settlement.because == "You denied it: “use the Makefile”"
    assert scene.entered == {}
    assert scene.steps(call)[-1] is State.REFUSED
    assert scene.told[-1].because == passage.settlement.because


@pytest.mark.requirement("T-05")
async def test_the_chat_goes_on_after_a_refusal(scene: Scene) -> None:
    refused = scene.admit(running())
    await scene.answer(await scene.card(), "deny")
    await within(refused)
    passage = await within(scene.admit(reading()))
    assert passage.ended is not None


async def test_what_the_mode_denies_shows_no_card(scene: Scene) -> None:
    scene.mode = Mode.PLAN
    call = running()
    passage = await within(scene.admit(call))
    assert passage.settlement.outcome is Outcome.REFUSED
    assert passage.settlement.because == "Plan mode does not let agents run commands."
    assert scene.shown.empty()
    assert scene.entered == {}


@pytest.mark.requirement("S-03")
async def test_a_bypass_lets_one_agent_through_without_a_card(scene: Scene) -> None:
    scene.bypassed = frozenset({AGENT})
    call = running()
    passage = await within(scene.admit(call))
    assert passage.settlement.rule == "assent.bypassPermissions"
    assert scene.entered == {call.id: 1}
    other = scene.admit(running(agent=AgentId("codex")))
    await scene.answer(await scene.card(), "deny")
    assert (await within(other)).ended is None


async def test_every_step_of_a_call_is_one_that_the_table_joins(scene: Scene) -> None:
    for option in ("once", "deny"):
        call = running()
        admitted = scene.admit(call)
        await scene.answer(await scene.card(), option)
        await within(admitted)
        steps = scene.steps(call)
        pairs = pairwise(steps)
        assert all(then in NEXT[now] for now, then in pairs)
        assert not NEXT[steps[-1]]


async def test_the_settled_card_names_the_row_of_its_decision(scene: Scene) -> None:
    call = running()
    admitted = scene.admit(call)
    card = await scene.card()
    await scene.answer(card)
    passage = await within(admitted)
    settlement, record = scene.closed[card.id]
    assert settlement == passage.settlement
    (row,) = scene.allowing_rows(call)
    assert row["seq"] == record
    assert row["body"]["option"] == OptionKind.ALLOW_ONCE
    assert row["body"]["by"] == Actor.USER


async def test_the_journal_tells_the_story_of_a_call(scene: Scene) -> None:
    call = running()
    admitted = scene.admit(call)
    await scene.answer(await scene.card(), shown_ms=1500)
    await within(admitted)
    await scene.written()
    assert [row["kind"] for row in scene.rows(call=call.id)] == ["asked", "decided", "ended"]
    decided = scene.rows(kind="decided")[0]["body"]
    assert decided["input"] == {"command": "make test"}
    assert decided["shownMs"] == 1500
    assert {row["digest"] for row in scene.rows()} == {call.digest}
    assert scene.rows(kind="ended")[0]["body"] == {"state": "succeeded", "output": "done"}


@pytest.mark.requirement("N-04", "S-09", "C-06")
class TestForThisChat:
    async def test_covers_the_same_call_made_again(self, scene: Scene) -> None:
        await _allow_for_chat(scene, running("make test"))
        passage = await within(scene.admit(running("make test")))
        assert passage.settlement.by is Actor.RULE
        assert passage.settlement.because == "You allowed exactly this call for this chat."
        assert scene.shown.empty()

    @pytest.mark.parametrize(
        "other",
        [
            running("make test", chat=ChatId("chat-2")),
            running("make test", agent=AgentId("codex")),
            running("make tests"),
            writing("b.txt"),
        ],
        ids=["another chat", "another agent", "another command", "another tool"],
    )
    async def test_covers_nothing_else(self, scene: Scene, other: Call) -> None:
        await _allow_for_chat(scene, running("make test"))
        await _is_asked(scene, other)

    async def test_of_a_file_covers_no_other_file(self, scene: Scene) -> None:
        await _allow_for_chat(scene, writing("a.txt"))
        assert (await within(scene.admit(writing("a.txt", "more")))).ended is not None
        await _is_asked(scene, writing("b.txt"))

    async def test_closes_what_it_covers_and_no_more(self, scene: Scene) -> None:
        calls = [running("make"), running("make"), running("make clean")]
        admitted = [scene.admit(call) for call in calls]
        cards = [await scene.card() for _ in calls]
        await scene.answer(cards[0], "chat")
        settled = await within(asyncio.gather(*admitted[:2]))
        assert [passage.settlement.by for passage in settled] == [Actor.USER, Actor.RULE]
        assert [each.id for each in scene.room.tickets] == [cards[2].id]
        await scene.answer(cards[2], "deny")
        await within(admitted[2])
        assert scene.entered == {calls[0].id: 1, calls[1].id: 1}

    async def test_ends_with_its_chat(self, scene: Scene) -> None:
        await _allow_for_chat(scene, running("make test"))
        scene.gate.grants.drop(ChatId("chat-1"))
        await _is_asked(scene, running("make test"))

    async def test_is_not_written_anywhere(self, scene: Scene) -> None:
        await _allow_for_chat(scene, running("make test"))
        again = evolve(scene.gate, grants=type(scene.gate.grants)())
        call = running("make test")
        admitted = asyncio.ensure_future(again.admit(call, scene.carry_out(call)))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None

    async def test_is_not_given_by_an_answer_that_was_not_kept(self, scene: Scene) -> None:
        admitted = scene.admit(running("make test"))
        card = await scene.card()
        scene.journal.close()
        await scene.answer(card, "chat")
        assert (await within(admitted)).ended is None
        assert scene.gate.grants.of(ChatId("chat-1")) == ()


@pytest.mark.requirement("C-06")
async def test_allow_once_is_for_once(scene: Scene) -> None:
    call = running()
    admitted = scene.admit(call)
    await scene.answer(await scene.card())
    await within(admitted)
    await _is_asked(scene, running())
    await _is_asked(scene, call)


class TestRulingAgain:
    async def test_closes_what_is_now_allowed(self, scene: Scene) -> None:
        admitted = scene.admit(running())
        card = await scene.card()
        scene.mode = Mode.AUTO
        scene.gate.rule_again()
        passage = await within(admitted)
        assert (passage.settlement.outcome, passage.settlement.by) == (Outcome.ALLOWED, Actor.MODE)
        assert (await scene.answer(card, "deny")).kind is ReceiptKind.ALREADY_DECIDED

    async def test_refuses_what_is_now_denied(self, scene: Scene) -> None:
        admitted = scene.admit(running())
        await scene.card()
        scene.mode = Mode.PLAN
        scene.gate.rule_again()
        passage = await within(admitted)
        assert passage.ended is None
        assert passage.settlement.by is Actor.MODE

    async def test_revises_what_is_asked_for_another_reason(self, scene: Scene) -> None:
        admitted = scene.admit(running())
        first = await scene.card()
        scene.mode = Mode.ASK
        scene.gate.rule_again()
        second = await scene.card()
        assert (second.id, second.revision) == (first.id, 2)
        assert second.ruling.because.startswith("Ask every time mode asks")
        assert (await scene.answer(first)).kind is ReceiptKind.STALE
        assert not admitted.done()
        assert (await scene.answer(second)).kind is ReceiptKind.APPLIED
        assert (await within(admitted)).ended is not None

    async def test_leaves_alone_what_has_not_changed(self, scene: Scene) -> None:
        admitted = scene.admit(running())
        card = await scene.card()
        scene.gate.rule_again()
        assert scene.shown.empty()
        assert (await scene.answer(card)).kind is ReceiptKind.APPLIED
        await within(admitted)

    async def test_denies_in_spite_of_a_grant(self, scene: Scene) -> None:
        await _allow_for_chat(scene, running())
        scene.rules = (says(Verdict.DENY),)
        assert (await within(scene.admit(running()))).ended is None


@pytest.mark.requirement("T-07", "C-07")
async def test_calls_pass_side_by_side(scene: Scene) -> None:
    asked = [running("make"), running("make")]
    admitted = [scene.admit(call) for call in asked]
    cards = [await scene.card() for _ in asked]
    allowed = reading()
    assert (await within(scene.admit(allowed))).ended is not None
    assert not any(each.done() for each in admitted)
    await scene.answer(cards[1], "deny")
    assert (await within(admitted[1])).ended is None
    assert not admitted[0].done()
    await scene.answer(cards[0])
    assert (await within(admitted[0])).ended is not None


@pytest.mark.requirement("T-07")
async def test_a_long_call_holds_up_no_other(scene: Scene) -> None:
    release = asyncio.Event()

    async def long(_: Call, __: Settlement) -> Ended:
        await within(release.wait())
        return Ended(state=State.SUCCEEDED)

    slow = scene.admit(reading(), long)
    assert (await within(scene.admit(reading()))).ended is not None
    assert not slow.done()
    release.set()
    await within(slow)


@pytest.mark.requirement("T-08", "T-13")
async def test_stop_refuses_what_waits_in_its_chat(scene: Scene) -> None:
    here, there = running(), running(chat=ChatId("chat-2"))
    admitted = [scene.admit(here), scene.admit(there)]
    cards = [await scene.card(), await scene.card()]
    scene.gate.stop(ChatId("chat-1"), Actor.STOP, "You stopped the agent.")
    passage = await within(admitted[0])
    assert passage.settlement.because == "You stopped the agent."
    assert scene.closed[cards[0].id][0].by is Actor.STOP
    assert not admitted[1].done()
    assert scene.entered == {}
    await scene.answer(cards[1])
    await within(admitted[1])
    assert scene.entered == {there.id: 1}


@pytest.mark.requirement("T-09")
async def test_nobodys_answer_refuses_with_its_own_reason(scene: Scene) -> None:
    scene.patience = 0.001
    passage = await within(scene.admit(running()))
    assert passage.settlement.by is Actor.TIMEOUT
    assert passage.ended is None


class TestBeforeACardIsShown:
    """Its question is being written; a stop, a change of rules or a deadline finds it already."""

    @pytest.fixture
    def slow(self, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
        keep, go_on = Journal.keep, asyncio.Event()

        async def wait(journal: Journal, entry: Entry, *picture: Any) -> int:
            if entry.kind == "asked":
                await within(go_on.wait())
            return await keep(journal, entry, *picture)

        monkeypatch.setattr(Journal, "keep", wait)
        return go_on

    async def test_its_question_is_on_the_disk(self, scene: Scene) -> None:
        admitted = scene.admit(running())
        card = await scene.card()
        assert [row["body"]["ticket"] for row in scene.rows(kind="asked")] == [card.id]
        await scene.answer(card, "deny")
        await within(admitted)

    @pytest.mark.requirement("T-08", "T-13")
    async def test_a_stop_finds_it_and_no_card_comes_after(
        self, scene: Scene, slow: asyncio.Event
    ) -> None:
        admitted = scene.admit(running())
        await turn()
        scene.gate.stop(ChatId("chat-1"), Actor.STOP, "You stopped the agent.")
        slow.set()
        assert (await within(admitted)).settlement.because == "You stopped the agent."
        assert scene.shown.empty()
        assert scene.closed == {}

    async def test_a_change_of_mode_finds_it(self, scene: Scene, slow: asyncio.Event) -> None:
        admitted = scene.admit(running())
        await turn()
        scene.mode = Mode.PLAN
        scene.gate.rule_again()
        slow.set()
        assert (await within(admitted)).settlement.by is Actor.MODE
        assert scene.shown.empty()

    @pytest.mark.requirement("T-09")
    async def test_its_time_does_not_run_yet(self, scene: Scene, slow: asyncio.Event) -> None:
        scene.patience = 0.0
        admitted = scene.admit(running())
        for _ in range(5):
            await turn()
        assert len(scene.room.tickets) == 1
        slow.set()
        await scene.card()
        assert (await within(admitted)).settlement.by is Actor.TIMEOUT

    async def test_it_is_shown_once_as_it_stands_by_then(
        self, scene: Scene, slow: asyncio.Event
    ) -> None:
        admitted = scene.admit(running())
        await turn()
        scene.mode = Mode.ASK
        scene.gate.rule_again()
        slow.set()
        card = await scene.card()
        assert card.ruling.because.startswith("Ask every time mode asks")
        assert scene.shown.empty()
        await scene.answer(card, "deny")
        await within(admitted)


async def test_a_call_that_changes_while_its_card_is_open_does_not_run(scene: Scene) -> None:
    call = running("make test")
    admitted = scene.admit(call)
    card = await scene.card()
    call.input["command"] = "rm -rf /"
    receipt = await scene.answer(card)
    passage = await within(admitted)
    assert passage.ended is None
    assert passage.settlement.because == "The call changed after it was judged, so it was not run."
    assert receipt.settlement == passage.settlement
    assert scene.entered == {}


async def test_a_call_that_changes_while_its_row_is_written_does_not_run(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = running("make test")
    keep = type(scene.journal).keep

    async def slow(*given: object) -> int:
        row = await keep(*given)
        call.input["command"] = "rm -rf /"
        return row

    monkeypatch.setattr(type(scene.journal), "keep", slow)
    scene.mode = Mode.AUTO
    passage = await within(scene.admit(call))
    assert passage.ended is None
    assert scene.entered == {}
    assert [row["body"]["outcome"] for row in scene.rows(kind="decided")] == ["allowed", "refused"]


async def test_a_second_call_of_the_same_id_is_refused_while_the_first_stands(
    scene: Scene,
) -> None:
    first = running("make test")
    admitted = scene.admit(first)
    card = await scene.card()
    second = await within(scene.admit(running("rm -rf build", id=first.id)))
    assert second.ended is None
    assert "of the same id" in second.settlement.because
    await scene.answer(card)
    assert (await within(admitted)).ended is not None
    assert scene.entered == {first.id: 1}


async def cancelled_while_kept(
    scene: Scene,
    admitted: "asyncio.Future[Any]",
    option: str,
    monkeypatch: pytest.MonkeyPatch,
    **more: Any,
) -> Receipt:
    """What is told of an answer whose asker is gone while its row is being written."""
    held, handed_in, keep = threading.Event(), asyncio.Event(), Journal.keep

    async def slowly(*given: Any) -> int:
        handed_in.set()
        return await keep(*given)

    card = await scene.card()
    # The journal's thread is at another row until its turn comes.
    monkeypatch.setattr(scene.journal, "heard", lambda: held.wait(5))
    monkeypatch.setattr(scene.journal, "grown", False)
    monkeypatch.setattr(Journal, "keep", slowly)
    scene.journal.note(Entry(kind="noted"))
    click = asyncio.ensure_future(scene.answer(card, option, **more))
    await within(handed_in.wait())
    admitted.cancel()
    held.set()
    with pytest.raises(asyncio.CancelledError):
        await within(admitted)
    receipt = await within(click)
    await scene.written()
    return receipt


class TestCancelling:
    @pytest.mark.requirement("T-08")
    async def test_while_a_card_waits_withdraws_it(self, scene: Scene) -> None:
        call = running()
        admitted = scene.admit(call)
        card = await scene.card()
        admitted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await within(admitted)
        assert scene.closed[card.id][0].outcome is Outcome.WITHDRAWN
        assert scene.steps(call)[-1] is State.REFUSED
        await scene.written()
        assert scene.rows(kind="decided")[0]["body"]["outcome"] == "withdrawn"
        assert (await scene.answer(card)).kind is ReceiptKind.ALREADY_DECIDED

    @pytest.mark.parametrize("asked", [True, False])
    async def test_while_the_row_is_written_runs_nothing_and_says_so(
        self,
        scene: Scene,
        asked: bool,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        writing_now = asyncio.Event()

        async def stuck(*_: object) -> int:
            writing_now.set()
            return await within(asyncio.get_running_loop().create_future())

        call = running() if asked else reading()
        admitted = scene.admit(call)
        click = None
        card = await scene.card() if asked else None
        monkeypatch.setattr(type(scene.journal), "keep", stuck)
        if card:
            click = asyncio.ensure_future(scene.answer(card))
        await within(writing_now.wait())
        admitted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await within(admitted)
        if click:
            receipt = await within(click)
            assert receipt.settlement is not None
            assert receipt.settlement.outcome is Outcome.WITHDRAWN
        assert scene.entered == {}
        assert scene.steps(call)[-1] is State.REFUSED

    async def test_while_a_no_is_written_leaves_that_row_and_no_other(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        call = running()
        admitted = scene.admit(call)
        receipt = await cancelled_while_kept(scene, admitted, "deny", monkeypatch)
        (row,) = scene.rows(kind="decided")
        assert receipt.settlement is not None
        assert row["body"]["outcome"] == receipt.settlement.outcome == "refused"
        assert scene.steps(call)[-1] is State.REFUSED

    async def test_while_a_no_cannot_be_written_leaves_a_line_in_the_log(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        insert = Journal._insert

        def full(journal: Journal, database: Any, rows: list[Any]) -> list[int]:
            if any(row.entry.kind == "decided" for row in rows):
                raise OSError(errno.ENOSPC, "No space left on device")
            return insert(journal, database, rows)

        monkeypatch.setattr(Journal, "_insert", full)
        admitted = scene.admit(running())
        receipt = await cancelled_while_kept(scene, admitted, "deny", monkeypatch)
        assert receipt.settlement is not None
        assert receipt.settlement.outcome is Outcome.REFUSED
        assert [it for it in caplog.messages if "lost, and nobody waits for it: the journal" in it]

    async def test_while_it_is_refused_as_stale_leaves_that_row_and_no_other(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scene.gate = evolve(scene.gate, why_stale=lambda _: "It changed.")
        admitted = scene.admit(running())
        receipt = await cancelled_while_kept(scene, admitted, "once", monkeypatch)
        (row,) = scene.rows(kind="decided")
        assert receipt.settlement is not None
        assert receipt.settlement.because.startswith("It changed.")
        assert row["body"]["because"] == receipt.settlement.because

    @pytest.mark.requirement("N-08")
    async def test_while_an_answer_is_written_tells_that_nobody_got_it(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = {"message": "Where?", "fields": [{"name": "city", "kind": "text"}]}
        asked = ServerRequest(scene.gate.admit, using({"server": "github", "tool": "create_issue"}))
        reply = asyncio.ensure_future(asked.ask(form))
        values = {"city": "Bern"}
        receipt = await cancelled_while_kept(scene, reply, "answer", monkeypatch, values=values)
        rows = scene.rows(kind="decided")
        assert receipt.settlement is not None
        assert receipt.settlement.outcome is Outcome.WITHDRAWN
        assert [it["body"]["outcome"] for it in rows] == ["answered", "withdrawn"]
        assert scene.told[-1].state is State.REFUSED

    async def test_while_it_runs_ends_it_as_killed(self, scene: Scene) -> None:
        begun = asyncio.Event()

        async def long(_: Call, __: Settlement) -> Ended:
            begun.set()
            return await within(asyncio.get_running_loop().create_future())

        call = reading()
        admitted = scene.admit(call, long)
        await within(begun.wait())
        admitted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await within(admitted)
        assert scene.steps(call)[-1] is State.KILLED
        await scene.written()
        assert scene.rows(kind="ended")[0]["body"]["state"] == "killed"


async def test_a_run_that_raises_ends_as_failed_and_raises_on(scene: Scene) -> None:
    async def broken(_: Call, __: Settlement) -> Ended:
        raise OSError("no such program")

    call = reading()
    with pytest.raises(OSError, match="no such program"):
        await within(scene.admit(call, broken))
    assert scene.steps(call)[-1] is State.FAILED
    await scene.written()
    assert scene.rows(kind="ended")[0]["body"]["state"] == "failed"


@pytest.mark.requirement("C-07", "N-04")
async def test_a_thousand_cards_at_once_are_each_answered_once(scene: Scene) -> None:
    calls = [running(f"echo {number}") for number in range(1000)]
    admitted = [scene.admit(call) for call in calls]
    cards = [await scene.card() for _ in calls]
    clicks = [scene.answer(card, "deny" if n % 3 else "once") for n, card in enumerate(cards)]
    receipts = await within(asyncio.gather(*clicks), 60)
    passages = await within(asyncio.gather(*admitted), 60)
    settled = {passage.settlement.outcome for passage in passages}
    assert settled == {Outcome.ALLOWED, Outcome.REFUSED}
    by_call = {card.asks.id: receipt for card, receipt in zip(cards, receipts, strict=True)}  # type: ignore[union-attr]
    for call, passage in zip(calls, passages, strict=True):
        assert by_call[call.id].settlement == passage.settlement
        assert (passage.ended is not None) is (call.id in scene.entered)
    assert len(scene.entered) == 334


@pytest.mark.requirement("C-07")
async def test_stop_with_a_thousand_cards_runs_none(scene: Scene) -> None:
    admitted = [scene.admit(running()) for _ in range(1000)]
    for _ in admitted:
        await scene.card()
    scene.gate.stop(ChatId("chat-1"), Actor.STOP, "You stopped the agent.")
    passages = await within(asyncio.gather(*admitted), 60)
    assert {passage.settlement.by for passage in passages} == {Actor.STOP}
    assert scene.entered == {}


async def _allow_for_chat(scene: Scene, call: Call) -> None:
    admitted = scene.admit(call)
    await scene.answer(await scene.card(), "chat")
    assert (await within(admitted)).ended is not None


async def _is_asked(scene: Scene, call: Call) -> None:
    admitted = scene.admit(call)
    await scene.answer(await scene.card(), "deny")
    assert (await within(admitted)).ended is None


@pytest.mark.parametrize("at", [1, 2])
async def test_a_call_whose_files_changed_before_its_row_was_kept_does_not_run(
    scene: Scene, at: int
) -> None:
    looked = []

    def changed(_: Call) -> str | None:
        looked.append(1)
        return None if len(looked) < at else "till.py has changed since this was shown."

    scene.gate = evolve(scene.gate, why_stale=changed)
    call = reading()
    passage = await within(scene.admit(call))
    assert passage.ended is None
    assert scene.entered == {}
    assert scene.steps(call)[-1] is State.REFUSED
    assert passage.settlement.because == (
        "till.py has changed since this was shown. It was not run; the agent may ask again."
    )
    last = scene.rows(call=call.id, kind="decided")[-1]
    assert last["body"]["outcome"] == Outcome.REFUSED


async def test_both_rows_of_a_call_keep_the_hosts_that_the_ruling_found(scene: Scene) -> None:
    call = running("curl example.com/a")
    admitted = scene.admit(call)
    await scene.answer(await scene.card())
    await within(admitted)
    await scene.written()
    kept = [row["body"].get("hosts") for row in scene.rows(call=call.id)]
    assert kept == [["example.com"], ["example.com"], None]
