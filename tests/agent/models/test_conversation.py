"""Any conversation becomes one that each host takes: in order, answered, nothing empty."""

import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.scene import Scene, asking
from assent.agent.models.anthropic_messages import body_of
from assent.agent.models.chat_messages import OPENAI, messages
from assent.agent.models.conversation import (
    Answered,
    Given,
    Part,
    Replied,
    Request,
    Result,
    Said,
    Thought,
    Turn,
    Wanted,
    Words,
)
from assent.agent.models.well_formed import well_formed
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import text
from replies import replied

IDS = st.sampled_from(["a", "b", "c", "ü ", ""])
TEXTS = st.sampled_from(["", " \n", "So."]) | st.text(max_size=5)
CALLS = st.builds(
    Wanted, id=IDS, name=st.sampled_from(["read", "run"]),
    arguments=st.sampled_from(["{}", '{"n": 1}', "", "[1]", "{oops", '{"n": NaN}', "null"]),
)  # fmt: skip
RESULTS = st.builds(
    Result, call=IDS, name=st.sampled_from(["read", "run"]), text=TEXTS, failed=st.booleans()
)
CLAUDE = host_of(Model(id="m", name="m", dialect=Dialect.ANTHROPIC, model="m"), None)
SEALS = st.sampled_from(
    [
        None,
        Given.of(CLAUDE.giver("anthropic"), {"signature": "s"}),
        Given.of("another", {"signature": "not yours"}),
    ]
)
BLOCKS = st.one_of(st.builds(Words, text=TEXTS), st.builds(Thought, text=TEXTS, given=SEALS), CALLS)
TURNS = (
    st.builds(Said, text=TEXTS)
    | st.builds(Replied, blocks=st.lists(BLOCKS, max_size=5).map(tuple))
    | st.builds(Answered, results=st.lists(RESULTS, max_size=3).map(tuple))
)  # fmt: skip
CONVERSATIONS = st.lists(TURNS, max_size=8).map(tuple)


@given(CONVERSATIONS)
def test_each_call_is_answered_once_at_once_and_in_order(turns: tuple[Turn, ...]) -> None:
    done = well_formed(turns)
    seen: list[str] = []
    for at, turn in enumerate(done):
        if isinstance(turn, Replied) and turn.calls:
            after = done[at + 1]
            assert isinstance(after, Answered)
            assert [it.call for it in after.results] == [it.id for it in turn.calls]
            seen += [it.id for it in turn.calls]
            for call in turn.calls:
                assert isinstance(json.loads(call.arguments), dict)
        if isinstance(turn, Answered):
            before = done[at - 1]
            assert isinstance(before, Replied)
            assert turn.results
    assert len(set(seen)) == len(seen)
    assert all(re.fullmatch(r"[a-z0-9]{9}", it) for it in seen), "the strictest hosts take those"


@given(CONVERSATIONS)
def test_nothing_empty_is_left(turns: tuple[Turn, ...]) -> None:
    for turn in well_formed(turns):
        match turn:
            case Said():
                assert turn.text.strip()
            case Replied():
                assert turn.calls or turn.text.strip()
            case Answered():
                assert all(it.text.strip() for it in turn.results)


@given(CONVERSATIONS)
def test_no_words_are_lost(turns: tuple[Turn, ...]) -> None:
    kept = json.dumps(messages(Request(system="", turns=turns), OPENAI))
    for turn in turns:
        said = [it.text for it in turn.results] if isinstance(turn, Answered) else [turn.text]
        assert all(json.dumps(it)[1:-1] in kept for it in said if it.strip())


@given(CONVERSATIONS)
def test_a_conversation_that_goes_on_begins_as_it_did(turns: tuple[Turn, ...]) -> None:
    """Hosts keep what stays the same."""
    whole = messages(Request(system="s", turns=(*turns, Said(text="And?"))), OPENAI)
    assert messages(Request(system="s", turns=turns), OPENAI) == whole[:-1]


@given(CONVERSATIONS)
def test_nothing_empty_is_sent_to_anthropic_and_the_sides_take_turns(
    turns: tuple[Turn, ...],
) -> None:
    body = body_of(Request(system="", turns=turns), CLAUDE)
    assert "system" not in body
    roles = [it["role"] for it in body["messages"]]
    assert all(a != b for a, b in itertools.pairwise(roles))
    for block in (it for message in body["messages"] for it in message["content"]):
        match block["type"]:
            case "text":
                assert block["text"].strip()
            case "tool_result":
                assert block["content"].strip()
            case "thinking":
                assert block["signature"] == "s"


