"""A turn: the model speaks and calls, results go back, until it is done or somebody ends it."""

import asyncio

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table, calling, saying, without_mode
from assent.agent.loop.prompt import mode_note
from assent.agent.models import events
from assent.agent.models.conversation import Answered, Given, Part, Replied, Thought, Words
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Closed, Kept, Text, Thinking
from assent.agent.models.provider import ModelFailed
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved, Said, TurnBegan, TurnEnded, Used
from gate.admit.scene import within
from replies import replied


@pytest.mark.requirement("M-04")
async def test_what_the_model_says_is_told_and_kept(table: Table) -> None:
    table.model.will(saying("Hello."))
    assert await table.says("hi") == ("done", "")
    told = [it for it in table.happened if not isinstance(it, Used)]
    assert [type(it) for it in told] == [Said, TurnBegan, Said, TurnEnded]
    assert (table.texts("user"), table.texts()) == (["hi"], ["Hello."])
    assert table.turns == (Prompt(text="hi"), replied("Hello."))


async def test_the_next_prompt_goes_on_from_there(table: Table) -> None:
    table.model.will(saying("One."), saying("Two."))
    await table.says("first")
    await table.says("second")
    assert without_mode(table.model.requests[1].turns) == (
        Prompt(text="first"),
        replied("One."),
        Prompt(text="second"),
    )
    messages = {it.message for it in table.happened if isinstance(it, Said)}
    assert len(messages) == 4


