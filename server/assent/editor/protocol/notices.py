"""Notices for a person, with what they can do about each at once."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Millis, Shape

__all__ = ["ModeName", "ModeOffer", "Notice", "Offer", "PromptOffer", "RetryOffer"]

ModeName = Literal["plan", "ask", "default", "acceptEdits", "auto"]


class ModeOffer(Shape):
    """The chat can be put back into a mode; `agent/setMode` does it."""

    kind: Literal["mode"] = "mode"
    mode: ModeName


class PromptOffer(Shape):
    """Something can be said to the agent once more; `agent/prompt` does it."""

    kind: Literal["prompt"] = "prompt"
    text: str


class RetryOffer(Shape):
    """The model can be asked the same again, without a word; `agent/retry` does it."""

    kind: Literal["retry"] = "retry"
    wants_key: bool
    """Whether it has no key that its host accepts."""


Offer = Annotated[ModeOffer | PromptOffer | RetryOffer, Field(discriminator="kind")]


class Notice(Shape):
    """Something that the person should know and that nobody said."""

    kind: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str
    at: Millis
    offer: Offer | None = None
    """What a person can do about it at once."""
    back_to: str | None = None
    """The message before which the conversation goes on from here: what stands between is taken
    back, and its agent does not know of it. Null where nothing is."""
    alarm: bool = False
    """Whether it tells of a call that ran although nobody let it run. An editor keeps that in sight
    until the person has seen it."""
