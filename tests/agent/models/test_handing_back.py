"""What a host gave with a reply goes back as it came: to itself alone, and in its order."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.models.scene import DIALECTS, Scene, asking, ready
from assent.agent.loop.incoming_reply import IncomingReply
from assent.agent.models.conversation import Answered, Replied, Result, Said, Wanted
from assent.agent.models.events import CallReady, CallSigned, Closed, Event, Kept, Text, Thinking
from models.script import Step, call, cut, frame, status, stop, text, think
from models.server import ModelServer


def heard(events: list[Event]) -> Replied:
    """A reply as our own agent keeps it."""
    incoming = IncomingReply()
    for event in events:
        match event:
            case Text():
                incoming.say(event.text)
            case Thinking():
                incoming.think(event.text)
            case Closed():
                incoming.close(event.given)
            case Kept():
                incoming.keep(event.given)
            case CallReady():
                incoming.call(
                    Wanted(
                        id=f"made {event.key}",
                        name=event.name,
                        arguments=event.arguments,
                        given=event.given,
                    ),
                    event.key,
                )
            case CallSigned():
                incoming.sign(event.key, event.given)
            case _:
                pass
    return incoming.replied()


def answers(reply: Replied) -> tuple[Answered, ...]:
    results = tuple(Result(call=it.id, name=it.name, text="Done.") for it in reply.calls)
    return (Answered(results=results),) if results else (Said(text="And?"),)  # type: ignore[return-value]


async def back(scene: Scene, *steps: Step, **other: Any) -> Any:
    """The reply that these steps are, as it stands in the next request."""
    scene.server.reply(*steps)
    reply = heard(await scene.events())
    return await sent(scene, reply, **other)


async def sent(scene: Scene, reply: Replied, **other: Any) -> Any:
    """The reply as it stands in a request, to this model or to another."""
    scene.server.reply(text("So."))
    await scene.events(asking(Said(text="Go."), reply, *answers(reply)), **other)
    body = scene.server.requests[-1].body
    if "messages" not in body:
        return body["input"]
    messages = body["messages"]
    return next(it for it in messages if it["role"] == "assistant")


# Anthropic: blocks, in whichever order.


def start(index: int, block: dict[str, Any]) -> Step:
    return frame({"type": "content_block_start", "index": index, "content_block": block})


def delta(index: int, **told: Any) -> Step:
    return frame({"type": "content_block_delta", "index": index, "delta": told})


def end(index: int) -> Step:
    return frame({"type": "content_block_stop", "index": index})


WORDS = st.text('abc ü🙂\n"\\', min_size=1, max_size=12)


def streamed(index: int, block: dict[str, Any]) -> list[Step]:
    """A block as its host streams it."""
    match block["type"]:
        case "text":
            begun, pieces = {**block, "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            begun = {**block, "thinking": "", "signature": ""}
            pieces = [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case "tool_use" | "server_tool_use":
            begun = {**block, "input": {}}
            given = json.dumps(block["input"])
            pieces = [
                {"type": "input_json_delta", "partial_json": it} for it in (given[:4], given[4:])
            ]
        case _:
            begun, pieces = block, []
    return [start(index, begun), *(delta(index, **it) for it in pieces), end(index)]


BLOCKS = st.one_of(
    st.builds(lambda it: {"type": "text", "text": f"x{it}"}, WORDS),
    st.builds(
        lambda thought, seal: {"type": "thinking", "thinking": thought, "signature": seal},
        WORDS | st.just(""), WORDS,
    ),
    st.builds(lambda it: {"type": "redacted_thinking", "data": it}, WORDS),
    st.builds(
        lambda name, value: {"type": "tool_use", "id": "x", "name": name, "input": {"n": value}},
        st.sampled_from(["read", "run"]), WORDS,
    ),
    st.builds(
        lambda value: {"type": "server_tool_use", "id": "srv", "name": "web_search",
                       "input": {"query": value}},
        WORDS,
    ),
    st.builds(
        lambda value: {"type": "web_search_tool_result", "tool_use_id": "srv",
                       "content": [{"url": value, "encrypted_content": value}]},
        WORDS,
    ),
)  # fmt: skip


def renamed(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same, with the names that calls are given, and without marks of ours."""
    told, number = [], 0
    for block in blocks:
        if block["type"] == "tool_use":
            number += 1
        named = {**block, "id": f"call{number:05}"} if block["type"] == "tool_use" else block
        told.append({name: it for name, it in named.items() if name != "cache_control"})
    return told


