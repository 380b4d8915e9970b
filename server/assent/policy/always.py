"""The questions that a shell command raises in every mode, whatever rule or bypass there is.

Changes to protected places, by whatever name they come to be changed; removals that leave nothing;
changes of which nobody knows yet where they lead.
"""

import fnmatch
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from assent.calls import Target
from assent.policy.matter import Matter, asked
from assent.policy.patterns import late
from assent.policy.protected import change_of, folder_of, git_folders, lies_in, may_name, named_in
from assent.policy.shell.deeds import Deeds
from assent.policy.shell.script import Command
from assent.policy.touching import Place
from assent.policy.verdicts import Ruling

__all__ = ["always_asked", "is_unsure"]

_FILLS: Final = frozenset({"git", "tar", "unzip", "patch"})
"""Programs that put many files where they belong, and name only the folder."""

_FINDS: Final = late(r"\bfind\b")
_FILTERS: Final = late(r"-i?(?:name|path|wholename|regex)\b")
"""Without one of these, `find` finds what is protected too."""

_WANTED: Final = late(r"-i?name\s+['\"]?([^'\"\s]+)")
_INNER: Final = tuple("config hooks settings.json settings.local.json tasks.json mcp.json".split())
"""What some of the files are called that lie in protected folders."""

_GREPS: Final = late(r"\b(?:[efr]|rip|git )?grep\b|\brg\b|\bfd\b")
"""What lists a choice of names and not all of them."""

_PATH_TESTS: Final = frozenset("-name -iname -path -ipath -wholename".split())

_UNKNOWN: Final = asked("What it changes is only known when it runs.")


def always_asked(
    matter: Matter, command: Command, deeds: Deeds, places: list[Place]
) -> Iterator[Ruling]:
    """All of them that a command raises."""
    fills = command.program in _FILLS
    changed = [place for place in places if place.kind.changes]
    for place in changed:
        if place.target is None:
            yield _UNKNOWN
        else:
            yield from _of_place(matter, deeds, place, place.target, fills=fills)
    if changed and command.name == "find":
        yield from _of_search(command)
    if is_unsure(command, deeds):
        yield from _of_words(matter, command)


def is_unsure(command: Command, deeds: Deeds) -> bool:
    """Whether a command may do more to files than its words were read to say."""
    return not (deeds.reading or command.wraps) and (not deeds.known or bool(deeds.escapes))


def _of_place(
    matter: Matter, deeds: Deeds, place: Place, target: Target, *, fills: bool
) -> Iterator[Ruling]:
    if target.resolved.startswith("/dev/"):
        yield evolve(asked(f"{target.shown} is a device."), grave=f"Writes to {target.shown}.")
    named = _named(matter, deeds, place, target, fills=fills)
    if named is not None:
        yield _protected(named)
    if deeds.catastrophic and _is_whole(matter, place, target):
        because = f"This reaches everything in {target.shown}, which is asked about in every mode."
        yield evolve(asked(because), grave=f"Removes or changes everything in {target.shown}.")


def _named(
    matter: Matter, deeds: Deeds, place: Place, target: Target, *, fills: bool
) -> str | None:
    """The protected place that is changed, or may be among what is changed."""
    if place.pattern is not None:
        return place.spelled if lies_in(target) or may_name(place.pattern.shown) else None
    if place.listed:
        text = str(matter.call.input["command"])
        finds = _FINDS.search(text) and (not _FILTERS.search(text) or _looks_for_any(text))
        return place.spelled if lies_in(target) or named_in(text) or finds else None
    named = change_of(target, fills=fills)
    if named is None and any(map(matter.facts.keeps_git, git_folders(target))):
        named = target.shown
    return None if deeds.catastrophic and matter.facts.holds(target) else named


def _looks_for_any(text: str) -> bool:
    """Whether a search looks for a name that protected files have."""
    wanted = (it for it in _WANTED.findall(text) if not it.startswith("*"))
    return any(fnmatch.fnmatchcase(name, it) for it in wanted for name in _INNER)


def _is_whole(matter: Matter, place: Place, target: Target) -> bool:
    """Whether all of a home, a workspace or a system is reached."""
    if not (place.tree or place.emptied or place.listed):
        return False
    if place.listed:
        text = str(matter.call.input["command"])
        chosen = _FILTERS.search(text) or _GREPS.search(text)
        return not chosen and matter.facts.holds(target)
    whole = place.pattern is None or place.emptied
    return whole and (matter.facts.holds(target) or _is_top(target))


def _is_top(target: Target) -> bool:
    """Whether it is one of the folders that a system is made of."""
    return min(target.resolved.count("/"), (target.named or target.resolved).count("/")) <= 1


def _of_search(command: Command) -> Iterator[Ruling]:
    """A search that changes what it finds is judged by the names that it looks for."""
    words = [word.text for word in command.argv]
    for before, test, word in zip(words, words[1:], words[2:], strict=False):
        # What it is told to leave out is safe from it.
        if before not in {"-not", "!"} and test in _PATH_TESTS and may_name(word):
            yield _protected(word)


def _of_words(matter: Matter, command: Command) -> Iterator[Ruling]:
    """A protected name among the words of a program of which no more is known."""
    words = " ".join(word.text for word in command.argv)
    whole = str(matter.call.input["command"])
    spelled = whole if command.fed else whole[command.start : command.end]
    named = named_in(words) or named_in(spelled) or folder_of(matter.call)
    if named is not None:
        yield _protected(named)


def _protected(place: str) -> Ruling:
    return evolve(
        asked(f"Changes to {place} are asked about in every mode."),
        grave=f"Can change what is allowed later: touches {place}.",
    )
