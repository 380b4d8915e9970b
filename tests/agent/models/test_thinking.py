"""A model is asked to think in the way it knows, and as much as a person says."""

from typing import Any

import pytest

from agent.models.scene import Scene, asking, texts
from assent.agent.models.chat_completions import ChatCompletions
from assent.agent.models.conversation import (
    Answered,
    Given,
    Replied,
    Result,
    Said,
    Thought,
    Turn,
    Wanted,
)
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.provider import ModelFailed
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import status, text

ADAPTIVE = {"type": "adaptive", "display": "summarized"}


async def sent(scene: Scene, *turns: Turn, model: str = "tiny", **rest: Any) -> dict[str, Any]:
    scene.server.reply(text("So."))
    await scene.events(asking(*turns, **rest), name=model)
    return scene.server.requests[-1].body


@pytest.mark.parametrize("model", ["claude-opus-4-8", "claude-sonnet-4.6", "claude-opus-9"])
async def test_a_claude_of_today_thinks_as_it_likes(anthropic: Scene, model: str) -> None:
    body = await sent(anthropic, model=model)
    assert body["thinking"] == ADAPTIVE
    assert "output_config" not in body
    body = await sent(anthropic, model=model, effort="high")
    assert body["output_config"] == {"effort": "high"}
    assert "anthropic-beta" not in anthropic.server.requests[-1].headers


async def test_a_claude_of_yesterday_thinks_by_a_budget(anthropic: Scene) -> None:
    body = await sent(anthropic, model="claude-sonnet-4-5", most_tokens=32_000)
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 16_000}
    headers = anthropic.server.requests[-1].headers
    assert headers["anthropic-beta"] == "interleaved-thinking-2025-05-14"
    body = await sent(anthropic, model="claude-sonnet-4-5", most_tokens=4_096)
    assert body["thinking"]["budget_tokens"] == 2_048
    body = await sent(anthropic, model="claude-sonnet-4-5", most_tokens=1_000)
    assert "thinking" not in body


@pytest.mark.parametrize("model", ["tiny", "claude-3-5-haiku-latest"])
async def test_one_that_does_not_think_is_not_asked_to(anthropic: Scene, model: str) -> None:
    assert "thinking" not in await sent(anthropic, model=model, effort="high")


CALL = Wanted(id="x", name="run", arguments="{}")
DONE = Answered(results=(Result(call="x", name="run", text="Done."),))


async def test_no_budget_is_given_amid_calls_that_began_without_a_thought(
    anthropic: Scene,
) -> None:
    model = {"model": "claude-sonnet-4-5", "most_tokens": 32_000}
    by = host_of(anthropic.server.model("anthropic", "claude-sonnet-4-5"), None).giver("anthropic")
    thought = Thought(text="Hm.", given=Given.of(by, {"signature": "S"}))
    unthought, thoughtful = Replied(blocks=(CALL,)), Replied(blocks=(thought, CALL))
    assert "thinking" not in await sent(anthropic, Said(text="Go."), unthought, DONE, **model)
    assert "thinking" in await sent(anthropic, Said(text="Go."), thoughtful, DONE, **model)


async def test_thoughts_that_cannot_be_shown_are_thought(anthropic: Scene) -> None:
    anthropic.server.reply(status(400, "thinking.display: Extra inputs are not permitted"))
    assert (await sent(anthropic, model="claude-opus-4-8"))["thinking"] == {"type": "adaptive"}


@pytest.mark.parametrize(
    "no",
    [
        "messages.1.content.0.thinking: each thinking block must contain thinking",
        "messages.0.content.0.text: nobody puts so much effort into thinking",
        "messages: at least one message is required",
    ],
)
async def test_a_refusal_of_something_else_leaves_thinking_on(anthropic: Scene, no: str) -> None:
    provider = anthropic.provider(name="claude-opus-4-8", effort="high")
    anthropic.server.reply(status(400, no))
    with pytest.raises(ModelFailed):
        _ = [it async for it in provider.stream(asking())]
    anthropic.server.reply(text("So."))
    _ = [it async for it in provider.stream(asking())]
    first, second = [it.body for it in anthropic.server.requests]
    assert first == second


