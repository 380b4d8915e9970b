"""What we know about models by their names: one table with a date.

A name is looked up without whose it is and with dashes for its dots; the longest beginning that
fits counts. For a name that is newer than the table, its family's newest row counts, except its
price. Whatever a person or a host says goes before the table, and a host that refuses what the
table says of a model is believed.
"""

from enum import StrEnum
from typing import Final

from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Model
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = ["EFFORTS", "READ_ON", "SOURCES", "KnownModel", "Thinks", "efforts_of", "known"]

READ_ON: Final = "2026-11-21"
SOURCES: Final = (
    "LiteLLM 1.109.1, model_prices_and_context_window (github.com/BerriAI/litellm)",
    "platform.claude.com/docs: adaptive thinking, effort",
    "developers.openai.com/api/docs: models, reasoning",
    "api-docs.deepseek.com: thinking mode",
    "ai.google.dev/gemini-api/docs: models, openai",
)

_FAMILIES: Final = {
    "gpt": "gpt-5-6",
    "claude": "claude-opus-5-5",
    "gemini": "gemini-3-8-flash",
    "kimi": "kimi-k2",
    "mistral": "mistral-medium",
    "ministral": "mistral-medium",
    "qwen": "qwen3-coder",
    "deepseek": "deepseek-v4-pro",
    "grok": "grok-4-7",
    "glm": "glm-5-3",
    "minimax": "minimax-m3",
}
"""The newest row of each family."""
_FAMILY: Final = late(rf"(?:{'|'.join(_FAMILIES)})(?![a-z])")
_WHOSE: Final = late(r"^(?:[a-z-]+\.)+(?=[a-z])")
"""What a gateway puts before a name: `us.anthropic.claude-opus-5-5-v1:0`."""
_VERSION: Final = late(r"\d+(?:-\d+)?(?![a-z0-9])|\d+")

EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
"""How much a model may think, from the least to the most."""


class Thinks(StrEnum):
    """Whether a model thinks before it replies, and how that is asked for."""

    NO = "no"
    ITSELF = "itself"
    """As it likes, or as much as it is told to in a word."""
    ADAPTIVELY = "adaptively"
    """As it likes, where it was asked to (Claude from 4.6 on)."""
    BY_BUDGET = "by budget"
    """So many tokens at most, where it was asked to (Claude before that)."""


@frozen(kw_only=True)
class KnownModel:
    """One model."""

    window: int
    """How many tokens it can read."""
    thinks: Thinks = Thinks.NO
    efforts: tuple[str, ...] = ()
    tools: bool = True
    images: bool = False
    documents: bool = False
    """Whether it reads PDFs, where its host has a form for them."""
    by_responses: bool = False
    """Whether OpenAI offers all of it by Responses alone."""
    caches_by_marks: bool = False
    """Whether nothing is kept between requests but what is marked."""
    price: tuple[float, float, float] | None = None
    """In US dollars for a million tokens: read, written, and read from the cache."""


def known(model: str) -> KnownModel | None:
    """What is known of a model of that name.

    >>> known("anthropic/claude-opus-4.6").window
    1000000
    >>> known("gpt-5-mini-2025-08-07").price
    (0.25, 2.0, 0.025)
    """
    name = _WHOSE.sub("", model.rpartition("/")[2].casefold()).replace(".", "-")
    fits = (prefix for prefix in _TABLE if name.startswith(prefix) and _ends(name, len(prefix)))
    longest = max(fits, key=len, default=None)
    row = None if longest is None else _TABLE[longest]
    family = _FAMILY.match(name)
    if family is None or name == longest or (row is not None and longest not in _FAMILIES):
        return row
    newest = _FAMILIES[family[0]]
    return evolve(_TABLE[newest], price=None) if _is_newer(name, newest, row) else row


def _is_newer(name: str, newest: str, row: KnownModel | None) -> bool:
    """Whether a name is newer than its family's newest row; one without a number counts as newer.

    Where the family has a row for older names, the same first number counts as newer, too.
    """
    version, last = _version_in(name), _version_in(newest)
    if not version or not last:
        return True
    return version > last if row is None else version[0] >= last[0]


def _version_in(name: str) -> tuple[int, ...]:
    match = _VERSION.search(name)
    return () if match is None else tuple(map(int, match[0].split("-")))


def _ends(name: str, at: int) -> bool:
    """Whether a word of the name ends there."""
    return not name[at : at + 1].isalnum()


def efforts_of(model: Model | Host) -> tuple[str, ...]:
    """How much a model can be told to think; nothing where it can be told nothing."""
    known_model = known(model.model) if model.dialect.has_host else None
    return known_model.efforts if known_model is not None else ()


_LOW: Final = EFFORTS[:3]
_XHIGH: Final = EFFORTS[:4]


def _claude(read: float, wrote: float, cached: float, *, efforts: tuple[str, ...]) -> KnownModel:
    """A Claude that thinks as it likes."""
    return KnownModel(
        window=1_000_000,
        thinks=Thinks.ADAPTIVELY,
        efforts=efforts,
        images=True,
        price=(read, wrote, cached),
    )


