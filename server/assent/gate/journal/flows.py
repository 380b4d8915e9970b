"""The state of a running workflow."""

from assent.gate.call.calls import CallId, ChatId
from assent.gate.values import frozen

__all__ = ["FlowMoved", "FlowStep"]


@frozen(kw_only=True)
class FlowStep:
    """One step."""

    name: str
    run: str
    """What it runs."""
    state: str
    """One of `workflows.graph.Standing`."""
    note: str = ""
    level: int = 0
    """How many steps lie one behind the other before it."""
    needs: tuple[int, ...] = ()
    """The places of those that it waits for."""


@frozen(kw_only=True)
class FlowMoved:
    """The workflow that a call runs stands like this now."""

    chat: ChatId
    call: CallId
    name: str
    steps: tuple[FlowStep, ...]
