"""Hosts that speak as OpenAI does, each with its own habits."""

import json
from typing import Any

import pytest

from agent.models.scene import Scene, asking, giver, ready, stopped, texts
from assent.agent.models.chat_completions import ChatCompletions
from assent.agent.models.conversation import Answered, Given, Result, Said, Wanted
from assent.agent.models.events import CallReady, Closed, Text, Thinking, Used
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Garbled
from assent.agent.models.message_reader import read
from assent.agent.models.openai_calls import Calls
from assent.agent.models.openai_shapes import CallPiece, Chunk
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import Step, call, frame, leave, raw, status, stop, text, usage
from replies import replied
from steps import steps_of
from tables import each_row


def chunk(*pieces: dict[str, Any], finish: str | None = None, **delta: Any) -> Step:
    """A message with pieces of calls, as a host would send it."""
    told = {**delta, **({"tool_calls": list(pieces)} if pieces else {})}
    return frame({"choices": [{"index": 0, "delta": told, "finish_reason": finish}]})


def piece(arguments: Any = None, name: str | None = None, **rest: Any) -> dict[str, Any]:
    """A piece of a call; what is not named is left out."""
    function = {"name": name, "arguments": arguments}
    return {**rest, "function": {key: it for key, it in function.items() if it is not None}}


ONE, TWO = '{"n": 1}', '{"n": 2}'
BOTH = [("a", ONE), ("b", TWO)]

HABITS = {
    "no ids": [
        chunk(piece("", "a", index=0)), chunk(piece(ONE, index=0)),
        chunk(piece("", "b", index=1)), chunk(piece(TWO, index=1)),
    ],
    "no numbers": [
        chunk(piece("", "a", id="x")), chunk(piece('{"n"')), chunk(piece(": 1}")),
        chunk(piece("", "b", id="y")), chunk(piece(TWO)),
    ],
    "neither": [chunk(piece(ONE, "a")), chunk(piece(TWO, "b"))],
    "whole calls in one message": [chunk(piece(ONE, "a", id="x"), piece(TWO, "b", id="y"))],
    "arguments that are no text": [
        chunk(piece({"n": 1}, "a", index=0, id="x"), piece({"n": 2}, "b", index=1, id="y"))
    ],
    "all of one number": [
        chunk(piece(ONE, "a", index=0, id="x")), chunk(piece(TWO, "b", index=0, id="y")),
    ],
    "all of one number, interleaved": [
        chunk(piece("", "a", index=0, id="x")), chunk(piece("", "b", index=0, id="y")),
        chunk(piece(ONE, index=0, id="x")), chunk(piece(TWO, index=0, id="y")),
    ],
    "all of one number and no ids": [
        chunk(piece(ONE, "a", index=0)), chunk(piece(TWO, "b", index=0)),
    ],
    "counted from one": [
        chunk(piece(ONE, "a", index=1, id="x")), chunk(piece(TWO, "b", index=2, id="y")),
    ],
    "another number for the arguments": [
        chunk(piece("", "a", index=3, id="x")), chunk(piece(ONE, index=0)),
        chunk(piece("", "b", index=4, id="y")), chunk(piece(TWO, index=1)),
    ],
    "name and id in every piece": [
        chunk(piece('{"n"', "a", index=0, id="x")), chunk(piece(": 1}", "a", index=0, id="x")),
        chunk(piece('{"n"', "b", index=1, id="y")), chunk(piece(": 2}", "b", index=1, id="y")),
    ],
    "ids that are numbers, and nothings": [
        chunk({"index": 0, "id": 7, "type": None, "function": {"name": "a", "arguments": None}}),
        chunk(piece(ONE, index=0)), chunk({"index": 0}), chunk(piece("", index=9)),
        chunk(piece(TWO, "b", index=1, id=8)),
    ],
    "the name after the beginning": [
        chunk({"index": 0, "id": "x"}), chunk(piece(ONE, "a", index=0)),
        chunk(piece("", index=1, id="y")), chunk(piece("", "b", index=1)),
        chunk(piece(TWO, index=1)),
    ],
    "an empty object first": [
        chunk(piece({}, "a", index=0, id="x")), chunk(piece('{"n"', index=0)),
        chunk(piece(": 1}", index=0)), chunk(piece("{}", "b", index=1, id="y")),
        chunk(piece(TWO, index=1)),
    ],
    "no streaming": [
        frame({"choices": [{"finish_reason": "stop", "message": {"content": None, "tool_calls": [
            piece(ONE, "a", id="x"), piece(TWO, "b", id="y"),
        ]}}]})
    ],
}  # fmt: skip


