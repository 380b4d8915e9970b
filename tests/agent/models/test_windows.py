"""How much a model can read: what a person says, then what is known, then what its host says."""

import asyncio
import sys
from datetime import date
from typing import Any

import pytest

from agent.models.scene import Scene, nobody_there
from assent.agent.models.known_models import EFFORTS, Thinks, known, models, read_on
from assent.agent.models.openai import is_by_responses
from assent.agent.models.providers import provider_of
from assent.agent.models.windows import UNKNOWN_WINDOW_TOKENS, assumed, guessed
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.values import evolve
from models.server import ModelServer
from tables import each_row


@each_row(
    ("name", "window"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("anthropic/claude-3.7-sonnet", 200_000),
        ("gpt-5-mini", 272_000),
        ("gpt-4.1-nano", 1_047_576),
        ("gpt-4o-mini", 128_000),
        ("gpt-4", 8_192),
        ("openai/o3", 200_000),
        ("o4-mini", 200_000),
        ("gemini-2.5-pro", 1_048_576),
        ("gpt-oss:20b", 131_072),
        ("qwen3:8b", 32_768),
        ("accounts/fireworks/models/kimi-k2p6", 262_144),
        ("FW-Kimi-K3", 1_048_576),
        ("databricks-claude-opus-5-5", 1_000_000),
        ("deepseek.v3.2", 163_840),
        ("openai.gpt-oss-120b-1:0", 131_072),
        ("llama3.3:70b-instruct-q4_K_M", 128_000),
        ("chatgpt-4o-latest", 128_000),
        ("ft:gpt-4.1-mini-2025-04-14:me::1", 1_047_576),
        ("chat-of-ours", None),
        ("foo3", None),
        ("claudette", None),
        ("gptoss", None),
        ("gpt-6-sol", 922_000),
        ("openai/gpt-6.2-luna", 922_000),
        ("claude-opus-6", 1_000_000),
        ("us.anthropic.claude-opus-5-5-v1:0", 1_000_000),
        ("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("claude-instant-1.2", 100_000),
        ("kimi-k3", 1_048_576),
        ("moonshotai.kimi-k3-thinking", 1_048_576),
        ("mistral-small-2611", 262_144),
        ("ministral-14b", 262_144),
        ("qwen3.8-max", 991_808),
        ("gemini-4-pro", 1_048_576),
        ("gemini-1.5-pro", 131_072),
        ("grok-5", 500_000),
        ("glm-6", 1_000_000),
        ("minimax-m4", 1_048_576),
        ("deepseek-v5", 1_048_576),
        ("o30", None),
        ("claude-opus-4.8", 1_000_000),
        ("claude-fable-5-1", 1_000_000),
        ("claude-opus-4-1-20250805", 200_000),
        ("gpt-5.6-terra", 922_000),
        ("deepseek/deepseek-v4-pro", 1_000_000),
        ("moonshotai/Kimi-K2.6", 262_144),
        ("z-ai/glm-5.2", 1_000_000),
    ],
)
def test_the_name_of_a_model_may_tell(name: str, window: int | None) -> None:
    for url, guess in (("https://models.example/v1", window), ("http://127.0.0.1:1/v1", None)):
        model = Model(id="m", name="m", dialect=Dialect.OPENAI, model=name, url=url)
        assert guessed(host_of(model, None)) == guess


@each_row(
    ("name", "like"),
    [
        ("gpt-7-sol", "gpt-6.1-sol"),
        ("gpt-6.2-astra-law", "gpt-6.1-terra"),
        ("global.openai.gpt-7", "gpt-6.1-sol"),
        ("claude-opus-7", "claude-opus-5-5"),
        ("us-gov.anthropic.claude-sonnet-6-20270101-v1:0", "claude-sonnet-5-5"),
        ("claude-fable-5-2", "claude-fable-5-1"),
        ("claude-next", "claude-opus-5-5"),
        ("gemini-9-pro", "gemini-4-argon"),
        ("gemini-3.9-flash", "gemini-3.8-flash"),
        ("accounts/fireworks/models/kimi-k9", "kimi-k3.1"),
        ("mistral-large-5", "mistral-large-4"),
        ("mistral-small-2799", "mistral-small-latest"),
        ("qwen9-max", "qwen3.8-max"),
        ("deepseek-v9", "deepseek-v4.1-flash"),
        ("grok-9", "grok-4.7"),
        ("grok-4.25", "grok-4.20"),
        ("glm-9", "glm-5.3"),
        ("minimax-m9", "minimax-m3.1-flash"),
        ("gpt-oss-2-20b", "gpt-oss-20b"),
        ("gpt-5.3", "gpt-5.3-codex"),
    ],
)
def test_the_next_of_a_family_is_as_its_newest(name: str, like: str) -> None:
    seen, newest = known(name), known(like)
    assert seen is not None
    assert newest is not None
    assert evolve(seen, price=None) == evolve(newest, price=None)


def test_a_price_is_told_only_of_the_model_that_has_it() -> None:
    sold = known("claude-opus-5-5")
    assert sold is not None
    assert sold.price is not None
    for name in ("us.anthropic.claude-opus-5-5-v1:0", "claude-opus-5-5@20261101"):
        assert known(name) == sold, name
    for name in ("claude-opus-5-5-fast", "claude-opus-6"):
        assert known(name) == evolve(sold, price=None), name


@each_row(
    ("url", "name", "by_responses"),
    [
        ("", "gpt-7-sol", True),
        ("https://me.openai.azure.com/openai/v1", "gpt-7-sol", True),
        ("https://me.openai.azure.com/openai/v1", "gpt-4.1", False),
        ("https://openrouter.ai/api/v1", "openai/gpt-7-sol", False),
    ],
)
def test_the_first_request_is_in_the_way_of_its_family(
    url: str, name: str, *, by_responses: bool
) -> None:
    model = Model(id="m", name="m", dialect=Dialect.OPENAI, model=name, url=url)
    assert is_by_responses(host_of(model, None)) is by_responses


def test_of_a_host_elsewhere_more_is_assumed_than_of_this_machine() -> None:
    for url, tokens in (("https://models.example/v1", 128_000), ("http://127.0.0.1:1/v1", 32_768)):
        model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="foo3", url=url)
        assert assumed(host_of(model, None)) == tokens


