"""The editor's own models, and the server's requests to them through the editor.

A reply is told in pieces (`model/said`), in order; the answer to `model/ask` says how many there
were, so that no half reply is taken for a whole one.
"""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Id, Shape

__all__ = [
    "AskModel",
    "CallPart",
    "EditorModel",
    "EditorModels",
    "ModelAnswered",
    "ModelMessage",
    "ModelSaid",
    "ModelTool",
    "PicturePart",
    "ResultPart",
    "TextPart",
]

_Name = Annotated[str, Field(max_length=1_000)]


class EditorModel(Shape):
    """One model of the editor's."""

    id: Id
    name: _Name
    vendor: _Name
    """Whose extension brings it."""
    family: _Name
    """What it is called by whoever made it."""
    window: int
    """How many tokens it can be sent."""


class EditorModels(Shape):
    """The models that the editor has; none where it knows no models at all."""

    models: Annotated[list[EditorModel], Field(max_length=100)] = Field(default_factory=list)
    shows_pictures: bool = False
    """Whether this editor can hand pictures to models."""


class TextPart(Shape):
    """Words."""

    kind: Literal["text"]
    text: str


class CallPart(Shape):
    """A call, whole."""

    kind: Literal["call"]
    id: _Name
    name: _Name
    input: str
    """The JSON text of its arguments."""


class ResultPart(Shape):
    """What came of a call."""

    kind: Literal["result"]
    id: _Name
    text: str


class PicturePart(Shape):
    """A picture."""

    kind: Literal["picture"]
    mime: str
    data: str
    """Its bytes, in base64."""


class ModelMessage(Shape):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    parts: list[
        Annotated[TextPart | CallPart | ResultPart | PicturePart, Field(discriminator="kind")]
    ]


class ModelTool(Shape):
    """A tool, as a model is told of it."""

    name: str
    says: str
    arguments: str
    """The JSON schema of its arguments, as text."""


class AskModel(Shape):
    """Ask a model of the editor's. Answered when its reply is over; cancelling ends the reply."""

    ask_id: Id
    """By which its pieces are told."""
    model_id: Id
    because: str
    """What for, for the person whom the editor may ask."""
    messages: list[ModelMessage]
    tools: list[ModelTool] = Field(default_factory=list)


class ModelAnswered(Shape):
    """How a reply ended."""

    pieces: int
    """How many times something was told of it."""
    trouble: Literal["noPermission", "notFound", "blocked", "failed"] | None = None
    because: Annotated[str, Field(max_length=4_000)] = ""
    """In the words of the editor, or of whoever brought the model."""


class ModelSaid(Shape):
    """More of a reply."""

    ask_id: Id
    parts: list[Annotated[TextPart | CallPart, Field(discriminator="kind")]]
