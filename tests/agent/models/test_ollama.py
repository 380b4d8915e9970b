"""What is peculiar to Ollama: how much it reads is up to us, and it may not be there."""

import asyncio
import sys
from typing import Any

import pytest

from agent.models.scene import Scene, asking, ready, texts
from assent.agent.models.conversation import Answered, Result, Said, Wanted
from assent.agent.models.discovery import Near, ollama_models
from assent.gate.settings.models.model import Dialect
from models.script import call, frame, status, text
from models.server import ModelServer
from replies import replied
from tables import each_row


@pytest.mark.parametrize(
    ("shown", "window"),
    [
        ({"model_info": {"llama.context_length": 4096}}, 4096),
        ({"model_info": {"qwen3.context_length": 262_144}}, 32_768),
        ({"model_info": {"a.context_length": 9000}, "parameters": "stop x\nnum_ctx  16384"}, 16384),
        ({"model_info": None}, 8192),
        ({"model_info": {"a.context_length": "many"}}, 8192),
        ({"status": 404}, 8192),
        ({"model_info": [1]}, 8192),
    ],
)
async def test_the_window_is_what_the_host_shows_within_reason(
    ollama: Scene, shown: dict[str, Any], window: int
) -> None:
    ollama.server.shown = shown
    ollama.server.reply(text("So."))
    assert await ollama.provider().window() == window
    await ollama.events()
    assert ollama.server.requests[0].body["options"]["num_ctx"] == window


async def test_the_window_that_a_person_sets_is_taken_without_asking(ollama: Scene) -> None:
    ollama.server.reply(text("So."))
    await ollama.events(window=5000)
    assert ollama.server.requests[0].body["options"]["num_ctx"] == 5000
    assert ollama.server.others == []


async def test_the_host_is_asked_for_the_window_once(ollama: Scene) -> None:
    provider = ollama.provider()
    for _ in range(3):
        ollama.server.reply(text("So."))
        assert [it async for it in provider.stream(asking())]
    assert [it.path for it in ollama.server.others] == ["/api/show"]


async def test_a_long_conversation_is_refused_and_not_shortened_in_silence(ollama: Scene) -> None:
    ollama.server.reply(text("So."))
    await ollama.events()
    body = ollama.server.requests[0].body
    assert body["truncate"] is False
    assert body["shift"] is False


@pytest.mark.requirement("T-14")
async def test_calls_in_one_message_and_arguments_as_text_are_calls(ollama: Scene) -> None:
    calls = [
        {"function": {"name": "a", "arguments": {"n": 1}}},
        {"function": {"name": "b", "arguments": '{"n": 2}'}},
        {"id": "x", "function": {"name": "c", "arguments": None}},
    ]
    ollama.server.reply(frame({"message": {"content": "", "tool_calls": calls}}))
    assert ready(await ollama.events()) == [("a", '{"n": 1}'), ("b", '{"n": 2}'), ("c", "{}")]


async def test_results_name_their_tool(ollama: Scene) -> None:
    ollama.server.reply(text("So."))
    turns = (
        Said(text="Go."),
        replied("", Wanted(id="x", name="a", arguments='{"n": 1}')),
        Answered(results=(Result(call="x", name="a", text="Yes."),)),
    )
    await ollama.events(asking(*turns))
    _, _, reply, result = ollama.server.requests[0].body["messages"]
    assert reply["tool_calls"][0]["function"] == {"name": "a", "arguments": {"n": 1}}
    assert result["role"] == "tool"
    assert result["tool_name"] == "a"
    assert result["tool_call_id"] == reply["tool_calls"][0]["id"]


async def test_a_model_that_is_not_there_is_told_with_how_to_get_it(ollama: Scene) -> None:
    ollama.server.shown = {"status": 404}
    ollama.server.reply(status(404, 'model "qwen3:8b" not found, try pulling it first'))
    _, why = await ollama.failed(name="qwen3:8b")
    assert why == "Ollama has no model qwen3:8b; get it with `ollama pull qwen3:8b`."


async def test_a_model_that_cannot_call_is_told(ollama: Scene) -> None:
    ollama.server.reply(status(400, "registry.ollama.ai/library/tiny does not support tools"))
    _, why = await ollama.failed()
    assert why == "tiny on Ollama cannot call tools; choose a model that can."


async def test_too_little_memory_is_told_at_once(ollama: Scene) -> None:
    no = "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"
    ollama.server.reply(status(500, no))
    _, why = await ollama.failed()
    assert why == f"Ollama failed: {no}."


# Finding its models.


async def test_the_models_that_are_there_are_found(server: ModelServer) -> None:
    server.tags = [
        {"name": "qwen3:8b", "details": {"family": "qwen3", "families": ["qwen3"]}},
        {"name": "nomic-embed-text", "details": {"family": "nomic-bert", "families": None}},
        {"model": "tiny:latest", "details": None},
    ]
    found = (await ollama_models(server.url)).models
    assert [(it.id, it.name, it.model) for it in found] == [
        ("ollama/qwen3:8b", "qwen3:8b (Ollama)", "qwen3:8b"),
        ("ollama/tiny:latest", "tiny:latest (Ollama)", "tiny:latest"),
    ]
    assert {it.dialect for it in found} == {Dialect.OLLAMA}
    assert {it.url for it in found} == {server.url}


@pytest.mark.requirement("T-14")
async def test_a_model_that_was_found_can_be_asked(server: ModelServer) -> None:
    (found,) = (await ollama_models(server.url)).models
    server.reply(call("a", {"n": 1}), text("So."))
    scene = Scene(server=server, dialect="ollama")
    assert texts(await scene.events(name=found.model)) == "So."


@each_row("url", ["http://127.0.0.1:1", "ftp://x", "http://", "http://no.invalid:1"])
async def test_where_nobody_answers_there_are_no_models(url: str) -> None:
    assert await ollama_models(url) == Near()


async def test_where_something_else_answers_there_are_no_models(server: ModelServer) -> None:
    server.tags = "none"  # type: ignore[assignment]
    assert await ollama_models(server.url) == Near(listens=True)
    assert await ollama_models(f"{server.url}/elsewhere") == Near(listens=True)


async def test_looking_where_nobody_is_loads_nothing() -> None:
    program = (
        "import asyncio, sys\n"
        "from assent.agent.models.discovery import ollama_models\n"
        "assert asyncio.run(ollama_models('http://127.0.0.1:1')).models == ()\n"
        "print('httpx2' in sys.modules)\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(30):
        out, _ = await process.communicate()
    assert out == b"False\n"
