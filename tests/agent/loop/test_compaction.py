"""A conversation that fills what its model can read is shortened, and nothing is torn."""

import json
from collections.abc import Callable
from itertools import count

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Reply, Table, calling, check, saying, without_mode
from assent.agent.loop.compaction import _parted
from assent.agent.loop.conversation import LEFT_OUT, Conversation, length_of
from assent.agent.models.conversation import Answered, Given, Replied, Request, Result, Said, Wanted
from assent.agent.models.events import CallReady, Closed, Kept, Text, Thinking, Used
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.agent.tools.tool import Done
from assent.gate.call.calls import Call
from assent.gate.call.errors import AgentFailed
from assent.gate.call.modes import Mode
from assent.gate.journal import events as happenings
from assent.gate.journal.agent_events import Beside, Reference
from assent.gate.journal.events import Noticed
from gate.admit.scene import within
from replies import replied

WINDOW = 20_000


@pytest.fixture
def long(table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch) -> Probes:
    """The tests' tool says much, and the model reads little."""
    do = probes.tool.do

    async def much(*given: object) -> Done:
        done = await do(*given)  # type: ignore[arg-type]
        return evolve(done, text=f"{done.text} {'x' * 19_000}", shown="much")

    probes.replace(evolve(probes.tool, do=much), monkeypatch)
    table.model.tokens = WINDOW
    return probes


def is_about_notes(request: Request) -> bool:
    return request.system.startswith("You write notes") and request.tools == ()


def notices(table: Table) -> list[str]:
    return [it.text for it in table.happened if isinstance(it, Noticed)]


async def test_older_turns_are_summed_up_by_the_model_and_the_last_stay(
    table: Table, long: Probes
) -> None:
    steps = [calling(probe(str(number))) for number in range(3)]
    table.model.will(*steps, saying("NOTES: read three"), saying("Done."))
    assert await table.says("Read all.") == ("done", "")
    *_, notes, last = table.model.requests
    assert is_about_notes(notes)
    assert isinstance(notes.turns[0], Said)
    assert "Read all." in notes.turns[0].text
    assert "0 is done" in notes.turns[0].text
    first, *kept = last.turns
    assert isinstance(first, Said)
    assert "NOTES: read three" in first.text
    assert "Read all." in first.text
    check(last.turns)
    assert len(without_mode(kept)) == 2
    assert sum(map(length_of, last.turns)) < sum(map(length_of, table.model.requests[2].turns))


async def test_the_plan_is_there_again_behind_the_notes(table: Table, long: Probes) -> None:
    items = [{"text": "Read", "state": "done"}, {"text": "Write", "state": "in_progress"}]
    steps = [calling(probe(str(number))) for number in range(3)]
    table.model.will(calling(("todo_write", json.dumps({"items": items}))), *steps)
    table.model.will(saying("NOTES: read three"), saying("Done."))
    assert await table.says("Read all.") == ("done", "")
    first = table.model.requests[-1].turns[0]
    assert isinstance(first, Said)
    assert first.text.endswith("last:]\n\n- [done] Read\n- [inProgress] Write")


LEFT = "1. Only add an index, and drop nothing.\n" * 300
"""A plan as the person left it: longer than what else stays beside the notes."""


async def approve(table: Table) -> None:
    """A turn in which a plan is presented, edited and approved before the model goes on."""
    object.__setattr__(table.gate, "modes", lambda call: (Mode.DEFAULT,) * (call.tool == "plan"))
    turn = table.prompt("Plan it.")
    card = await table.card()
    assert isinstance(card.asks, Call)
    table.gate.amend(card, evolve(card.asks, input={"plan": LEFT}))
    await table.answer(await table.card(), "go-default")
    assert (await within(turn))[0] == "done"


