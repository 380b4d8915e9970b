"""How much is at stake in a call: a level and a consequence, from its effects alone.

The same call always weighs the same, whatever an agent says of it.
"""

from enum import StrEnum

from attrs import frozen

from assent.calls import Call
from assent.modes import Reach, reach_of
from assent.policy.protected import protected_place
from assent.verdicts import Ruling

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
    Reach.CHAT: Weight(level=Level.LOW),
}


def weigh(call: Call, ruling: Ruling | None = None) -> Weight:
    """The weight of a call, by what was found out about it when it was ruled on."""
    if call.unreadable is not None:
        return Weight(
            level=Level.HIGH,
            consequence="What this would do could not be read, so it could do anything.",
        )
    # What a command changes has been found out by then; before, only its text can be looked at.
    read = ruling is not None and call.tool == "shell"
    place = None if read else protected_place(call)
    if place is not None:
        return Weight(
            level=Level.HIGH, consequence=f"Can change what is allowed later: touches {place}."
        )
    if ruling is not None and ruling.grave is not None:
        return Weight(level=Level.HIGH, consequence=ruling.grave)
    if ruling is not None and call.tool == "shell":
        return _by_deeds(ruling)
    return _BY_REACH[reach_of(call)]


def _by_deeds(ruling: Ruling) -> Weight:
    """The weight of a shell call, by what its commands do."""
    if not ruling.readable:
        return Weight(
            level=Level.HIGH,
            consequence="This could not be read whole, so it could do anything.",
        )
    does = {(deed.kind, deed.inside) for deed in ruling.deeds}
    weights = [weight for deed, weight in _BY_DEED.items() if deed in does]
    return max(weights, key=lambda it: list(Level).index(it.level), default=_RUNS)


_RUNS = _BY_REACH[Reach.EXECUTE]

_BY_DEED = {
    ("delete", False): Weight(
        level=Level.HIGH, consequence="Removes files outside this workspace."
    ),
    ("write", False): _BY_REACH[Reach.WRITE_OUTSIDE],
    ("delete", True): Weight(level=Level.MEDIUM, consequence="Removes files of this workspace."),
    ("network", False): _BY_REACH[Reach.EXTERNAL],
    ("read", False): _BY_REACH[Reach.READ_OUTSIDE],
}
