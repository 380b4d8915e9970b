"""What is peculiar to Anthropic: blocks, seals, hidden thoughts, and what is kept between turns."""

from typing import Any

import pytest

from agent.models.scene import Scene, asking, giver, ready, stopped, texts
from assent.agent.models.conversation import (
    Answered,
    Given,
    Part,
    Replied,
    Result,
    Said,
    Thought,
    Toolcard,
    Wanted,
    Words,
)
from assent.agent.models.events import CallReady, Closed, Event, Kept, Text, Thinking, Used
from assent.agent.models.provider import ModelFailed
from models.script import begin, call, frame, hold, leave, more, status, stop, text, think, whole
from replies import replied

SILENT = Thinking(text="")
"""The beginning of a thought."""


async def test_a_call_is_ready_at_the_end_of_its_block_and_not_before(anthropic: Scene) -> None:
    anthropic.server.reply(
        begin(1, "a"), more(1, '{"n": 1}'), hold("block"), whole(1), hold("tail"), text("More.")
    )
    heard: list[Event] = []
    async for event in anthropic.reply():
        heard.append(event)
        if getattr(event, "piece", ""):
            await anthropic.server.held("block")
            assert ready(heard) == []
            anthropic.server.release("block")
        if isinstance(event, CallReady):
            await anthropic.server.held("tail")
            anthropic.server.release("tail")
    assert ready(heard) == [("a", '{"n": 1}')]


async def test_a_thought_ends_with_its_seal(anthropic: Scene) -> None:
    anthropic.server.reply(think("Let me see.", seal="S1"), think("Again.", seal="S2"), text("So."))
    told = [
        it for it in await anthropic.events() if isinstance(it, Thinking | Closed) and it != SILENT
    ]
    by = giver(anthropic)
    assert told == [
        Thinking(text="Let me see."),
        Closed(given=Given.of(by, {"signature": "S1"})),
        Thinking(text="Again."),
        Closed(given=Given.of(by, {"signature": "S2"})),
        Closed(),
    ]


async def test_a_hidden_thought_is_told_as_it_came(anthropic: Scene) -> None:
    anthropic.server.reply(think(hidden="c2VjcmV0"), text("So."))
    (kept,) = [it for it in await anthropic.events() if isinstance(it, Kept)]
    hidden = {"type": "redacted_thinking", "data": "c2VjcmV0"}
    assert kept == Kept(given=Given.of(giver(anthropic), hidden))


@pytest.mark.parametrize("arguments", ["", '{"path": "/tm', '{"path": "a"'])
async def test_a_call_that_is_cut_short_at_the_end_of_its_block_is_never_ready(
    anthropic: Scene, arguments: str
) -> None:
    """The block ends in good order also where the reply was too long."""
    anthropic.server.reply(begin(1, "rm"), more(1, arguments), whole(1), stop("length"))
    events = await anthropic.events()
    assert ready(events) == []
    assert stopped(events) == "length"


async def test_a_call_with_broken_arguments_is_ready_once_another_block_begins(
    anthropic: Scene,
) -> None:
    anthropic.server.reply(
        begin(1, "a"), more(1, "{oops"), whole(1), begin(2, "b"), hold("tail"), more(2, "{}"),
        whole(2),
    )  # fmt: skip
    heard: list[Event] = []
    async for event in anthropic.reply():
        heard.append(event)
        if isinstance(event, CallReady):
            anthropic.server.release("tail")
    assert ready(heard) == [("a", "{oops"), ("b", "{}")]


def block(index: int, **made: Any) -> dict[str, Any]:
    return frame({"type": "content_block_start", "index": index, "content_block": made})


async def test_arguments_that_stand_in_the_beginning_of_a_block_count(anthropic: Scene) -> None:
    anthropic.server.reply(
        block(5, type="tool_use", id="x", name="a", input={"n": 1}),
        frame({"type": "content_block_stop", "index": 5}),
        stop("calls"),
    )
    assert ready(await anthropic.events()) == [("a", '{"n": 1}')]


async def test_a_block_that_begins_twice_breaks_the_reply(anthropic: Scene) -> None:
    made = {"type": "tool_use", "id": "x", "name": "a"}
    anthropic.server.reply(block(5, **made), block(5, **made))
    came, why = await anthropic.failed()
    assert ready(came) == []
    assert "a block of it begins twice" in why


async def test_arguments_behind_the_end_of_a_block_break_the_reply(anthropic: Scene) -> None:
    anthropic.server.reply(begin(1, "a"), more(1, "{}"), whole(1), more(1, "{}"))
    came, why = await anthropic.failed()
    assert ready(came) == [("a", "{}")]
    assert "it goes on with the call of a" in why


async def test_what_nobody_knows_is_passed_over(anthropic: Scene) -> None:
    anthropic.server.reply(
        frame({"type": "invented_later", "data": [1]}),
        block(7, type="server_thing"),
        text("So."),
    )
    assert texts(await anthropic.events()) == "So."


async def test_a_stream_without_its_stop_is_broken(anthropic: Scene) -> None:
    anthropic.server.reply(
        text("So."), frame({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}), leave()
    )
    came, why = await anthropic.failed()
    assert texts(came) == "So."
    assert "broke before" in why


async def test_a_refusal_is_told_as_one(anthropic: Scene) -> None:
    anthropic.server.reply(text("I will not."), stop("refused"))
    assert stopped(await anthropic.events()) == "refused"