def test_what_is_no_address_tells_nothing() -> None:
    model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="gpt-5", url="http://[x")
    assert guessed(host_of(model, None)) is None


def test_each_row_of_the_table_holds_together() -> None:
    assert date.fromisoformat(read_on()) <= date(2100, 1, 1)
    for name, row in models().items():
        assert known(name) == row, name
        assert 0 < row.window < 100_000_000, name
        assert set(row.efforts) <= set(EFFORTS), name
        assert (row.thinks is Thinks.NO) <= (not row.efforts), name
        if row.price is not None:
            read, wrote, cached = row.price
            assert 0 < cached <= read <= wrote, name


LOADED = {"id": "tiny", "max_context_length": 32_000, "loaded_context_length": 8_192}

OPENED = [it for it in Dialect if it is not Dialect.EDITOR]
"""The editor's own models are asked through the editor, and opened where it is spoken to."""


@pytest.mark.parametrize("dialect", OPENED)
async def test_what_a_person_says_counts(server: ModelServer, dialect: str) -> None:
    model = server.model(dialect, "claude-x", window=1234)
    assert await provider_of(model, None).window() == 1234
    assert server.others == []


@pytest.mark.parametrize(
    ("listed", "window"),
    [
        ({"max_model_len": 40_960}, 40_960),
        ({"context_length": 131_072}, 131_072),
        ({"context_window": 8_000}, 8_000),
        ({"max_context_length": 16_000}, 16_000),
        ({"context_length": "many", "max_model_len": 0}, UNKNOWN_WINDOW_TOKENS),
        ({}, UNKNOWN_WINDOW_TOKENS),
    ],
)
async def test_a_host_may_list_it(openai: Scene, listed: dict[str, Any], window: int) -> None:
    openai.server.listed = [{"id": "other", "context_length": 1}, {"id": "tiny", **listed}]
    provider = openai.provider()
    assert await provider.window() == await provider.window() == window
    assert openai.server.others[0].path == "/v1/models"
    assert openai.server.others[0].headers["authorization"] == "Bearer sk-secret"