@given(st.lists(BLOCKS, min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_each_order_of_blocks_comes_back_byte_for_byte(blocks: list[dict[str, Any]]) -> None:
    spoken = [*blocks, {"type": "text", "text": "The end."}]

    async def play() -> None:
        async with ModelServer() as server:
            scene = Scene(server=server, dialect="anthropic")
            steps = [step for at, it in enumerate(spoken) for step in streamed(at, it)]
            message = await back(scene, *steps)
            assert json.dumps(message["content"]) == json.dumps(renamed(spoken))
            assert server.faults == []

    asyncio.run(play())


async def test_a_block_that_came_in_pieces_nobody_knows_is_left_out(anthropic: Scene) -> None:
    message = await back(
        anthropic,
        start(0, {"type": "odd_thing", "odd": 1}), delta(0, type="odd_delta", odd=2), end(0),
        *streamed(1, {"type": "text", "text": "So."}),
    )  # fmt: skip
    assert message["content"] == [{"type": "text", "text": "So."}]


async def test_a_message_that_comes_whole_is_read_as_one_that_streams(anthropic: Scene) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "S"},
        {"type": "text", "text": "So."},
        {"type": "tool_use", "id": "x", "name": "run", "input": {"n": 1}},
    ]
    told = {"type": "message", "content": blocks, "stop_reason": "tool_use", "usage": {}}
    message = await back(anthropic, frame(told))
    assert message["content"] == renamed(blocks)


# Chat completions and Ollama: members of one message.


def chunk(**told: Any) -> Step:
    return frame({"choices": [{"index": 0, "delta": told}]})


def called(**more: Any) -> dict[str, Any]:
    return {"index": 0, "id": "c", "type": "function",
            "function": {"name": "run", "arguments": "{}"}, **more}  # fmt: skip


SIGNATURE = {"google": {"thought_signature": "c2ln"}}
DETAILS = [
    {"type": "reasoning.text", "text": "Let me", "index": 0, "format": "anthropic-claude-v1"},
    {"type": "reasoning.text", "text": " see.", "index": 0, "signature": None},
    {"type": "reasoning.text", "signature": "SIG", "index": 0},
    {"type": "reasoning.encrypted", "data": "ENC", "id": "rs_1", "index": 1},
]
WHOLE_DETAILS = [
    {
        "type": "reasoning.text",
        "text": "Let me see.",
        "index": 0,
        "format": "anthropic-claude-v1",
        "signature": "SIG",
    },
    {"type": "reasoning.encrypted", "data": "ENC", "id": "rs_1", "index": 1},
]

BLOCKS = [
    {"type": "thinking", "thinking": "Let me"},
    {"type": "thinking", "thinking": " see."},
    {"type": "thinking", "thinking": "", "signature": "SIG"},
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking", "thinking": "And.", "signature": ""},
    {"type": "thinking", "thinking": "", "signature": "SIG2"},
    {"type": "redacted_thinking", "data": "ENC"},
    {"type": "redacted_thinking", "data": "ENC2"},
]
WHOLE_BLOCKS = [
    {"type": "thinking", "thinking": "Let me see.", "signature": "SIG"},
    {"type": "thinking", "thinking": "And.", "signature": "SIG2"},
    *BLOCKS[6:],
]

