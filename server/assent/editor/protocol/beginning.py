"""The messages for a newcomer: the models and agents that exist, and adding a model."""

from typing import Annotated

from pydantic import Field

from assent.editor.protocol.chats import ModelInfo
from assent.editor.protocol.offers import AgentOffer
from assent.editor.protocol.shapes import Id, Line, Shape

__all__ = [
    "AddModel",
    "Beginnings",
    "FoundModels",
    "ModelAdded",
    "ModelHost",
    "ModelHosts",
    "ModelPlace",
    "ModelsOffered",
]


class FoundModels(Shape):
    """Models that nobody had to set up."""

    name: str
    """Whose they are, such as `Ollama`."""
    says: str
    """Where they are and how many, such as `on this machine, 3 models`."""
    models: list[ModelInfo]


class Beginnings(Shape):
    """With whom one could begin, as it is now."""

    found: list[FoundModels]
    lacking: str
    """Why an Ollama on this machine has nothing to offer; empty where it has."""
    on_path: list[AgentOffer]
    """The agents that the person has already."""
    offered: list[AgentOffer]
    """The first of those that could be installed, by the list that was kept last; nobody is asked
    for a newer one."""
    more: int
    """How many there are besides."""


class ModelHost(Shape):
    """A host of models to choose from."""

    id: Id
    name: str
    url: str
    """Empty where the person types it."""
    key_name: str
    """Under which name its key is kept; empty where the address decides that."""
    has_key: bool
    """Whether there is one already."""


class ModelHosts(Shape):
    """The hosts to choose from."""

    hosts: list[ModelHost]


class ModelPlace(Shape):
    """A host, and where it is, if the person typed that."""

    host_id: Id
    url: Line = ""


class ModelsOffered(Shape):
    """The models of a host; `because` says why there are none."""

    models: list[str]
    url: str
    """Where they are: what was typed, or the path below it that models are asked at."""
    key_name: str
    because: str = ""
    wants_key: bool = False
    """Whether a key is missing, or the one that is kept is not accepted."""


class AddModel(Shape):
    """Try a model, and write it into the person's settings."""

    host_id: Id
    url: Line = ""
    model: Annotated[str, Field(min_length=1, max_length=500)]
    untried: bool = False
    """Whether the person wants it written down although it did not reply."""


class ModelAdded(Shape):
    """The model, by its id; `because` says why it was not added."""

    model_id: str | None
    because: str = ""
    wants_key: bool = False
