"""How much a model can read: what a person says, then what is known, then what its host says."""

import asyncio
import sys
from datetime import date
from typing import Any

import pytest

from agent.models.scene import Scene, nobody_there
from assent.agent.models.known_models import _TABLE, EFFORTS, READ_ON, Thinks, known
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
        ("gpt-4.1-nano", 1_000_000),
        ("gpt-4o-mini", 128_000),
        ("gpt-4", 8_192),
        ("openai/o3", 200_000),
        ("o4-mini", 200_000),
        ("gemini-2.5-pro", 1_048_576),
        ("gpt-oss:20b", 131_072),
        ("qwen3:8b", None),
        ("foo3", None),
        ("claudette", None),
        ("gptoss", None),
        ("gpt-6-sol", 922_000),
        ("openai/gpt-6.2-luna", 922_000),
        ("claude-opus-6", 1_000_000),
        ("us.anthropic.claude-opus-5-5-v1:0", 1_000_000),
        ("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("claude-instant-1.2", 200_000),
        ("kimi-k3", 262_144),
        ("moonshotai.kimi-k3-thinking", 262_144),
        ("mistral-small-2611", 262_144),
        ("ministral-14b", 262_144),
        ("qwen3.8-max", 262_144),
        ("gemini-4-pro", 1_048_576),
        ("gemini-1.5-pro", 1_000_000),
        ("grok-5", 500_000),
        ("glm-6", 1_000_000),
        ("minimax-m4", 1_000_000),
        ("deepseek-v5", 1_000_000),
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
        ("gpt-7", "gpt-5-6"),
        ("claude-opus-7", "claude-opus-5-5"),
        ("claude-next", "claude-opus-5-5"),
        ("gemini-9-pro", "gemini-3-8-flash"),
        ("kimi-k9", "kimi-k2"),
        ("mistral-tiny-9", "mistral-medium"),
        ("qwen9-max", "qwen3-coder"),
        ("deepseek-v9", "deepseek-v4-pro"),
        ("grok-9", "grok-4-7"),
        ("glm-9", "glm-5-3"),
        ("minimax-m9", "minimax-m3"),
    ],
)
def test_the_next_of_a_family_is_as_its_newest_but_for_the_price(name: str, like: str) -> None:
    found, newest = known(name), known(like)
    assert found is not None
    assert newest is not None
    assert found.price is None
    assert evolve(newest, price=None) == found


def test_of_a_host_elsewhere_more_is_assumed_than_of_this_machine() -> None:
    for url, tokens in (("https://models.example/v1", 128_000), ("http://127.0.0.1:1/v1", 32_768)):
        model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="foo3", url=url)
        assert assumed(host_of(model, None)) == tokens


def test_what_is_no_address_tells_nothing() -> None:
    model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="gpt-5", url="http://[x")
    assert guessed(host_of(model, None)) is None


def test_each_row_of_the_table_holds_together() -> None:
    assert date.fromisoformat(READ_ON) <= date(2100, 1, 1)
    for name, row in _TABLE.items():
        assert known(name) is row, name
        assert set(row.efforts) <= set(EFFORTS), name
        assert (row.thinks is Thinks.NO) <= (not row.efforts), name
        if row.price is not None:
            read, wrote, cached = row.price
            assert 0 < cached <= read <= wrote, name


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
    assert [it.path for it in openai.server.others] == ["/v1/models"]
    assert openai.server.others[0].headers["authorization"] == "Bearer sk-secret"


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
