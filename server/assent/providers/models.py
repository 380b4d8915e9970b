"""A model, as it is configured or found: who hosts it, where, and what the key to it is called."""

from enum import StrEnum

from attrs import frozen

__all__ = ["Dialect", "Model"]


class Dialect(StrEnum):
    """The ways in which models are spoken to."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    REPLAY = "replay"


@frozen(kw_only=True)
class Model:
    """One model."""

    id: str
    """What it is chosen by, such as `ollama/qwen3:8b`."""
    name: str
    """What a person sees, such as `qwen3:8b (Ollama)`."""
    dialect: Dialect
    model: str
    """What its host calls it; for `replay` the path of the script."""
    url: str = ""
    """Where its host is reached; nothing is the dialect's own place."""
    key: str = ""
    """The name of its key: the variable in the environment, and the secret in the editor."""
    window: int | None = None
    """How many tokens it can read, where the person says."""
    effort: str = ""
    """How much it may think, where the person says; a word of `known.EFFORTS`."""
