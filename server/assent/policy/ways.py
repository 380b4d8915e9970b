"""In which folders a command may run: its ways of `cd`, followed by what the disk says.

A way on which a `cd` failed is none where that `cd` surely did well: its folder is there and can
be entered, and nothing that stands before it could have taken the folder away.
"""

from collections.abc import Sequence
from typing import Final

from assent.calls import Target
from assent.errors import CallUnreadable
from assent.policy.judged import Judged
from assent.policy.matter import Matter
from assent.policy.shell.script import Command, Missed, Way

__all__ = ["folders_of"]

_MOST: Final = 8
"""So many ways at once; with more nothing is known."""

_MAKES: Final = frozenset({"mkdir", "touch"})
"""Programs that change something, and take nothing away whatever they are told."""


def folders_of(
    matter: Matter, command: Command, before: Sequence[Judged], *, whole: bool
) -> list[Target | None]:
    """The folders in which a command may run; None for one that nobody knows.

    `before` is what stands before it, which is `whole` if nothing there could not be read.
    """
    ways = command.ways
    if whole and ways is not None and any(it.missed for it in ways):
        ways = _possible(matter, ways, before)
    if ways is None or len(ways) > _MOST:
        return _nowhere(matter)
    return [folder for way in ways for folder in _followed(matter, way)]


def _possible(matter: Matter, ways: tuple[Way, ...], before: Sequence[Judged]) -> tuple[Way, ...]:
    """The ways without those on which something failed that cannot have failed."""
    all_ = frozenset[Missed]().union(*(it.missed for it in ways))
    sure = frozenset(it for it in all_ if _did_well(matter, it, before))
    # Where none is left, it only runs if the disk changes.
    return tuple(it for it in ways if not it.missed & sure) or ways


def _did_well(matter: Matter, missed: Missed, before: Sequence[Judged]) -> bool:
    """Whether a `cd` surely did not fail."""
    if any(it.start < missed.end and _may_take_away(it) for it in before):
        return False
    found = [it for chain in missed.chains for it in _led(matter, chain)]
    return all(it is not None and matter.facts.enters(it.resolved) for it in found)


def _may_take_away(judged: Judged) -> bool:
    """Whether it may remove, move or lock a folder: whatever is not known to do no such thing."""
    command = judged.command
    if command is None:
        return True
    harmless = not command.argv or command.wraps or judged.deeds.reading
    return not harmless and command.name not in _MAKES


def _followed(matter: Matter, way: Way) -> list[Target | None]:
    return _nowhere(matter) if way.steps is None else _led(matter, way.steps)


def _nowhere(matter: Matter) -> list[Target | None]:
    # It may be the call's own as well, so that what is denied there is denied.
    return [None, *_led(matter, ())]


def _led(matter: Matter, chain: tuple[str, ...]) -> list[Target | None]:
    """Where `cd` leads, as a shell takes `..` out of a path, and as the kernel follows it."""
    try:
        where = matter.facts.locate(".", matter.call.cwd)
        spelled = matter.call.cwd
        for step in chain:
            where = matter.facts.locate(step, where.resolved)
            spelled = matter.facts.locate(step, spelled).named
        other = matter.facts.locate(spelled, "/") if chain else where
    except CallUnreadable:
        return [None]
    return [where] if other.resolved == where.resolved else [where, other]