@pytest.mark.parametrize("steps", HABITS.values(), ids=HABITS)
async def test_two_calls_are_two_whatever_the_habits_of_their_host(
    openai: Scene, steps: list[Step]
) -> None:
    openai.server.reply(*steps, stop("calls"))
    events = await openai.events()
    assert ready(events) == BOTH
    assert len({it.key for it in events if isinstance(it, CallReady)}) == 2


async def test_two_calls_of_one_name_without_ids_or_numbers_are_two(openai: Scene) -> None:
    openai.server.reply(chunk(piece(ONE, "a")), chunk(piece(TWO, "a")), chunk(piece(TWO, "a")))
    assert ready(await openai.events()) == [("a", ONE), ("a", TWO), ("a", TWO)]


@pytest.mark.parametrize(
    "later",
    [
        piece("and more", index=0),
        piece("{}", index=0),
        piece(TWO, "a", index=0, id="x"),
        piece("}"),
    ],
)
async def test_anything_behind_whole_arguments_breaks_the_reply(
    openai: Scene, later: dict[str, Any]
) -> None:
    openai.server.reply(chunk(piece(ONE, "a", index=0, id="x")), chunk(later))
    came, why = await openai.failed()
    assert ready(came) == [("a", ONE)]
    assert "cannot be used" in why


async def test_whole_arguments_with_something_behind_them_are_no_call(openai: Scene) -> None:
    openai.server.reply(chunk(piece(ONE + TWO, "a", index=0, id="x")))
    came, why = await openai.failed()
    assert ready(came) == []
    assert "something stands behind the arguments of a" in why


async def test_arguments_of_no_call_break_the_reply(openai: Scene) -> None:
    openai.server.reply(chunk(piece("{}", index=0)))
    came, why = await openai.failed()
    assert ready(came) == []
    assert "there are arguments of no call in it" in why


@pytest.mark.parametrize("finish", ["length", "content_filter", "odd"])
@pytest.mark.parametrize("arguments", ["", '{"n": '])
async def test_a_call_that_is_cut_short_is_never_ready(
    openai: Scene, finish: str, arguments: str
) -> None:
    openai.server.reply(
        chunk(piece(arguments, "a", index=0)),
        chunk(finish=finish),
        raw("data: [DONE]\n\n"),
        leave(),
    )
    if finish == "odd":
        came, why = await openai.failed()
        assert "broke before the reply was whole" in why
    else:
        came = await openai.events()
        assert stopped(came) == {"length": "length"}.get(finish, "refused")
    assert ready(came) == []


async def test_a_stream_without_its_last_word_is_whole_once_it_said_why_it_ends(
    openai: Scene,
) -> None:
    openai.server.reply(chunk(content="Done."), chunk(finish="stop"), leave())
    events = await openai.events()
    assert texts(events) == "Done."
    assert stopped(events) == "done"


async def test_a_stream_that_only_says_its_last_word_is_whole(openai: Scene) -> None:
    openai.server.reply(chunk(content="Done."), raw("data: [DONE]\n\n"), leave())
    assert stopped(await openai.events()) == "done"


async def test_a_last_word_behind_an_open_call_is_a_broken_stream(openai: Scene) -> None:
    openai.server.reply(chunk(piece("", "wipe", index=0)), raw("data: [DONE]\n\n"), leave())
    came, _ = await openai.failed()
    assert ready(came) == []


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
async def test_thoughts_are_found_by_either_name(openai: Scene, name: str) -> None:
    openai.server.reply(chunk(**{name: "Hm."}), text("So."))
    events = await openai.events()
    given = Given.of(giver(openai), {name: "Hm."})
    told = [it for it in events if isinstance(it, Thinking | Closed)]
    assert told == [Thinking(text="Hm."), Closed(given=given)]


async def test_text_in_parts_is_text(openai: Scene) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "So."}]
    openai.server.reply(chunk(content=parts))
    assert texts(await openai.events()) == "So."


async def test_a_refusal_is_said_and_told_as_one(openai: Scene) -> None:
    openai.server.reply(chunk(refusal="I will not."))
    events = await openai.events()
    assert texts(events) == "I will not."
    assert stopped(events) == "refused"


async def test_comments_that_keep_a_line_warm_are_passed_over(openai: Scene) -> None:
    openai.server.reply(raw(": OPENROUTER PROCESSING\n\n"), text("So."), usage(5, 6))
    events = await openai.events()
    assert [it for it in events if isinstance(it, Text | Used)] == [
        Text(text="So."),
        Used(read=5, wrote=6),
    ]


@pytest.mark.parametrize(
    "kept", [{"prompt_tokens_details": {"cached_tokens": 4}}, {"prompt_cache_hit_tokens": 4}]
)
async def test_what_came_from_the_cache_is_read_by_either_name(
    openai: Scene, kept: dict[str, Any]
) -> None:
    counted = {"prompt_tokens": 5, "completion_tokens": 6, **kept}
    openai.server.reply(text("So."), frame({"choices": [], "usage": counted}))
    assert Used(read=5, wrote=6, cached=4) in await openai.events()