HOSTS: dict[str, tuple[list[Step], dict[str, Any]]] = {
    "DeepSeek": (
        [chunk(reasoning_content="Let me"), chunk(reasoning_content=" see."), chunk(content="So."),
         chunk(tool_calls=[called()])],
        {"reasoning_content": "Let me see.", "content": "So."},
    ),
    "vLLM": (
        [chunk(reasoning="Let me see."), chunk(tool_calls=[called()])],
        {"reasoning": "Let me see.", "content": None},
    ),
    "OpenRouter": (
        [chunk(reasoning="Let me see.", reasoning_details=DETAILS[:1]),
         *(chunk(reasoning_details=[it]) for it in DETAILS[1:]),
         chunk(content="So."), chunk(tool_calls=[called()])],
        {"reasoning_details": WHOLE_DETAILS, "content": "So."},
    ),
    "LiteLLM, before Claude": (
        [*(chunk(content="", reasoning_content=it.get("thinking", ""), thinking_blocks=[it])
           for it in BLOCKS),
         chunk(content="So."), chunk(tool_calls=[called()])],
        {"reasoning_content": "Let me see.And.", "thinking_blocks": WHOLE_BLOCKS, "content": "So."},
    ),
    "Mistral": (
        [chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "Let me"}]}]),
         chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": " see."}]}]),
         chunk(content="So."), chunk(tool_calls=[called()])],
        {"content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Let me see."}]},
            {"type": "text", "text": "So."},
        ]},
    ),
    "Gemini, with its text": (
        [chunk(content="So."), chunk(extra_content=SIGNATURE), chunk(tool_calls=[called()])],
        {"extra_content": SIGNATURE, "content": "So."},
    ),
}  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
async def test_what_a_host_calls_its_thoughts_goes_back_under_that_name(
    openai: Scene, host: str
) -> None:
    steps, members = HOSTS[host]
    message = await back(openai, *steps, stop("calls"))
    assert [it["function"]["name"] for it in message.pop("tool_calls")] == ["run"]
    assert message == {"role": "assistant", **members}


async def test_the_signature_of_a_call_goes_back_with_that_call(openai: Scene) -> None:
    one = {**called(extra_content=SIGNATURE), "index": 0}
    message = await back(openai, chunk(tool_calls=[one, {**called(id="d"), "index": 1}]))
    assert [it.get("extra_content") for it in message["tool_calls"]] == [SIGNATURE, None]


async def test_a_signature_that_comes_behind_its_call_goes_back_with_it(openai: Scene) -> None:
    later = {"index": 0, "extra_content": SIGNATURE}
    steps = [chunk(tool_calls=[called()]), chunk(tool_calls=[later]), stop("calls")]
    openai.server.reply(*steps)
    events = await openai.events()
    assert ready(events) == [("run", "{}")]
    whole = {"index": 0, "id": "c", "function": {"name": "run", "arguments": '{"n": 1}'}}
    message = await back(openai, chunk(tool_calls=[whole]), *steps[1:])
    assert [it["extra_content"] for it in message["tool_calls"]] == [SIGNATURE]


async def test_each_thought_keeps_its_own_signature(openai: Scene) -> None:
    def detail(**told: str) -> dict[str, Any]:
        return {"type": "reasoning.text", "index": 0, **told}

    one, two = detail(text="One.", signature="1"), detail(text="Two.", signature="2")
    three = detail(text="Three.", signature="3")
    pieces = [
        [detail(text="One.")], [detail(signature="1")],
        [detail(text="Two.")], [detail(signature="2")],
    ]  # fmt: skip
    message = await back(
        openai,
        *(chunk(reasoning_details=it) for it in pieces),
        chunk(content="So."),
        chunk(reasoning_details=[three]),
        chunk(tool_calls=[called()]),
    )
    assert message["reasoning_details"] == [one, two, three]


