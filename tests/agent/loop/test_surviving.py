"""A turn survives the stream of its model: what came is kept, what runs goes on, and it goes on."""

import asyncio
import itertools
from collections.abc import Callable

import pytest
from attrs import evolve

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Reply, Table, saying
from assent.agent.loop.conversation import Conversation
from assent.agent.loop.retry_delays import RetryDelays
from assent.agent.loop.wording import BROKEN_BY_HOST
from assent.agent.models.conversation import Given, Replied
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Argued, CallReady, CallStarted, Closed, Text, Thinking
from assent.agent.models.provider import ModelFailed
from assent.agent.models.providers import provider_of
from assent.gate.journal.events import Waiting
from gate.admit.scene import within
from models.script import call, cut, error, hold, raw, status, text
from models.server import ModelServer
from models.spoken import SPEAKERS
from replies import replied


def busy(after: float | None = None) -> ModelFailed:
    return ModelFailed("parrot is overloaded.", again=100, after=after)


def failing(why: ModelFailed, *events: Text | Thinking) -> Callable[[Reply], object]:
    """A reply that breaks off after this."""
    return lambda reply: reply.say(*events).fail(why)


def waits(table: Table) -> list[Waiting]:
    """What was told of pauses, in order."""
    return [it for it in table.happened if isinstance(it, Waiting)]


async def ended(table: Table, turn: "asyncio.Task[tuple[str, str]]") -> tuple[str, str]:
    """See a turn to its end, and let no pause last."""
    seen = 0
    async with asyncio.timeout(30):
        while not turn.done():
            table._heard.clear()
            if len(waits(table)) > seen:
                seen = len(waits(table))
                table.assistants.try_now(CHAT)
            more = asyncio.ensure_future(table._heard.wait())
            await asyncio.wait({more, turn}, return_when=asyncio.FIRST_COMPLETED)
            more.cancel()
    return turn.result()


async def test_a_model_that_fails_for_now_is_asked_again_and_the_person_sees_when(
    table: Table,
) -> None:
    table.model.will(failing(busy()), failing(busy()), saying("Here I am."))
    assert await ended(table, table.prompt("one")) == ("done", "")
    assert [(it.because, round(it.seconds)) for it in waits(table)] == [
        ("parrot is overloaded.", 1),
        ("", 0),
        ("parrot is overloaded.", 2),
        ("", 0),
    ]
    assert table.turns == (Prompt(text="one"), replied("Here I am."))


async def test_a_pause_is_over_by_itself(table: Table) -> None:
    table.chance = -0.999
    table.model.will(failing(busy()), saying("There."))
    assert await table.says() == ("done", "")


async def test_a_stop_ends_the_pause_and_the_turn(table: Table) -> None:
    table.model.will(failing(busy(after=300)))
    turn = table.prompt("one")
    async with asyncio.timeout(5):
        while not waits(table):
            await table.more()
    await within(table.assistants.stop(CHAT))
    assert (await within(turn))[0] == "stopped"
    assert waits(table)[-1].because == ""
    table.model.will(saying("Yes?"))
    assert await table.says("two") == ("done", "")


async def test_words_that_came_are_kept_and_the_model_goes_on_behind_them(table: Table) -> None:
    table.model.will(
        failing(busy(), Thinking(text="Hm."), Text(text="I beg")), saying(" to go on.")
    )
    assert await ended(table, table.prompt("one")) == ("done", "")
    _, begun, told, after = table.turns
    assert isinstance(begun, Replied)
    assert begun.text == "I beg"
    assert (told, after) == (Prompt(text=BROKEN_BY_HOST), replied(" to go on."))
    assert table.texts() == ["I beg", " to go on."]


async def test_thoughts_alone_leave_nothing_to_go_on_from(table: Table) -> None:
    table.model.will(failing(busy(), Thinking(text="Hm.")), saying("So."))
    assert await ended(table, table.prompt("one")) == ("done", "")
    assert table.turns == (Prompt(text="one"), replied("So."))


