"""Reads one message of a stream into its class, or explains why it does not fit.

The shapes are pydantic's, and forgiving: what a host adds is passed over, and what it leaves out
is nothing. Half a surrogate pair, as comes of an emoji that was cut in two, becomes a question
mark, because it could not be shown or sent on.
"""

import json
from typing import TypeVar

import pydantic

from assent.agent.models.host_errors import Garbled

__all__ = ["Shape", "cached_in", "read"]


class Shape(pydantic.BaseModel):
    """Something that a host sent."""

    model_config = pydantic.ConfigDict(
        defer_build=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )


S = TypeVar("S", bound=Shape)


def read(shape: type[S], sent: bytes) -> S:
    """What was sent, in its shape; raises `Garbled`."""
    try:
        return shape.model_validate_json(sent)
    except pydantic.ValidationError as error:
        mended = _mended(sent) if b"\\u" in sent else None
        if mended is None:
            raise Garbled(_what(error, sent)) from None
    try:
        return shape.model_validate_json(mended)
    except pydantic.ValidationError as error:
        raise Garbled(_what(error, sent)) from None


def cached_in(details: object) -> int:
    """How many tokens came from the host's cache, by what it says of those that went in.

    No reply is lost for a number that nobody needs: whatever is none counts as nothing.
    """
    count = details.get("cached_tokens") if isinstance(details, dict) else None
    return count if isinstance(count, int) and count > 0 else 0


def _mended(sent: bytes) -> bytes | None:
    try:
        return json.dumps(json.loads(sent), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return None


def _what(error: pydantic.ValidationError, sent: bytes) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"]))
    if not place:
        return "a message in it is no JSON" if sent.strip() else "a message in it is empty"
    return f"{place} is not what it should be"
