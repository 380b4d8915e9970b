"""The agent asks the person: a plan to be approved, and what only they know."""

import asyncio
import json
from typing import Any

import pytest
from attrs import evolve

from agent.loop.scene import CHAT, Table, calling, saying
from assent.agent.tools.present_plan import MAX_PLAN_LETTERS
from assent.gate.approvals.tickets import OptionKind, Outcome, ReceiptKind, Ticket
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord

PLAN = "1. Write `a.txt`\n2. Look at it"
QUESTION = {
    "question": "Which one?",
    "choices": [{"label": "The first", "detail": "It is shorter."}, {"label": "The second"}],
}


def asking(**more: Any) -> tuple[str, str]:
    """A call of `ask_person`."""
    return "ask_person", json.dumps({**QUESTION, **more})


def planning(plan: str = PLAN) -> tuple[str, str]:
    """A call of `present_plan`."""
    return "present_plan", json.dumps({"plan": plan})


@pytest.fixture
def planned(table: Table) -> Table:
    """A chat in Plan mode, which was in Default mode before."""
    table.mode = Mode.PLAN
    object.__setattr__(table.gate, "modes", lambda _: (Mode.DEFAULT, Mode.ACCEPT_EDITS))
    return table


async def test_an_approved_plan_is_carried_out_in_the_mode_that_was_chosen(planned: Table) -> None:
    planned.model.will(calling(planning()), saying("Done."))
    turn = planned.prompt()
    card = await planned.card()
    assert planned.mode is Mode.PLAN
    await planned.answer(card, "go-acceptEdits")
    await turn
    assert planned.mode is Mode.ACCEPT_EDITS
    (result,) = planned.results
    assert not result.failed
    assert result.text.endswith(PLAN)
    (row,) = planned.rows(kind="decided")
    assert row["body"]["option"] == "approvePlan"
    assert row["body"]["because"] == "You approved the plan, to be carried out in Accept edits mode"


async def test_the_mode_is_set_once_the_decision_is_on_the_disk(planned: Table) -> None:
    seen: list[int] = []
    go_in = planned.go_in

    def watched(chat: Any, mode: Mode) -> None:
        seen.append(len(planned.rows(kind="decided")))
        go_in(chat, mode)

    setup = planned.assistants._ports.setup
    ports = evolve(planned.assistants._ports, setup=evolve(setup, go_in=watched))
    planned.assistants._ports = ports
    planned.model.will(calling(planning()), saying("Done."))
    turn = planned.prompt()
    await planned.answer(await planned.card(), "go-default")
    await turn
    assert seen == [1]


async def test_a_plan_reaches_the_model_as_the_person_left_it(planned: Table) -> None:
    planned.model.will(calling(planning()), saying("Done."))
    turn = planned.prompt()
    first = await planned.card()
    call = first.asks
    assert isinstance(call, Call)
    planned.gate.amend(first, evolve(call, input={"plan": "1. Only look"}))
    second = await planned.card()
    assert (second.id, second.revision) == (first.id, first.revision + 1)
    assert second.digest != first.digest
    stale = await planned.answer(first, "go-default")
    assert stale.kind is ReceiptKind.STALE
    assert planned.mode is Mode.PLAN
    await planned.answer(second, "go-default")
    await turn
    (result,) = planned.results
    assert result.text.endswith("1. Only look")
    assert PLAN not in result.text
    (row,) = planned.rows(kind="decided")
    assert row["body"]["input"] == {"plan": "1. Only look"}
    assert row["digest"] == second.digest


