"""What is refused or asked about in a command whatever else allows it.

Rules that deny or ask are about the command, about each path that it touches, and about what it
does; a path that is denied is denied to every tool. Beside them stand the questions that no rule,
mode or bypass lifts.
"""

import fnmatch
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from attrs import evolve

from assent.bash.script import Command
from assent.errors import CallUnreadable
from assent.policy.always import always_asked, is_unsure
from assent.policy.effects import effects_of, hosts_of
from assent.policy.findings import Judged
from assent.policy.matter import Matter, against
from assent.policy.mentions import pieces_of
from assent.policy.namedpaths import ROOT
from assent.policy.paths import TESTS, Place
from assent.policy.refused_below import lies_there
from assent.programs.deeds import Deeds, Kind
from assent.programs.inputs import takes_code
from assent.rules.book import Found
from assent.rules.entries import NOTHING
from assent.text.patterns import late
from assent.verdicts import Ruling, Verdict

__all__ = ["refusals_of"]

_TOKENS: Final = late(r"[\w.+-]+")
_CODE: Final = late(r"[\s;|&$`'\"(){}<>\\]")
_TASKS: Final = frozenset(
    """npm pnpm yarn bun deno make gmake just task rake cargo go mvn gradle gradlew dotnet mix
    composer pytest tox nox invoke poe docker podman kubectl helm terraform gh brew apt apt-get
    pip uv""".split()
)
"""Programs whose plain words are names of tasks and things, not of programs."""
_BLIND: Final = frozenset(
    "tee touch mkdir rm rmdir unlink shred chmod chown chgrp truncate".split()
)
"""Programs that change files and show nothing of them; of any other what it changes can be read."""

_HOSTS: Final = late(r"[\w-]+(?:\.[\w-]+)+")
_WILD: Final = late(r"[*?\[]")
_FILE: Final = late(r"\.env.*|.+\..+")
"""A name that is surely a file's: who denies a folder by its name means what is in it."""


def refusals_of(
    matter: Matter,
    command: Command,
    deeds: Deeds,
    places: list[Place],
    found: Found,
    *,
    before: Sequence[Judged],
) -> Iterator[Ruling]:
    """Everything that speaks against a command.

    `found` is what rules say of its words; `before` are the commands that may have run before it.
    """
    if matter.book.rules:
        yield from _by_rules(matter, command, deeds, places, found, before=before)
    yield from always_asked(matter, command, deeds, places)


def _by_rules(
    matter: Matter,
    command: Command,
    deeds: Deeds,
    places: list[Place],
    about: Found,
    *,
    before: Sequence[Judged],
) -> Iterator[Ruling]:
    founds = [about]
    told = [it for it in places if it.redirect] if command.name in TESTS else places
    founds += [it for place in told for it in _about_place(matter, command, place, before)]
    if command.program not in _BLIND:
        shown = [evolve(it, kind=Kind.READ) for it in places if it.kind.changes and not it.redirect]
        founds += [it for place in shown for it in _about_place(matter, command, place, before)]
    founds += [matter.book.host(host, matter) for host in hosts_of(deeds, places)]
    unsure = is_unsure(command, deeds)
    if matter.book.on_effects:
        founds += effects_of(matter, command, deeds, places, unsure=unsure)
    founds += _about_input(matter, command)
    if unsure:
        founds += [_in_words(matter, command), *_about_words(matter, command)]
        dotted = (it.text for it in command.argv if "." in it.text)
        hosts = {host for text in dotted for host in _HOSTS.findall(text)}
        founds += [matter.book.host(host.casefold(), matter) for host in hosts]
    for found in founds:
        said = against(found)
        if said is not None:
            yield said


def _only(command: Command) -> list[str]:
    """The names among which a search looks, where it says so."""
    if command.name not in {"grep", "egrep", "fgrep"}:
        return []
    begin = "--include="
    return [it.text[len(begin) :] for it in command.argv if it.text.startswith(begin) and it.known]


def _spares(matter: Matter, what: str, only: list[str]) -> bool:
    """Whether all that is denied has names that a search leaves out."""
    if not only:
        return False
    rules = [it for it in matter.book.rules if it.tool == what and it.verdict is not Verdict.ALLOW]
    names = [rule.about.rstrip("/").rsplit("/", 1)[-1] for rule in rules]
    return not any(
        _WILD.search(name)
        or not _FILE.fullmatch(name)
        or fnmatch.fnmatchcase(name.casefold(), pattern.casefold())
        for name in names
        for pattern in only
    )


def _about_place(
    matter: Matter, command: Command, place: Place, before: Sequence[Judged]
) -> Iterator[Found]:
    only = _only(command)
    what: Literal["read", "write"] = "write" if place.kind.changes else "read"
    book = matter.book
    if place.target is None:
        yield book.below(what, ROOT, matter)
    elif place.pattern is not None:
        yield book.pattern(what, place.pattern, matter)
        # Where its star goes through folders, only what stands behind one is of a file's name.
        name = place.pattern.named.rpartition("/")[2]
        spared = name.startswith("*") and _spares(matter, what, [name])
        if place.through and not spared:
            yield book.through(what, place.pattern, place.target, matter)
    else:
        yield book.path(what, place.target, matter)
    deep = place.kind is not Kind.LOOK and (place.tree or place.listed)
    if place.target is not None and deep and not _spares(matter, what, only):
        below = book.below(what, place.target, matter, hidden=place.hidden)
        # What may not be changed is not left to what is on the disk now.
        told = what == "write" or below is NOTHING
        if told or lies_there(matter, command, place, place.target, before):
            yield below


def _in_words(matter: Matter, command: Command) -> Found:
    """A command that is denied, in the words of a program that may run whatever it is told."""
    tasks = command.program in _TASKS
    words = [word.text for word in command.argv[1:]]
    text = " ".join(it for it in words if not tasks or _CODE.search(it))
    told = f"{text} {matter.call.input['command']}" if command.fed else text
    found = matter.book.roughly(frozenset(_TOKENS.findall(told)), matter)
    return Found(perhaps=found.deny or found.ask)


def _about_words(matter: Matter, command: Command) -> Iterator[Found]:
    """A path that is denied, in the words of a program of which nothing more is known."""
    if not matter.book.refuses_paths:
        return
    yield from _about_pieces(
        matter, {it for word in command.argv[1:] for it in pieces_of(word.text)}
    )


def _about_input(matter: Matter, command: Command) -> Iterator[Found]:
    """A path that is denied, in the code that a program is given to read.

    That may stand anywhere in the text of the call.
    """
    fed = command.fed and not command.wraps and matter.book.refuses_paths
    if fed and takes_code([it.text for it in command.argv]):
        for found in _about_pieces(matter, pieces_of(str(matter.call.input["command"]))):
            yield Found(perhaps=found.deny or found.ask)


def _about_pieces(matter: Matter, pieces: Collection[str]) -> Iterator[Found]:
    for piece in pieces:
        if piece.startswith("-"):
            continue
        try:
            target = matter.facts.locate(piece, matter.call.cwd)
        except CallUnreadable:
            continue
        yield matter.book.path("read", target, matter)
        yield matter.book.path("write", target, matter)
