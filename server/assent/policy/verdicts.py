"""What a ruling says: a verdict, why, and by which rule."""

from enum import IntEnum, StrEnum

from attrs import frozen

__all__ = ["Actor", "Ruling", "Source", "Verdict"]


class Verdict(IntEnum):
    """Ordered by strictness, so that the strictest of several is their `max`."""

    ALLOW = 0
    ASK = 1
    DENY = 2


class Actor(StrEnum):
    """Who settled a call. The same words stand on the wire and in the journal."""

    USER = "user"
    RULE = "rule"
    MODE = "mode"
    HOOK = "hook"
    TIMEOUT = "timeout"
    STOP = "stop"
    AGENT_GONE = "agentGone"
    ERROR = "error"


@frozen(kw_only=True)
class Source:
    """Where a rule is written."""

    scope: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return self.scope if self.line is None else f"{self.scope}, line {self.line}"


@frozen(kw_only=True)
class Ruling:
    """A verdict on one call, with its reason."""

    verdict: Verdict
    because: str
    """A sentence that does for the card, the model and the journal."""
    by: Actor = Actor.MODE
    rule: str | None = None
    source: Source | None = None
    lasting: bool = True
    """Whether a broader answer than `once` may be given to it."""
