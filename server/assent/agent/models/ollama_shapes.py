"""Ollama's answers, as far as we read them."""

import re
from typing import Any, Final

import pydantic

from assent.agent.models.drafts import MAX_CALLS
from assent.agent.models.message_reader import Shape

__all__ = ["Called", "Details", "Function", "Listed", "Message", "ModelFacts", "OllamaLine", "Tags"]

_NUM_CTX: Final = re.compile(r"^\s*num_ctx\s+(\d+)\s*$", re.MULTILINE)


class Function(Shape):
    """What is called, and with what."""

    name: str = ""
    arguments: Any = None


class Called(Shape):
    """A call."""

    id: str | None = None
    function: Function = Function()


class Message(Shape):
    """More of a reply."""

    content: str | None = None
    thinking: str | None = None
    tool_calls: list[Called] | None = pydantic.Field(default=None, max_length=MAX_CALLS + 1)


class OllamaLine(Shape):
    """One line."""

    message: Message | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    error: dict[str, Any] | str | None = None


class ModelFacts(Shape):
    """What is known of one model."""

    parameters: str | None = None
    model_info: dict[str, Any] | None = None
    capabilities: list[str] | None = None

    @property
    def sees(self) -> bool | None:
        """Whether it takes pictures; None where nobody says what it can do."""
        return None if self.capabilities is None else "vision" in self.capabilities

    @property
    def set_window(self) -> int | None:
        """The window that whoever made this model gave it."""
        match = _NUM_CTX.search(self.parameters or "")
        return int(match.group(1)) if match else None

    @property
    def trained_window(self) -> int | None:
        """The window that it was trained with; the name of its kind stands before that."""
        sizes = (
            value
            for name, value in (self.model_info or {}).items()
            if name.endswith(".context_length") and isinstance(value, int) and value > 0
        )
        return next(sizes, None)


class Details(Shape):
    """Of what kind a model is."""

    families: list[str] | None = None
    family: str | None = None


class Listed(Shape):
    """One model of those that are there."""

    name: str = ""
    model: str = ""
    details: Details | None = None

    @property
    def talks(self) -> bool:
        """Whether it replies; some only measure how alike texts are."""
        details = self.details or Details()
        kinds = [*(details.families or []), details.family or ""]
        return not any("bert" in kind for kind in kinds)


class Tags(Shape):
    """The models that are there."""

    models: list[Listed] | None = None
