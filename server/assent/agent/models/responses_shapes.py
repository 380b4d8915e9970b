"""The events of OpenAI's Responses, as far as we read them."""

from typing import Any

from assent.agent.models.message_reader import Shape, cached_in

__all__ = ["Response", "ResponseEvent", "Usage"]


class Usage(Shape):
    """How many tokens there were."""

    input_tokens: int | None = None
    input_tokens_details: Any = None
    output_tokens: int | None = None

    @property
    def cached(self) -> int:
        """How many of those that went in were kept from before."""
        return cached_in(self.input_tokens_details)


class Cut(Shape):
    """Why a response is not whole."""

    reason: str | None = None


class Response(Shape):
    """The response, as it ends."""

    status: str | None = None
    output: list[dict[str, Any]] | None = None
    usage: Usage | None = None
    incomplete_details: Cut | None = None
    error: dict[str, Any] | None = None


class ResponseEvent(Response):
    """One event; or the whole response, where a host does not stream."""

    object: str = ""
    type: str = ""
    output_index: int = 0
    summary_index: int = 0
    item: dict[str, Any] | None = None
    delta: str | None = None
    response: Response | None = None
    code: str | None = None
    message: str | None = None
