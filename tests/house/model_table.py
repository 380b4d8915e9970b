"""Writes what is known of models from the table that LiteLLM publishes with each release.

`make models` fetches its newest wheel from PyPI and writes `known_models.json`. A model is what its
own vendor says of it; of one that only others host, most of them count. Rows that the lookup would
find without them are left out.
"""

import json
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from attrs import asdict, evolve

from assent.agent.models.known_models import (
    EFFORTS,
    TABLE,
    KnownModel,
    Thinks,
    by_beginning,
    family_of,
    plain,
)

__all__ = ["as_text", "rows_from"]

Said = Mapping[str, Any]

PUBLISHED: Final = "litellm/model_prices_and_context_window_backup.json"
TALKING: Final = frozenset({"chat", "responses"})
VENDORS: Final = {
    "claude": "anthropic",
    "gpt": "openai",
    "gemini": "gemini",
    "kimi": "moonshot",
    "grok": "xai",
    "deepseek": "deepseek",
    "qwen": "dashscope",
    "glm": "zai",
    "minimax": "minimax",
    **dict.fromkeys(("mistral", "ministral", "magistral", "devstral", "codestral"), "mistral"),
    None: "openai",
}
"""Who says what a model of a family is. OpenAI has models of no family as well."""
CLOSED: Final = frozenset({"claude", "gpt", "gemini", "grok"})
"""Of these another host knows no more than their vendor does."""
DOING: Final = (Thinks.NO, Thinks.BY_BUDGET, Thinks.ITSELF, Thinks.ADAPTIVELY)
"""What counts where hosts differ: the last of these."""
NEWEST: Final = "-latest"
TUNED: Final = "ft:"
WHOLE_WINDOWS: Final = {400_000: 272_000, 1_050_000: 922_000}
"""OpenAI's windows with the reply of at most 128,000 tokens in them, and without it."""


def rows_from(published: Mapping[str, Said]) -> dict[str, KnownModel]:
    """The rows of the table, by the beginnings of names."""
    own: dict[str, Said] = {}
    others: dict[str, list[Said]] = {}
    for key, said in published.items():
        name = plain(_asked_for(key, said))
        if not _talks(said) or key.startswith(TUNED):
            continue
        if said.get("litellm_provider", "") == VENDORS.get(family_of(name)):
            if name not in own or key.endswith(NEWEST):
                own[name] = said
        elif name != family_of(name):
            others.setdefault(name, []).append(said)
    rows: dict[str, KnownModel] = {}
    for name in sorted(own, key=_by_length):
        _add(rows, name, _known(name, own[name]))
    of_vendors = dict(rows)
    for name in sorted(others.keys() - own.keys(), key=_by_length):
        if family_of(name) not in CLOSED or by_beginning(of_vendors, name) is None:
            _add(rows, name, _most([_known(name, said) for said in others[name]]))
    return rows


def _asked_for(key: str, said: Said) -> str:
    """What a host calls a model that LiteLLM names with its host before it."""
    return key.removeprefix(f"{said.get('litellm_provider')}/")


def _talks(said: Said) -> bool:
    window = said.get("max_input_tokens")
    return said.get("mode") in TALKING and isinstance(window, int) and window > 0


def _by_length(name: str) -> tuple[int, str]:
    return len(name), name


def _add(rows: dict[str, KnownModel], name: str, row: KnownModel) -> None:
    if by_beginning(rows, name) != row:
        rows[name] = row


def _most(said: list[KnownModel]) -> KnownModel:
    """What most hosts say of its window, and any of what it can; they have no price in common."""
    windows, efforts = Counter(it.window for it in said), Counter(it.efforts for it in said)
    return evolve(
        said[0],
        window=min(windows, key=lambda window: (-windows[window], window)),
        thinks=max((it.thinks for it in said), key=DOING.index),
        efforts=max(efforts, key=lambda words: (bool(words), efforts[words], words)),
        images=any(it.images for it in said),
        documents=any(it.documents for it in said),
        by_responses=any(it.by_responses for it in said),
        price=None,
    )


def _known(name: str, said: Said) -> KnownModel:
    family, is_openai = family_of(name), said.get("litellm_provider") == "openai"
    thinks, window = _thinks(family, said), said["max_input_tokens"]
    return KnownModel(
        window=WHOLE_WINDOWS.get(window, window) if family == "gpt" or is_openai else window,
        thinks=thinks,
        efforts=_efforts(family, said) if thinks in {Thinks.ITSELF, Thinks.ADAPTIVELY} else (),
        images=said.get("supports_vision") is True,
        documents=said.get("supports_pdf_input") is True,
        by_responses=said["mode"] == "responses"
        or (thinks is not Thinks.NO and (family == "gpt" or is_openai)),
        caches_by_marks=family == "claude",
        price=_price(said),
    )


def _thinks(family: str | None, said: Said) -> Thinks:
    if said.get("supports_reasoning") is not True:
        return Thinks.NO
    if family != "claude":
        return Thinks.ITSELF
    return Thinks.ADAPTIVELY if said.get("supports_adaptive_thinking") else Thinks.BY_BUDGET


def _efforts(family: str | None, said: Said) -> tuple[str, ...]:
    """The words by which it is told how much to think."""
    levels = said.get("reasoning_effort_levels")
    if levels is None and (
        family in {"claude", "gpt", "gpt-oss", "gemini"} or said.get("litellm_provider") == "openai"
    ):
        levels = EFFORTS[:3]
    more = {word for word in EFFORTS[3:] if said.get(f"supports_{word}_reasoning_effort") is True}
    return tuple(word for word in EFFORTS if levels and (word in levels or word in more))


def _price(said: Said) -> tuple[float, float, float] | None:
    """In US dollars for a million tokens; what reads nothing from a cache costs as much again."""
    read, wrote = said.get("input_cost_per_token"), said.get("output_cost_per_token")
    if not isinstance(read, int | float) or not isinstance(wrote, int | float) or not read:
        return None
    cached = said.get("cache_read_input_token_cost") or read
    return tuple(round(cost * 1_000_000, 6) for cost in (read, wrote, cached))


def as_text(rows: Mapping[str, KnownModel], source: str, day: str) -> str:
    """The table as it is written: a line for each model."""
    lines = ",\n".join(f"  {json.dumps(name)}: {_line(row)}" for name, row in sorted(rows.items()))
    return (
        f'{{\n "source": {json.dumps(source)},\n "read_on": {json.dumps(day)},\n'
        f' "models": {{\n{lines}\n }}\n}}\n'
    )


def _line(row: KnownModel) -> str:
    usual = asdict(KnownModel(window=0))
    return json.dumps({name: told for name, told in asdict(row).items() if told != usual[name]})


def published() -> tuple[str, dict[str, Said]]:
    """The version of LiteLLM's newest release, and its table."""
    with TemporaryDirectory() as folder:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder)
        subprocess.run((*pip, "litellm"), check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            table: dict[str, Said] = json.loads(archive.read(PUBLISHED))
        return wheel.name.split("-")[1], table


def main() -> None:
    """Write the table of today."""
    version, table = published()
    day = datetime.now(UTC).date().isoformat()
    TABLE.write_text(as_text(rows_from(table), f"LiteLLM {version}", day), "utf-8")


if __name__ == "__main__":
    main()
