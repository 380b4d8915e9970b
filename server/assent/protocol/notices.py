"""What a person should know that nobody said, and what they can do about it at once."""

from typing import Annotated, Literal

from pydantic import Field

from assent.protocol.shapes import Millis, Shape

__all__ = ["ModeName", "ModeOffer", "Notice", "Offer", "PromptOffer"]

ModeName = Literal["plan", "ask", "default", "acceptEdits", "auto"]


class ModeOffer(Shape):
    """The chat can be put back into a mode; `agent/setMode` does it."""

    kind: Literal["mode"] = "mode"
    mode: ModeName


class PromptOffer(Shape):
    """Something can be said to the agent once more; `agent/prompt` does it."""

    kind: Literal["prompt"] = "prompt"
    text: str


Offer = Annotated[ModeOffer | PromptOffer, Field(discriminator="kind")]


class Notice(Shape):
    """Something that the person should know and that nobody said."""

    kind: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str
    at: Millis
    offer: Offer | None = None
    """What a person can do about it at once."""
