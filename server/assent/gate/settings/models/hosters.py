"""The hosts of models that a person can choose: names, addresses, keys.

One table: what a host is called where a person wrote only its address is read from it, too.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from assent.gate.settings.models.model import Dialect
from assent.gate.values import frozen

__all__ = ["HOSTERS", "Hoster", "key_name_at", "names_by_place"]


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
)


def names_by_place() -> dict[str, str]:
    """What those are called that speak in the way of another, by the host in their address."""
    return {
        urlsplit(hoster.url).hostname or "": hoster.name for hoster in HOSTERS if not hoster.is_own
    }


def key_name_at(url: str) -> str:
    """What the key for an address is called that a person typed; no other host has one so called.

    >>> key_name_at("http://127.0.0.1:8080/v1")
    'KEY_127_0_0_1_8080'
    """
    parts = urlsplit(url)
    place = f"{parts.hostname or ''}:{parts.port or ''}".rstrip(":")
    return f"KEY_{re.sub(r'[^A-Za-z0-9]+', '_', place).strip('_').upper()}"[:120]