@pytest.mark.requirement("M-04")
async def test_results_go_back_and_the_model_goes_on(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a"), text="Look."), saying("Seen."))
    assert await table.says() == ("done", "")
    (result,) = table.results
    assert (result.text, result.failed) == ("a is done", False)
    assert table.model.requests[1].turns[-1] == Answered(results=(result,))
    assert table.texts() == ["Look.", "Seen."]
    assert table.printed(table.calls[0].id) == "a is done"


@pytest.mark.requirement("C-03", "T-06")
async def test_a_call_runs_while_the_model_still_speaks(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(Text(text="Let me see.")).call(*probe("a"))
    await probes.begins("a")
    assert not reply.closed.is_set()
    reply.say(Text(text=" Meanwhile.")).end("calls")
    (await table.model.asked()).say(Text(text="There.")).end()
    assert (await within(turn))[0] == "done"
    assert table.texts() == ["Let me see.", " Meanwhile.", "There."]
    (call,) = table.turns[1].calls  # type: ignore[union-attr]
    assert table.turns[1] == Replied(
        blocks=(Words(text="Let me see."), call, Words(text=" Meanwhile."))
    )


async def test_what_was_said_before_a_call_is_told_before_it(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(*(Text(text=word) for word in ("I ", "look ", "now.")))
    reply.call(*probe("a", does="late hop"))
    await probes.begins("a")
    reply.say(*(Text(text=word) for word in ("And ", "on ", "it ", "goes.")))
    await table.heard("And")
    probes.release("a")
    hop = await table.card()
    await table.deny(hop)
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    story = "".join(
        "*" if isinstance(it, CallMoved) else it.text
        for it in table.happened
        if (isinstance(it, CallMoved) and it.state is State.PROPOSED)
        or (isinstance(it, Said) and it.who == "agent")
    )
    assert story == "I look now.*And on it goes.*"


@pytest.mark.requirement("T-07", "C-03")
async def test_calls_of_a_reply_run_side_by_side_and_answer_in_order(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait"), probe("b"), probe("c", does="wait")))
    turn = table.prompt()
    for label in "abc":
        await probes.begins(label)
    probes.release("c")
    probes.release("a")
    (await table.model.asked()).end()
    await within(turn)
    assert [it.text for it in table.results] == ["a is done", "b is done", "c is done"]


@pytest.mark.requirement("T-07", "C-01")
async def test_an_allowed_call_does_not_wait_for_one_that_is_asked_about(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("asked", effect="execute"), probe("allowed")))
    turn = table.prompt()
    card = await table.card()
    await probes.begins("allowed")
    assert probes.begun["asked"] == 0
    await table.answer(card)
    (await table.model.asked()).end()
    await within(turn)
    assert probes.begun == {"asked": 1, "allowed": 1}
    assert [it.text for it in table.results] == ["asked is done", "allowed is done"]


@pytest.mark.requirement("C-01")
async def test_what_runs_after_an_answer_is_the_call_that_was_asked_about(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", effect="execute")), saying("Done."))
    turn = table.prompt()
    card = await table.card()
    await table.answer(card)
    await within(turn)
    assert probes.seen == [card.asks]
    assert len(table.calls) == 1


async def test_thoughts_are_told_apart_and_kept_with_their_seals(table: Table) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    seal, hidden = Given.of("parrot", "s"), Given.of("parrot", "h")
    reply.say(Thinking(text="Hm"), Thinking(text="…"), Closed(given=seal), Text(text="Yes."))
    reply.say(Kept(given=hidden), Text(text=" Sure."), Thinking(text="Or"), Text(text="No."))
    reply.say(Closed(), Text(text=" Well."), Thinking(text=""), Closed(given=seal), Closed())
    reply.end()
    await within(turn)
    assert (table.texts("thought"), table.texts()) == (["Hm…", "Or"], ["Yes. Sure.", "No. Well."])
    assert table.turns[1] == Replied(
        blocks=(
            Thought(text="Hm…", given=seal),
            Words(text="Yes."),
            Part(given=hidden),
            Words(text=" Sure."),
            Thought(text="Or"),
            Words(text="No."),
            Words(text=" Well."),
            Thought(text="", given=seal),
        )
    )


@pytest.mark.requirement("C-09")
async def test_a_flood_of_words_is_told_once_in_each_pause(table: Table) -> None:
    table.hold_speech()
    turn = table.prompt()
    reply = await table.model.asked()
    for _ in range(3):
        await reply.say(*(Text(text="word ") for _ in range(500))).taken()
        table.end_pause()
    reply.end()
    await within(turn)
    told = [it for it in table.happened if isinstance(it, Said) and it.who == "agent"]
    assert "".join(it.text for it in told) == "word " * 1_500
    assert [len(it.text) // 5 for it in told] == [500, 500, 500]


async def test_how_full_the_conversation_is_is_told(table: Table) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(events.Used(read=10, wrote=0), events.Used(read=0, wrote=5), Text(text="x")).end()
    await within(turn)
    told = [it for it in table.happened if isinstance(it, Used)]
    assert told[-1] == Used(chat=CHAT, read=10, wrote=5, window=100_000)


async def test_a_model_that_will_not_go_on_ends_the_turn_so(table: Table) -> None:
    table.model.will(saying("So far.", "refused"))
    assert await table.says() == ("refused", "parrot would not go on with this.")


async def test_a_model_without_a_word_is_told_of_and_leaves_nothing(table: Table) -> None:
    table.model.will(lambda reply: reply.end(), saying("Yes?"))
    assert await table.says("one") == ("done", "The model ended its reply without a word.")
    await table.says("two")
    assert table.turns[0] == Prompt(text="one\n\ntwo")


async def test_a_model_that_cannot_be_had_ends_the_turn_with_the_reason(table: Table) -> None:
    table.models["m"] = ModelFailed("There is no key for it.")
    assert await table.says() == ("error", "There is no key for it.")
    assert table.ends[-1].because == "There is no key for it."


async def test_words_while_it_works_reach_the_model_after_the_calls_that_run(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt("Begin.")
    await probes.begins("a")
    more = [table.prompt("Not that file."), table.prompt("The other.")]
    await table.heard("The other.")
    assert len(table.model.requests) == 1
    table.model.will(saying("So the next, then."))
    probes.release("a")
    assert await within(turn) == await within(more[0]) == await within(more[1]) == ("done", "")
    *_, answered, said, _ = table.turns
    assert isinstance(answered, Answered)
    assert said == Prompt(text="Not that file.\n\nThe other.")
    assert len(table.ends) == 1
    assert table.texts("user") == ["Begin.", "Not that file.", "The other."]


async def test_a_model_that_is_done_goes_on_with_what_was_said_meanwhile(table: Table) -> None:
    turn = table.prompt("Begin.")
    reply = await table.model.asked()
    more = table.prompt("And then?")
    await table.heard("And then?")
    table.model.will(saying("Then this."))
    reply.say(Text(text="Done.")).end()
    assert await within(turn) == await within(more) == ("done", "")
    assert table.turns == (
        Prompt(text="Begin."), replied("Done."), Prompt(text="And then?"), replied("Then this."),
    )  # fmt: skip


async def test_words_that_a_stop_left_unheard_stand_before_the_next(table: Table) -> None:
    turn = table.prompt("Begin.")
    await table.model.asked()
    more = table.prompt("Wait.")
    await table.heard("Wait.")
    await within(table.assistants.stop(CHAT))
    assert (await within(turn))[0] == (await within(more))[0] == "stopped"
    table.model.will(saying("Yes?"))
    await table.says("Go on.")
    assert table.turns[0] == Prompt(text="Begin.\n\nWait.\n\nGo on.")


async def test_another_model_goes_on_from_the_next_request(table: Table, probes: Probes) -> None:
    other = table.models["other"] = type(table.model)()
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt()
    await probes.begins("a")
    table.assistants.set_model(CHAT, "other")
    other.will(saying("I am another."))
    probes.release("a")
    await within(turn)
    assert len(other.requests) == 1
    assert without_mode(other.requests[0].turns)[:3] == table.turns[:3]


@pytest.mark.requirement("N-05", "N-03")
async def test_the_model_is_told_its_tools_and_the_mode_of_each_moment(
    table: Table, probes: Probes
) -> None:
    table.mode, table.facts = Mode.PLAN, "[The folder is a test's.]"
    table.model.will(calling(probe("a", does="wait")), saying("Done."))
    turn = table.prompt()
    await probes.begins("a")
    table.mode = Mode.DEFAULT
    probes.release("a")
    await within(turn)
    planning, acting = table.model.requests
    begun, changed = planning.turns[0], acting.turns[-1]
    plan = mode_note(Mode.PLAN)
    assert begun == Prompt(text=f"[The folder is a test's.]\n\n{plan}\n\ngo")
    assert changed == Prompt(text=mode_note(Mode.DEFAULT))
    assert acting.turns[: len(planning.turns)] == planning.turns
    assert acting.system == planning.system
    for request in (planning, acting):
        assert "write_file" in [tool.name for tool in request.tools]
        assert "read_file, write_file, edit_file" in request.system


async def test_a_chat_that_is_not_there_cannot_be_spoken_to(table: Table) -> None:
    await table.assistants.close(CHAT)
    with pytest.raises(AgentFailed, match="no such chat"):
        await table.says()


async def test_whoever_waited_for_a_turn_and_left_has_stopped_it(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt()
    await probes.begins("a")
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await within(turn)
    assert table.ends[-1].reason == "stopped"
    assert table.steps(table.calls[0])[-1] is State.KILLED
    assert table.results[0].failed
