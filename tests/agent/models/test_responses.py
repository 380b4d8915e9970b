"""OpenAI's Responses: items in their order, nothing kept by the host, and who is asked so."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.models.scene import Scene, asking, giver, ready, stopped, texts
from agent.models.test_handing_back import answers, heard
from assent.agent.models.conversation import Given as FromHost
from assent.agent.models.conversation import Replied, Said, Thought, Toolcard, Wanted, Words
from assent.agent.models.events import CallReady, Closed, Text, Thinking, Used
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.listed_window import listed_window
from assent.agent.models.openai import OpenAI, opened
from assent.agent.models.provider import ModelFailed
from assent.agent.models.windows import Window
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import Step, begin, call, frame, leave, more, status, stop, text, think, whole
from models.server import ModelServer
from tables import each_row


def told(kind: str, **more: Any) -> Step:
    return frame({"type": f"response.{kind}", **more})


def done(index: int, item: dict[str, Any]) -> Step:
    return told("output_item.done", output_index=index, item=item)


COMPLETED = told("completed", response={"usage": {"input_tokens": 3, "output_tokens": 4}})


async def test_nothing_is_kept_by_the_host_and_thoughts_come_sealed(responses: Scene) -> None:
    responses.server.reply(text("So."))
    card = Toolcard(name="run", says="Runs.", schema={"type": "object"})
    await responses.events(asking(tools=(card,), most_tokens=9))
    asked = responses.server.requests[0]
    assert asked.path == "/v1/responses"
    assert asked.headers["authorization"] == "Bearer sk-secret"
    assert asked.body == {
        "model": "tiny",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": "Hello."}],
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"summary": "auto"},
        "max_output_tokens": 9,
        "tools": [
            {
                "type": "function",
                "name": "run",
                "description": "Runs.",
                "parameters": {"type": "object"},
                "strict": False,
            }
        ],
    }


TEXTS = st.text('ab ü🙂\n"\\', min_size=1, max_size=10)
ITEMS = st.one_of(
    st.builds(
        lambda it: {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
                    "content": [{"type": "output_text", "text": f"x{it}", "annotations": []}],
                    "phase": "commentary"},
        TEXTS,
    ),
    st.builds(
        lambda thought, seal: {"id": "rs_1", "type": "reasoning", "encrypted_content": seal,
                               "summary": [{"type": "summary_text", "text": thought}]},
        TEXTS, TEXTS,
    ),
    st.builds(
        lambda seal: {"id": "rs_2", "type": "reasoning", "summary": [], "encrypted_content": seal},
        TEXTS,
    ),
    st.builds(
        lambda value: {"id": "fc_1", "type": "function_call", "status": "completed",
                       "arguments": json.dumps({"n": value}), "name": "run"},
        TEXTS,
    ),
    st.builds(lambda it: {"id": "ws_1", "type": "web_search_call", "action": {"query": it}}, TEXTS),
)  # fmt: skip


def streamed(index: int, item: dict[str, Any]) -> list[Step]:
    """An item as its host streams it."""
    place = {"output_index": index}
    added = told("output_item.added", **place, item={**item, "content": [], "arguments": ""})
    match item["type"]:
        case "message":
            said = item["content"][0]["text"]
            pieces = [told("output_text.delta", **place, delta=it) for it in (said[:3], said[3:])]
        case "reasoning":
            pieces = [
                told("reasoning_summary_text.delta", **place, summary_index=0, delta=it["text"])
                for it in item["summary"]
            ]
        case "function_call":
            pieces = [told("function_call_arguments.delta", **place, delta=item["arguments"])]
        case _:
            pieces = []
    return [added, *pieces, done(index, item)]


def numbered(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each call under a name of its own, as a host gives them."""
    return [
        {**it, "call_id": f"call_{at}"} if it["type"] == "function_call" else it
        for at, it in enumerate(items)
    ]


