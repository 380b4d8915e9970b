"""How much is at stake in a call: a level and a consequence, from its effects alone.

The same call always weighs the same, whatever an agent says of it.
"""

from enum import StrEnum

from attrs import frozen

from assent.calls import Call
from assent.policy.modes import Reach, reach_of
from assent.policy.protected import protected_place

__all__ = ["Level", "Weight", "weigh"]


class Level(StrEnum):
    """How much a person should look before answering."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@frozen(kw_only=True)
class Weight:
    """A level, and for more than low levels what would happen, in words."""

    level: Level
    consequence: str | None = None


_BY_REACH = {
    Reach.READ_INSIDE: Weight(level=Level.LOW),
    Reach.READ_OUTSIDE: Weight(
        level=Level.MEDIUM, consequence="Reads files outside this workspace."
    ),
    Reach.WRITE_INSIDE: Weight(level=Level.LOW),
    Reach.WRITE_OUTSIDE: Weight(
        level=Level.HIGH, consequence="Changes files outside this workspace."
    ),
    Reach.EXECUTE: Weight(
        level=Level.MEDIUM, consequence="Runs in your shell, with all your rights."
    ),
    Reach.EXTERNAL: Weight(
        level=Level.MEDIUM, consequence="May send data to others or change things elsewhere."
    ),
}


def weigh(call: Call) -> Weight:
    """The weight of a call."""
    if call.unreadable is not None:
        return Weight(
            level=Level.HIGH,
            consequence="What this would do could not be read, so it could do anything.",
        )
    place = protected_place(call)
    if place is not None:
        return Weight(
            level=Level.HIGH, consequence=f"Can change what is allowed later: touches {place}."
        )
    return _BY_REACH[reach_of(call)]
