"""The hosts of models that a person can choose: names, addresses, keys.

One table: what a host is called where a person wrote only its address is read from it, too.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from assent.gate.settings.models.model import Dialect
from assent.gate.values import frozen

__all__ = ["AZURE", "HOSTERS", "Hoster", "azure", "key_name_at", "names_by_place"]

AZURE: Final = ".openai.azure.com/openai/v1"
"""How the addresses of its resources end."""
_RESOURCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}[A-Za-z0-9]")


@frozen(kw_only=True)
class Hoster:
    """One of them."""

    id: str
    name: str
    dialect: Dialect
    url: str
    key_name: str
    is_own: bool = False
    """Whether it is whom its dialect is from, so that no model needs to name its address."""


def _like_openai(id_: str, name: str, url: str) -> Hoster:
    key_name = f"{id_.upper()}_API_KEY"
    return Hoster(id=id_, name=name, dialect=Dialect.OPENAI, url=url, key_name=key_name)


HOSTERS: Final = (
    Hoster(
        id="anthropic",
        name="Anthropic",
        dialect=Dialect.ANTHROPIC,
        url="https://api.anthropic.com",
        key_name="ANTHROPIC_API_KEY",
        is_own=True,
    ),
    Hoster(
        id="openai",
        name="OpenAI",
        dialect=Dialect.OPENAI,
        url="https://api.openai.com/v1",
        key_name="OPENAI_API_KEY",
        is_own=True,
    ),
    _like_openai("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
    _like_openai("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
    _like_openai("mistral", "Mistral", "https://api.mistral.ai/v1"),
    _like_openai("deepseek", "DeepSeek", "https://api.deepseek.com"),
    _like_openai("groq", "Groq", "https://api.groq.com/openai/v1"),
    _like_openai("xai", "xAI", "https://api.x.ai/v1"),
    _like_openai("together", "Together", "https://api.together.xyz/v1"),
    _like_openai("moonshot", "Moonshot", "https://api.moonshot.ai/v1"),
    _like_openai("zai", "Z.ai", "https://api.z.ai/api/paas/v4"),
    _like_openai("minimax", "MiniMax", "https://api.minimax.io/v1"),
    _like_openai("dashscope", "Alibaba", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
    _like_openai("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1"),
    _like_openai("cerebras", "Cerebras", "https://api.cerebras.ai/v1"),
    _like_openai("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    _like_openai("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
    _like_openai("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
)
"""Those of this machine stand at the port that they take by themselves."""


def names_by_place() -> dict[str, str]:
    """What those are called that speak in the way of another, by the host in their address.

    At a port of this machine anything may answer.
    """
    elsewhere = [hoster for hoster in HOSTERS if hoster.url.startswith("https:")]
    return {
        urlsplit(hoster.url).hostname or "": hoster.name
        for hoster in elsewhere
        if not hoster.is_own
    }


def azure(resource: str) -> str | None:
    """Where the models of a resource on Azure are asked; None for what is no name of one.

    >>> azure("my-resource"), azure("x.org/a?")
    ('https://my-resource.openai.azure.com/openai/v1', None)
    """
    if _RESOURCE.fullmatch(resource) is None:
        return None
    return f"https://{resource.lower()}{AZURE}"


def key_name_at(url: str) -> str:
    """What the key for an address is called that a person typed; no other host has one so called.

    >>> key_name_at("http://127.0.0.1:8080/v1")
    'KEY_127_0_0_1_8080'
    """
    parts = urlsplit(url)
    place = f"{parts.hostname or ''}:{parts.port or ''}".rstrip(":")
    return f"KEY_{re.sub(r'[^A-Za-z0-9]+', '_', place).strip('_').upper()}"[:120]
