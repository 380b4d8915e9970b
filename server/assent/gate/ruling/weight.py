"""The weight of a call, from its effects alone: a level and a consequence.

The same call always weighs the same, whatever an agent says of it.
"""

from enum import StrEnum
from typing import Final

from assent.gate.call.calls import Call
from assent.gate.call.modes import Reach, reach_of
from assent.gate.call.verdicts import Deed, Ruling
from assent.gate.programs.nested_execution.interpreters import CONTAINER
from assent.gate.ruling.protected import CHANGES_WHAT_IS_ALLOWED, protected_place
from assent.gate.values import frozen

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
    Reach.EXECUTE: Weight(level=Level.MEDIUM, consequence="Runs with all your rights."),
    Reach.EXTERNAL: Weight(
        level=Level.MEDIUM, consequence="May send data to others or change things elsewhere."
    ),
    Reach.NETWORK: Weight(
        level=Level.MEDIUM,
        consequence="Whatever runs in the sandbox could send it what it can read.",
    ),
    Reach.SEARCH: Weight(level=Level.LOW),
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
        return Weight(level=Level.HIGH, consequence=f"{CHANGES_WHAT_IS_ALLOWED}: touches {place}.")
    if ruling is not None and call.tool == "shell":
        return _by_deeds(ruling)
    if ruling is not None and ruling.grave is not None:
        return Weight(level=Level.HIGH, consequence=ruling.grave)
    steps = [weigh(step.call) for step in call.steps if step.call is not None]
    if steps:
        return max(steps, key=lambda step: list(Level).index(step.level))
    reach = reach_of(call)
    is_deleting = "delete" in (call.action, *(beside.action for beside in call.beside))
    if is_deleting and reach is Reach.WRITE_INSIDE:
        return _weight(Deed(kind="delete", what=""), "in")
    if call.sent_to is not None and reach is Reach.WRITE_INSIDE:
        return _BY_REACH[Reach.EXTERNAL]
    return _BY_REACH[reach]


def _by_deeds(ruling: Ruling) -> Weight:
    """The weight of a shell call: all that is as grave as the gravest, in one go."""
    weights = [] if ruling.grave is None else [Weight(level=Level.HIGH, consequence=ruling.grave)]
    weights += [] if ruling.readable else [_UNREAD]
    for kind, state in _BY_DEED:
        deeds = [
            deed
            for deed in ruling.deeds
            if not deed.mentioned and (deed.kind, _state(deed)) == (kind, state)
        ]
        weights += dict.fromkeys(_weight(deed, state) for deed in deeds)
    level = max((weight.level for weight in weights), key=list(Level).index, default=Level.LOW)
    says = dict.fromkeys(
        weight.consequence for weight in weights if weight.level is level and weight.consequence
    )
    return Weight(level=level, consequence=" ".join(says)) if says else _RUNS


def _weight(deed: Deed, state: str) -> Weight:
    level, says = _BY_DEED[deed.kind, state]
    if deed.where == CONTAINER and deed.kind == "write":
        level = Level.MEDIUM
    return Weight(level=level, consequence=says.format(deed.where))


def _state(deed: Deed) -> str:
    """How a deed is told: where it is done, or how far what it is done to lies."""
    if deed.kind == "network":
        return "here" if deed.what in _HERE else "out"
    if deed.kind == "run":
        return "root" if deed.what.rpartition("/")[2] in _ROOT else ""
    moved = "moved " if deed.moved else ""
    if deed.where:
        return f"{moved}there"
    return moved + ("unknown" if not deed.sure else "in" if deed.inside else "out")


_RUNS = _BY_REACH[Reach.EXECUTE]
_UNREAD = Weight(
    level=Level.HIGH, consequence="This could not be read whole, so it could do anything."
)
_HERE: Final = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "0.0.0.0"})  # noqa: S104 -- what is reached, not served

_MEDIUM, _HIGH = Level.MEDIUM, Level.HIGH
_WHICH: Final = "which ones is only known when it runs."

_ROOT: Final = frozenset({"sudo", "doas", "su", "pkexec", "runuser"})

_BY_DEED: Final = {
    ("delete", "unknown"): (_HIGH, f"Removes files; {_WHICH}"),
    ("delete", "out"): (_HIGH, "Removes files outside this workspace."),
    ("delete", "there"): (_HIGH, "Removes files {}."),
    ("write", "unknown"): (_HIGH, f"Changes files; {_WHICH}"),
    ("write", "out"): (_HIGH, "Changes files outside this workspace."),
    ("write", "there"): (_HIGH, "Changes files {}."),
    ("delete", "moved unknown"): (_HIGH, f"Moves files; {_WHICH}"),
    ("delete", "moved out"): (_HIGH, "Takes files away from outside this workspace."),
    ("delete", "moved there"): (_HIGH, "Moves files {}."),
    ("run", "root"): (
        _MEDIUM,
        "Runs with the rights of another user, the administrator as a rule.",
    ),
    ("delete", "in"): (_MEDIUM, "Removes files of this workspace."),
    ("delete", "moved in"): (_MEDIUM, "Moves files of this workspace."),
    ("network", "out"): (_MEDIUM, "May send data to others or change things elsewhere."),
    ("read", "unknown"): (_MEDIUM, f"Reads files; {_WHICH}"),
    ("read", "out"): (_MEDIUM, "Reads files outside this workspace."),
    ("read", "there"): (_MEDIUM, "Reads files {}."),
    ("look", "out"): (_MEDIUM, "Looks at what lies outside this workspace."),
    ("network", "here"): (_MEDIUM, "Talks to a program on this machine."),
}
"""What deeds weigh, the gravest first; all others weigh as much as running anything."""