async def test_calls_under_way_go_on_and_none_is_made_twice(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("slow", does="wait")).call(*probe("asked", effect="execute"))
    reply.say(CallStarted(key=9, name="probe"), Argued(key=9, piece='{"label": "lost'))
    card = await table.card()
    reply.fail(busy())
    await within(reply.closed.wait())
    assert waits(table) == []
    probes.release("slow")
    table.model.will(saying("There."))
    await table.answer(card)
    assert await ended(table, turn) == ("done", "")
    assert probes.begun == {"slow": 1, "asked": 1}
    texts = [it.text for it in table.results]
    assert texts == ["slow is done", f"asked is done\n\n{BROKEN_BY_HOST}"]


async def test_what_a_host_gave_before_it_broke_goes_along_with_the_next_request(
    table: Table, probes: Probes
) -> None:
    seal, signature = Given.of("parrot", "seal"), Given.of("parrot", "signature")
    name, arguments = probe("a")
    made = CallReady(key=0, id="x", name=name, arguments=arguments, given=signature)

    def thinking(reply: Reply) -> None:
        reply.say(Thinking(text="Hm."), Closed(given=seal), CallStarted(key=0, name=name), made)
        reply.fail(busy())

    table.model.will(thinking, saying("There."))
    assert await ended(table, table.prompt()) == ("done", "")
    _, reply, _ = table.model.requests[-1].turns
    assert isinstance(reply, Replied)
    assert [block.given for block in reply.blocks] == [seal, signature]


async def test_a_host_that_says_when_is_asked_then_and_no_sooner(table: Table) -> None:
    table.model.will(failing(busy(after=42.0)), saying("There."))
    await ended(table, table.prompt())
    assert round(waits(table)[0].seconds) == 42


async def test_a_host_that_wants_to_be_left_alone_for_an_hour_ends_the_turn(table: Table) -> None:
    table.model.will(failing(busy(after=3_600), Text(text="So")))
    assert await table.says() == ("error", "parrot is overloaded.")
    assert waits(table) == []
    assert table.turns[-1] == replied("So")


async def test_what_will_not_pass_ends_the_turn_at_once(table: Table) -> None:
    table.model.will(failing(ModelFailed("There is no credit left.")))
    assert await table.says() == ("error", "There is no credit left.")
    assert waits(table) == []


async def test_what_is_worth_few_tries_has_few(table: Table) -> None:
    odd = ModelFailed("It cannot be used.", again=2)
    table.model.will(*(failing(odd) for _ in range(3)))
    assert await ended(table, table.prompt()) == ("error", "It cannot be used.")
    assert len(table.model.requests) == 3


async def test_tries_are_no_rounds_of_the_turn(table: Table) -> None:
    table.limits = evolve(table.limits, rounds=2)
    table.model.will(*(failing(busy()) for _ in range(5)), saying("There."))
    assert await ended(table, table.prompt()) == ("done", "")


async def test_notes_for_a_shorter_conversation_are_asked_for_again(
    table: Table, probes: Probes
) -> None:
    table.model.tokens = 20_000
    table.model.will(saying("y" * 60_000), failing(busy()), saying("NOTES"), saying("Done."))
    await table.says("one")
    assert await ended(table, table.prompt("two")) == ("done", "")
    assert "NOTES" in str(table.turns[0])


def all_waits(patience: RetryDelays, failed: ModelFailed) -> list[float]:
    """Every pause until there is none any more."""
    found = []
    while (wait := patience.wait(failed)) is not None:
        found.append(wait)
        patience._tries[failed.again] += 1
        patience._waited += wait
    return found


def test_pauses_grow_to_a_minute_and_last_minutes_in_all() -> None:
    found = all_waits(RetryDelays(chance=lambda: 1.0), busy())
    assert found[:8] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert 600 <= sum(found) <= 900


def test_those_who_are_turned_away_together_do_not_come_back_together() -> None:
    chances = [0.0, 0.5, 1.0]
    found = [RetryDelays(chance=lambda it=it: it).wait(busy()) for it in chances]  # type: ignore[misc]
    assert found == [0.5, 0.75, 1.0]


