"""Where the paths of a shell command lead, as far as that can be told before it runs.

A word may stand for one path, for several, or for one that nobody knows yet. Each is followed
from assent.policy.patterns import late
from every folder in which the command may come to run.
"""

import posixpath
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from assent.calls import Target
from assent.errors import CallUnreadable
from assent.policy.matter import Matter
from assent.policy.patterns import late
from assent.policy.shell.deeds import Deeds, Kind, Touch
from assent.policy.shell.script import Command, Redirect, Word

__all__ = ["TESTS", "Place", "folders_of", "is_harmless", "places_of", "target_of"]

TESTS: Final = frozenset({"test", "[", "[["})
"""Whether a file is there is no secret to who may run commands at all."""

_MOST: Final = 100
"""How many paths of one command are followed."""

_HARMLESS: Final = frozenset(
    """/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/zero /dev/full /dev/random
    /dev/urandom""".split()
)
_PIPES: Final = ("./<(", "./>(", "./=(")
"""How a word begins that stands for a pipe to or from other commands, and for no file."""
_NUMBER: Final = "./0"
"""What the reader puts where a number stands that only running would tell."""

_DESCRIPTOR: Final = late(r"/dev/fd/[0-9]+")
_GLOBS: Final = "*?["


@frozen(kw_only=True)
class Place:
    """One path that a command touches, found."""

    kind: Kind
    spelled: str
    target: Target | None
    """None where nobody knows yet where it leads."""
    tree: bool = False
    hidden: bool = True
    listed: bool = False
    """Whether it is one of the names that are listed below the target."""
    pattern: Target | None = None
    """What it may be, where it is a pattern: its absolute spelling stands in `named`."""
    emptied: bool = False
    """Whether it is all that a folder holds, which is as good as the folder."""
    redirect: bool = False
    """Whether the shell itself opens it, before the command runs."""


def folders_of(matter: Matter, command: Command) -> list[Target | None]:
    """The folders in which a command may run; None for one that nobody knows."""
    if command.folders is None:
        # It may be the call's own as well, so that what is denied there is denied.
        return [None, *_ways(matter, ())]
    return [where for chain in command.folders for where in _ways(matter, chain)]


def places_of(
    matter: Matter, command: Command, deeds: Deeds, folders: list[Target | None]
) -> list[Place]:
    """Each place that a command touches, from each folder."""
    own = [it for touch in _at_most(deeds.touches) for it in _from_each(matter, touch, folders)]
    opened = [
        evolve(place, redirect=True)
        for touch in _at_most(tuple(_opening(it) for it in command.redirects))
        for place in _from_each(matter, touch, folders)
    ]
    return own + opened


def _at_most(touches: tuple[Touch, ...]) -> Iterator[Touch]:
    """Each touch once; of more than anybody looks at, the rest counts as not known."""
    once = tuple(dict.fromkeys(touches))
    yield from once[:_MOST]
    for kind in dict.fromkeys(touch.kind for touch in once[_MOST:]):
        yield Touch(kind=kind, word=Word(text="the rest of them", known=False))


def _opening(redirect: Redirect) -> Touch:
    return Touch(kind=Kind.WRITE if redirect.writes else Kind.READ, word=redirect.target)


def _from_each(matter: Matter, touch: Touch, folders: list[Target | None]) -> Iterator[Place]:
    if touch.word.known and not touch.word.glob and is_harmless(touch.word.text):
        return
    for folder in folders:
        yield from _places(matter, touch, folder)


def _ways(matter: Matter, chain: tuple[str, ...]) -> list[Target | None]:
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


def is_harmless(path: str) -> bool:
    """Whether reading or writing it touches no file."""
    return path in _HARMLESS or _DESCRIPTOR.fullmatch(path) is not None


def _places(matter: Matter, touch: Touch, folder: Target | None) -> Iterator[Place]:
    word = touch.word
    if word.choices:
        for choice in word.choices:
            yield _place(matter, touch, folder, Word(text=choice))
    elif word.listed:
        yield from _listed(matter, touch, folder)
    elif not word.known:
        yield _found(touch, None)
    elif word.glob:
        yield from _matching(matter, touch, folder)
    else:
        yield _place(matter, touch, folder, word)


def _listed(matter: Matter, touch: Touch, folder: Target | None) -> Iterator[Place]:
    """Names that come from a list: those of a pattern, or whatever lies below a folder."""
    if touch.word.text.startswith(_PIPES):
        return
    # A number within a name makes it another one.
    base, more, _ = touch.word.text.replace(_NUMBER, "…").partition("…")
    if not more and _has_glob(base):
        yield from _matching(matter, touch, folder)
        return
    below, _, begun = base.rpartition("/")
    if begun.startswith(".") and begun != ".":
        # A name that is begun like that may turn out to be any hidden one.
        yield _found(touch, None)
        return
    above = "/" if base.startswith("/") and not below else below or "."
    yield _found(touch, target_of(matter, above, folder), listed=True)


def _place(matter: Matter, touch: Touch, folder: Target | None, word: Word) -> Place:
    return _found(touch, target_of(matter, word.path, folder))


def _matching(matter: Matter, touch: Touch, folder: Target | None) -> Iterator[Place]:
    """What a pattern stands for now, and what it may come to stand for."""
    path = touch.word.path
    base, last = _split(path)
    if ".." in last.split("/"):
        # What a pattern stands for may be a link, and then nobody knows what is above it.
        yield _found(touch, None)
        return
    where = target_of(matter, base, folder)
    pattern = None if where is None else _pattern(where, last)
    emptied = last in {"*", ".*", "**", "{*,.*}", "*.*"}
    yield _found(touch, where, pattern=pattern, emptied=emptied)
    looks = touch.kind is Kind.LOOK or folder is None
    now = None if looks or folder is None else matter.facts.names(path, folder.resolved)
    for name in now or ():
        yield _found(touch, target_of(matter, name, folder))


def _split(path: str) -> tuple[str, str]:
    """A pattern's folder, as far as it is plain, and the rest."""
    first = min(path.find(sign) for sign in _GLOBS if sign in path) if _has_glob(path) else 0
    cut = path.rfind("/", 0, first) + 1
    return path[:cut] or ".", path[cut:]


def _has_glob(path: str) -> bool:
    return any(sign in path for sign in _GLOBS)


def _pattern(where: Target, rest: str) -> Target:
    named = posixpath.join(where.resolved, rest)
    shown = rest if where.shown == "." else posixpath.join(where.shown, rest)
    return Target(
        spelled=rest, resolved=named, inside=where.inside, shown=shown, own=where.own, named=named
    )


def target_of(matter: Matter, path: str, folder: Target | None) -> Target | None:
    """Where a path leads from a folder; None where that cannot be told."""
    rooted = path.startswith(("/", "~"))
    if folder is None and not rooted:
        return None
    try:
        return matter.facts.locate(path, folder.resolved if folder else "/")
    except CallUnreadable:
        return None


def _found(
    touch: Touch,
    target: Target | None,
    *,
    listed: bool = False,
    pattern: Target | None = None,
    emptied: bool = False,
) -> Place:
    return Place(
        kind=touch.kind,
        spelled=touch.word.text,
        target=target,
        tree=touch.tree,
        hidden=touch.hidden,
        listed=listed,
        pattern=pattern,
        emptied=emptied,
    )
