"""The scripted model that ships: it plays its script, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.agent.models.conversation import Answered, Given, Request, Result, Said, Turn
from assent.agent.models.events import (
    Argued,
    CallReady,
    CallStarted,
    Closed,
    Event,
    Stopped,
    Text,
    Thinking,
    Used,
)
from assent.agent.models.provider import ModelFailed, Provider, WindowFull
from assent.agent.models.providers import provider_of
from assent.gate.settings.models.model import Dialect, Model
from replies import replied
from tables import each_row


def playing(tmp_path: Path, script: Any) -> Provider:
    """The model of a script; text is written as it is."""
    path = tmp_path / "script.json"
    path.write_text(script if isinstance(script, str) else json.dumps(script), "utf-8")
    model = Model(id="replay", name="Replay", dialect=Dialect.REPLAY, model=str(path))
    return provider_of(model, None)


async def told(provider: Provider, *turns: Turn) -> list[Event]:
    request = Request(system="", turns=turns or (Said(text="Hello."),))
    return [event async for event in provider.stream(request)]


async def test_a_script_is_played_reply_by_reply(tmp_path: Path) -> None:
    steps = [
        {"think": "Hm.", "seal": "S"},
        {"text": "Read it.", "pieces": 2},
        {"pause": 3},
        {"call": "read_file", "arguments": {"path": "a"}, "id": "x", "pieces": 2},
        {"usage": [5, 6]},
    ]
    provider = playing(tmp_path, [steps, [{"text": "Done."}]])
    assert await told(provider) == [
        Thinking(text="Hm."),
        Closed(given=Given.of("replay", {"seal": "S"})),
        Text(text="Read"),
        Text(text=" it."),
        CallStarted(key=0, name="read_file"),
        Argued(key=0, piece='{"path"'),
        Argued(key=0, piece=': "a"}'),
        CallReady(key=0, id="x", name="read_file", arguments='{"path": "a"}'),
        Used(read=5, wrote=6),
        Stopped(reason="calls"),
    ]
    assert await told(provider) == [Text(text="Done."), Stopped(reason="done")]


async def test_a_script_that_is_over_fails_and_says_so(tmp_path: Path) -> None:
    provider = playing(tmp_path, [[{"text": "Only this."}]])
    await told(provider)
    with pytest.raises(ModelFailed) as failure:
        await told(provider, Said(text="More?"))
    over = "The script script.json is over, and there is no reply to “More?”."
    assert str(failure.value) == over


async def test_a_reply_waits_for_its_words_in_the_last_turn(tmp_path: Path) -> None:
    script = [{"when": "no such file", "steps": [{"text": "Gone."}]}, [{"text": "Hello."}]]
    provider = playing(tmp_path, script)
    earlier = Said(text="There is no such file.")
    assert (await told(provider, earlier, replied("So."), Said(text="Hi.")))[0] == Text(
        text="Hello."
    )
    with pytest.raises(ModelFailed, match=r"has no reply left to “Hi.”"):
        await told(provider, Said(text="Hi."))
    result = Answered(results=(Result(call="x", name="read", text="no such file: a"),))
    assert (await told(provider, replied("So."), result))[0] == Text(text="Gone.")


async def test_a_script_may_have_one_reply_on_each_line(tmp_path: Path) -> None:
    provider = playing(tmp_path, '[{"text": "One."}]\n\n{"steps": [{"text": "Two."}]}\n')
    said = [(await told(provider))[0] for _ in range(2)]
    assert said == [Text(text="One."), Text(text="Two.")]


async def test_a_model_can_be_made_to_fail(tmp_path: Path) -> None:
    script = [[{"text": "So"}, {"error": "It fell over."}], [{"error": "Full.", "kind": "full"}]]
    provider = playing(tmp_path, script)
    with pytest.raises(ModelFailed, match=r"^It fell over\.$"):
        await told(provider)
    with pytest.raises(WindowFull, match=r"^Full\.$"):
        await told(provider)


async def test_a_reply_can_end_for_any_reason_and_call_with_anything(tmp_path: Path) -> None:
    script = [[{"call": "a", "arguments": "{oops"}, {"call": "b"}, {"stop": "length"}]]
    events = await told(playing(tmp_path, script))
    ready = [it.arguments for it in events if isinstance(it, CallReady)]
    assert ready == ["{oops", "{}"]
    assert events[-1] == Stopped(reason="length")


@each_row(
    ("script", "why"),
    [
        ("{oops", "The script script.json is no JSON: "),
        ("[\n[{]\n]", "The script script.json is no JSON: "),
        ({"replies": []}, "The script script.json is no list of replies."),
        (
            [[], [{"text": 1}]],
            "In the script script.json, step 1 of reply 2 is not as replies are.",
        ),
        ([[{"say": "hi"}]], "In the script script.json, step 1 of reply 1 is not as replies are."),
        ([5], "In the script script.json, reply 1 is not as replies are."),
        ([[{"text": "x", "pieces": 0}]], "step 1 of reply 1"),
    ],
)
async def test_a_script_that_cannot_be_played_is_told_with_its_place(
    tmp_path: Path, script: Any, why: str
) -> None:
    with pytest.raises(ModelFailed) as failure:
        await told(playing(tmp_path, script))
    assert why in str(failure.value)


async def test_a_script_that_is_not_there_is_told(tmp_path: Path) -> None:
    provider = playing(tmp_path, [])
    (tmp_path / "script.json").unlink()
    with pytest.raises(ModelFailed, match=r"script\.json cannot be read: "):
        await told(provider)


async def test_it_has_a_name_and_a_window(tmp_path: Path) -> None:
    provider = playing(tmp_path, [])
    assert provider.name == "script.json (replay)"
    assert await provider.window() == 200_000