def _claude_before(read: float, wrote: float, cached: float) -> KnownModel:
    """A Claude that thinks by a budget."""
    return KnownModel(
        window=200_000, thinks=Thinks.BY_BUDGET, images=True, price=(read, wrote, cached)
    )


def _thinking(
    window: int,
    *price: float,
    efforts: tuple[str, ...] = (),
    images: bool = False,
) -> KnownModel:
    read, wrote, cached = price
    return KnownModel(
        window=window,
        thinks=Thinks.ITSELF,
        efforts=efforts,
        images=images,
        price=(read, wrote, cached),
    )


def _plain(window: int, *price: float, images: bool = False) -> KnownModel:
    if not price:
        return KnownModel(window=window, images=images)
    read, wrote, cached = price
    return KnownModel(window=window, images=images, price=(read, wrote, cached))


def _seeing(window: int, *price: float) -> KnownModel:
    """One that does not think and reads documents as well as pictures."""
    return evolve(_plain(window, *price, images=True), documents=True)


def _gpt(window: int, *price: float, efforts: tuple[str, ...] = _LOW) -> KnownModel:
    known_model = _thinking(window, *price, efforts=efforts, images=True)
    return evolve(known_model, documents=True, by_responses=True)


_CLAUDES: Final[dict[str, KnownModel]] = {
    "claude": KnownModel(window=200_000, thinks=Thinks.ADAPTIVELY, efforts=_LOW, images=True),
    "claude-3-7": _claude_before(3.0, 15.0, 0.3),
    "claude-sonnet-4": _claude_before(3.0, 15.0, 0.3),
    "claude-3-5": _plain(200_000, 3.0, 15.0, 0.3, images=True),
    "claude-3-5-haiku": _plain(200_000, 0.8, 4.0, 0.08, images=True),
    "claude-3-haiku": _plain(200_000, 0.25, 1.25, 0.03, images=True),
    "claude-3-opus": _plain(200_000, 15.0, 75.0, 1.5, images=True),
    "claude-opus-4": _claude_before(15.0, 75.0, 1.5),
    "claude-haiku-4-5": _claude_before(1.0, 5.0, 0.1),
    "claude-opus-4-5": _claude_before(5.0, 25.0, 0.5),
    "claude-sonnet-4-6": _claude(3.0, 15.0, 0.3, efforts=(*_LOW, "max")),
    "claude-opus-4-6": _claude(5.0, 25.0, 0.5, efforts=(*_LOW, "max")),
    "claude-opus-4-7": _claude(5.0, 25.0, 0.5, efforts=EFFORTS),
    "claude-opus-4-8": _claude(5.0, 25.0, 0.5, efforts=EFFORTS),
    "claude-haiku-5": _claude(0.1, 0.5, 0.01, efforts=EFFORTS),
    "claude-sonnet-5": _claude(2.0, 10.0, 0.2, efforts=EFFORTS),
    "claude-opus-5": _claude(5.0, 25.0, 0.5, efforts=EFFORTS),
    "claude-opus-5-5": _claude(4.0, 20.0, 0.2, efforts=EFFORTS),
    "claude-fable": _claude(10.0, 50.0, 1.0, efforts=EFFORTS),
    "claude-mythos": _claude(10.0, 50.0, 1.0, efforts=EFFORTS),
}