@given(st.lists(ITEMS, min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_each_order_of_items_comes_back_byte_for_byte(items: list[dict[str, Any]]) -> None:
    content = [{"type": "output_text", "text": "The end.", "annotations": []}]
    last = {"id": "msg_2", "type": "message", "role": "assistant", "content": content}
    spoken = numbered([*items, last])

    async def play() -> None:
        async with ModelServer() as server:
            scene = Scene(server=server, dialect="responses")
            server.reply(*(step for at, it in enumerate(spoken) for step in streamed(at, it)))
            reply = heard(await scene.events())
            server.reply(text("So."))
            await scene.events(asking(Said(text="Go."), reply, *answers(reply)))
            first, *back = server.requests[-1].body["input"]
            assert first["role"] == "user"
            assert json.dumps(back[: len(spoken)]) == json.dumps(spoken)
            results = [it for it in back if it.get("type") == "function_call_output"]
            calls = [it for it in spoken if it["type"] == "function_call"]
            assert [it["call_id"] for it in results] == [it["call_id"] for it in calls]
            assert server.faults == []

    asyncio.run(play())


async def test_a_thought_that_led_to_nothing_and_one_without_a_seal_do_not_go_back(
    responses: Scene,
) -> None:
    responses.server.reply(think("Unsealed."), text("So."), think("Idle.", seal="S"))
    reply = heard(await responses.events())
    assert [type(it) for it in reply.blocks] == [Thought, Words, Thought]
    responses.server.reply(text("So."))
    await responses.events(asking(Said(text="Go."), reply, Said(text="And?")))
    kinds = [it.get("type", it.get("role")) for it in responses.server.requests[-1].body["input"]]
    assert kinds == ["user", "message", "user"]


async def test_calls_of_another_host_go_by_our_names(responses: Scene) -> None:
    strange = FromHost.of("another", {"type": "function_call", "call_id": "theirs"})
    by = giver(responses)
    twice = FromHost.of(by, {"type": "function_call", "call_id": "same", "name": "c"})
    reply = Replied(
        blocks=(
            Wanted(id="1", name="a", arguments="{}", given=strange),
            Wanted(id="2", name="b", arguments="{}", given=twice),
            Wanted(id="3", name="c", arguments="{}", given=twice),
        )
    )
    responses.server.reply(text("So."))
    await responses.events(asking(Said(text="Go."), reply, *answers(reply)))
    _, *calls = responses.server.requests[-1].body["input"]
    names = [it["call_id"] for it in calls]
    assert names[:3] == names[3:]
    assert names[:3] == ["call00001", "same", "call00003"]


async def test_a_call_is_ready_when_its_item_is_done(responses: Scene) -> None:
    responses.server.reply(begin(1, "a"), more(1, '{"n": 1}'), whole(1), text("So."))
    events = await responses.events()
    (at,) = [place for place, it in enumerate(events) if isinstance(it, CallReady)]
    (said,) = [place for place, it in enumerate(events) if isinstance(it, Text)]
    assert at < said
    assert ready(events) == [("a", '{"n": 1}')]


async def test_a_call_that_is_cut_short_is_never_ready(responses: Scene) -> None:
    item = {"type": "function_call", "call_id": "x", "name": "rm", "status": "incomplete"}
    responses.server.reply(
        begin(1, "rm"), more(1, '{"path": "/tm'), done(0, {**item, "arguments": '{"path": "/tm'}),
        stop("length"),
    )  # fmt: skip
    events = await responses.events()
    assert ready(events) == []
    assert stopped(events) == "length"


async def test_items_that_come_whole_are_read(responses: Scene) -> None:
    summary = [{"type": "summary_text", "text": "Hm."}]
    message = {"type": "message", "content": [{"type": "output_text", "text": "So."}]}
    made = {"type": "function_call", "call_id": "x", "name": "a", "arguments": '{"n": 1}'}
    responses.server.reply(
        done(0, {"type": "reasoning", "summary": summary}), done(1, message), done(2, made),
        COMPLETED,
    )  # fmt: skip
    events = await responses.events()
    assert "".join(it.text for it in events if isinstance(it, Thinking)) == "Hm."
    assert texts(events) == "So."
    assert ready(events) == [("a", '{"n": 1}')]
    assert Used(read=3, wrote=4) in events
    assert stopped(events) == "calls"


@pytest.mark.parametrize(
    ("details", "cached"),
    [({"cached_tokens": 2}, 2), ({}, 0), (None, 0), ([1], 0), ({"cached_tokens": "2"}, 0)],
)
async def test_what_came_from_the_cache_is_read_where_it_is_told(
    responses: Scene, details: Any, cached: int
) -> None:
    counted = {"input_tokens": 3, "output_tokens": 4, "input_tokens_details": details}
    responses.server.reply(told("completed", response={"usage": counted}))
    assert Used(read=3, wrote=4, cached=cached) in await responses.events()


async def test_the_parts_of_a_summary_are_paragraphs(responses: Scene) -> None:
    pieces = [(0, "One"), (0, "."), (1, "Two.")]
    responses.server.reply(
        *(
            told("reasoning_summary_text.delta", output_index=0, summary_index=part, delta=it)
            for part, it in pieces
        ),
        done(0, {"type": "reasoning", "summary": []}),
        COMPLETED,
    )
    events = await responses.events()
    assert "".join(it.text for it in events if isinstance(it, Thinking)) == "One.\n\nTwo."
    assert Closed() in events


async def test_a_response_that_fails_says_why(responses: Scene) -> None:
    failure = {"error": {"code": "server_error", "message": "The engine fell over."}}
    responses.server.reply(text("So."), told("failed", response=failure), leave())
    _, why = await responses.failed()
    assert why.endswith("failed: The engine fell over.")


BOTH = {"summary": "auto", "effort": "high"}


@pytest.mark.parametrize(
    ("no", "left_out", "left"),
    [
        ("Encrypted content is not supported with this model.", "include", BOTH),
        (
            "Your organization must be verified to generate reasoning summaries.",
            "",
            {"effort": "high"},
        ),
        ("Unsupported parameter: 'reasoning.summary' is not supported.", "", {"effort": "high"}),
        (
            "Unsupported value: 'reasoning.effort' does not support 'high' with this model.",
            "",
            {"summary": "auto"},
        ),
        ("Unknown parameter: 'reasoning'.", "reasoning", None),
        ("Unsupported parameter: max_output_tokens", "max_output_tokens", BOTH),
    ],
)
async def test_what_a_model_does_not_take_is_left_out_and_stays_out(
    responses: Scene, no: str, left_out: str, left: object
) -> None:
    responses.server.reply(status(400, no))
    provider = responses.provider(effort="high")
    for said in ("One.", "Two."):
        responses.server.reply(text(said))
        assert texts([it async for it in provider.stream(asking())]) == said
    first, *later = [it.body for it in responses.server.requests]
    for body in later:
        assert first.keys() - body.keys() == ({left_out} if left_out else set())
        assert body.get("reasoning") == left


async def test_an_effort_that_is_refused_leaves_the_others(responses: Scene) -> None:
    responses.server.reply(status(400, "Unsupported value: 'reasoning.effort'."))
    provider = responses.provider()
    for effort in ("max", "low", "max"):
        responses.server.reply(text("So."))
        _ = [it async for it in provider.stream(asking(effort=effort))]
    told = [it.body["reasoning"].get("effort") for it in responses.server.requests]
    assert told == ["max", None, "low", None]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("input[3].content", "Invalid value: 'reasoning'. Supported values are: 'text'."),
        ("tools[0].parameters", "In context=(), 'reasoning.effort' is not permitted."),
        ("", "Item 7 of type 'reasoning' is odd."),
        ("", "The encrypted content is odd; 'include_all' is no word."),
    ],
)
async def test_a_refusal_of_something_else_teaches_nothing(
    responses: Scene, member: str, words: str
) -> None:
    body = json.dumps({"error": {"message": words, "param": member or None}})
    provider = responses.provider(effort="high")
    responses.server.reply(status(400, body=body))
    with pytest.raises(ModelFailed):
        _ = [it async for it in provider.stream(asking())]
    responses.server.reply(text("So."))
    _ = [it async for it in provider.stream(asking())]
    first, second = [it.body for it in responses.server.requests]
    assert first == second


