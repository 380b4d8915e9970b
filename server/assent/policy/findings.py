"""What was said of each command of a shell call, and where it runs; what a card shows of it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from assent.bash.script import Command, Script
from assent.bash.word import Word
from assent.modes import NAMES
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.protected import LATER
from assent.programs.codes import CONTAINER, ELSEWHERE
from assent.programs.deeds import Deeds, Kind
from assent.programs.habits import CHECKER, RUNNER, kind_of
from assent.programs.harming import harms_of
from assent.programs.runners import AFTER_WORD
from assent.programs.study import study
from assent.programs.wrapping import HANDING
from assent.values import evolve, field, frozen
from assent.verdicts import Actor, Deed, Part, Ruling, Verdict, reach_of

__all__ = [
    "Judged",
    "deciding",
    "deed_of",
    "deeds_of",
    "graves_in",
    "in_place",
    "of_here",
    "parts_of",
    "vouches",
]

_KINDS: Final = {
    Kind.LOOK: "look",
    Kind.READ: "read",
    Kind.WRITE: "write",
    Kind.DELETE: "delete",
}

_MOST_GRAVE: Final = 4
"""So many sentences are read."""


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
    losses: tuple[str, ...] = ()
    """What nobody can take back of it, each in a sentence."""
    where: str = ""
    """Where it runs, if not here."""

    @property
    def grave(self) -> tuple[str | None, ...]:
        """What a person should look at twice: what is lost, then what else may come of it."""
        grave = self.ruling.grave
        # That everything is changed says no more than what is lost with it.
        adds = grave is not None and (not self.losses or grave.startswith(LATER))
        return (*self.losses, grave) if adds else self.losses


def deciding(judged: Sequence[Judged]) -> Ruling:
    """The strictest ruling; of equals what nothing lifts, then that of what reaches furthest."""
    # Most often there is one, and how far it reaches takes long to tell.
    return (judged[0] if len(judged) == 1 else max(judged, key=_weight)).ruling


def _weight(one: Judged) -> tuple[object, ...]:
    ruling = one.ruling
    return ruling.verdict, not ruling.lasting, _reach(one), ruling.by is Actor.RULE


def _reach(one: Judged) -> tuple[bool, tuple[int, bool]]:
    """How far it reaches; what could not be read may reach further than anything."""
    if one.command is None:
        return True, (0, True)
    # That a reading program runs tells no more than what it reads.
    runs = not (one.deeds.reading or one.command.wraps)
    return False, reach_of(it for it in deeds_of([one]) if runs or it.kind != "run")


def parts_of(
    script: Script, judged: Iterable[Judged], opaque: Iterable[Judged]
) -> tuple[Part, ...]:
    """Each command that stands by itself in the text, with the strictest of what is in it."""
    everything = [*judged, *opaque]
    alone = [it for it in everything if it.command is not None and it.command.depth == 0]
    # Where a variable names one of a few programs, each of them stands in the same place.
    places = {(it.start, it.end): it for it in alone}
    return tuple(_part(script.text, it, everything) for it in places.values())


def deeds_of(judged: Iterable[Judged]) -> tuple[Deed, ...]:
    """Everything that the commands do, each thing once."""
    deeds: dict[Deed, None] = {}
    for one in judged:
        if one.command is not None and one.command.name:
            deeds[Deed(kind="run", what=one.command.name)] = None
        for place in one.places:
            deeds.setdefault(_deed(one, place))
        for host in one.deeds.hosts:
            told = bool(one.losses)
            deeds.setdefault(Deed(kind="network", what=host, inside=False, told=told))
    return tuple(deeds)


def graves_in(found: Iterable[Iterable[str | None]]) -> str | None:
    """What a person should look at twice, of all commands; of many, how many more there are."""
    said = [*dict.fromkeys(it for one in found for it in one if it)]
    more = len(said) - _MOST_GRAVE
    counted = [f"And {more} more such things."] if more > 0 else []
    return " ".join([*said[:_MOST_GRAVE], *counted]) or None


def _part(text: str, alone: Judged, everything: list[Judged]) -> Part:
    # What is wrapped or substituted stands within it; what could not be read may reach over it.
    within = [it for it in everything if it.start < alone.end and alone.start < it.end]
    ruling = deciding(within)
    if ruling.verdict is Verdict.ALLOW:
        # Of a wrapper it says nothing that it wraps something.
        ruling = deciding([it for it in within if not _wraps(it)] or [alone])
    return Part(
        text=text[alone.start : alone.end],
        start=alone.start,
        end=alone.end,
        verdict=ruling.verdict,
        because=ruling.because,
        rule=ruling.rule,
        source=ruling.source,
        grave=any(it.grave for it in within),
    )


def _wraps(one: Judged) -> bool:
    return one.command is not None and one.command.wraps


def _deed(one: Judged, place: Place) -> Deed:
    """What a command does to a path, with what is known of the command."""
    idle = one.deeds.idle and not place.redirect
    deed, found = deed_of(place), place.pattern or place.target
    return evolve(
        deed,
        kind="look" if idle else deed.kind,
        moved=one.deeds.moves and place.kind is Kind.DELETE and not idle,
        where=one.where,
        told=bool(one.grave),
        lies="" if one.where or found is None else found.resolved,
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


# What holds for a command that another one runs: whether that vouches for it, and where it runs.
#
# Elsewhere its ruling is as strict as here, since what stands around it may give it files of this
# machine; only the sentences say where it is.

_RUNNERS: Final = frozenset({"npx", "bunx", "uvx", *AFTER_WORD, *HANDING})
"""Programs that are there to run a project's own programs, or those of a container."""