async def test_a_pause_that_was_skipped_takes_no_patience() -> None:
    patience = RetryDelays(chance=lambda: 1.0)
    for _ in range(50):
        wait = patience.wait(busy())
        assert wait is not None
        patience.begin(busy(), wait)
        patience.skip()
        patience.end()


def test_a_whole_reply_makes_an_end_of_the_pauses() -> None:
    patience = RetryDelays(chance=lambda: 1.0)
    all_waits(patience, busy())
    assert patience.wait(busy()) is None
    patience.renew()
    assert patience.wait(busy()) == 1.0


# Over a real connection.

WAYS = {
    "/v1/chat/completions": {"dialect": "openai"},
    "/v1/responses": {"dialect": "openai", "path": "/responses"},
    "/v1/messages": {"dialect": "anthropic"},
    "/api/chat": {"dialect": "ollama"},
}
ENDS = (b'"done": true', b'"type": "response.completed"')
"""Behind these nothing of a reply comes any more."""
STEP = 29
"""Every byte is a place to break at; so many are passed by here to be quick."""


def spoken(path: str) -> bytes:
    """A reply with words and a call, as its host sends it."""
    speaker = SPEAKERS[path]("tiny")
    steps = [text("Now.", pieces=2), call(*probe("a"), pieces=3), text(" Then.")]
    return b"".join([speaker.head(), *itertools.chain(*map(speaker.say, steps)), speaker.end()])


@pytest.mark.parametrize("path", WAYS)
async def test_wherever_a_stream_breaks_the_turn_goes_on_and_no_call_is_made_twice(
    table: Table, probes: Probes, path: str
) -> None:
    sent = spoken(path)
    async with ModelServer() as server:
        table.models["m"] = provider_of(server.model(**WAYS[path]), None)
        for at in range(0, len(sent), STEP):
            probes.begun.clear()
            table.happened.clear()
            table.chat.conversation = Conversation()
            server.reply(raw(sent[:at].decode()), cut(), head=False)
            server.reply(text("Done."))
            assert await ended(table, table.prompt(f"go {at}")) == ("done", ""), at
            last = table.turns[-1]
            if len(server._replies):
                # It broke behind its end, so that nobody had to ask again.
                server._replies.clear()
                assert sent[at:].strip() == b"" or any(end in sent[:at] for end in ENDS), at
            else:
                assert isinstance(last, Replied), at
                assert (last.text, last.calls) == ("Done.", ()), at
            assert probes.begun["a"] <= 1, at
        assert server.faults == []


NO_REPLIES = [
    status(429, "Not now.", headers={"retry-after": "0"}),
    status(529, "Overloaded."),
    status(502, body="<html>Bad gateway"),
    status(200, body=""),
    error("Overloaded", kind="overloaded_error"),
    raw("data: }\n\n"),
]


async def test_a_host_that_answers_anything_but_a_reply_is_asked_again(table: Table) -> None:
    async with ModelServer() as server:
        table.models["m"] = provider_of(server.model("anthropic"), None)
        for no in NO_REPLIES:
            server.reply(no)
        server.reply(text("There."))
        assert await ended(table, table.prompt()) == ("done", "")
        assert len(server.requests) == len(NO_REPLIES) + 1


async def test_a_network_that_falls_silent_is_as_one_that_breaks(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.agent.models.http_requests._SILENCE_TIMEOUT_S", 0.05)
    async with ModelServer() as server:
        table.models["m"] = provider_of(server.model("anthropic"), None)
        server.reply(text("Now."), call(*probe("a")), hold("never"))
        server.reply(text("Done."))
        assert await ended(table, table.prompt()) == ("done", "")
        assert "said nothing for too long" in waits(table)[0].because
        assert BROKEN_BY_HOST in table.results[0].text
        assert probes.begun["a"] == 1
        assert table.turns[-1] == replied("Done.")


async def test_a_page_for_people_says_why_the_turn_ends(table: Table) -> None:
    async with ModelServer() as server:
        table.models["m"] = provider_of(server.model("openai"), None)
        server.reply(status(200, headers={"content-type": "text/html"}, body="<html>Hi"))
        reason, because = await table.says()
        assert reason == "error"
        assert "does not speak as" in because
