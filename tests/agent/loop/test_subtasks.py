"""A part of the work that the agent gives away to itself: the same gate, another conversation."""

import asyncio
import json

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table, calling, saying, without_mode
from assent.agent.loop.prompt import mode_note
from assent.agent.loop.setup import Limits
from assent.agent.loop.subtasks import _named
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Text, Used
from assent.agent.models.provider import ModelFailed
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal import events as happenings
from assent.gate.journal.events import CallPrinted, PlanMade, Said
from gate.admit.scene import within


def part(name: str, prompt: str = "Do it.") -> tuple[str, str]:
    return "run_subtask", json.dumps({"name": name, "prompt": prompt})


@pytest.mark.requirement("N-06")
async def test_a_part_is_worked_on_apart_and_its_last_words_are_the_result(
    table: Table, probes: Probes
) -> None:
    table.model.will(
        calling(part("look", "Find the till.")),
        calling(probe("inner"), text="Looking."),
        saying("It is in src."),
        saying("So it is in src."),
    )
    assert await table.says("where?") == ("done", "")
    assert table.results[0].text == "It is in src."
    inner = table.model.requests[1]
    assert without_mode(inner.turns) == (Prompt(text="Find the till."),)
    assert "a part of the work that was given to you: look" in inner.system
    assert table.texts() == ["So it is in src."]
    outer = table.calls[0]
    assert table.printed(outer.id) == "Looking.\n\nIt is in src."


@pytest.mark.requirement("N-06")
async def test_its_calls_pass_the_same_gate_and_name_the_part(table: Table, probes: Probes) -> None:
    table.model.will(
        calling(part("look")), calling(probe("a", effect="execute")), saying("In."), saying("Out.")
    )
    turn = table.prompt()
    card = await table.card()
    assert isinstance(card.asks, Call)
    assert (card.asks.part, card.asks.chat) == ("look", CHAT)
    assert card.asks.agent == table.calls[0].agent
    await table.deny(card, "Not that.")
    await within(turn)
    assert table.model.requests[2].turns[-1].results[0].text.endswith("says: Not that.")  # type: ignore[union-attr]


async def test_a_step_that_its_call_needs_names_the_part_as_well(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(part("look")), calling(probe("a", does="hop")), saying("In."))
    table.model.will(saying("Out."))
    turn = table.prompt()
    card = await table.card()
    assert isinstance(card.asks, Call)
    assert (card.asks.tool, card.asks.part) == ("fetch", "look")
    await table.answer(card)
    assert (await within(turn))[0] == "done"


@pytest.mark.requirement("N-06")
async def test_three_deep_in_plan_mode_it_cannot_write(table: Table) -> None:
    table.mode = Mode.PLAN
    write = ("write_file", json.dumps({"path": "a.txt", "content": "x"}))
    table.model.will(
        calling(part("one")),
        calling(part("two")),
        calling(part("three")),
        calling(write, part("four")),
        *(saying(text) for text in ("third", "second", "first", "Done.")),
    )
    assert await table.says() == ("done", "")
    deepest = table.model.requests[4].turns[-1].results  # type: ignore[union-attr]
    assert "Plan" in deepest[0].text
    assert "3 deep" in deepest[1].text
    assert all(it.failed for it in deepest)
    assert not (table.root / "a.txt").exists()
    assert [call.part for call in table.calls] == [
        "",
        "one",
        "one › two",
        "one › two › three",
        "one › two › three",
    ]
    for request in table.model.requests[:4]:
        first = request.turns[0]
        assert isinstance(first, Prompt)
        assert mode_note(Mode.PLAN) in first.text


async def test_a_grant_of_the_chat_covers_a_part(table: Table, probes: Probes) -> None:
    same = probe("a", effect="execute")
    table.model.will(calling(same), calling(part("look")), calling(same), saying("In."))
    table.model.will(saying("Out."))
    turn = table.prompt()
    await table.answer(await table.card(), "chat")
    assert (await within(turn))[0] == "done"
    assert probes.begun == {"a": 2}
    assert len(table.opened) == 1


async def test_parts_work_side_by_side(table: Table, probes: Probes) -> None:
    table.model.will(calling(part("a"), part("b")))
    turn = table.prompt()
    first, second = await table.model.asked(), await table.model.asked()
    second.say(Text(text="B")).end()
    first.say(Text(text="A")).end()
    (await table.model.asked()).end()
    await within(turn)
    assert [it.text for it in table.results] == ["A", "B"]


