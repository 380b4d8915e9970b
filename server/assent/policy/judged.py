"""What was said of each command of a shell call, gathered into what a card shows of it."""

from collections.abc import Iterable
from typing import Final

from attrs import field, frozen

from assent.policy.matter import strictest
from assent.policy.shell.deeds import Deeds, Kind
from assent.policy.shell.script import Command, Script
from assent.policy.touching import Place
from assent.policy.verdicts import Deed, Part, Ruling, Verdict

__all__ = ["Judged", "deeds_of", "parts_of"]

_KINDS: Final = {
    Kind.LOOK: "look",
    Kind.READ: "read",
    Kind.WRITE: "write",
    Kind.DELETE: "delete",
}


@frozen(kw_only=True)
class Judged:
    """One command, or a stretch that could not be read, and what was said of it."""

    ruling: Ruling
    leave: Ruling
    """What lets it run, apart from the paths that it touches."""
    covered: bool = False
    """Whether what lets another command run lets this run as well."""
    start: int
    end: int
    command: Command | None = None
    deeds: Deeds = field(factory=Deeds)
    places: tuple[Place, ...] = ()


def parts_of(
    script: Script, judged: Iterable[Judged], opaque: Iterable[Judged]
) -> tuple[Part, ...]:
    """Each command that stands by itself in the text, with the strictest of what is in it."""
    everything = [*judged, *opaque]
    alone = [it for it in everything if it.command is not None and it.command.depth == 0]
    return tuple(_part(script.text, it, everything) for it in alone)


def deeds_of(judged: Iterable[Judged]) -> tuple[Deed, ...]:
    """Everything that the commands do, each thing once."""
    deeds: dict[Deed, None] = {}
    for one in judged:
        if one.command is not None and one.command.name:
            deeds[Deed(kind="run", what=one.command.name)] = None
        deeds |= dict.fromkeys(_deed(place) for place in one.places)
        hosts = (Deed(kind="network", what=host, inside=False) for host in one.deeds.hosts)
        deeds |= dict.fromkeys(hosts)
    return tuple(deeds)


def _part(text: str, alone: Judged, everything: list[Judged]) -> Part:
    # What is wrapped or substituted stands within it; what could not be read may reach over it.
    within = [it for it in everything if it.start < alone.end and alone.start < it.end]
    ruling = strictest([alone.ruling, *(it.ruling for it in within)])
    if ruling.verdict is Verdict.ALLOW:
        ruling = _said(alone, within)
    return Part(
        text=text[alone.start : alone.end],
        start=alone.start,
        end=alone.end,
        verdict=ruling.verdict,
        because=ruling.because,
        rule=ruling.rule,
        source=ruling.source,
    )


def _said(alone: Judged, within: list[Judged]) -> Ruling:
    """Why a part passes: for a wrapper, why what it wraps does."""
    if alone.command is None or not alone.command.wraps:
        return alone.ruling
    inner = [it.ruling for it in within if it.command is not None and not it.command.wraps]
    return inner[0] if inner else alone.ruling


def _deed(place: Place) -> Deed:
    target = place.target
    return Deed(
        kind=_KINDS[place.kind],
        what=target.shown if target and not place.pattern else place.spelled,
        inside=target is not None and target.inside,
    )