async def test_a_response_that_comes_whole_is_read_as_one_that_streams(responses: Scene) -> None:
    message = {"type": "message", "role": "assistant"}
    output = [
        {"type": "reasoning", "encrypted_content": "S", "summary": [{"text": "Hm."}]},
        {**message, "content": [{"type": "output_text", "text": "So."}]},
        {"type": "function_call", "call_id": "x", "name": "a", "arguments": '{"n": 1}'},
    ]
    usage = {"input_tokens": 3, "output_tokens": 4}
    told = {"object": "response", "error": None, "output": output, "usage": usage}
    whole = {**told, "status": "completed"}
    for sent in (json.dumps(whole), json.dumps(whole, indent=2)):
        headers = {"content-type": "application/json"}
        responses.server.reply(status(200, headers=headers, body=sent))
        events = await responses.events()
        assert texts(events) == "So."
        assert ready(events) == [("a", '{"n": 1}')]
        assert Used(read=3, wrote=4) in events
        assert stopped(events) == "calls"
        assert [
            it.given.back(giver(responses)) for it in heard(events).blocks if it.given
        ] == output


@pytest.mark.parametrize(
    ("told", "how"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length"),
        ({"status": "completed"}, "refused"),
        ({"status": "failed", "error": {"message": "It fell over."}}, "failed: It fell over."),
        ({"status": "in_progress"}, "broke before the reply was whole."),
    ],
)
async def test_how_a_whole_response_ends_is_told(
    responses: Scene, told: dict[str, Any], how: str
) -> None:
    no = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    whole = {"object": "response", "output": [no] if how == "refused" else [], **told}
    headers = {"content-type": "application/json"}
    responses.server.reply(status(200, headers=headers, body=json.dumps(whole)))
    if how in {"length", "refused"}:
        assert stopped(await responses.events()) == how
    else:
        assert str(await responses.refused()).endswith(how)


