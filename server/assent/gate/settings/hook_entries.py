"""A hook as configured: a command that the person runs around each call."""

from enum import StrEnum

from assent.gate.values import frozen

__all__ = ["HookEntry", "HookEvent"]


class HookEvent(StrEnum):
    """When a hook runs. The same words stand in the settings and are told to the hook."""

    PRE_TOOL_USE = "PreToolUse"
    POST_TOOL_USE = "PostToolUse"
    NOTIFICATION = "Notification"


@frozen(kw_only=True)
class HookEntry:
    """One command that is run when something happens."""

    event: HookEvent
    command: str
    """What the shell is given."""
    name: str
    """What sentences call it; the beginning of its command where nothing was said."""
    tools: tuple[str, ...] = ()
    """The kinds of tools that it is about, as in `Call.tool`; none is all of them."""
    seconds: float = 10.0
    """How long it may take."""
