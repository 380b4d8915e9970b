"""Where the paths of a shell command lead, as far as that can be told before it runs.

A word may stand for one path, for several, or for one that nobody knows yet. Each is followed
from every folder in which the command may come to run.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from assent.calls import Target
from assent.errors import CallUnreadable
from assent.policy.matter import Matter
from assent.policy.shell.deeds import Deeds, Kind, Touch
from assent.policy.shell.script import Command, Redirect, Word

__all__ = ["Place", "folders_of", "links_of", "places_of", "strays_of"]

_MOST: Final = 100
"""How many paths of one command are followed."""

_LEADING: Final = frozenset({"ln", "mv"})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_KEEPS_LINKS: Final = re.compile(r"-[A-Za-z]*[lsPadrR]|--(?:link|sym|arch|rec|no-d|pres|links)")
_HARMLESS: Final = frozenset(
    """/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/zero /dev/full /dev/random
    /dev/urandom""".split()
)
_PIPES: Final = ("./<(", "./>(", "./=(")
"""How a word begins that stands for a pipe to or from other commands, and for no file."""
_DESCRIPTOR: Final = re.compile(r"/dev/fd/[0-9]+")
_HOMES: Final = re.compile(r"\$\{?(?:HOME|OLDPWD)\b")
_PARTS: Final = re.compile(r"[=,]")
_PATH: Final = re.compile(r"(?:-[A-Za-z])?((?:/|~|\.\.(?=/|$)|[^\s:]*/\.\.(?=/|$))\S*)")
"""What leads away from the folder: a path from the root or a home, or one with `..` in it."""

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
        return [None]
    return [where for chain in command.folders for where in _ways(matter, chain)]


def places_of(
    matter: Matter,
    command: Command,
    deeds: Deeds,
    folders: list[Target | None],
    led: tuple[str, ...] = (),
) -> list[Place]:
    """Each place that a command touches, from each folder.

    What lies behind one of `led` is made by an earlier command, so nobody knows where it leads.
    """
    own = [it for touch in _at_most(deeds.touches) for it in _from_each(matter, touch, folders)]
    opened = [
        evolve(place, redirect=True)
        for touch in _at_most(tuple(_opening(it) for it in command.redirects))
        for place in _from_each(matter, touch, folders)
    ]
    found = own + opened
    return [_unled(place, led) for place in found] if led else found


def links_of(command: Command | None, places: tuple[Place, ...]) -> list[str]:
    """The paths that lead elsewhere once a command has run: links that it makes or moves."""
    if command is None or not _makes_links(command):
        return []
    changed = (place for place in places if place.kind in {Kind.WRITE, Kind.DELETE})
    return [place.target.resolved for place in changed if place.target is not None]


def _makes_links(command: Command) -> bool:
    """Whether links may come to lie where it writes."""
    name = command.name.rsplit("/", 1)[-1]
    flags = (word.text for word in command.argv[1:] if word.text.startswith("-"))
    return name in _LEADING or (name in _COPYING and any(_KEEPS_LINKS.match(it) for it in flags))


def _unled(place: Place, led: tuple[str, ...]) -> Place:
    target = place.target
    if target is None or not any(f"{target.resolved}/".startswith(f"{it}/") for it in led):
        return place
    return evolve(place, target=None)


def strays_of(
    matter: Matter, words: tuple[Word, ...], folders: list[Target | None]
) -> Iterator[Target]:
    """The paths outside the workspace among the words of a program of which no more is known."""
    paths = [path for word in words for path in _paths_in(word)]
    for path in paths:
        for folder in folders:
            target = _target(matter, path, folder)
            if target is not None and not target.inside and not _is_harmless(path):
                yield target


def _paths_in(word: Word) -> Iterator[str]:
    """What in a word leads away from the folder, such as the value of a flag or a variable."""
    if "://" in word.text or " " in word.text:
        return
    if not word.known and _HOMES.search(word.text):
        yield "~"
    for at, piece in enumerate(_PARTS.split(word.text)):
        found = _PATH.fullmatch(piece)
        if found is not None:
            own = found[1].startswith("~") and not (word.home or at)
            yield f"./{found[1]}" if own else found[1]


def _at_most(touches: tuple[Touch, ...]) -> Iterator[Touch]:
    """Each touch once; of more than anybody looks at, the rest counts as not known."""
    once = tuple(dict.fromkeys(touches))
    yield from once[:_MOST]
    for kind in dict.fromkeys(touch.kind for touch in once[_MOST:]):
        yield Touch(kind=kind, word=Word(text="the rest of them", known=False))


def _opening(redirect: Redirect) -> Touch:
    return Touch(kind=Kind.WRITE if redirect.writes else Kind.READ, word=redirect.target)


def _from_each(matter: Matter, touch: Touch, folders: list[Target | None]) -> Iterator[Place]:
    if touch.word.known and not touch.word.glob and _is_harmless(touch.word.text):
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


def _is_harmless(path: str) -> bool:
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
    base, more, _ = touch.word.text.partition("…")
    if not more and _has_glob(base):
        yield from _matching(matter, touch, folder)
        return
    below, _, begun = base.rpartition("/")
    if begun.startswith(".") and begun != ".":
        # A name that is begun like that may turn out to be any hidden one.
        yield _found(touch, None)
        return
    above = "/" if base.startswith("/") and not below else below or "."
    yield _found(touch, _target(matter, above, folder), listed=True)


def _place(matter: Matter, touch: Touch, folder: Target | None, word: Word) -> Place:
    return _found(touch, _target(matter, word.path, folder))


def _matching(matter: Matter, touch: Touch, folder: Target | None) -> Iterator[Place]:
    """What a pattern stands for now, and what it may come to stand for."""
    path = touch.word.path
    base, last = _split(path)
    if ".." in last.split("/"):
        # What a pattern stands for may be a link, and then nobody knows what is above it.
        yield _found(touch, None)
        return
    where = _target(matter, base, folder)
    pattern = None if where is None else _pattern(where, last)
    emptied = last in {"*", ".*", "**", "{*,.*}", "*.*"}
    yield _found(touch, where, pattern=pattern, emptied=emptied)
    looks = touch.kind is Kind.LOOK or folder is None
    now = None if looks or folder is None else matter.facts.names(path, folder.resolved)
    for name in now or ():
        yield _found(touch, _target(matter, name, folder))


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


def _target(matter: Matter, path: str, folder: Target | None) -> Target | None:
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