_TABLE: Final[dict[str, KnownModel]] = {
    **{name: evolve(row, caches_by_marks=True, documents=True) for name, row in _CLAUDES.items()},
    "gpt-3-5": KnownModel(window=16_385, price=(0.5, 1.5, 0.5)),
    "gpt-4": _plain(8_192, 30.0, 60.0, 30.0),
    "gpt-4-turbo": _plain(128_000, 10.0, 30.0, 10.0, images=True),
    "gpt-4o": _seeing(128_000, 2.5, 10.0, 1.25),
    "gpt-4o-mini": _seeing(128_000, 0.15, 0.6, 0.075),
    "chatgpt-4o": _plain(128_000, 5.0, 15.0, 5.0, images=True),
    "gpt-4-1": _seeing(1_000_000, 2.0, 8.0, 0.5),
    "gpt-4-1-mini": _seeing(1_000_000, 0.4, 1.6, 0.1),
    "gpt-4-1-nano": _seeing(1_000_000, 0.1, 0.4, 0.025),
    "o1": _gpt(200_000, 15.0, 60.0, 7.5),
    "o1-mini": _plain(128_000),
    "o1-preview": _plain(128_000),
    "o3": _gpt(200_000, 2.0, 8.0, 0.5),
    "o3-mini": evolve(_gpt(200_000, 1.1, 4.4, 0.55), images=False, documents=False),
    "o4-mini": _gpt(200_000, 1.1, 4.4, 0.275),
    "gpt-5": _gpt(272_000, 1.25, 10.0, 0.125),
    "gpt-5-mini": _gpt(272_000, 0.25, 2.0, 0.025),
    "gpt-5-nano": _gpt(272_000, 0.05, 0.4, 0.005),
    "gpt-5-2": _gpt(272_000, 1.75, 14.0, 0.175, efforts=_XHIGH),
    "gpt-5-3": _gpt(272_000, 1.75, 14.0, 0.175, efforts=_XHIGH),
    "gpt-5-4": _gpt(922_000, 2.5, 15.0, 0.25, efforts=_XHIGH),
    "gpt-5-4-mini": _gpt(272_000, 0.75, 4.5, 0.075, efforts=_XHIGH),
    "gpt-5-4-nano": _gpt(272_000, 0.2, 1.25, 0.02, efforts=_XHIGH),
    "gpt-5-5": _gpt(922_000, 5.0, 30.0, 0.5, efforts=_XHIGH),
    "gpt-5-6": _gpt(922_000, 4.0, 20.0, 0.4, efforts=_XHIGH),
    "gpt-5-6-luna": _gpt(922_000, 0.2, 1.2, 0.02, efforts=_XHIGH),
    "gpt-5-6-terra": _gpt(922_000, 2.0, 12.0, 0.2, efforts=_XHIGH),
    "codex": _gpt(200_000, 1.5, 6.0, 0.375),
    "computer-use": KnownModel(window=8_192, by_responses=True, images=True),
    "gpt-oss": KnownModel(window=131_072, thinks=Thinks.ITSELF, efforts=_LOW),
    "gemini": _plain(1_000_000, images=True),
    "gemini-2-5-flash": _thinking(1_048_576, 0.3, 2.5, 0.03, efforts=_LOW, images=True),
    "gemini-2-5-pro": _thinking(1_048_576, 1.25, 10.0, 0.125, efforts=_LOW, images=True),
    "gemini-3-flash": _thinking(1_048_576, 0.5, 3.0, 0.05, efforts=_LOW, images=True),
    "gemini-3-1-pro": _thinking(1_048_576, 2.0, 12.0, 0.2, efforts=_LOW, images=True),
    "gemini-3-1-flash-lite": _thinking(1_048_576, 0.25, 1.5, 0.025, efforts=_LOW, images=True),
    "gemini-3-5-flash": _thinking(1_048_576, 1.5, 9.0, 0.15, efforts=_LOW, images=True),
    "gemini-3-8-flash": _thinking(1_048_576, 0.75, 3.75, 0.075, efforts=_LOW, images=True),
    "deepseek": _plain(131_072),
    "deepseek-chat": _plain(131_072, 0.28, 0.42, 0.028),
    "deepseek-reasoner": _thinking(131_072, 0.28, 0.42, 0.028),
    "deepseek-v4-flash": _thinking(1_000_000, 0.3, 1.2, 0.006, images=True),
    "deepseek-v4-pro": _thinking(1_000_000, 1.32, 3.96, 0.044),
    "kimi-k2": _thinking(262_144, 0.95, 4.0, 0.16, images=True),
    "glm-4": _plain(128_000, 0.6, 2.2, 0.11),
    "glm-4-6": _thinking(200_000, 0.6, 2.2, 0.11),
    "glm-4-7": _thinking(200_000, 0.6, 2.2, 0.11),
    "glm-5": _thinking(200_000, 1.0, 3.2, 0.2),
    "glm-5-2": _thinking(1_000_000, 1.4, 4.4, 0.26),
    "glm-5-3": _thinking(1_000_000, 1.4, 4.4, 0.26),
    "minimax-m2": _thinking(200_000, 0.3, 1.2, 0.03),
    "minimax-m3": _thinking(1_000_000, 0.3, 1.2, 0.06, images=True),
    "grok": _plain(128_000),
    "grok-4": _thinking(256_000, 3.0, 15.0, 0.75, images=True),
    "grok-4-20": _thinking(1_000_000, 1.25, 2.5, 0.2, images=True),
    "grok-4-3": _thinking(1_000_000, 1.25, 2.5, 0.2, images=True),
    "grok-4-5": _thinking(500_000, 2.0, 6.0, 0.3, images=True),
    "grok-4-6": _thinking(500_000, 2.0, 6.0, 0.5, images=True),
    "grok-4-7": _thinking(500_000, 2.0, 6.0, 0.5, images=True),
    "grok-code-fast": _thinking(256_000, 1.0, 2.0, 0.2, images=True),
    "mistral-large": _plain(262_144, 0.5, 1.5, 0.05, images=True),
    "mistral-medium": _thinking(262_144, 1.5, 7.5, 0.15, images=True),
    "magistral": _thinking(262_144, 1.5, 7.5, 0.15, images=True),
    "devstral": _thinking(256_000, 0.4, 2.0, 0.04),
    "codestral": _plain(128_000, 0.3, 0.9, 0.03),
    "qwen3-coder": _plain(262_144),
    "llama-4": _plain(131_072, images=True),
}
"""By the beginnings of names. Models that several hosts serve at several prices have none."""