async def test_an_unsigned_thought_is_not_signed_by_the_next(openai: Scene) -> None:
    one = {"type": "reasoning.text", "index": 0, "text": "One."}
    two = {"type": "reasoning.text", "index": 0, "text": "Two.", "signature": "2"}
    steps = [chunk(reasoning_details=[one]), chunk(content="So."), chunk(reasoning_details=[two])]
    message = await back(openai, *steps, chunk(tool_calls=[called()]))
    assert message["reasoning_details"] == [one, two]


async def test_what_ollama_thought_goes_back_with_the_call(ollama: Scene) -> None:
    steps = [frame({"message": {"thinking": it}}) for it in ("Let me", " see.")]
    message = await back(ollama, *steps, call("run", {}))
    assert message["thinking"] == "Let me see."


async def test_thoughts_are_kept_although_the_stream_breaks_behind_their_call(
    openai: Scene,
) -> None:
    made = called(function={"name": "run", "arguments": '{"n": 1}'})
    openai.server.reply(chunk(reasoning_content="Hm."), chunk(tool_calls=[made]), cut())
    came, _ = await openai.failed()
    message = await sent(openai, heard(came))
    assert message["reasoning_content"] == "Hm."


GIVEN: dict[str, Callable[[], list[Step]]] = {
    "openai": lambda: [
        chunk(reasoning_content="pr1vate", reasoning_details=[{"type": "x", "data": "pr1vate"}]),
        chunk(tool_calls=[called(extra_content={"google": {"thought_signature": "pr1vate"}})]),
    ],
    "anthropic": lambda: [
        *streamed(0, {"type": "thinking", "thinking": "pr1vate", "signature": "pr1vate"}),
        *streamed(1, {"type": "redacted_thinking", "data": "pr1vate"}),
        call("run", {}),
    ],
    "ollama": lambda: [frame({"message": {"thinking": "pr1vate"}}), call("run", {})],
    "responses": lambda: [think("pr1vate", seal="pr1vate"), call("run", {})],
}


@pytest.mark.parametrize("to", DIALECTS)
async def test_what_one_host_or_model_gave_is_told_to_no_other(scene: Scene, to: str) -> None:
    scene.server.reply(*GIVEN[scene.dialect]())
    reply = heard(await scene.events())
    assert "pr1vate" in json.dumps(await sent(scene, reply))
    other = Scene(server=scene.server, dialect=to)
    assert "pr1vate" not in json.dumps(await sent(other, reply, name="another"))


# What a host misses, or does not know.

# What a host gave and no longer takes, since its keys changed, or who asks.