async def test_the_plan_that_was_approved_is_there_again_behind_the_notes(
    table: Table, long: Probes
) -> None:
    steps = map(str, range(6))

    def reply(it: Reply) -> None:
        if is_about_notes(it.request):
            saying("NOTES")(it)
        else:
            number = next(steps, None)
            (saying("Done.") if number is None else calling(probe(number)))(it)

    table.model.will(calling(("present_plan", json.dumps({"plan": "1. Drop all."}))))
    table.model.will(*[reply] * 12)
    await approve(table)
    # Each time anew: notes of notes do not wear it down.
    assert len(notices(table)) > 1
    after = [it for it in table.model.requests[1:] if not is_about_notes(it)]
    assert [str(it.turns).count(repr(LEFT)[1:-1]) for it in after] == [1] * 7
    first = table.turns[0]
    assert isinstance(first, Said)
    assert "NOTES" in first.text
    assert "The plan that the person approved, as they left it, to be carried out in Default" in (
        first.text
    )
    assert "Drop all" not in str(table.turns)


async def test_while_the_plan_that_was_approved_stands_in_its_result_it_is_not_told_twice(
    table: Table, long: Probes
) -> None:
    table.model.will(*(calling(probe(str(number))) for number in range(2)))
    table.model.will(calling(("present_plan", json.dumps({"plan": "1. Drop all."}))))
    table.model.will(saying("NOTES"), saying("Done."), saying("Done."))
    await approve(table)
    assert len(notices(table)) == 1
    assert str(table.model.requests[-1].turns).count(repr(LEFT)[1:-1]) == 1


async def test_where_no_notes_come_the_plan_that_was_approved_is_not_left_out(
    table: Table, long: Probes
) -> None:
    table.model.will(calling(("present_plan", json.dumps({"plan": "1. Drop all."}))))
    table.model.will(*(calling(probe(str(number))) for number in range(3)))
    table.model.will(saying(""), saying(""), saying("Done."))
    await approve(table)
    plan, first, *_ = _results(table.turns)
    assert plan.text.endswith(LEFT)
    assert first.text == LEFT_OUT


async def test_a_model_that_thinks_has_room_for_its_notes_behind_its_thoughts(
    table: Table, long: Probes
) -> None:
    def thinking(reply: Reply) -> None:
        reply.say(Thinking(text="Hm. " * 100)).end("length")

    table.model.efforts = ("low", "medium", "high")
    table.model.will(*(calling(probe(str(number))) for number in range(3)))
    table.model.will(thinking, saying("NOTES: read three"), saying("Done."))
    assert await table.says("Read all.") == ("done", "")
    *_, first, second, last = table.model.requests
    assert is_about_notes(first)
    assert is_about_notes(second)
    assert first.effort == second.effort == "low"
    assert second.most_tokens >= first.most_tokens >= 4_000
    assert isinstance(last.turns[0], Said)
    assert "NOTES: read three" in last.turns[0].text


async def test_notes_that_are_refused_are_none(table: Table, long: Probes) -> None:
    table.model.will(*(calling(probe(str(number))) for number in range(3)))
    table.model.will(saying("I will not.", "refused"), saying("Nor now.", "refused"))
    table.model.will(saying("Done."))
    assert await table.says("Read all.") == ("done", "")
    assert "I will not." not in str(table.turns)
    assert LEFT_OUT in str(table.turns)


async def test_nothing_is_left_out_for_a_guess_since_a_host_could_not_be_asked(
    table: Table, long: Probes
) -> None:
    table.model.is_window_known = False
    table.model.will(*(calling(probe(str(number))) for number in range(3)), saying("Done."))
    assert await table.says("Read all.") == ("done", "")
    assert notices(table) == []
    assert len(table.turns) == 8
    table.model.is_window_known = True
    table.model.will(saying("NOTES"), saying("Yes."))
    assert await table.says("And?") == ("done", "")
    assert len(notices(table)) == 1


async def test_what_a_host_gave_with_a_reply_stays_with_it(table: Table, long: Probes) -> None:
    seal, hidden, signature = (Given.of("parrot", it) for it in ("seal", "hidden", "signature"))

    def thinking(reply: Reply) -> None:
        name, arguments = probe("2")
        reply.say(Thinking(text="Hm."), Closed(given=seal), Kept(given=hidden))
        reply.say(CallReady(key=0, id="x", name=name, arguments=arguments, given=signature))
        reply.end("calls")

    table.model.will(calling(probe("0")), calling(probe("1")), thinking)
    table.model.will(saying("NOTES"), saying("Done."))
    assert await table.says() == ("done", "")
    _, reply, _ = without_mode(table.model.requests[-1].turns)
    assert isinstance(reply, Replied)
    assert [block.given for block in reply.blocks] == [seal, hidden, signature]


