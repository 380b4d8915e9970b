"""The form of a collection of documents in the settings."""

from typing import Annotated, Final, Literal

from pydantic import Field

from assent.gate.settings.shapes import Strict, Word

__all__ = ["COLLECTION", "CollectionName", "CollectionSetting", "EmbeddingSetting"]

COLLECTION: Final = r"^[a-z0-9][a-z0-9-]{0,63}$"

CollectionName = Annotated[str, Field(pattern=COLLECTION)]


class EmbeddingSetting(Strict):
    """A model that makes vectors of texts."""

    provider: Literal["ollama", "openai"]
    """How it is spoken to; `openai` is every host that speaks OpenAI's way."""
    model: Annotated[Word, Field(min_length=1, max_length=200)]
    """What its host calls it."""
    url: Annotated[str, Field(max_length=1_024)] = ""
    """Where its host is. The provider's own place, where nothing is said."""
    key: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$", max_length=128)] = ""
    """The name of its key, as a model's. Never the key itself."""


class CollectionSetting(Strict):
    """Documents that are searched together."""

    paths: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(min_length=1, max_length=50),
    ]
    """Which files, such as `./docs/**/*.md`; in your own settings also `~/notes/**` or `/…`."""
    embed: Annotated[str, Field(pattern=r"^((ollama|openai):.+)?$", max_length=200)] | (
        EmbeddingSetting
    ) = ""
    """The model on this machine by which meaning is searched too, such as
    `ollama:nomic-embed-text`. By words alone, where nothing is said or it is elsewhere. It counts
    in your user settings alone."""