# Who is asked so.


@each_row(
    ("model", "url", "so"),
    [
        ("gpt-5.5", "", True),
        ("gpt-5.6-terra", "", True),
        ("gpt-5.3-codex", "https://api.openai.com/v1/", True),
        ("o3", "", True),
        ("codex-mini-latest", "", True),
        ("gpt-4.1", "", False),
        ("gpt-oss-120b", "http://127.0.0.1:1234/v1", False),
        ("gpt-5.5", "https://openrouter.ai/api/v1", False),
        ("gpt-5.5", "https://api.openai.com.evil.example/v1", False),
    ],
)
def test_the_newest_models_of_openai_itself_are_asked_so(model: str, url: str, so: bool) -> None:
    wanted = Model(id="m", name="m", dialect=Dialect.OPENAI, model=model, url=url)
    hosted = opened(host_of(wanted, "k"), None)
    assert hosted._reply.__self__._by_responses is so  # type: ignore[attr-defined]


NO_TOOLS = (
    "Function tools with reasoning_effort are not supported for gpt-5.6-terra in"
    " /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to"
    " 'none'."
)
WANTS_RESPONSES = [
    (400, NO_TOOLS),
    (404, "This model is only supported in v1/responses and not in v1/chat/completions."),
]


@pytest.mark.parametrize(("code", "no"), WANTS_RESPONSES)
async def test_a_host_that_wants_it_is_asked_so_from_then_on(
    openai: Scene, code: int, no: str
) -> None:
    openai.server.reply(status(code, no))
    provider = openai.provider()
    for said in ("One.", "Two."):
        openai.server.reply(text(said))
        assert texts([it async for it in provider.stream(asking())]) == said
    paths = [it.path for it in openai.server.requests]
    assert paths == ["/v1/chat/completions", "/v1/responses", "/v1/responses"]


def by_responses(scene: Scene) -> HostedModel:
    """A model that is asked so for its name."""
    host = host_of(scene.server.model("openai"), scene.key)
    line = HostConnection(host=host)
    spoken = OpenAI(line=line, by_responses=True)
    window = Window(ask=partial(listed_window, line))
    return HostedModel(host=host, window=window, reply=spoken.reply, line=line)


@pytest.mark.parametrize(
    "no",
    [
        status(404, body="404 page not found"),
        status(404, "Unknown request URL: POST /responses"),
        status(405, body=""),
        status(400, "Use /v1/chat/completions."),
    ],
)
async def test_a_host_without_it_is_asked_the_old_way_from_then_on(openai: Scene, no: Step) -> None:
    openai.server.reply(no)
    provider = by_responses(openai)
    for said in ("One.", "Two."):
        openai.server.reply(text(said))
        assert texts([it async for it in provider.stream(asking())]) == said
    paths = [it.path for it in openai.server.requests]
    assert paths == ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]


async def test_nobody_is_sent_to_and_fro(openai: Scene) -> None:
    openai.server.reply(status(400, "Use /v1/responses instead."))
    openai.server.reply(status(400, "Use /v1/chat/completions instead."))
    _, why = await openai.failed()
    assert why.endswith("Use /v1/chat/completions instead.")
    assert len(openai.server.requests) == 2


async def test_what_was_given_in_one_way_does_not_go_back_in_the_other(openai: Scene) -> None:
    openai.server.reply(status(400, "Use /v1/responses instead."))
    openai.server.reply(think("Hm.", seal="S3CRET"), call("run", {}))
    reply = heard(await openai.events())
    openai.server.reply(text("So."))
    await openai.events(asking(Said(text="Go."), reply, *answers(reply)))
    asked = openai.server.requests[-1]
    assert asked.path == "/v1/chat/completions"
    assert "S3CRET" not in json.dumps(asked.body)