async def test_that_it_was_shortened_is_told_and_stands_in_the_journal(
    table: Table, long: Probes
) -> None:
    steps = [calling(probe(str(number))) for number in range(3)]
    table.model.will(*steps, saying("NOTES"), saying("Done."))
    await table.says()
    assert len(notices(table)) == 1
    assert notices(table)[0].startswith("The conversation was shortened: its first 5 turns")
    await table.written()
    (row,) = table.rows(kind="noted", chat=CHAT)
    assert row["body"]["turns"] == 5


async def test_what_its_host_tells_of_its_size_counts(table: Table, probes: Probes) -> None:
    def full(reply: Reply) -> None:
        reply.say(Used(read=90_000, wrote=10), Text(text="x" * 30_000)).end()

    table.model.will(saying("y" * 30_000), full)
    await table.says("one")
    await table.says("two")
    table.model.will(saying("NOTES"), saying("Three."))
    await table.says("three")
    assert is_about_notes(table.model.requests[2])
    table.model.will(saying("Four."))
    assert await table.says("four") == ("done", "")
    assert len(notices(table)) == 1


async def test_where_the_tools_alone_fill_the_model_nothing_is_shortened(
    table: Table, probes: Probes
) -> None:
    table.model.tokens = 2_500
    steps = [calling(probe(str(number))) for number in range(5)]
    table.model.will(*steps, saying("Done."))
    assert await table.says() == ("done", "")
    assert notices(table) == []
    assert len(table.model.requests) == 6


async def test_where_no_notes_come_the_oldest_results_are_left_out(
    table: Table, long: Probes
) -> None:
    def broken(reply: Reply) -> None:
        reply.fail(ModelFailed("No."))

    steps = [calling(probe(str(number))) for number in range(4)]
    table.model.will(*steps[:3], broken, *steps[3:], saying("Done."))
    assert await table.says() == ("done", "")
    results = [it.results[0].text for it in table.turns if isinstance(it, Answered)]
    assert results[0] == LEFT_OUT
    assert results[-1] != LEFT_OUT
    assert "oldest results were left out" in notices(table)[0]


async def test_a_model_that_finds_it_too_long_is_asked_again_with_less(
    table: Table, long: Probes
) -> None:
    full = WindowFull("It is too long for parrot.")
    table.model.will(calling(probe("a")), calling(probe("b")), lambda reply: reply.fail(full))
    table.model.will(saying("NOTES"), saying("Done."))
    assert await table.says() == ("done", "")
    assert is_about_notes(table.model.requests[3])
    assert len(notices(table)) == 1


async def test_where_there_is_nothing_to_sum_up_even_what_just_came_is_left_out(
    table: Table, long: Probes
) -> None:
    full = WindowFull("It is too long for parrot.")
    three = calling(*map(probe, "abc"))
    table.model.will(three, lambda reply: reply.fail(full), saying("Done."))
    assert await table.says() == ("done", "")
    assert [it.text == LEFT_OUT for it in table.results] == [True, True, False]


async def test_what_cannot_be_shortened_ends_the_turn_with_the_reason(table: Table) -> None:
    full = WindowFull("It is too long for parrot.")
    table.model.will(lambda reply: reply.fail(full))
    assert await table.says() == ("error", "It is too long for parrot.")
    assert len(table.model.requests) == 1


async def test_a_model_that_still_finds_it_too_long_is_not_asked_for_ever(
    table: Table, long: Probes
) -> None:
    full = WindowFull("It is too long for parrot.")
    table.model.will(calling(probe("a")), calling(probe("b")), lambda reply: reply.fail(full))
    table.model.will(saying("NOTES"), lambda reply: reply.fail(full))
    assert await table.says() == ("error", "It is too long for parrot.")


