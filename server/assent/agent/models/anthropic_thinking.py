"""How to ask a model with Anthropic's API to think, and how much."""

from typing import Any, Final

from assent.agent.models.conversation import Request
from assent.agent.models.known_models import Thinks, known

__all__ = ["INTERLEAVED", "thinking"]

INTERLEAVED: Final = {"anthropic-beta": "interleaved-thinking-2025-05-14"}
"""Lets a model that thinks by a budget think between its calls as well; others take no notice."""

_MAX_BUDGET_TOKENS: Final = 16_000
_MIN_BUDGET_TOKENS: Final = 1_024


def thinking(request: Request, model: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The members that ask for thoughts, as far as they are known to be understood."""
    known_model = known(model)
    if known_model is None:
        return {}
    members: dict[str, Any] = {}
    if known_model.thinks is Thinks.ADAPTIVELY:
        # Without that word the newest give nothing of what they thought.
        members["thinking"] = {"type": "adaptive", "display": "summarized"}
        members |= {"output_config": {"effort": request.effort}} if request.effort else {}
    budget = min(_MAX_BUDGET_TOKENS, request.most_tokens // 2)
    if (
        known_model.thinks is Thinks.BY_BUDGET
        and budget >= _MIN_BUDGET_TOKENS
        and _may_begin(messages)
    ):
        members["thinking"] = {"type": "enabled", "budget_tokens": budget}
    return members


def _may_begin(messages: list[dict[str, Any]]) -> bool:
    """Whether a model may think by a budget: not amid calls that it began without a thought."""
    last = messages[-1]["content"] if messages else []
    if not any(block["type"] == "tool_result" for block in last):
        return True
    first = messages[-2]["content"][0]
    return first["type"] in {"thinking", "redacted_thinking"}