async def test_a_plan_reaches_a_model_that_reads_little_as_a_whole(planned: Table) -> None:
    planned.model.tokens = 16_000
    plan = "".join(f"{number:05}. Do it\n" for number in range(MAX_PLAN_LETTERS // 13))
    assert MAX_PLAN_LETTERS - 13 < len(plan) <= MAX_PLAN_LETTERS
    planned.model.will(calling(planning()), saying("Done."))
    turn = planned.prompt()
    card = await planned.card()
    assert isinstance(card.asks, Call)
    planned.gate.amend(card, evolve(card.asks, input={"plan": plan}))
    await planned.answer(await planned.card(), "go-default")
    await turn
    (result,) = planned.results
    assert result.text.endswith(plan)


async def test_a_plan_that_is_too_long_is_shown_to_nobody(planned: Table) -> None:
    planned.model.will(calling(planning("x" * (MAX_PLAN_LETTERS + 1))), saying("Well."))
    await planned.says()
    (result,) = planned.results
    assert result.failed
    assert f"`plan`: expected at most {MAX_PLAN_LETTERS} characters" in result.text
    assert planned.calls == []


@pytest.mark.parametrize(
    ("option", "words", "told"),
    [
        ("deny", None, "did not approve the plan"),
        ("tell", "without the second step", "wants the plan changed, and says: without the second"),
    ],
)
async def test_a_plan_that_is_not_approved_changes_no_mode(
    planned: Table, option: str, words: str | None, told: str
) -> None:
    planned.model.will(calling(planning()), saying("Well."))
    turn = planned.prompt()
    await planned.answer(await planned.card(), option, feedback=words)
    await turn
    assert planned.mode is Mode.PLAN
    (result,) = planned.results
    assert result.failed
    assert told in result.text


@pytest.mark.parametrize("name", ["plan", "question"])
@pytest.mark.parametrize("bypassed", [False, True])
async def test_a_person_is_asked_in_every_mode(table: Table, name: str, bypassed: bool) -> None:
    object.__setattr__(table.gate, "modes", lambda _: (Mode.DEFAULT,))
    table.bypassed = frozenset({table.chat.agent}) if bypassed else frozenset()
    for mode in Mode:
        table.mode = mode
        table.model.will(calling(planning() if name == "plan" else asking()), saying("Well."))
        turn = table.prompt()
        card = await table.card()
        assert card.ruling.verdict is Verdict.ASK
        await table.answer(card, "deny" if name == "plan" else "skip")
        await turn
        assert table.mode is mode


async def test_what_comes_with_a_plan_in_one_reply_is_judged_in_plan_mode(planned: Table) -> None:
    write = ("write_file", json.dumps({"path": "a.txt", "content": "x"}))
    planned.model.will(calling(planning(), write), saying("Done."))
    turn = planned.prompt()
    await planned.answer(await planned.card(), "go-acceptEdits")
    await turn
    _, refused = planned.results
    assert refused.failed
    assert not (planned.root / "a.txt").exists()


async def test_a_plan_without_a_mode_to_go_in_cannot_be_approved(table: Table) -> None:
    table.model.will(calling(planning()), saying("Well."))
    turn = table.prompt()
    card = await table.card()
    assert not any(it.kind.outcome is Outcome.ALLOWED for it in card.options)
    await table.answer(card, "deny")
    await turn


async def test_a_part_of_the_work_presents_no_plan(planned: Table) -> None:
    part = ("run_subtask", json.dumps({"name": "p", "prompt": "plan it"}))
    planned.model.will(calling(part), calling(planning()), saying("No."), saying("Done."))
    await planned.says()
    assert [it.tool for it in planned.calls] == ["agent"]


@pytest.mark.parametrize(
    ("option", "words", "told", "because"),
    [
        ("answer:1", None, "The person chose: The second", "You answered with its answer 2"),
        ("words", "neither", "The person says: neither", "You answered: “neither”"),
        ("skip", None, "The person did not answer.", "You skipped it"),
    ],
)
async def test_an_answer_reaches_the_model_and_nothing_ran(
    table: Table, option: str, words: str | None, told: str, because: str
) -> None:
    table.model.will(calling(asking()), saying("Good."))
    turn = table.prompt()
    await table.answer(await table.card(), option, feedback=words)
    await turn
    (result,) = table.results
    assert result.text.startswith(told)
    assert not result.failed
    (call,) = table.calls
    assert table.steps(call) == [State.PROPOSED, State.WAITING, State.ANSWERED]
    (row,) = table.rows(kind="decided")
    assert (row["body"]["outcome"], row["body"]["because"]) == ("answered", because)
    assert table.rows(kind="ended") == []


async def test_no_answer_to_a_question_allows_anything(table: Table) -> None:
    table.model.will(calling(asking()), saying("Good."))
    turn = table.prompt()
    card = await table.card()
    kinds = {it.kind for it in card.options}
    assert kinds == {OptionKind.ANSWER, OptionKind.ANSWER_WORDS, OptionKind.SKIP}
    assert {it.kind.outcome for it in card.options} == {Outcome.ANSWERED}
    for broad in ("once", "chat", "always", "bypass"):
        receipt = await table.answer(card, broad)
        assert receipt.kind is ReceiptKind.UNKNOWN
    blank = await table.answer(card, "words", feedback="  ")
    assert blank.kind is ReceiptKind.UNKNOWN
    await table.answer(card, "answer:0")
    await turn
    # What the answer was about is asked about as before.
    write = ("write_file", json.dumps({"path": "a.txt", "content": "x"}))
    table.model.will(calling(write), saying("Good."))
    turn = table.prompt()
    await table.deny(await table.card())
    await turn
    assert table.gate.grants.of(CHAT) == ()


async def test_a_question_that_is_stopped_is_not_answered(table: Table) -> None:
    table.model.will(calling(asking()))
    turn = table.prompt()
    card = await table.card()
    await table.assistants.stop(CHAT)
    assert (await turn)[0] == "stopped"
    settlement, _ = table.closed[card.id]
    assert settlement.outcome is not Outcome.ANSWERED
    (result,) = table.results
    assert result.failed


async def test_a_hook_can_refuse_a_question_and_not_answer_it(table: Table) -> None:
    class Hooks:
        word = HookWord(verdict=Verdict.DENY, because="no questions")

        async def before(self, call: Call) -> HookWord:
            return self.word

        async def after(self, *_: object) -> str:
            return ""

    hooks = Hooks()
    table.hooked(hooks)
    table.model.will(calling(asking()), saying("Well."))
    await table.says()
    assert "no questions" in table.results[0].text
    hooks.word = evolve(SILENCE, verdict=Verdict.ALLOW, because="go on")
    table.model.will(calling(asking()), saying("Well."))
    turn = table.prompt()
    card: Ticket = await table.card()
    await table.answer(card, "skip")
    await turn


async def test_two_questions_wait_side_by_side(table: Table) -> None:
    table.model.will(calling(asking(), asking(question="And this?")), saying("Good."))
    turn = table.prompt()
    cards = [await table.card(), await table.card()]
    await asyncio.gather(*(table.answer(it, "answer:0") for it in reversed(cards)))
    await turn
    assert [it.text for it in table.results] == ["The person chose: The first"] * 2
