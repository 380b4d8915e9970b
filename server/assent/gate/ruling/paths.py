"""Where the paths of a shell command lead, as far as that is known before it runs.

A word may stand for one path, for several, or for one that nobody knows yet. Each is followed
from every folder in which the command may come to run.
"""

from collections.abc import Iterator
from typing import Any, Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Deeds, Kind, Touch
from assent.gate.ruling.destinations import (
    counts,
    from_top,
    is_harmless,
    is_split,
    led_away,
    led_by_names,
    pieces_of,
    target_of,
)
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.ruling.wildcards import (
    climbed,
    dotted,
    goes_deeper,
    has_glob,
    leads_anywhere,
    pattern_in,
    respelled,
    split_off,
)
from assent.gate.shell.script import Command, Redirect
from assent.gate.shell.word import Below, OneOf, Unknown, Word, word_of
from assent.gate.shell.word_sets import Made, comes_apart, filled
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.values import evolve, fields, frozen

__all__ = ["TESTS", "Place", "is_new", "places_of"]

TESTS: Final = frozenset({"test", "[", "[["})
"""Whether a file is there is no secret to who may run commands at all."""

_MAX_PATHS: Final = 100
"""How many paths of one command are followed."""


_MAX_DEPTH: Final = 200  # So many folders in each other nobody has.
_PIPES: Final = ("./<(", "./>(", "./=(")
"""How a word begins that stands for a pipe to or from other commands, and for no file."""

_EVERYTHING: Final = late(r"(?:\*+/)*(?:\*+(?:\.\*)?|\.\*|\{\*,\.\*\})|(?:\*+/)+")
"""Patterns that leave nothing out of a folder, or of the folders in it."""
_TOUCH: Final = tuple(field.name for field in fields(Touch))


_APPENDING: Final = frozenset({">>", "&>>"})
"""The redirects that leave what stands in a file."""


@frozen(kw_only=True)
class Place(Touch):
    """One path that a command touches, found."""

    target: Target | None
    """None where nobody knows yet where it leads."""
    listed: bool = False
    """Whether it is one of the names that are listed below the target."""
    by: tuple[tuple[Word, ...], ...] = ()
    """The commands that list it, by their words, where it is as they write it."""
    pattern: Target | None = None
    """What it may be, where it is a pattern: its absolute spelling stands in `named`."""
    emptied: bool = False
    """Whether it is all that a folder holds, which is as good as the folder."""
    redirect: bool = False
    """Whether the shell itself opens it, before the command runs."""

    @property
    def spelled(self) -> str:
        """The path as the command has it."""
        return self.word.text

    @property
    def lies(self) -> str:
        """Where it lies; nothing where nobody knows."""
        return "" if self.target is None else self.target.resolved

    @property
    def name(self) -> str:
        """What it is called there; nothing where nobody knows."""
        return self.lies.rpartition("/")[2]

    @property
    def piece(self) -> bool:
        """Whether it may be a piece of a name that has blanks."""
        return comes_apart(self.word)


def is_new(place: Place) -> bool:
    """Whether `mktemp` makes it at that moment, so that nothing was there before."""
    return place.listed and is_within(place.spelled, Made().text)


def places_of(
    context: RulingContext, command: Command, deeds: Deeds, folders: list[Target | None]
) -> list[Place]:
    """Each place that a command touches, from each folder."""
    touches = (*deeds.touches, *_glances(command, deeds))
    own = [place for touch in _at_most(touches) for place in _from_each(context, touch, folders)]
    opened = [
        evolve(place, redirect=True)
        for touch in _at_most(tuple(_opening(redirect) for redirect in command.redirects))
        for place in _from_each(context, touch, folders)
    ]
    return own + opened


def _glances(command: Command, deeds: Deeds) -> list[Touch]:
    """The words of a reading command, such as `echo`, that a shell makes names elsewhere of."""
    if not deeds.reading:
        return []
    wide = [word for word in command.argv[1:] if "/" in word.text and (word.glob or word.listed)]
    wide = [word for word in wide if word.glob or has_glob(word.text)]
    touched = {touch.word for touch in deeds.touches} if wide else ()
    return [Touch(kind=Kind.LOOK, word=word) for word in wide if word not in touched]


def _at_most(touches: tuple[Touch, ...]) -> Iterator[Touch]:
    """Each touch once; of more than anybody looks at, the rest counts as not known."""
    once = tuple(dict.fromkeys(touches)) if touches[1:] else touches
    yield from once[:_MAX_PATHS]
    for kind in (
        dict.fromkeys(touch.kind for touch in once[_MAX_PATHS:]) if once[_MAX_PATHS:] else ()
    ):
        yield Touch(kind=kind, word=Unknown(text="the rest of them"))


def _opening(redirect: Redirect) -> Touch:
    kind = Kind.WRITE if redirect.writes else Kind.READ
    return Touch(kind=kind, word=redirect.target, appends=redirect.operator in _APPENDING)