async def test_a_model_that_cannot_think_amid_calls_thinks_with_the_next_words(
    anthropic: Scene,
) -> None:
    no = (
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
        " `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a"
        " thinking block."
    )
    provider = anthropic.provider(name="claude-opus-4-8")
    anthropic.server.reply(status(400, no))
    for said in ("One.", "Two."):
        anthropic.server.reply(text(said))
        assert texts([it async for it in provider.stream(asking())]) == said
    told = ["thinking" in it.body for it in anthropic.server.requests]
    assert told == [True, False, True]


@pytest.mark.parametrize(
    ("no", "left"),
    [
        ("adaptive thinking is not supported on this model", {"output_config"}),
        ("thinking: Extra inputs are not permitted", {"output_config"}),
        ("output_config: Extra inputs are not permitted", {"thinking"}),
        ("This model does not support the effort parameter.", {"thinking"}),
    ],
)
async def test_what_a_host_does_not_know_of_it_is_left_out_and_stays_out(
    anthropic: Scene, no: str, left: set[str]
) -> None:
    anthropic.server.reply(status(400, no))
    provider = anthropic.provider(name="claude-opus-4-8")
    for said in ("One.", "Two."):
        anthropic.server.reply(text(said))
        assert texts([it async for it in provider.stream(asking(effort="low"))]) == said
    kept = [{"thinking", "output_config"} & it.body.keys() for it in anthropic.server.requests]
    assert kept == [{"thinking", "output_config"}, left, left]


async def test_how_much_to_think_is_told_in_each_way(server: Any) -> None:
    for dialect, told in (
        ("openai", {"reasoning_effort": "low"}),
        ("responses", {"reasoning": {"summary": "auto", "effort": "low"}}),
        ("ollama", {"think": "low"}),
    ):
        body = await sent(Scene(server=server, dialect=dialect), effort="low")
        assert told.items() <= body.items()
    body = await sent(Scene(server=server, dialect="openai"))
    assert "reasoning_effort" not in body


async def test_what_a_person_says_of_a_model_counts_until_a_chat_says_otherwise(
    openai: Scene,
) -> None:
    provider = openai.provider(effort="high")
    for effort, told in ((None, "high"), ("low", "low"), ("", None)):
        openai.server.reply(text("So."))
        _ = [it async for it in provider.stream(asking(effort=effort))]
        assert openai.server.requests[-1].body.get("reasoning_effort") == told


async def test_a_host_that_knows_no_effort_is_asked_without(openai: Scene) -> None:
    openai.server.reply(status(400, "Unsupported parameter: 'reasoning_effort'"))
    assert "reasoning_effort" not in await sent(openai, effort="low")


def by_openrouter(model: str, *turns: Turn) -> list[Any]:
    url = "https://openrouter.ai/api/v1"
    wanted = Model(id="m", name="m", dialect=Dialect.OPENAI, model=model, url=url)
    body = ChatCompletions(line=HostConnection(host=host_of(wanted, "k"))).body(asking(*turns))
    return list(body["messages"])


def test_claude_by_openrouter_is_told_what_to_keep() -> None:
    calls = tuple(Wanted(id=it, name="run", arguments="{}") for it in "ab")
    results = tuple(Result(call=it, name="run", text="Done.") for it in "ab")
    turns = (Said(text="Go."), Replied(blocks=calls), Answered(results=results))
    messages = by_openrouter("anthropic/claude-opus-4.8", *turns)
    marks = [
        "cache_control" in it or any("cache_control" in part for part in it["content"] or ())
        for it in messages
    ]
    assert [it["role"] for it in messages] == ["system", "user", "assistant", "tool", "tool"]
    assert marks == [True, True, False, False, True]
    assert "cache_control" not in str(by_openrouter("openai/gpt-5.5", *turns))