_MOUNTED: Final = "in a container that has folders of this machine"


def vouches(outer: Judged | None, inner: Command, places: Sequence[Place]) -> bool:
    """Whether what allows a command allows what it runs: a rule that names it, or a task runner's.

    What speaks against the inner command, which touches `places`, counts all the same.
    """
    if outer is None or outer.command is None:
        return False
    if outer.covered:
        return True
    if outer.command.wraps or outer.leave.rule is None:
        return False
    away = outer.command.program in ELSEWHERE
    runs = outer.command.program in _RUNNERS and (away or not _reaches(inner, places))
    # What runs elsewhere is all in the words of a rule that is to the letter.
    told = away and _is_exact(outer.leave.rule)
    named = outer.leave.rule.removesuffix(")").removesuffix(":*").split()
    return runs or told or inner.name in named


def _reaches(inner: Command, places: Sequence[Place]) -> bool:
    """Whether it reaches a host, or changes files but for writing those of the project anew."""
    deeds = study(inner)
    kinds = {it.kind for it in deeds.touches if it.kind.changes}
    stays = all(it.target is not None and it.target.inside for it in places if it.kind.changes)
    anew = kinds == {Kind.WRITE} and stays and kind_of(inner.argv) in {CHECKER, RUNNER}
    return bool(deeds.hosts) or bool(kinds and not anew)


def _is_exact(rule: str) -> bool:
    return rule.startswith("shell(") and rule != "shell(*)" and not rule.endswith(":*)")


def of_here(outer: Judged | None, places: list[Place]) -> list[Place]:
    """The places without those of a container that lead nowhere here, as its own `/proc`.

    What it is told to go to from its root is of that kind; in the folder here it is judged as well.
    """
    if outer is None or outer.command is None or _where(outer) != CONTAINER:
        return places
    goes = any(at.text in _GOES and _is_rooted(to) for at, to in pairwise(outer.command.argv))

    def is_there(place: Place) -> bool:
        known = place.word.known and not place.word.glob
        read = not (place.target or place.redirect or place.kind.changes)
        return known and read and (goes or _is_rooted(place.word))

    return [it for it in places if not is_there(it)]


_GOES: Final = frozenset(("-w", "--workdir"))


def _is_rooted(word: Word) -> bool:
    return word.known and word.text.startswith("/")


def in_place(
    matter: Matter, one: Judged, command: Command, text: str, outer: Judged | None
) -> Judged:
    """The same, with where it runs, and what is lost there for good.

    The paths of what runs elsewhere are none of this workspace, and nothing is allowed by them.
    """
    where = _where(outer)
    losses = tuple(_there(it, where) for it in harms_of(command, text))
    said = one.ruling
    if not where or said.verdict is not Verdict.ASK:
        return evolve(one, losses=losses, where=where) if losses or where else one
    because = said.because
    if said.by is Actor.MODE and said.lasting:
        because = f"{NAMES[matter.mode]} mode asks about what runs {where}."
    later = said.grave is None or said.grave.startswith(LATER)
    grave = None if later or said.grave is None else _there(said.grave, where)
    said = evolve(said, because=because, grave=grave)
    return evolve(one, ruling=said, losses=losses, where=where)


def _where(outer: Judged | None) -> str:
    """Where a command runs that `outer` runs; nothing where that is here."""
    if outer is None or outer.command is None:
        return ""
    where = outer.where or ELSEWHERE.get(outer.command.program, "")
    # What it does there to these it does here.
    mounts = where == CONTAINER and any(it.tree for it in outer.deeds.touches)
    return _MOUNTED if mounts else where


def _there(loss: str, where: str) -> str:
    """A loss as it is told of what happens elsewhere."""
    return f"{loss.removesuffix('.')}, {where}." if where else loss
