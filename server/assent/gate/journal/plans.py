"""An agent's plan, as the agent reports it."""

from assent.gate.call.calls import ChatId
from assent.gate.values import frozen

__all__ = ["PlanLine", "PlanMade"]


@frozen(kw_only=True)
class PlanLine:
    """One line of an agent's plan."""

    text: str
    state: str
    """`pending`, `inProgress` or `done`."""


@frozen(kw_only=True)
class PlanMade:
    """The agent's plan is now this."""

    chat: ChatId
    lines: tuple[PlanLine, ...]
