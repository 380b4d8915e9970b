"""Whether a listing surely names no protected place, and not so much that nothing is left.

A listing is judged by the commands that wrote it. What they may come upon in a protected folder
that is there now counts against it, and so does every name below that may be a protected one.
"""

import posixpath
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Kind
from assent.gate.programs.find_tests import EMPTY, GENERIC, Sample, may_stand_for
from assent.gate.programs.listed_names import Choice, choice_of, is_whole
from assent.gate.ruling.paths import Place
from assent.gate.ruling.protected import change_of, may_name
from assent.gate.ruling.protected_names import FILES, FOLDERS, GIT, IN_GIT, PARENTS, PROGRAMS
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import filled
from assent.gate.values import evolve

__all__ = ["is_choice", "spares"]

_Listing = tuple[tuple[Word, ...], ...]

_WITHIN: Final = tuple(
    f"{folder}/{name}"
    for folder, names in {
        ".vscode": "settings.json tasks.json launch.json extensions.json mcp.json",
        ".claude": "settings.json settings.local.json CLAUDE.md",
        ".devcontainer": "devcontainer.json Dockerfile",
        ".github/workflows": "ci.yml ci.yaml",
        ".husky": "pre-commit pre-push commit-msg",
        ".git/hooks": "pre-commit pre-push commit-msg post-checkout post-merge",
        ".git/info": "exclude attributes grafts",
        ".ssh": "config authorized_keys known_hosts id_rsa id_ed25519",
        ".codex": "config.toml AGENTS.md",
    }.items()
    for name in names.split()
)
"""What some of the files are called that lie in protected folders."""

_BUNDLE: Final = "x.code-workspace"
_PATHS: Final = tuple(
    dict.fromkeys(
        (
            *FOLDERS,
            *PROGRAMS,
            *FILES,
            GIT,
            *IN_GIT,
            *_WITHIN,
            *(parent for parent in PARENTS if parent[1:]),
            _BUNDLE,
        )
    )
)
_SEEN: Final = ("*.code-workspace", *(file for file in FILES if not file.startswith(".")))
"""Patterns of protected names without a dot before them."""
_MAX_DEPTH: Final = 5
_DIGIT: Final = "0"