async def test_tokens_from_the_cache_count_as_read(anthropic: Scene) -> None:
    counted = {"input_tokens": 5, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 10}
    anthropic.server.reply(
        frame({"type": "message_start", "message": {"usage": counted}}),
        frame({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
               "usage": {"output_tokens": 7}}),
        frame({"type": "message_stop"}),
        leave(),
    )  # fmt: skip
    used = [it for it in await anthropic.events() if isinstance(it, Used)]
    assert used[-1] == Used(read=115, wrote=7, cached=100)


# What is sent.


async def sent(anthropic: Scene, *turns: Any, **rest: Any) -> dict[str, Any]:
    anthropic.server.reply(text("So."))
    await anthropic.events(asking(*turns, **rest))
    return anthropic.server.requests[-1].body


async def test_thoughts_go_back_under_their_seal_and_others_do_not(anthropic: Scene) -> None:
    by = giver(anthropic)
    blocks = (
        Thought(text="Sealed.", given=Given.of(by, {"signature": "S"})),
        Part(given=Given.of(by, {"type": "redacted_thinking", "data": "h"})),
        Thought(text="Broken off."),
        Thought(text="Another's.", given=Given.of("another", {"signature": "S"})),
        Words(text="So."),
    )
    body = await sent(anthropic, Said(text="Hi."), Replied(blocks=blocks), Said(text="And?"))
    assert body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "Sealed.", "signature": "S"},
        {"type": "redacted_thinking", "data": "h"},
        {"type": "text", "text": "So."},
    ]


async def test_what_stays_the_same_is_kept_between_turns(anthropic: Scene) -> None:
    cards = tuple(Toolcard(name=name, says="", schema={}) for name in "ab")
    body = await sent(anthropic, Said(text="One."), replied("Two."), Said(text="Three."),
                      tools=cards)  # fmt: skip
    blocks = [
        *body["tools"],
        *body["system"],
        *(it for m in body["messages"] for it in m["content"]),
    ]
    kept = [it.get("name") or it["text"] for it in blocks if "cache_control" in it]
    assert kept == ["b", "Be brief.", "One.", "Three."]


async def test_results_come_first_and_in_one_message_with_what_was_said(anthropic: Scene) -> None:
    calls = tuple(Wanted(id=it, name=it, arguments="{}") for it in "ab")
    answered = Answered(
        results=(
            Result(call="b", name="b", text="No.", failed=True),
            Result(call="a", name="a", text="Yes."),
        )
    )
    body = await sent(
        anthropic, Said(text="Go."), replied("", *calls), answered, Said(text="Well?")
    )
    *_, last = body["messages"]
    assert [it["role"] for it in body["messages"]] == ["user", "assistant", "user"]
    assert [it.get("content", it.get("text")) for it in last["content"]] == ["Yes.", "No.", "Well?"]
    assert [it.get("is_error") for it in last["content"]] == [None, True, None]


async def test_the_address_may_name_the_version_or_not(anthropic: Scene) -> None:
    for url in (anthropic.server.url, f"{anthropic.server.url}/v1", f"{anthropic.server.url}/v1/"):
        anthropic.server.reply(text("So."))
        assert texts(await anthropic.events(url=url)) == "So."


async def test_text_in_the_beginning_of_a_block_is_said(anthropic: Scene) -> None:
    anthropic.server.reply(block(9, type="text", text="So"), text(" it is."))
    heard = [it.text for it in await anthropic.events() if isinstance(it, Text)]
    assert "".join(heard) == "So it is."


async def test_the_key_and_the_version_stand_in_the_head(anthropic: Scene) -> None:
    await sent(anthropic)
    headers = anthropic.server.requests[0].headers
    assert headers["x-api-key"] == "sk-secret"
    assert headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in headers


async def test_a_whole_call_at_the_very_end_is_ready_although_the_reply_was_too_long(
    anthropic: Scene,
) -> None:
    anthropic.server.reply(call("a", {"n": 1}), stop("length"))
    events = await anthropic.events()
    assert ready(events) == [("a", '{"n": 1}')]
    assert stopped(events) == "length"


async def test_a_model_that_may_not_reply_so_long_is_asked_for_less_from_then_on(
    anthropic: Scene,
) -> None:
    no = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m"
    anthropic.server.reply(status(400, no))
    anthropic.server.reply(text("So."))
    anthropic.server.reply(text("Again."))
    anthropic.server.reply(text("Short."))
    provider = anthropic.provider()
    for said, most in (("So.", 32_000), ("Again.", 32_000), ("Short.", 77)):
        assert texts([it async for it in provider.stream(asking(most_tokens=most))]) == said
    assert [it.body["max_tokens"] for it in anthropic.server.requests] == [32_000, 8_192, 8_192, 77]


@pytest.mark.parametrize("no", ["max_tokens: 9 > 9, no", "max_tokens: 9 > 0, no", "max_tokens"])
async def test_a_model_that_minds_without_sense_is_told(anthropic: Scene, no: str) -> None:
    anthropic.server.reply(status(400, no))
    with pytest.raises(ModelFailed, match="refused the request"):
        _ = [it async for it in anthropic.provider().stream(asking(most_tokens=9))]
    assert len(anthropic.server.requests) == 1