UNTAKEN = [
    ("anthropic", "messages.1.content.0: Invalid `signature` in `thinking` block"),
    (
        "anthropic",
        (
            "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant"
            " message cannot be modified. These blocks must remain as they were in the original"
            " response."
        ),
    ),
    (
        "responses",
        (
            "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content"
            " could not be decrypted or parsed."
        ),
    ),
    ("responses", "Encrypted content organization_id did not match the target organization."),
    (
        "responses",
        "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    ),
    ("responses", "Item 'rs_1' of type 'reasoning' was provided without its required item."),
    ("openai", "Corrupted thought signature."),
    ("openai", "Invalid `signature` in `thinking` block"),
]


def sealed_anew(reply: Replied) -> Replied:
    """The same with other seals."""
    blocks = [
        it if it.given is None else evolve(it, given=evolve(it.given, json=f"{it.given.json} "))
        for it in reply.blocks
    ]
    return Replied(blocks=tuple(blocks))


@pytest.mark.parametrize(("dialect", "no"), UNTAKEN)
async def test_what_a_host_no_longer_takes_is_left_out_of_that_conversation_alone(
    server: ModelServer, dialect: str, no: str
) -> None:
    scene = Scene(server=server, dialect=dialect)
    provider = scene.provider(name="claude-sonnet-5" if dialect == "anthropic" else "tiny")

    async def said(*turns: Any) -> Replied:
        events = [it async for it in provider.stream(asking(Said(text="Go."), *turns))]
        return heard(events)

    server.reply(*GIVEN[dialect]())
    first = await said()
    server.reply(status(400, no))
    server.reply(*GIVEN[dialect]())
    second = sealed_anew(await said(first, *answers(first)))
    server.reply(text("Done."))
    await said(first, *answers(first), second, *answers(second))
    server.reply(text("Other."))
    await said(second, *answers(second))
    sent = [json.dumps(it.body).count("pr1vate") for it in server.requests]
    each = sent[1]
    assert each > 0
    assert sent == [0, each, 0, each, each]
    asked = [it.body.keys() for it in server.requests]
    assert all(it == asked[0] for it in asked), "nothing else is left out for it"


async def test_what_a_host_takes_in_no_form_is_told(anthropic: Scene) -> None:
    anthropic.server.reply(*GIVEN["anthropic"]())
    reply = heard(await anthropic.events())
    for _ in range(2):
        anthropic.server.reply(status(400, UNTAKEN[0][1]))
    _, why = await anthropic.failed(asking(Said(text="Go."), reply, *answers(reply)))
    assert "Invalid `signature`" in why
    assert len(anthropic.server.requests) == 3


CALLING = Replied(blocks=(Wanted(id="x", name="run", arguments="{}"),))
MISSED = {
    "DeepSeek": "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "Moonshot": (
        "thinking is enabled but reasoning_content is missing in assistant tool call message at"
        " index 2"
    ),
    "Gemini": (
        "Function call is missing a thought_signature in functionCall parts. This is required for"
        " tools to work correctly, and missing thought_signature may lead to degraded model"
        " performance."
    ),
}
FILLED: dict[str, Callable[[Any], Any]] = {
    "DeepSeek": lambda message: message["reasoning_content"] == " ",
    "Moonshot": lambda message: message["reasoning_content"] == " ",
    "Gemini": lambda message: message["tool_calls"][0]["extra_content"]
    == {"google": {"thought_signature": "skip_thought_signature_validator"}},
}  # fmt: skip


@pytest.mark.parametrize("host", MISSED)
async def test_what_a_host_misses_in_calls_of_another_model_is_filled_in(
    openai: Scene, host: str
) -> None:
    openai.server.reply(status(400, MISSED[host]))
    assert FILLED[host](await sent(openai, CALLING))
    assert len(openai.server.requests) == 2


async def test_what_a_host_still_misses_is_told(openai: Scene) -> None:
    for _ in range(2):
        openai.server.reply(status(400, MISSED["DeepSeek"]))
    turns = (Said(text="Go."), CALLING, *answers(CALLING))
    _, why = await openai.failed(asking(*turns))
    assert "must be passed back" in why
    assert len(openai.server.requests) == 2


@pytest.mark.parametrize(
    ("name", "no"),
    [
        ("reasoning_content", "property 'reasoning_content' is unsupported"),
        ("reasoning", 'Unknown field: "reasoning"'),
        ("reasoning_details", "messages.2.reasoning_details: Extra inputs are not permitted"),
    ],
)  # fmt: skip
async def test_what_a_host_gave_and_does_not_take_back_is_left_out(
    openai: Scene, name: str, no: str
) -> None:
    told = [{"type": "x", "data": "D"}] if name == "reasoning_details" else "Hm."
    openai.server.reply(chunk(**{name: told}), chunk(content="So."))
    reply = heard(await openai.events())
    openai.server.reply(status(400, no))
    provider = openai.provider()
    for said in ("One.", "Two."):
        openai.server.reply(text(said))
        _ = [it async for it in provider.stream(asking(Said(text="Go."), reply, Said(text="?")))]
    kept = [name in it.body["messages"][2] for it in openai.server.requests[1:]]
    assert kept == [True, False, False]
