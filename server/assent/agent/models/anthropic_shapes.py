"""The events of Anthropic's stream, as far as we read them."""

from typing import Any

import pydantic

from assent.agent.models.message_reader import Shape

__all__ = ["Block", "Delta", "Message", "StreamEvent", "Usage"]


class Usage(Shape):
    """How many tokens there were; what was read from the cache is counted apart."""

    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None

    @property
    def read(self) -> int:
        """All that the model read."""
        cached = (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)
        return (self.input_tokens or 0) + cached

    def with_more(self, later: "Usage") -> "Usage":
        """What is known once more is told; each number stands for all so far."""
        known = self.model_dump()
        numbers = {name: value for name, value in later.model_dump().items() if value}
        return Usage(**{**known, **numbers})


class Message(Shape):
    """The reply, as it begins."""

    usage: Usage | None = None


class Block(Shape):
    """A block, as it begins, with all that its host gives."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)

    type: str = ""
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None


class Delta(Shape):
    """More of a block, or of the reply itself."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class StreamEvent(Shape):
    """One event."""

    type: str
    index: int = 0
    message: Message = Message()
    content_block: Block = Block()
    delta: Delta = Delta()
    usage: Usage | None = None
    content: list[Block] | None = None
    stop_reason: str | None = None
    """The whole message, where a host does not stream."""
    error: dict[str, Any] | None = None