@pytest.mark.requirement("N-06", "T-08")
async def test_a_stop_ends_a_part_with_its_cards_and_its_speech(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(part("outer"), probe("beside", does="wait")))
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("asked", effect="execute")).call(*probe("runs", does="wait"))
    reply.call(*part("inner"))
    card = await table.card()
    await probes.begins("runs")
    deepest = await table.model.asked()
    await within(table.assistants.stop(CHAT))
    assert (await within(turn))[0] == "stopped"
    assert reply.closed.is_set()
    assert deepest.closed.is_set()
    assert table.closed[card.id][0].by is Actor.STOP
    assert table.closed[card.id][0].because == "You stopped the agent, so it was not run."
    assert probes.ended == {}
    ends = {call.input.get("label") or call.tool: table.steps(call)[-1] for call in table.calls}
    assert ends == {
        "agent": State.KILLED,
        "beside": State.KILLED,
        "asked": State.REFUSED,
        "runs": State.KILLED,
    }


async def test_a_part_can_be_ended_by_itself(table: Table, probes: Probes) -> None:
    table.model.will(calling(part("look")))
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("asked", effect="execute"))
    await table.card()
    await within(table.assistants.kill(CHAT, table.calls[0].id))
    (await table.model.asked()).end()
    assert (await within(turn))[0] == "done"
    assert reply.closed.is_set()
    assert table.results[0].text == "The person killed it."
    assert table.room.tickets == ()


async def test_a_part_goes_no_further_than_its_turn_may(table: Table, probes: Probes) -> None:
    table.limits = Limits(rounds=3)
    table.model.will(calling(part("look")), calling(probe("a"), text="So far."))
    table.model.will(*(calling(probe(label)) for label in "bcd"))
    reason, because = await table.says()
    assert (reason, len(table.model.requests)) == ("limit", 3)
    assert "3 requests" in because
    assert probes.begun == {"a": 1, "b": 1}
    result = table.results[0]
    assert result.failed
    assert "3 requests" in result.text


async def test_parts_change_no_more_together_than_a_turn_may(table: Table) -> None:
    table.limits, table.mode = Limits(writes=1), Mode.ACCEPT_EDITS

    def write(name: str) -> tuple[str, str]:
        return "write_file", json.dumps({"path": name, "content": "x"})

    table.model.will(calling(part("one"), part("two")))
    turn = table.prompt()
    replies = [await table.model.asked() for _ in range(2)]
    for name, reply in zip("ab", replies, strict=True):
        reply.call(*write(name)).end("calls")
        (await table.model.asked()).say(Text(text="In.")).end()
    (await table.model.asked()).call(*write("c")).end("calls")
    (await table.model.asked()).say(Text(text="Done.")).end()
    assert (await within(turn))[0] == "done"
    assert [path.name for path in table.root.iterdir()] == ["a"]
    assert "Change no more" in table.results[0].text


async def test_a_part_whose_model_fails_says_why(table: Table, probes: Probes) -> None:
    table.model.will(
        calling(part("look")),
        lambda reply: reply.say(Text(text="I saw")).fail(ModelFailed("It broke.")),
        saying("Oh."),
    )
    assert await table.says() == ("done", "")
    assert table.results[0].text == "It did not come to its end. It broke.\n\nI saw"


async def test_the_plan_and_the_fullness_of_a_part_are_not_the_chat_s(table: Table) -> None:
    plan = ("todo_write", json.dumps({"items": [{"text": "x", "state": "done"}]}))
    table.model.will(calling(part("look")), calling(plan))
    table.model.will(lambda reply: reply.say(Used(read=9, wrote=1), Text(text="In.")).end())
    table.model.will(saying("Out."))
    await table.says()
    assert not [it for it in table.happened if isinstance(it, PlanMade | happenings.Used)]


async def test_what_a_part_says_is_gathered(table: Table) -> None:
    table.hold_speech()
    table.model.will(calling(part("look")))
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(*(Text(text="word ") for _ in range(2_000))).end()
    (await table.model.asked()).end()
    await within(turn)
    told = [it for it in table.happened if isinstance(it, CallPrinted)]
    assert "".join(it.text for it in told) == "word " * 2_000
    assert len(told) == 1
    assert not [it for it in table.happened if isinstance(it, Said) and it.who == "agent"]


async def test_so_many_parts_are_worked_on_at_once_and_no_more(table: Table) -> None:
    table.model.will(calling(*(part(str(number)) for number in range(10))))
    turn = table.prompt()
    replies = [await table.model.asked() for _ in range(8)]
    async with asyncio.timeout(5):
        while [it.state for it in table.told].count(State.FAILED) < 2:
            await table.more()
    for reply in replies:
        reply.say(Text(text="In.")).end()
    (await table.model.asked()).end()
    await within(turn)
    failed = [it.text for it in table.results if it.failed]
    assert len(failed) == 2
    assert all("8 parts" in text for text in failed)


def test_the_name_of_a_part_holds_nothing_that_is_not_seen() -> None:
    assert _named("", "tidy\x1b[2J\u202e up\n") == "tidy [2J up"
    assert _named("outer", "\u200b") == "outer › a part"
