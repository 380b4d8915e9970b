"""A model as configured or found: its host, and the name of its key."""

import re
from enum import StrEnum
from typing import Final

from assent.gate.values import frozen

__all__ = ["NAMED", "Dialect", "Model"]

NAMED: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A key in a header, by its name."""


class Dialect(StrEnum):
    """The ways in which models are spoken to."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    EDITOR = "editor"
    REPLAY = "replay"

    @property
    def has_host(self) -> bool:
        """Whether such a model is asked at an address."""
        return self not in {Dialect.EDITOR, Dialect.REPLAY}


@frozen(kw_only=True)
class Model:
    """One model."""

    id: str
    """What it is chosen by, such as `ollama/qwen3:8b`."""
    name: str
    """What a person sees, such as `qwen3:8b (Ollama)`."""
    dialect: Dialect
    model: str
    """What its host calls it; for `replay` the path of the script,
    for `editor` its id there."""
    url: str = ""
    """Where its host is reached; nothing is the dialect's own place."""
    key: str = ""
    """The name of its key: the variable in the environment, and the secret in the editor."""
    window: int | None = None
    """How many tokens it can read, where the person says."""
    effort: str = ""
    """How much it may think, where the person says; a word of `known.EFFORTS`."""
    path: str = ""
    """Where it is asked below that, where that is not its dialect's own path."""
    headers: tuple[tuple[str, str], ...] = ()
    """What is sent beside each request; `${NAME}` stands for the key of that name."""
    body: str = ""
    """More members of each request, as a JSON object; null leaves one out."""
    kinds: tuple[str, ...] = ("chat",)
    """What it is for: `chat`, `image`, `speech`."""

    @property
    def named_keys(self) -> tuple[str, ...]:
        """The names of the keys that stand in its headers."""
        names = (match[1] for _, value in self.headers for match in NAMED.finditer(value))
        return tuple(dict.fromkeys(names))
