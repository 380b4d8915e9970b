"""What we know about models by their names: one table with a date, written by `make models`.

A name is looked up without the gateway before it, and with dashes for dots and colons. The longest
beginning that fits counts. A name of a generation that the table does not have takes the newest row
of its family that is no newer, without its price. Whatever a person or a host says goes before the
table, and a host that refuses what the table says of a model is believed.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Model
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = [
    "EFFORTS",
    "TABLE",
    "KnownModel",
    "Thinks",
    "by_beginning",
    "by_family",
    "efforts_of",
    "family_of",
    "known",
    "models",
    "plain",
    "read_on",
]

TABLE: Final = Path(__file__).with_name("known_models.json")

_FAMILIES: Final = (
    *("claude", "gpt-oss", "gpt", "gemini", "gemma", "kimi", "grok", "deepseek", "qwen", "glm"),
    *("minimax", "mistral", "ministral", "magistral", "devstral", "codestral", "llama", "nova"),
)
"""The first words of names whose next generation is like the newest one that is known."""
_FAMILY: Final = late(rf"(?:{'|'.join(_FAMILIES)})(?![a-z])")
_GATEWAY: Final = late(
    r"^(?:ft:)?(?:[a-z-]+\.)*(?=[a-z]{2}|o\d)"
    rf"(?:[a-z]+-|chat)?(?=(?:{'|'.join(_FAMILIES)})(?![a-z])|o\d)"
    r"|^(?:ft:)?(?:[a-z-]+\.)+(?=[a-z]{2})"
)
"""What a gateway puts before a name: `us.anthropic.claude-opus-5-5-v1:0`, `fw-kimi-k3`."""
_REVISION: Final = late(r"-v?\d+:\d+$|[-@:](?:latest|default|free)$")
"""What a gateway puts behind it, and the word for the newest of its kind."""
_POINT: Final = late(r"(?<=\d)[.p](?=\d)(?!\d+b)|(?<!\d)\.|\.(?!\d)|[@:_ ]")
"""How hosts write the point of a version, and what separates words; `6.7b` is a size."""
_BEGINNING: Final = late(r"[^-]*[-\d]")
_NO_VERSION: Final = late(r"-(?:\d{4}-\d\d-\d\d|\d\d-\d{4}|\d{4,8}|\d+b)(?![a-z0-9])")
"""Dates and sizes."""
_SAME: Final = late(r"(?:-(?:\d{4,8}|\d\d|preview|exp|v\d))*")
"""What may follow a name without making it the name of another model."""
_NUMBER: Final = r"(\d{1,2})(?:o|-(\d{1,2}))?(?![a-z0-9.])"
_VERSION: Final = late(rf"[a-z]+(?:(?:-[a-z]+)?-[a-z]?)?{_NUMBER}")
_VERSION_AFTER: Final = late(rf"-[a-z]?{_NUMBER}")
_MAX_VERSION: Final = 20

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
    images: bool = False
    documents: bool = False
    """Whether it reads PDFs, where its host has a form for them."""
    by_responses: bool = False
    """Whether it is offered whole by Responses alone, where OpenAI's models are."""
    caches_by_marks: bool = False
    """Whether nothing is kept between requests but what is marked."""
    price: tuple[float, float, float] | None = None
    """In US dollars for a million tokens: read, written, and read from the cache."""


@lru_cache(maxsize=256)
def known(model: str) -> KnownModel | None:
    """What is known of a model of that name.

    >>> known("anthropic/claude-opus-4.6").window
    1000000
    >>> known("gpt-5-mini-2025-08-07").price
    (0.25, 2.0, 0.025)
    """
    name = plain(model)
    return by_beginning(models(), name) or by_family(models(), name)


def plain(model: str) -> str:
    """A name as the table has it.

    >>> plain("us.anthropic.claude-opus-4-1-20250805-v1:0"), plain("x-ai/Grok-4.7-latest")
    ('claude-opus-4-1-20250805', 'grok-4-7')
    """
    name = _REVISION.sub("", model.rpartition("/")[2].casefold())
    return _POINT.sub("-", _GATEWAY.sub("", name))


def by_beginning(rows: Mapping[str, KnownModel], name: str) -> KnownModel | None:
    """The row of the longest beginning of a name, unless a version follows that it does not have.

    What follows may be another price.
    """
    for beginning in _beginnings(name):
        row = rows.get(beginning)
        rest = name[len(beginning) :]
        if row is None or _VERSION_AFTER.match(_NO_VERSION.sub("", rest)):
            continue
        return row if _SAME.fullmatch(rest) else evolve(row, price=None)
    return None


def _beginnings(name: str) -> Iterator[str]:
    """The beginnings that end with a word, the longest first; a mere word is no beginning."""
    yield name
    while _BEGINNING.match(name := name.rpartition("-")[0]):
        yield name


def by_family(rows: Mapping[str, KnownModel], name: str) -> KnownModel | None:
    """The newest row of its family that is no newer; the oldest where all are."""
    family = family_of(name)
    versions = {row: _version_of(row) for row in rows if family and family_of(row) == family}
    if not versions:
        return None
    asked = _version_of(name) or max(versions.values())
    older = [version for version in versions.values() if version <= asked]
    version = max(older) if older else min(versions.values())
    words = set(name.split("-"))
    nearest = min(
        (row for row in versions if versions[row] == version),
        key=lambda row: (_unlike(row, words), -rows[row].window, row),
    )
    return evolve(rows[nearest], price=None)


def _unlike(row: str, words: set[str]) -> tuple[int, int]:
    """How few words a row shares with a name, and how many it has that the name has not."""
    its = set(row.split("-"))
    return -len(its & words), len(its - words)


def family_of(name: str) -> str | None:
    """The family of a name, as the table has it."""
    family = _FAMILY.match(name)
    return family[0] if family else None


def _version_of(name: str) -> float:
    """The version in a name, or 0; a point may be missing, and 4.20 comes before 4.3."""
    match = _VERSION.match(_NO_VERSION.sub("", name))
    version = float(f"{match[1]}.{match[2] or 0}") if match else 0.0
    return version if version < _MAX_VERSION else version / 10


@cache
def models() -> Mapping[str, KnownModel]:
    """The table, by the beginnings of names."""
    return {name: _row(said) for name, said in _table()["models"].items()}


def read_on() -> str:
    """The date of the table."""
    return str(_table()["read_on"])


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))
    return table


def _row(said: Mapping[str, Any]) -> KnownModel:
    price = said.get("price")
    return KnownModel(
        **{
            **said,
            "thinks": Thinks(said.get("thinks", Thinks.NO)),
            "efforts": tuple(said.get("efforts", ())),
            "price": None if price is None else tuple(price),
        }
    )


def efforts_of(model: Model | Host) -> tuple[str, ...]:
    """How much a model can be told to think; nothing where it can be told nothing."""
    known_model = known(model.model) if model.dialect.has_host else None
    return known_model.efforts if known_model is not None else ()