async def test_calls_in_notes_are_never_run(table: Table, long: Probes) -> None:
    steps = [calling(probe(str(number))) for number in range(3)]
    table.model.will(*steps, calling(probe("in the notes"), text="NOTES"), saying("Done."))
    await table.says()
    assert long.begun == {"0": 1, "1": 1, "2": 1}


async def test_a_stop_while_notes_are_written_stops(table: Table, long: Probes) -> None:
    table.model.will(*(calling(probe(str(number))) for number in range(3)))
    turn = table.prompt()
    reply = await table.model.asked()
    assert is_about_notes(reply.request)
    await within(table.assistants.stop(CHAT))
    assert reply.closed.is_set()
    assert (await within(turn))[0] == "stopped"
    assert notices(table) == []


texts = st.text("ab", max_size=40)
rounds = st.lists(st.tuples(texts, st.lists(texts, max_size=3), st.none() | texts), max_size=8)


def built(script: list[tuple[str, list[str], str | None]]) -> Conversation:
    """A conversation of so many replies, with results, and what the person said between."""
    conversation, ids = Conversation(), map(str, count())
    conversation.say("begin")
    for text, results, prompt in script:
        calls = tuple(Wanted(id=next(ids), name="probe", arguments="{}") for _ in results)
        answers = [
            Result(call=call.id, name=call.name, text=it)
            for call, it in zip(calls, results, strict=True)
        ]
        conversation.reply(replied(text or "…" * (not calls), *calls), answers, None)
        if prompt is not None or not calls:
            conversation.say(prompt or "on")
    return conversation


@given(rounds, st.integers(0, 200))
def test_wherever_it_is_parted_no_result_loses_its_call(
    script: list[tuple[str, list[str], str | None]], letters: int
) -> None:
    conversation = built(script)
    older, kept = _parted(conversation.turns, letters)
    assert (*older, *kept) == conversation.turns
    assert kept
    assert not isinstance(kept[0], Answered)
    conversation.begin_with(Said(text="NOTES"), kept)
    check(conversation.turns)
    conversation.say("next")
    check(conversation.turns)


@given(rounds, st.integers(-5, 300), st.integers(0, 3))
def test_results_are_left_out_from_the_oldest_on_and_no_more_than_needed(
    script: list[tuple[str, list[str], str | None]], spare: int, keep: int
) -> None:
    conversation = built(script)
    before = conversation.turns
    emptied = conversation.empty_results(spare, keep)
    check(conversation.turns)
    assert conversation.turns[len(before) - keep :] == before[len(before) - keep :]
    pairs = zip(_results(before), _results(conversation.turns), strict=True)
    changed = [old != new for old, new in pairs]
    assert sum(changed) == emptied
    assert (emptied > 0) <= (spare > 0)


def _results(turns: tuple[object, ...]) -> list[Result]:
    return [result for turn in turns if isinstance(turn, Answered) for result in turn.results]


async def long_talk(table: Table) -> None:
    """Two prompts and two replies, of which the first is worth being summed up."""
    table.model.will(saying("y" * 3_000), saying("Second."))
    await table.says("one")
    await table.says("two")


def failing(reply: Reply) -> None:
    reply.fail(ModelFailed("No key is accepted.", wants_key=True))


async def test_a_person_has_all_but_the_last_reply_summed_up(table: Table) -> None:
    await long_talk(table)

    def notes(reply: Reply) -> None:
        reply.say(Text(text="NOTES: both"), Used(read=700, wrote=30)).end()

    table.model.will(notes, saying("Third."))
    assert await table.says("/compact the names") == ("done", "")
    (wanted,) = table.model.requests[-1].turns
    assert is_about_notes(table.model.requests[-1])
    assert isinstance(wanted, Said)
    assert wanted.text.endswith("above all: the names]")
    assert notices(table) == ["All before the last reply was summed up."]
    assert table.chat.spent.tokens == 730
    # How full the conversation is now is told, too.
    assert sum(isinstance(each, happenings.Used) for each in table.happened) == 1
    assert await table.says("three") == ("done", "")
    first, *kept = without_mode(table.model.requests[-1].turns)
    assert isinstance(first, Said)
    assert "NOTES: both" in first.text
    assert "/compact" not in str(table.model.requests[-1].turns)
    assert [turn.text for turn in kept if isinstance(turn, Replied)] == ["Second."]


