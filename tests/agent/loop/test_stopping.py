"""Stop ends a turn at once, wherever it stands, and leaves a conversation that goes on."""

import asyncio

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import AGENT, CHAT, Table, calling, saying
from assent.agent.models.conversation import Answered
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import CallStarted, Text
from assent.gate.approvals.tickets import Outcome
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import TurnEnded
from gate.admit.scene import within
from replies import replied

STOPPED = ("stopped", "You stopped it.")


async def stop(table: Table) -> None:
    await within(table.assistants.stop(CHAT))


async def test_in_mid_speech_the_connection_is_closed_and_what_was_said_is_kept(
    table: Table,
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(Text(text="I was about to"))
    await table.heard("I was about to")
    await stop(table)
    assert reply.closed.is_set()
    assert await within(turn) == STOPPED
    assert table.turns[1] == replied("I was about to")
    table.model.will(saying("Yes."))
    assert await table.says("go on") == ("done", "")
    assert table.model.requests[1].turns[-1] == Prompt(text="go on")


async def test_before_a_word_was_said_nothing_is_kept(table: Table) -> None:
    turn = table.prompt("one")
    reply = await table.model.asked()
    await stop(table)
    assert await within(turn) == STOPPED
    assert reply.closed.is_set()
    assert table.turns == (Prompt(text="one"),)


@pytest.mark.requirement("T-08")
async def test_in_a_card_the_call_is_refused_and_the_card_folds(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", effect="execute")))
    turn = table.prompt()
    card = await table.card()
    await stop(table)
    assert await within(turn) == STOPPED
    settlement, row = table.closed[card.id]
    assert (settlement.outcome, settlement.by) == (Outcome.REFUSED, Actor.STOP)
    assert settlement.because == "You stopped the agent, so it was not run."
    assert row is not None
    assert probes.begun == {}
    assert table.results[0].text == "The person stopped it."
    assert table.steps(table.calls[0])[-1] is State.REFUSED


@pytest.mark.requirement("T-08")
async def test_with_cards_calls_and_speech_at_once_everything_ends(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("card", effect="execute")).call(*probe("runs", does="wait"))
    reply.call(*probe("over")).say(CallStarted(key=9, name="probe"), Text(text="And"))
    await table.card()
    await probes.begins("over")
    await probes.begins("runs")
    await table.heard("And")
    await stop(table)
    assert await within(turn) == STOPPED
    assert reply.closed.is_set()
    assert [it.text for it in table.results] == [
        "The person stopped it.",
        "The person stopped it.",
        "over is done",
    ]
    assert probes.ended == {"over": 1}
    states = [table.steps(call)[-1] for call in table.calls]
    assert states == [State.REFUSED, State.KILLED, State.SUCCEEDED]
    assert table.room.tickets == ()


async def test_what_the_model_still_sends_is_not_begun(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(Text(text="Now"))
    await table.heard("Now")
    stopping = asyncio.ensure_future(table.assistants.stop(CHAT))
    reply.call(*probe("late")).end("calls")
    await within(stopping)
    await within(turn)
    assert probes.begun == {}
    assert table.calls == []


async def test_while_the_model_is_looked_for_it_ends_as_well(table: Table) -> None:
    looking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    begun = asyncio.Event()

    async def window() -> int:
        begun.set()
        await looking
        return 0

    table.model.window = window  # type: ignore[method-assign]
    turn = table.prompt()
    await within(begun.wait())
    await stop(table)
    assert await within(turn) == STOPPED
    assert looking.cancelled()


async def test_in_a_step_that_a_call_needs_the_card_folds(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="hop")))
    turn = table.prompt()
    card = await table.card()
    await stop(table)
    assert await within(turn) == STOPPED
    assert table.closed[card.id][0].by is Actor.STOP
    assert probes.ended == {}
    assert table.results[0].text == "The person stopped it."


async def test_a_stop_without_a_turn_does_nothing(table: Table) -> None:
    await stop(table)
    assert table.happened == []
    table.model.will(saying("Hello."))
    assert await table.says() == ("done", "")


async def test_two_stops_are_one(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt()
    await probes.begins("a")
    await within(asyncio.gather(table.assistants.stop(CHAT), table.assistants.stop(CHAT)))
    assert await within(turn) == STOPPED
    assert len(table.ends) == 1


async def test_stopped_turns_are_over_when_it_is_told(table: Table) -> None:
    turn = table.prompt()
    await table.model.asked()
    await stop(table)
    assert not table.assistants.is_running(CHAT)
    await within(turn)
    assert table.happened[-1] == TurnEnded(chat=CHAT, reason=STOPPED[0], because=STOPPED[1])


async def test_a_stop_waits_until_what_ran_has_ended(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="linger")))
    turn = table.prompt()
    await probes.begins("a")
    await stop(table)
    assert not table.assistants.is_running(CHAT)
    assert table.steps(table.calls[0])[-1] is State.KILLED
    assert await within(turn) == STOPPED


async def test_nothing_is_kept_of_a_chat_that_was_closed(table: Table) -> None:
    table.model.will(saying("Hello."))
    await table.says()
    await within(table.assistants.close(CHAT))
    assert table.assistants._chats == {}
    assert table.assistants._ports.speech._chats == {}


async def test_closing_a_chat_ends_what_it_does(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="wait"), probe("b", effect="execute")))
    turn = table.prompt()
    await probes.begins("a")
    card = await table.card()
    await within(table.assistants.close(CHAT))
    assert (await within(turn))[0] == "stopped"
    assert table.closed[card.id][0].because == "The chat was closed, so it was not run."
    await within(table.assistants.close(CHAT))


async def test_ending_all_ends_every_chat_and_nothing_is_taken_up(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt()
    await probes.begins("a")
    await within(table.assistants.end_all())
    assert (await within(turn))[0] == "stopped"
    assert probes.ended == {}
    table.assistants.open(CHAT, AGENT, "m", str(table.root))
    with pytest.raises(AgentFailed, match="being ended"):
        await table.says()


async def test_one_running_call_can_be_ended_and_the_turn_goes_on(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait"), probe("b", does="wait")))
    turn = table.prompt()
    await probes.begins("b")
    await within(table.assistants.kill(CHAT, table.calls[0].id))
    probes.release("b")
    (await table.model.asked()).end()
    assert (await within(turn))[0] == "done"
    assert [it.text for it in table.results] == ["The person killed it.", "b is done"]
    assert table.steps(table.calls[0])[-1] is State.KILLED


async def test_what_does_not_run_cannot_be_ended(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", effect="execute")))
    turn = table.prompt()
    card = await table.card()
    with pytest.raises(AgentFailed, match="does not run"):
        await table.assistants.kill(CHAT, table.calls[0].id)
    with pytest.raises(AgentFailed, match="does not run"):
        table.assistants.background(CHAT, table.calls[0].id)
    await table.answer(card)
    (await table.model.asked()).end()
    await within(turn)
    assert probes.ended == {"a": 1}


async def test_after_a_stop_in_a_call_the_next_turn_knows_of_it(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="wait")))
    turn = table.prompt()
    await probes.begins("a")
    await stop(table)
    await within(turn)
    table.model.will(saying("I see."))
    await table.says("why?")
    *_, answered, asked = table.model.requests[1].turns
    assert isinstance(answered, Answered)
    assert answered.results[0].text == "The person stopped it."
    assert asked == Prompt(text="why?")
