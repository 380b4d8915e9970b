"""The interface of a provider: a model that streams its reply as events.

Closing the stream closes the connection. A stream that ends without `Stopped` raises instead, so
that nobody takes half a reply for a whole one.
"""

from collections.abc import AsyncGenerator
from typing import Protocol

from assent.agent.models.conversation import Request
from assent.agent.models.events import Event
from assent.gate.call.errors import AssentError

__all__ = ["ModelFailed", "Provider", "WindowFull"]


class ModelFailed(AssentError):
    """A model could not be reached, refused, or broke off; the message is for the person."""

    def __init__(
        self,
        sentence: str,
        *,
        again: int = 0,
        after: float | None = None,
        wants_key: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.again = again
        """How often in a row it is worth asking again; 0 where that cannot help."""
        self.after = after
        """In how many seconds its host wants to be asked again, where it says so."""
        self.wants_key = wants_key
        """Whether a key is missing, or the one that it has is not accepted."""


class WindowFull(ModelFailed):
    """The conversation is longer than the model can read."""


class Provider(Protocol):
    """One model, hosted by somebody."""

    @property
    def name(self) -> str:
        """The model and its host, in words: `qwen3:8b on Ollama`."""
        ...

    async def window(self) -> int:
        """How many tokens the model can read; a cautious guess where nobody says."""
        ...

    @property
    def is_window_known(self) -> bool:
        """Whether that was no guess because its host could not be asked just now."""
        ...

    @property
    def efforts(self) -> tuple[str, ...]:
        """How much it can be told to think, from the least; nothing where that is not known."""
        ...

    @property
    def price(self) -> tuple[float, float, float] | None:
        """As in `known_models.KnownModel`; None where nobody knows, or it costs nothing."""
        ...

    async def takes(self) -> frozenset[str]:
        """The kinds of pictures and documents that it can be shown, as MIME types."""
        ...

    async def close(self) -> None:
        """Let go of what was kept open for the next request."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The reply to a request, as it comes; raises `ModelFailed`."""
        ...