@each_row(
    ("beside", "window"),
    [
        ({"/props": {"default_generation_settings": {"n_ctx": 65_536}}}, 65_536),
        ({"/props": {"default_generation_settings": {"n_ctx": 0}}}, 131_072),
        ({"/props": {"error": "Unexpected endpoint"}, "/api/v0/models": {"data": [LOADED]}}, 8_192),
        ({"/api/v0/models": {"data": [{**LOADED, "loaded_context_length": None}]}}, 32_000),
        ({"/props": [5], "/api/v0/models": "none"}, 131_072),
        ({}, 131_072),
    ],
)
async def test_a_host_on_this_machine_tells_it_in_its_own_way(
    beside: dict[str, Any], window: int
) -> None:
    async with ModelServer() as server:
        server.listed = [{"id": "tiny", "meta": {"n_ctx_train": 131_072}}]
        server.beside = beside
        provider = provider_of(server.model("openai"), "sk-secret")
        assert await provider.window() == await provider.window() == window
        assert {it.headers["authorization"] for it in server.others} == {"Bearer sk-secret"}
        assert server.faults == []


async def test_a_host_that_does_not_answer_leaves_it_unknown(openai: Scene) -> None:
    assert await openai.provider(url="http://127.0.0.1:1/v1").window() == UNKNOWN_WINDOW_TOKENS
    openai.server.listed = 5  # type: ignore[assignment]
    assert await openai.provider().window() == UNKNOWN_WINDOW_TOKENS


async def test_a_host_that_could_not_be_asked_just_now_leaves_a_guess(openai: Scene) -> None:
    away = openai.provider(url=nobody_there())
    assert await away.window() == UNKNOWN_WINDOW_TOKENS
    assert not away.is_window_known
    openai.server.listed = 5  # type: ignore[assignment]
    silent = openai.provider()
    assert await silent.window() == await silent.window() == UNKNOWN_WINDOW_TOKENS
    assert silent.is_window_known, "it was asked, and does not say"
    assert len(openai.server.others) == 1


@each_row(
    ("dialect", "url", "name"),
    [
        ("openai", "", "m on OpenAI"),
        ("openai", "https://api.openai.com/v1/", "m on OpenAI"),
        ("openai", "https://openrouter.ai/api/v1", "m on OpenRouter"),
        ("openai", "http://localhost:1234/v1", "m on localhost:1234"),
        ("anthropic", "", "m on Anthropic"),
        ("anthropic", "https://api.anthropic.com/v1", "m on Anthropic"),
        ("anthropic", "https://gate.example/x", "m on gate.example"),
        ("ollama", "", "m on Ollama"),
        ("ollama", "http://192.168.1.5:11434", "m on Ollama"),
    ],
)
def test_a_model_is_named_with_its_host(dialect: str, url: str, name: str) -> None:
    model = Model(id="m", name="m", dialect=Dialect(dialect), model="m", url=url)
    assert provider_of(model, None).name == name


@each_row(
    ("url", "near"),
    [
        ("http://localhost:1", True),
        ("http://x.LOCALHOST", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:5", True),
        ("http://0.0.0.0:11434", True),
        ("http://192.168.1.5", False),
        ("https://localhost.example", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_this_machine_is_told_from_others(url: str, *, near: bool) -> None:
    model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="m", url=url)
    assert host_of(model, None).near is near


async def test_nothing_heavy_is_loaded_before_a_model_is_asked() -> None:
    program = (
        "import sys\n"
        "from assent.gate.settings.models.model import Dialect, Model\n"
        "from assent.agent.models.providers import provider_of\n"
        "print([it for it in sys.modules if it.startswith('assent.agent.models.o')])\n"
        f"for it in map(Dialect, {[str(it) for it in OPENED]}):\n"
        "    provider_of(Model(id='m', name='m', dialect=it, model='m'), None)\n"
        "print({'httpx2', 'httpcore2', 'anyio', 'ssl'} & set(sys.modules))\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(30):
        out, _ = await process.communicate()
    assert process.returncode == 0
    assert out.decode().splitlines()[0] == "[]"
    assert "httpx2" not in out.decode()