@pytest.mark.parametrize("unwanted", ["stream_options", "max_tokens"])
async def test_what_a_host_does_not_know_is_left_out_and_stays_out(
    openai: Scene, unwanted: str
) -> None:
    no = f"Unrecognized request argument supplied: {unwanted}"
    openai.server.reply(status(400, no))
    openai.server.reply(text("So."))
    openai.server.reply(text("Again."))
    provider = openai.provider()
    for said in ("So.", "Again."):
        assert texts([it async for it in provider.stream(asking())]) == said
    assert [unwanted in it.body for it in openai.server.requests] == [True, False, False]


@pytest.mark.parametrize(
    "no",
    [
        "Unexpected role 'user' after role 'tool'",
        "After the optional system message, conversation roles must alternate user and assistant",
    ],
)
async def test_a_host_that_wants_a_reply_behind_results_gets_one_from_then_on(
    openai: Scene, no: str
) -> None:
    calls = replied("", Wanted(id="1", name="a", arguments="{}"))
    came = Answered(results=(Result(call="1", name="a", text="It is."),))
    turns = (Said(text="Do."), calls, came, Said(text="[The mode is Plan now.]"))
    openai.server.reply(status(400, no))
    openai.server.reply(text("So."))
    openai.server.reply(text("Again."))
    provider = openai.provider()
    for said in ("So.", "Again."):
        assert texts([it async for it in provider.stream(asking(*turns))]) == said
    told = [[it["role"] for it in each.body["messages"]] for each in openai.server.requests]
    without = [it for it in told[0] if it != "system"]
    assert without == ["user", "assistant", "tool", "user"]
    assert told[1] == told[2] == [*told[0][:-1], "assistant", "user"]
    assert openai.server.requests[1].body["messages"][-2]["content"] == "Done."


async def test_a_host_that_minds_the_order_where_nobody_spoke_between_is_told_of(
    openai: Scene,
) -> None:
    openai.server.reply(status(400, "Unexpected role 'user' after role 'tool'"))
    _, why = await openai.failed()
    assert "Unexpected role" in why
    assert len(openai.server.requests) == 1


async def test_what_a_host_minds_again_and_again_is_told(openai: Scene) -> None:
    for _ in range(2):
        openai.server.reply(status(400, "bad stream_options"))
    _, why = await openai.failed()
    assert why.endswith("refused the request: bad stream_options.")


async def test_the_longest_reply_is_named_as_openai_itself_wants_it(openai: Scene) -> None:
    own = Model(id="m", name="m", dialect=Dialect.OPENAI, model="gpt-4.1")
    body = ChatCompletions(line=HostConnection(host=host_of(own, "k"))).body(asking(most_tokens=9))
    assert body["max_completion_tokens"] == 9
    assert "max_tokens" not in body


async def test_a_call_after_text_is_ready_before_the_end(openai: Scene) -> None:
    openai.server.reply(text("So."), call("a", {"n": 1}), stop("done"))
    events = await openai.events()
    assert ready(events) == [("a", ONE)]
    assert stopped(events) == "calls", "whatever the host calls it"


LONG = '{"n": "' + "x" * 200 + '"}'

MANY = {
    "one number": lambda at: piece(ONE, "a", index=0, id=f"c{at}"),
    "no number": lambda at: piece(ONE, "a", id=f"c{at}"),
    "a number each": lambda at: piece(ONE, "a", index=at, id=f"c{at}"),
    "neither": lambda at: piece(ONE, f"a{at}"),
    "numbers for nobody": lambda at: piece("", index=at),
    "one call that is open": lambda at: piece(LONG[at % 200], "" if at else "a", index=at),
}


@each_row("which", MANY)
def test_each_piece_is_taken_without_looking_through_all_calls(which: str) -> None:
    def steps(count: int) -> int:
        calls = Calls()
        pieces = [CallPiece.model_validate(MANY[which](at)) for at in range(count)]
        return steps_of(lambda: [event for one in pieces for event in calls.take(one)])

    assert steps(240) <= 2.1 * steps(120) + 100


def test_a_message_of_more_pieces_than_any_host_sends_is_refused_before_it_is_read_whole() -> None:
    def read_from(count: int) -> int:
        told = {"choices": [{"delta": {"tool_calls": [piece("", index=0)] * count}}]}
        return len(read(Chunk, json.dumps(told).encode()).choices or ())

    assert read_from(1_000) == 1
    with pytest.raises(Garbled, match="tool_calls is not what it should be"):
        read_from(1_001)
