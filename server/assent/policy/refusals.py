"""What is refused or asked about in a command whatever else allows it.

Rules that deny or ask are about the command, about each path that it touches, and about what it
does; a path that is denied is denied to every tool. Beside them stand the questions that no rule,
mode or bypass lifts: changes to protected places, and removals that leave nothing.
"""

import fnmatch
import re
from collections.abc import Iterator
from typing import Final, Literal

from attrs import evolve

from assent.calls import Target
from assent.errors import CallUnreadable
from assent.policy.matter import Matter, against, asked
from assent.policy.protected import change_of, folder_of, may_name, named_in
from assent.policy.rulebook.book import Found
from assent.policy.shell.deeds import Deeds, Kind
from assent.policy.shell.script import Command
from assent.policy.touching import Place
from assent.policy.verdicts import Ruling, Verdict

__all__ = ["refusals_of"]

_READS: Final = frozenset({Kind.LOOK, Kind.READ})
_TOKENS: Final = re.compile(r"[\w.+-]+")
_CODE: Final = re.compile(r"[\s;|&$`'\"(){}<>\\]")
_TASKS: Final = frozenset(
    """npm pnpm yarn bun deno make gmake just task rake cargo go mvn gradle gradlew dotnet mix
    composer pytest tox nox invoke poe docker podman kubectl helm terraform gh brew apt apt-get
    pip uv""".split()
)
"""Programs whose plain words are names of tasks and things, not of programs."""
_PIECES: Final = re.compile(r"[\s=:,;'\"()\[\]{}<>|&]+")
_FINDS: Final = re.compile(r"\bfind\b")
_FILTERS: Final = re.compile(r"-i?(?:name|path|wholename|regex)\b")
"""Without one of these, `find` finds what is protected too."""

_PATH_TESTS: Final = frozenset("-name -iname -path -ipath -wholename".split())
_TESTS: Final = frozenset({"test", "[", "[["})
"""Whether a file is there is no secret to who may run commands at all."""

_SHOWING: Final = frozenset("mv vi vim nvim nano emacs ed ex code".split())
"""Programs that let be read what they change: an editor, or what moves it to another name."""

_FILLS: Final = frozenset({"git", "tar", "unzip", "patch"})
"""Programs that put many files where they belong, and name only the folder."""

_WILD: Final = re.compile(r"[*?\[]")
_DEVICES: Final = ("/dev/tcp/", "/dev/udp/")

_UNKNOWN_CHANGE: Final = asked("What it changes is only known when it runs.")


def refusals_of(
    matter: Matter, command: Command, deeds: Deeds, places: list[Place]
) -> Iterator[Ruling]:
    """Everything that speaks against a command."""
    if matter.book.rules:
        yield from _by_rules(matter, command, deeds, places)
    fills = command.name.rsplit("/", 1)[-1] in _FILLS
    for place in places:
        if place.kind not in _READS:
            yield from _always_asked(matter, deeds, place, fills=fills)
    yield from _by_name(command, places)
    if _is_unsure(command, deeds):
        words = " ".join(word.text for word in command.argv)
        whole = str(matter.call.input["command"])
        spelled = whole if command.fed else whole[command.start : command.end]
        named = named_in(words) or named_in(spelled) or folder_of(matter.call)
        if named is not None:
            yield _protected(named)


def _by_name(command: Command, places: list[Place]) -> Iterator[Ruling]:
    """A search that changes what it finds is judged by the names that it looks for too."""
    if command.name == "find" and any(place.kind not in _READS for place in places):
        words = [word.text for word in command.argv]
        for before, test, word in zip(words, words[1:], words[2:], strict=False):
            # What it is told to leave out is safe from it.
            if before not in {"-not", "!"} and test in _PATH_TESTS and may_name(word):
                yield _protected(word)


def _is_unsure(command: Command, deeds: Deeds) -> bool:
    """Whether a command may do more to files than its words were read to say."""
    return not (deeds.reading or command.wraps) and (not deeds.known or bool(deeds.escapes))


def _by_rules(
    matter: Matter, command: Command, deeds: Deeds, places: list[Place]
) -> Iterator[Ruling]:
    founds = [matter.book.shell(command.argv, matter.asker)] if command.argv else []
    tests, only = command.name in _TESTS, _only(command)
    founds += [it for place in places for it in _about_place(matter, place, only) if not tests]
    if command.name.rsplit("/", 1)[-1] in _SHOWING:
        shown = [evolve(it, kind=Kind.READ) for it in places if it.kind not in _READS]
        founds += [it for place in shown for it in _about_place(matter, place, only)]
    founds += [matter.book.host(host, matter.asker) for host in _hosts(deeds, places)]
    founds += [matter.book.effect(name, matter.asker) for name in _effects(deeds, places)]
    if _is_unsure(command, deeds):
        founds += [_in_words(matter, command), *_about_words(matter, command)]
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
        _WILD.search(name) or fnmatch.fnmatchcase(name.casefold(), pattern.casefold())
        for name in names
        for pattern in only
    )


