"""The messages of a streamed chat completion, as far as we read them."""

from typing import Any, Final

import pydantic

from assent.agent.models.growing_json import written
from assent.agent.models.message_reader import Shape, cached_in

__all__ = [
    "CallPiece",
    "Choice",
    "Chunk",
    "Counted",
    "Delta",
    "Function",
    "Listed",
    "Listing",
    "Props",
]

_MAX_PIECES: Final = 1_000
"""In one message: reading so many takes no time to speak of."""
_MAX_CHOICES: Final = 100


class Function(Shape):
    """What is called, and with what."""

    name: str | None = None
    arguments: Any = None


class CallPiece(Shape):
    """A piece of a call."""

    index: int | None = None
    id: str | None = pydantic.Field(default=None, coerce_numbers_to_str=True)
    function: Function | None = None
    extra_content: dict[str, Any] | None = None
    """What Gemini wants back with the call: its signature."""

    @property
    def name(self) -> str:
        """What is called, in the piece that says so."""
        return (self.function and self.function.name) or ""

    @property
    def written(self) -> str:
        """The arguments as text, also where the host sent them as what they mean."""
        sent = self.function and self.function.arguments
        return sent if isinstance(sent, str) else written(sent)


class Delta(Shape):
    """More of a reply."""

    content: Any = None
    reasoning_content: str | None = None
    reasoning: Any = None
    reasoning_details: list[Any] | None = None
    thinking_blocks: list[Any] | None = None
    """Thoughts with what signs them, as Claude wants them back and LiteLLM passes them on."""
    extra_content: dict[str, Any] | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = pydantic.Field(default=None, max_length=_MAX_PIECES)
    function_call: Function | None = None
    """The one call of a reply, as it was told before there were several."""

    @property
    def pieces(self) -> list[CallPiece]:
        """More of its calls."""
        old = [CallPiece(index=0, function=self.function_call)] if self.function_call else []
        return self.tool_calls or old

    @property
    def said(self) -> str:
        """More text; some hosts send it in parts."""
        if isinstance(self.content, list):
            return "".join(_texts(self.content))
        return self.content if isinstance(self.content, str) else ""

    @property
    def thoughts(self) -> list[tuple[str, str]]:
        """More thought, by the member it is in; where both names hold it they hold the same."""
        reasoning = self.reasoning if isinstance(self.reasoning, str) else ""
        parts = self.content if isinstance(self.content, list) else []
        named = (
            [("reasoning_content", self.reasoning_content)]
            if self.reasoning_content
            else [("reasoning", reasoning)]
        )
        return [
            thought for thought in (*named, ("content", "".join(_thoughts(parts)))) if thought[1]
        ]

    @property
    def beside(self) -> dict[str, Any]:
        """What else goes back as it came."""
        names = ("reasoning_details", "thinking_blocks", "extra_content")
        return {name: value for name in names if (value := getattr(self, name))}


class Choice(Shape):
    """One of several replies; we ask for one."""

    index: int | None = None
    delta: Delta | None = None
    message: Delta | None = None
    """The whole reply, where a host does not stream."""
    finish_reason: str | None = None


class Counted(Shape):
    """How many tokens there were."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: Any = None
    prompt_cache_hit_tokens: Any = None
    """The same as its details say, as DeepSeek calls it."""

    @property
    def cached(self) -> int:
        """How many of those that went in were kept from before."""
        hit = {"cached_tokens": self.prompt_cache_hit_tokens}
        return cached_in(self.prompt_tokens_details) or cached_in(hit)


class Chunk(Shape):
    """One message."""

    choices: list[Choice] | None = pydantic.Field(default=None, max_length=_MAX_CHOICES)
    usage: Counted | None = None
    error: dict[str, Any] | str | None = None


def _texts(parts: list[Any]) -> list[str]:
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return [text for text in texts if isinstance(text, str)]


def _thoughts(parts: list[Any]) -> list[str]:
    thoughts = [part.get("thinking") for part in parts if isinstance(part, dict)]
    return [text for thought in thoughts if isinstance(thought, list) for text in _texts(thought)]


class Listed(Shape):
    """One model of those that a host lists."""

    id: str = ""
    created: Any = None
    """When, in seconds: where a host says so, its newest stand first."""
    context_length: Any = None
    context_window: Any = None
    max_context_length: Any = None
    max_model_len: Any = None
    loaded_context_length: Any = None
    """What LM Studio loaded it with, which may be less than it could."""
    meta: Any = None

    @property
    def window(self) -> int | None:
        """How many tokens it can read, by whichever name its host has for that."""
        named = (
            self.loaded_context_length,
            self.max_model_len,
            self.context_length,
            self.context_window,
            self.max_context_length,
        )
        return next(filter(None, map(_size, named)), None)

    @property
    def trained_window(self) -> int | None:
        """How many it was trained to read, as llama.cpp lists it."""
        return _size(self.meta.get("n_ctx_train")) if isinstance(self.meta, dict) else None


class Listing(Shape):
    """The models that a host lists."""

    data: list[Listed] | None = None


class Props(Shape):
    """How llama.cpp was started."""

    default_generation_settings: Any = None

    @property
    def window(self) -> int | None:
        """How many tokens it reads."""
        settings = self.default_generation_settings
        return _size(settings.get("n_ctx")) if isinstance(settings, dict) else None


def _size(said: object) -> int | None:
    return said if isinstance(said, int) and said > 0 else None