def spares(context: RulingContext, place: Place, target: Target, *, fills: bool = False) -> bool:
    """Whether no protected place is among the names that are listed below a folder.

    What fills the workspace with its own files, as version control does, may fill all of it.
    """
    top = _is_top(context, target) and not (fills and target.shown == ".")
    fails = EMPTY if place.kind is Kind.DELETE else frozenset[str]()
    if not (fills and target.shown == ".") and _may_be_started(context, place, target, fails):
        return False
    if not place.by:
        return not may_name(_pattern(place)) and not (top and _may_be_protected(place))
    choice = choice_of(place.by, is_whole) if top else choice_of(place.by)
    if choice is None:
        return False
    mentioned = any(map(may_name, choice.mentions))
    if not (top or mentioned):
        return True
    if top and any(map(may_name, choice.roots)):
        return False
    if not top or (choice.hidden and not choice.there):
        context.budget.spend(len(_PATHS) * sum(map(len, place.by)) // 2)
        above = [evolve(sample, fails=fails) for sample in _above(context, target)]
        held = {sample.name for sample in above if choice.may_hold(sample)}
        held |= _held(place.by, fails, top=top, sure=target.shown == ".")
        if not top:
            return not held
        if not held.isdisjoint(sample.name for sample in above) or _may_lie_below(
            context, target, held
        ):
            return False
    return not any(_met(context, choice, target, fails))


def _may_be_started(
    context: RulingContext, place: Place, target: Target, fails: frozenset[str]
) -> bool:
    """Whether a program that is started later may be among the names."""
    started, sure = context.facts.started_in(target), target.shown == "."
    if not started or not place.by:
        names = map(posixpath.basename, started)
        return any(may_stand_for(_tail(place), name) is not False for name in names)
    choice = choice_of(place.by)
    each = (
        Sample(name=posixpath.basename(it), path=it if sure else None, fails=fails)
        for it in started
    )
    return choice is None or any(map(choice.may_hold, each))


def is_choice(context: RulingContext, place: Place, target: Target) -> bool:
    """Whether the names are surely not all that there are."""
    if not place.by:
        tail = _tail(place)
        return not any(may_stand_for(tail, sample.name) is not False for sample in GENERIC)
    choice = choice_of(place.by, is_whole)
    if choice is None or any(_opens(context, it, target) for it in choice.opened):
        return False
    return choice.content or not any(map(choice.may_hold, (*GENERIC, *_above(context, target))))


def _may_lie_below(context: RulingContext, target: Target, names: set[str]) -> bool:
    """Whether a protected path of such a name may lie there, and no other that is called alike."""

    def lies(found: set[str]) -> bool:
        return bool(found) and context.facts.lies_below(target.resolved, found)

    paths = (path.strip("/").split("/") for path in _PATHS)
    return lies(names) and any(
        all(lies({part}) for part in parts) for parts in paths if parts[-1] in names
    )


def _is_top(context: RulingContext, target: Target) -> bool:
    """Whether protected places lie right below a folder."""
    return change_of(target) is not None or context.facts.holds(target)


def _pattern(place: Place) -> str:
    """What a name that is put together may be, as a pattern."""
    return filled(place.spelled, number=_DIGIT, name="*").removeprefix("./")


def _tail(place: Place) -> str:
    """The same, from the first part on of which not all is known."""
    # Both are the same up to there; a number is no more known than a name.
    pattern, unsure = _pattern(place), filled(place.spelled, number="*", name="*")
    unsure = unsure.removeprefix("./")
    wild = min((at for it in "*?[" if (at := unsure.find(it)) >= 0), default=len(unsure))
    return pattern[unsure.rfind("/", 0, wild) + 1 :]


def _may_be_protected(place: Place) -> bool:
    """Whether what is put together may be a protected name in the folder."""
    tail = _tail(place)
    # What is listed may be a protected folder, and then everything in it is protected.
    folder, inner, _ = tail.rpartition("*/")
    tails = (tail, f"{folder}*") if inner else (tail,)
    return any(may_stand_for(tail, path) is not False for tail in tails for path in _PATHS)


@lru_cache(maxsize=32)
def _held(by: _Listing, fails: frozenset[str], *, top: bool, sure: bool) -> frozenset[str]:
    """The protected names that may be among those that are listed in a folder."""
    choice = choice_of(by, is_whole) if top else choice_of(by)
    named = ((posixpath.basename(path), path if sure else None) for path in _PATHS)
    samples = (Sample(name=name, path=path, fails=fails) for name, path in named)
    return frozenset(
        sample.name for sample in samples if choice is not None and choice.may_hold(sample)
    )


def _above(context: RulingContext, target: Target) -> Iterator[Sample]:
    """The folder itself, and those that lie in it and hold the workspace or the home."""
    sure = target.shown == "."
    yield Sample(name=".", path="." if sure else None)
    for path in ("~", context.call.cwd):
        held = context.located(path, context.call.cwd)
        kept = "" if held is None else held.resolved
        if kept and f"{kept}/".startswith(f"{target.resolved.rstrip('/')}/"):
            names = (posixpath.basename(target.resolved), *kept[len(target.resolved) :].split("/"))
            yield from (Sample(name=name, path=name if sure else None) for name in names if name)


def _met(
    context: RulingContext, choice: Choice, target: Target, fails: frozenset[str]
) -> Iterator[Sample | None]:
    """What is there of protected files and may be among the names; None where that is unclear."""
    levels = [[it] for it in _SEEN]
    if choice.hidden:
        levels += _levels(context, choice, target)
    for level in levels:
        for pattern in level:
            names = context.facts.names(pattern, target.resolved)
            if names is None:
                yield None
            for name in names or ():
                path = posixpath.normpath(name)[len(target.resolved) :].lstrip("/")
                sample = Sample(name=posixpath.basename(path), path=path, fails=fails)
                if choice.may_hold(sample):
                    yield sample
            if not names:
                break


def _levels(context: RulingContext, choice: Choice, target: Target) -> list[list[str]]:
    """Patterns of what lies in the protected folders that are there, each deeper than the last."""
    hidden = context.facts.names(".*", target.resolved)
    if hidden is None:
        return [["*"]]
    there = {posixpath.basename(it).casefold(): posixpath.basename(it) for it in hidden}
    levels = [[there[file]] for file in FILES if file in there and choice.there]
    for folder in FOLDERS:
        first, _, rest = folder.partition("/")
        if first in there:
            inner = posixpath.join(there[first], _in_any_case(rest)).rstrip("/")
            levels.append([f"{inner}/.*"])
            levels.append([f"{inner}{'/*' * depth}" for depth in range(1, _MAX_DEPTH + 1)])
    return levels


def _in_any_case(name: str) -> str:
    return "".join(f"[{it}{it.upper()}]" if it.isalpha() else it for it in name)


def _opens(context: RulingContext, pattern: str, folder: Target) -> bool:
    """Whether a pattern stands for a folder now, whose files would be listed without its name."""
    return context.facts.names(f"{pattern.rstrip('/')}/", folder.resolved) != ()