async def test_what_only_begins_like_the_command_is_said_to_the_model(table: Table) -> None:
    await long_talk(table)
    for words in ("/compact\n\nFix the bug.", "/compacted", "Say /compact"):
        table.model.will(saying("Well."))
        await table.says(words)
        assert not is_about_notes(table.model.requests[-1])
        assert words in str(table.model.requests[-1].turns[-1].text)  # type: ignore[union-attr]


async def test_nothing_goes_with_the_command_without_a_word(table: Table) -> None:
    await long_talk(table)
    beside = Beside(references=(Reference(name="a.py", about="a.py", text="x", uri=""),))
    with pytest.raises(AgentFailed, match="Nothing can go with /compact"):
        await within(table.assistants.prompt(CHAT, "/compact", beside))
    assert len(table.model.requests) == 2


async def test_where_little_was_said_before_the_last_reply_nothing_is_summed_up(
    table: Table,
) -> None:
    table.model.will(saying("y" * 60_000))
    await table.says("hi")
    assert await table.says("/compact") == ("done", "")
    assert notices(table) == ["There is too little before the last reply to be summed up."]
    assert len(table.model.requests) == 1


async def test_where_the_model_writes_no_notes_all_stays_and_nothing_is_asked_again(
    table: Table,
) -> None:
    await long_talk(table)
    before = table.turns
    table.model.will(saying(""), saying(""))
    because = "The model wrote no notes, so the conversation stays as it is."
    assert await table.says("/compact") == ("error", because)
    assert table.turns == before
    with pytest.raises(AgentFailed, match="nothing to ask"):
        await table.assistants.retry(CHAT)


async def test_why_the_model_failed_is_said(table: Table) -> None:
    await long_talk(table)
    table.model.will(failing)
    assert await table.says("/compact") == ("error", "No key is accepted.")
    assert len(table.model.requests) == 3


async def test_a_prompt_that_failed_can_still_be_tried_again_after_it(table: Table) -> None:
    await long_talk(table)
    table.model.will(failing)
    assert (await table.says("three"))[0] == "error"
    table.model.will(saying("NOTES"))
    assert await table.says("/compact") == ("done", "")
    offer = [each for each in table.happened if isinstance(each, Noticed)][-1]
    assert (offer.text, offer.retry) == ("All before the last reply was summed up.", True)
    table.model.will(saying("Third."))
    assert await within(table.assistants.retry(CHAT)) == ("done", "")
    first, *kept = without_mode(table.model.requests[-1].turns)
    assert "NOTES" in str(first)
    assert "Second." in str(kept[0])
    assert "three" in str(kept[1])


@pytest.mark.parametrize(
    ("notes", "notice"),
    [
        (saying("NOTES"), "All before the last reply was summed up."),
        (failing, "No key is accepted."),
    ],
)
async def test_what_is_said_while_the_conversation_is_summed_up_is_answered(
    table: Table, notes: Callable[[Reply], object], notice: str
) -> None:
    await long_talk(table)
    summing = table.prompt("/compact")
    asked = await within(table.model.asked())
    with pytest.raises(AgentFailed, match="when it is done"):
        await table.says("/compact")
    more = table.prompt("three")
    table.model.will(saying("Third."))
    notes(asked)
    assert [await within(summing), await within(more)] == [("done", ""), ("done", "")]
    assert notice in notices(table)
    assert "three" in str(table.model.requests[-1].turns)


async def test_summing_up_can_be_stopped(table: Table) -> None:
    await long_talk(table)
    before = table.turns
    summing = table.prompt("/compact")
    await within(table.model.asked())
    await within(table.assistants.stop(CHAT))
    assert (await within(summing))[0] == "stopped"
    assert table.turns == before
