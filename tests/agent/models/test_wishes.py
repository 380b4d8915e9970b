"""A host is asked where and how the person says: another path, headers with keys, more members."""

from typing import Any

import pytest

from agent.models.scene import HELLO, Scene, asking, texts
from assent.agent.models.provider import ModelFailed
from assent.agent.models.providers import provider_of
from assent.gate.settings.models.hosts import host_of
from models.script import raw, status, text
from models.server import ModelServer

PATH = "/openai/deployments/mini/chat/completions?api-version=2024-10-21"
AZURE = "az-never-told"
WAYS = {
    "openai": "/v1/chat/completions",
    "responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "ollama": "/api/chat",
}


async def said(server: ModelServer, named: dict[str, str], dialect: str, **model: Any) -> str:
    provider = provider_of(server.model(dialect, **model), None, named)
    return texts([it async for it in provider.stream(HELLO)])


async def test_an_azure_deployment_is_asked_as_azure_wants_it(server: ModelServer) -> None:
    server.also[PATH] = WAYS["openai"]
    server.reply(text("So."))
    wished = {"url": server.url, "path": PATH, "headers": (("Api-Key", "${AZURE}"),)}
    assert await said(server, {"AZURE": f" {AZURE}\n"}, "openai", **wished) == "So."
    (asked,) = server.requests
    assert asked.path == PATH
    assert asked.headers["api-key"] == AZURE
    assert "authorization" not in asked.headers


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "ollama"])
async def test_more_members_are_told_and_null_leaves_one_out(
    server: ModelServer, dialect: str
) -> None:
    server.reply(text("So."))
    body = '{"temperature": 0.2, "stream": true, "max_tokens": null, "options": null}'
    assert await said(server, {}, dialect, body=body) == "So."
    asked = server.requests[0].body
    assert asked["temperature"] == 0.2
    assert {"max_tokens", "options"}.isdisjoint(asked)


async def test_a_path_of_responses_is_asked_so_and_nobody_turns_from_what_was_said(
    server: ModelServer,
) -> None:
    path = "/openai/responses?api-version=preview"
    server.also[path] = WAYS["responses"]
    server.reply(text("So."))
    server.reply(status(400, "Use /v1/chat/completions."))
    assert await said(server, {}, "openai", url=server.url, path=path) == "So."
    with pytest.raises(ModelFailed, match="Use /v1/chat/completions"):
        await said(server, {}, "openai", url=server.url, path=path)
    assert [it.path for it in server.requests] == [path, path]


async def test_a_key_that_a_header_names_and_nobody_has_is_missed(server: ModelServer) -> None:
    with pytest.raises(ModelFailed, match="wants a key: set AZURE, or store it in the editor"):
        await said(server, {}, "openai", headers=(("api-key", "${AZURE}"),))
    assert server.requests == []


async def test_a_header_that_cannot_be_sent_is_not(server: ModelServer) -> None:
    with pytest.raises(ModelFailed, match="one of its headers cannot be sent") as failed:
        await said(server, {"AZURE": "a\nb: c"}, "openai", headers=(("x", "${AZURE}"),))
    assert "b: c" not in str(failed.value)
    assert server.requests == []


async def test_a_key_of_a_header_is_in_no_error(server: ModelServer) -> None:
    model = server.model("openai", headers=(("x", "Key ${AZURE}"),))
    host = host_of(model, None, {"AZURE": AZURE})
    assert host.headers == (("x", f"Key {AZURE}"),)
    assert AZURE not in repr(host)
    server.reply(status(400, f"The key {AZURE} is odd.", kind=f"odd {AZURE}"))
    server.reply(raw(f'data: {{"error": {{"message": "no {AZURE}"}}}}\n\n'))
    for _ in range(2):
        with pytest.raises(ModelFailed) as failed:
            _ = [it async for it in provider_of(model, None, {"AZURE": AZURE}).stream(asking())]
        assert "…" in str(failed.value)
        assert AZURE not in f"{failed.value} {failed.value.__cause__!r}"


async def test_a_custom_header_stands_in_the_place_of_ours(openai: Scene) -> None:
    openai.server.reply(text("So."))
    await openai.events(headers=(("Authorization", "Basic abc"), ("User-Agent", "me")))
    headers = openai.server.requests[0].headers
    assert (headers["authorization"], headers["user-agent"]) == ("Basic abc", "me")
