"""Which words may leave this machine: those of closed sets, and more only if a setting asks.

Tools, agents and reasons have names that an agent, a server or a repository chooses. What is none
of the words that stand here is sent as `other`.
"""

from collections.abc import Collection
from typing import Final

from assent.gate.call.calls import Call

__all__ = ["OTHER", "TOOLS", "details_of", "words_of"]

OTHER: Final = "other"
TOOLS: Final = frozenset(
    {
        "shell",
        "read",
        "write",
        "fetch",
        "network",
        "mcp",
        "run",
        "agent",
        "catalogue",
        "plan",
        "question",
        "form",
        OTHER,
    }
)
"""The kinds of tools; what an agent calls its own is none of them."""

_MAX_TEXT_LETTERS: Final = 1_024
_MAX_PATHS: Final = 50


def words_of(call: Call, ours: Collection[str]) -> dict[str, str]:
    """What is said of each call: whose it is if that is one of ours, its kind, its effect."""
    return {
        "assent.agent": call.agent if call.agent in ours else OTHER,
        "assent.tool": call.tool if call.tool in TOOLS else OTHER,
        "assent.effect": call.effect.value,
    }


def details_of(call: Call) -> dict[str, str | list[str]]:
    """What is sent only where the person asks for it: what it runs and touches, and for whom."""
    said = {
        "assent.agent.id": call.agent,
        "assent.command": call.input.get("command"),
        "assent.address": call.input.get("url"),
    }
    texts = {name: text[:_MAX_TEXT_LETTERS] for name, text in said.items() if isinstance(text, str)}
    paths = [target.resolved[:_MAX_TEXT_LETTERS] for target in call.targets[:_MAX_PATHS]]
    return {**texts, **({"assent.paths": paths} if paths else {})}