def _about_place(matter: Matter, place: Place, only: list[str]) -> Iterator[Found]:
    what: Literal["read", "write"] = "read" if place.kind in _READS else "write"
    book, asker = matter.book, matter.asker
    if place.target is None:
        yield book.below(what, _ROOT, asker)
    elif place.pattern is not None:
        yield book.pattern(what, place.pattern, asker)
    else:
        yield book.path(what, place.target, asker)
    deep = place.kind is not Kind.LOOK and (place.tree or place.listed)
    if place.target is not None and deep and not _spares(matter, what, only):
        yield book.below(what, place.target, asker, hidden=place.hidden)


def _in_words(matter: Matter, command: Command) -> Found:
    """A command that is denied, in the words of a program that may run whatever it is told."""
    tasks = command.name.rsplit("/", 1)[-1] in _TASKS
    words = [word.text for word in command.argv[1:]]
    text = " ".join(it for it in words if not tasks or _CODE.search(it))
    told = f"{text} {matter.call.input['command']}" if command.fed else text
    found = matter.book.roughly(frozenset(_TOKENS.findall(told)), matter.asker)
    return Found(perhaps=found.deny or found.ask)


def _about_words(matter: Matter, command: Command) -> Iterator[Found]:
    """A path that is denied, in the words of a program of which nothing more is known."""
    if matter.book.below("read", _ROOT, matter.asker).perhaps is None and (
        matter.book.below("write", _ROOT, matter.asker).perhaps is None
    ):
        return
    pieces = {piece for word in command.argv[1:] for piece in _PIECES.split(word.text)}
    for piece in pieces:
        try:
            target = matter.facts.locate(piece, matter.call.cwd)
        except CallUnreadable:
            continue
        yield matter.book.path("read", target, matter.asker)
        yield matter.book.path("write", target, matter.asker)


def _hosts(deeds: Deeds, places: list[Place]) -> Iterator[str]:
    yield from deeds.hosts
    for place in places:
        for device in _DEVICES:
            if place.spelled.startswith(device):
                yield place.spelled.removeprefix(device).split("/")[0]


def _effects(deeds: Deeds, places: list[Place]) -> set[str]:
    """What the command does, in the words of rules about effects."""
    names = {"execute"}
    if any(_hosts(deeds, places)):
        names |= {"network", "external"}
    for place in places:
        kind = "read" if place.kind in _READS else "write"
        names |= {kind, "delete"} if place.kind is Kind.DELETE else {kind}
        if place.target is None or not place.target.inside:
            names |= {f"{kind}:outside"}
    return names


def _always_asked(matter: Matter, deeds: Deeds, place: Place, *, fills: bool) -> Iterator[Ruling]:
    target = place.target
    if target is None:
        yield _UNKNOWN_CHANGE
        return
    if target.resolved.startswith("/dev/"):
        yield evolve(asked(f"{target.shown} is a device."), grave=f"Writes to {target.shown}.")
    if place.pattern is not None:
        if may_name(place.pattern.spelled):
            yield _protected(place.spelled)
    elif not place.listed:
        named = change_of(target, fills=fills)
        if named is not None and not (deeds.catastrophic and matter.facts.holds(target)):
            yield _protected(named)
    if place.listed:
        text = str(matter.call.input["command"])
        if named_in(text) or (_FINDS.search(text) and not _FILTERS.search(text)):
            yield _protected(place.spelled)
    if deeds.catastrophic and (place.tree or place.emptied):
        yield from _catastrophe(matter, place, target)


def _catastrophe(matter: Matter, place: Place, target: Target) -> Iterator[Ruling]:
    whole = place.pattern is None or place.emptied
    if whole and not place.listed and (matter.facts.holds(target) or _is_top(target)):
        because = f"This reaches everything in {target.shown}, which is asked about in every mode."
        yield evolve(asked(because), grave=f"Removes or changes everything in {target.shown}.")


def _is_top(target: Target) -> bool:
    """Whether it is one of the folders that a system is made of."""
    return min(target.resolved.count("/"), (target.named or target.resolved).count("/")) <= 1


def _protected(place: str) -> Ruling:
    return evolve(
        asked(f"Changes to {place} are asked about in every mode."),
        grave=f"Can change what is allowed later: touches {place}.",
    )


_ROOT: Final = Target(spelled="/", resolved="/", inside=False, shown="/", named="/")
