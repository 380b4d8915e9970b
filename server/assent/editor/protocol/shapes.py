"""What all shapes on the wire have in common.

Strict on our own messages: a wrong type or a member nobody knows is an error, never a guess.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from assent.gate.settings.described import Described

__all__ = ["AnswerRules", "Id", "ImageData", "Line", "Millis", "RuleText", "Shape", "Text"]


class Shape(Described, BaseModel):
    """A message or a part of one: frozen, strict, camelCase on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        defer_build=True,
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        strict=True,
        json_schema_serialization_defaults_required=True,
    )


Id = Annotated[str, Field(min_length=1, max_length=128)]
"""A name that one side made up and the other only hands back."""

Line = Annotated[str, Field(max_length=2_000)]
"""A short text that a person wrote."""

RuleText = Annotated[str, Field(min_length=1, max_length=4_096)]
"""A rule in the notation of the settings."""

AnswerRules = Annotated[list[RuleText], Field(max_length=20)]
"""As many as a card offers at once, and a few more."""

ImageData = Annotated[str, Field(max_length=1_400_000)]
"""The bytes of a picture, in base64."""

Text = Annotated[str, Field(max_length=1_000_000)]
"""A long text that a person wrote."""

Millis = int
"""A time in Unix milliseconds, or a length of time in milliseconds."""
