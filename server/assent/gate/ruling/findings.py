"""The ruling on each command of a shell call, where it runs, and what a card shows of it."""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from posixpath import basename
from typing import Final

from assent.gate.call.verdicts import Actor, Deed, Part, Ruling, Verdict, reach_of
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.read_lines import flags_end
from assent.gate.ruling.paths import Place
from assent.gate.ruling.protected import CHANGES_WHAT_IS_ALLOWED
from assent.gate.shell.script import Command, Script
from assent.gate.values import evolve, field, frozen

__all__ = [
    "CommandFinding",
    "Finding",
    "InnerScope",
    "deciding",
    "deed_of",
    "deeds_of",
    "graves_in",
    "parts_of",
]

_KINDS: Final = {
    Kind.LOOK: "look",
    Kind.READ: "read",
    Kind.WRITE: "write",
    Kind.DELETE: "delete",
}

_MAX_GRAVE_SENTENCES: Final = 4
"""So many sentences are read."""


class InnerScope(Enum):
    """How far what lets one command run vouches for those that this one runs."""

    ALL = "whatever it runs"
    NEAR = "what reaches no host, and changes nothing but what the project makes"
    PROJECT = "of that what the project has, and what only reads"


@frozen(kw_only=True)
class Finding:
    """What was said of a part of the text, such as one that could not be read."""

    ruling: Ruling
    start: int
    end: int


@frozen(kw_only=True)
class CommandFinding(Finding):
    """One command, and what was said of it."""

    command: Command
    leave: Ruling
    """What lets it run, apart from the paths that it touches."""
    covered: InnerScope | None = None
    """How far what lets another command run lets this run as well."""
    deeds: Deeds = field(factory=Deeds)
    places: tuple[Place, ...] = ()
    losses: tuple[str, ...] = ()
    """What nobody can take back of it, each in a sentence."""
    where: str = ""
    """Where it runs, if not here."""

    @cached_property
    def changed(self) -> list[Place]:
        """What of its places is no longer what it was."""
        return [place for place in self.places if place.kind.changes]

    @property
    def grave(self) -> tuple[str | None, ...]:
        """What a person should look at twice: what is lost, then what else may come of it."""
        grave = self.ruling.grave
        # That everything is changed says no more than what is lost with it.
        adds = grave is not None and (not self.losses or grave.startswith(CHANGES_WHAT_IS_ALLOWED))
        return (*self.losses, grave) if adds else self.losses


def deciding(judged: Sequence[Finding]) -> Ruling:
    """The strictest ruling; of equals what nothing lifts, then that of what reaches furthest."""
    # Most often there is one, and how far it reaches takes long to tell.
    return (judged[0] if len(judged) == 1 else max(judged, key=_weight)).ruling


def _weight(finding: Finding) -> tuple[object, ...]:
    ruling = finding.ruling
    return ruling.verdict, not ruling.lasting, _reach(finding), ruling.by is Actor.RULE


def _reach(finding: Finding) -> tuple[bool, tuple[int, bool]]:
    """How far it reaches; what could not be read may reach further than anything."""
    if not isinstance(finding, CommandFinding):
        return True, (0, True)
    # That a reading program runs tells no more than what it reads.
    runs = not (finding.deeds.reading or finding.command.wraps)
    return False, reach_of(deed for deed in deeds_of([finding]) if runs or deed.kind != "run")


def parts_of(
    script: Script, judged: Sequence[CommandFinding], opaque: Sequence[Finding]
) -> tuple[Part, ...]:
    """Each command that stands by itself in the text, with the strictest of what is in it."""
    alone = [it for it in judged if it.command.depth == 0]
    # What a here-document runs stands behind the command that is given it.
    for it in sorted(judged, key=lambda one: one.command.depth):
        if not any(it is one or _overlap(it, one) for one in alone):
            alone.append(it)
    # Where a variable names one of a few programs, each of them stands in the same place.
    places = {(it.start, it.end): it for it in sorted(alone, key=lambda one: one.start)}
    return tuple(_part(script.text, place, judged, opaque) for place in places.values())


def _overlap(finding: Finding, other: Finding) -> bool:
    return finding.start < other.end and other.start < finding.end


def deeds_of(judged: Iterable[CommandFinding]) -> tuple[Deed, ...]:
    """Everything that the commands do, each thing once."""
    deeds: dict[Deed, None] = {}
    for one in judged:
        if one.command.name:
            deeds[Deed(kind="run", what=one.command.name)] = None
        for _, file in one.deeds.runs:
            deeds[Deed(kind="run", what=file)] = None
        for place in one.places:
            if not _is_flag(one, place):
                deeds.setdefault(_deed(one, place))
        for host in one.deeds.hosts:
            told = bool(one.losses)
            deeds.setdefault(Deed(kind="network", what=host, inside=False, mentioned=told))
    return tuple(deeds)


def graves_in(found: Iterable[Iterable[str | None]]) -> str | None:
    """What a person should look at twice, of all commands; of many, how many more there are."""
    said = [*dict.fromkeys(it for one in found for it in one if it)]
    more = len(said) - _MAX_GRAVE_SENTENCES
    counted = [f"And {more} more such things."] if more > 0 else []
    return " ".join([*said[:_MAX_GRAVE_SENTENCES], *counted]) or None


def _part(
    text: str, alone: CommandFinding, judged: Sequence[CommandFinding], opaque: Sequence[Finding]
) -> Part:
    # What is wrapped or substituted stands within it; what could not be read may reach over it.
    # What is missing in the text takes no place in it.
    within = [it for it in judged if it is alone or _overlap(it, alone)]
    unread = [it for it in opaque if _overlap(it, alone)]
    ruling = deciding([*within, *unread])
    if ruling.verdict is Verdict.ALLOW:
        # Of a wrapper it says nothing that it wraps something.
        plain = [it for it in within if not it.command.wraps]
        ruling = deciding([*plain, *unread] or [alone])
    grave = any(it.grave for it in within)
    return ruling.of(text[alone.start : alone.end], alone.start, grave=grave)


def _is_flag(judged: CommandFinding, place: Place) -> bool:
    """Whether it is a name with a dash before it that a pattern finds: to the program a flag."""
    word, command = place.word, judged.command
    if not word.glob or place.pattern is not None or place.target is None:
        return False
    if word.text[0] not in "*?[" or basename(place.target.named)[:1] != "-":
        return False
    return any(word.glob for word in command.argv[1 : flags_end(command)])


def _deed(judged: CommandFinding, place: Place) -> Deed:
    """What a command does to a path, with what is known of the command."""
    deed, target = deed_of(place), place.pattern or place.target
    return evolve(
        deed,
        moved=judged.deeds.moves and place.kind is Kind.DELETE,
        where=judged.where,
        mentioned=bool(judged.grave),
        lies="" if judged.where or target is None else target.resolved,
    )


def deed_of(place: Place) -> Deed:
    """What is done to a path, as a person would put it."""
    target = place.target
    return Deed(
        kind=_KINDS[place.kind],
        what=target.shown if target and not place.pattern else place.spelled,
        inside=target is not None and target.inside,
        sure=target is not None,
    )
