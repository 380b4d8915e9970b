"""The messages about agents that people run in terminals."""

from typing import Literal

from assent.editor.protocol.shapes import Id, Millis, Shape

__all__ = ["ChangeTerminal", "TerminalAgent", "TerminalAgents", "TerminalChanged"]


class TerminalAgent(Shape):
    """An agent that can be connected, and how it stands."""

    id: str
    name: str
    standing: Literal["", "changed", "connected"]
    """`changed` where its hook is gone or is not the one of this version."""
    seen: Millis | None = None
    """When its hook ran last."""


class TerminalAgents(Shape):
    """All of them."""

    agents: list[TerminalAgent]


class ChangeTerminal(Shape):
    """Connect one, or take that back."""

    agent_id: Id
    on: bool


class TerminalChanged(Shape):
    """What came of it, in a sentence; nothing where the person drew back."""

    told: str = ""