def _from_each(
    context: RulingContext, touch: Touch, folders: list[Target | None]
) -> Iterator[Place]:
    if touch.word.known and not touch.word.glob and is_harmless(touch.word.text):
        return
    if touch.word.splits and is_split(context, touch.word, folders):
        yield _found(touch, None)
        return
    written = touch.word.there
    for folder in folders:
        touch = evolve(touch, word=from_top(context, written, folder))
        for place in _places(context, touch, folder) if counts(context, touch, folder) else ():
            yield place
            # What a pattern stands for lies below the folder of the pattern.
            is_looked_through = place.pattern is not None or not touch.word.glob
            if touch.led and is_looked_through and place.target is not None and not is_new(place):
                yield from _behind_links(context, touch, place.target)


def _behind_links(context: RulingContext, touch: Touch, folder: Target) -> Iterator[Place]:
    """Where the links lead that it comes upon below a folder."""
    led = context.facts.led_below(folder)
    for target in (None,) if led is None else led:
        yield _found(touch, target)


def _places(context: RulingContext, touch: Touch, folder: Target | None) -> Iterator[Place]:
    word = touch.word
    if isinstance(word, OneOf):
        for choice in word.choices:
            one = word_of(choice, glob=word.glob)
            yield from _places(context, evolve(touch, word=one), folder)
    elif isinstance(word, Below) and not leads_anywhere(filled(word.text, number="*", name="*")):
        yield from _listed(context, touch, folder)
        yield from (_found(touch, piece) for piece in pieces_of(context, word, folder))
    elif not word.known:
        yield _found(touch, None)
    elif word.glob:
        yield from _matching(context, touch, folder)
    else:
        yield _found(touch, target_of(context, word.path, folder))


def _listed(context: RulingContext, touch: Touch, folder: Target | None) -> Iterator[Place]:
    """Names that come from a list: those of a pattern, or whatever lies below a folder."""
    if touch.word.text.startswith(_PIPES):
        return
    # A number within a name makes it another one.
    base, more, _ = filled(touch.word.text, number="…", name="…").partition("…")
    if not more and has_glob(base):
        yield from _matching(context, touch, folder)
        return
    below, _, begun = base.rpartition("/")
    if begun.startswith(".") and begun != ".":
        # A name that is begun like that may turn out to be any hidden one.
        yield _found(touch, None)
        return
    above = "/" if base.startswith("/") and not below else below or "."
    where = target_of(context, above, folder)
    yield _found(touch, where, listed=True, by=touch.word.by)
    # What is removed is a link itself.
    if touch.kind is not Kind.DELETE and where is not None and where.inside:
        yield from (_found(touch, target) for target in led_by_names(context, touch, where))
    if touch.kind is Kind.WRITE and not touch.word.by and folder is not None:
        yield from (_found(touch, target) for target in led_away(context, touch, folder))


def _matching(context: RulingContext, touch: Touch, folder: Target | None) -> Iterator[Place]:
    """What a pattern stands for now, and what it may come to stand for."""
    word, path = touch.word, touch.word.path
    base, last = split_off(path)
    # A program that looks through folders by itself takes no dots for a name.
    ups = [] if touch.stays else climbed(last, tree=touch.tree)
    if ".." in last.split("/") or len(ups) > 1 or path.count("/") > _MAX_DEPTH:
        # What a pattern stands for may be a link, and then nobody knows what is above it.
        yield _found(touch, None)
        return
    if ups:
        above = path[: len(path) - len(last)] + ups[0]
        yield from _places(context, evolve(touch, word=respelled(word, above)), folder)
    where = target_of(context, base, folder)
    pattern = None if where is None else pattern_in(where, last)
    if pattern is not None and leads_anywhere(pattern.named):
        yield _found(touch, None)
    if where is not None and not touch.stays and goes_deeper(context.call.input, last):
        yield from _behind_links(context, touch, where)
    for more in () if where is None else dotted(context.call.input, last):
        yield _found(touch, where, pattern=where and pattern_in(where, more))
    emptied = _EVERYTHING.fullmatch(last) is not None
    yield _found(touch, where, pattern=pattern, emptied=emptied)
    now = None if folder is None else context.facts.names(path, folder.resolved)
    if not now and where is not None:
        # A folder on the way may not be there yet, and then no pattern finds anything behind it.
        now = context.facts.names(last, where.resolved)
    for name in now or ():
        target = target_of(context, name, folder)
        if not (touch.stays and where is not None and _is_led_out(target, where)):
            yield _found(touch, target)


def _is_led_out(target: Target | None, folder: Target) -> bool:
    """Whether a name that is there below a folder is a link that leads out, or round."""
    return target is None or not target.resolved.startswith(f"{folder.resolved}/")


def _found(touch: Touch, target: Target | None, **more: Any) -> Place:
    """A touch with where it leads, and what more is known of it there."""
    told = {it: getattr(touch, it) for it in _TOUCH}
    return Place(**told, target=target, **more)