def calls_in(dialect: str, body: dict[str, Any]) -> list[Any]:
    """The arguments of the calls of a request, as objects."""
    if dialect == "responses":
        made = [it for it in body["input"] if it.get("type") == "function_call"]
        return [json.loads(it["arguments"]) for it in made]
    found = []
    for message in body["messages"]:
        if dialect == "anthropic":
            found += [it["input"] for it in message["content"] if it["type"] == "tool_use"]
        for call in message.get("tool_calls", []):
            sent = call["function"]["arguments"]
            found.append(json.loads(sent) if isinstance(sent, str) else sent)
    return found


NO_OBJECTS = ["", "{oops", "[1]", "null", '"text"', "1", '{"a":' * 100_000, '{"n": NaN}']


async def test_arguments_that_are_no_object_are_sent_back_as_an_empty_one(scene: Scene) -> None:
    scene.server.reply(text("So."))
    calls = tuple(Wanted(id=it, name="run", arguments=it) for it in NO_OBJECTS)
    refused = (Result(call=it.id, name="run", text="No JSON object.", failed=True) for it in calls)
    turns = (Said(text="Go."), replied("", *calls), Answered(results=tuple(refused)))
    await scene.events(asking(*turns))
    asked = scene.server.requests[0]
    assert calls_in(scene.dialect, asked.body) == [{}] * len(calls)
    assert asked.last.count("No JSON object.") == len(calls)
    assert "as you wrote them:\n{oops" in asked.last
    assert len(asked.last) < 50_000


async def test_a_whole_conversation_is_told_in_order(scene: Scene) -> None:
    scene.server.reply(text("So."))
    wanted = tuple(Wanted(id=it, name=it, arguments=f'{{"of": "{it}"}}') for it in ("one", "two"))
    results = tuple(Result(call=it, name=it, text=f"result {it}") for it in ("two", "one"))
    turns = (
        Said(text="first words"),
        replied("second words", *wanted),
        Answered(results=results),
        replied("third words"),
        Said(text="fourth words"),
    )
    await scene.events(asking(*turns))
    body = scene.server.requests[0].body
    told = json.dumps(body.get("messages", body.get("input")))
    order = ["first", "second", "result one", "result two", "third", "fourth"]
    places = [told.index(it) for it in order]
    assert places == sorted(places)
    assert calls_in(scene.dialect, body) == [{"of": "one"}, {"of": "two"}]


async def test_a_call_without_a_result_is_sent_with_one(scene: Scene) -> None:
    scene.server.reply(text("So."))
    wanted = Wanted(id="x", name="run", arguments="{}")
    await scene.events(asking(Said(text="Go."), replied("", wanted), Said(text="Well?")))
    assert "This call was broken off; nothing is known of it." in scene.server.requests[0].last


async def test_a_result_without_its_call_is_told_in_words(scene: Scene) -> None:
    scene.server.reply(text("So."))
    stray = Answered(results=(Result(call="x", name="run", text="All green."),))
    await scene.events(asking(stray, Said(text="Well?")))
    assert "run answered: All green." in scene.server.requests[0].last


@pytest.mark.parametrize("dialect", ["openai", "responses", "ollama"])
async def test_thoughts_are_handed_back_to_nobody_else(server: Any, dialect: str) -> None:
    server.reply(text("So."))
    seal, hidden = Given.of("another", "s"), Given.of("another", "h1dden")
    blocks = (Thought(text="private thought", given=seal), Part(given=hidden), Words(text="Gone."))
    turns = (Said(text="Go."), Replied(blocks=blocks), Said(text="Well?"))
    await Scene(server=server, dialect=dialect).events(asking(*turns))
    told = json.dumps(server.requests[0].body)
    assert "private thought" not in told
    assert "h1dden" not in told


def test_what_is_no_json_does_not_go_back() -> None:
    assert Given.of("a", {"n": float("inf")}).back("a") is None
    assert Given.of("a", {"n": 1}).back("a") == {"n": 1}
