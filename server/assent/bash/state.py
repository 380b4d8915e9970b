"""What is known, at one place of a script, of the folder, the variables and the functions.

Where two ways meet, only what both know is known: a folder may be either, a variable may be
either text, a function is there if both define it. `None` for a state is a place that cannot be
reached, such as what stands behind `exit`.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

from assent.bash.script import START as HERE
from assent.bash.script import Way, Word
from assent.text.patterns import late

__all__ = [
    "COUNT",
    "COUNTS",
    "LOST",
    "NUMBER",
    "START",
    "Flow",
    "Folders",
    "State",
    "as_number",
    "join",
    "merged",
    "same",
]

_DECIMAL: Final = late(r"0|[1-9]\d*", re.ASCII)
"""What begins with a nought is of base eight, and `08` is no number."""

Folders = tuple[Way, ...] | None

_MOST: Final = 8
"""So many texts at once; with more nothing is known."""
_MOST_WAYS: Final = 64
"""So many ways at once; most of them are none where a folder is there."""

_NOTHING: Final[Mapping[str, Word]] = MappingProxyType({})

NUMBER: Final = Word(text="./0", known=False, listed=True)
"""Some number, such as the status of a command. As a path it is a name in the folder, and it
begins with no dash, which is what its text says of a listed word."""
COUNT: Final = evolve(NUMBER, empty=True)
"""The same of a command that counts; it may fail, and then there is nothing."""

COUNTS: Final = frozenset("RANDOM LINENO SECONDS PPID UID EUID".split())
"""What the shell keeps a number in, as long as nobody takes that meaning from it."""

_OWN: Final = (
    frozenset(
        "_ MAPFILE PIPESTATUS DIRSTACK FUNCNAME GROUPS OPTIND COPROC HISTCMD BASHPID SRANDOM "
        "EPOCHSECONDS EPOCHREALTIME".split()
    )
    | COUNTS
)
"""What the shell itself gives values to, whatever is assigned."""


@frozen(kw_only=True)
class State:
    """What is known at one place.

    >>> known = START.assigned("name", Word(text="notes")).assigned("RANDOM", Word(text="1"))
    >>> sorted(known.variables)  # The shell gives `RANDOM` another value each time.
    ['name']
    """

    folders: Folders = HERE
    variables: Mapping[str, Word] = _NOTHING
    functions: frozenset[str] = frozenset()

    def assigned(self, name: str, value: Word | None) -> "State":
        """After an assignment; nothing is known of the variable without a value."""
        variables = dict(self.variables)
        told = value is not None and (
            value.known or bool(value.choices) or value.listed or value.by_top
        )
        if value is None or not told or name in _OWN:
            variables.pop(name, None)
        else:
            variables[name] = value
        return evolve(self, variables=variables)

    def left(self) -> "State":
        """After its folder was left: a variable with its path is dropped, `$PWD` is another now."""
        kept = {
            name: word
            for name, word in self.variables.items()
            if not (word.by_folder or word.by_top)
        }
        return evolve(self, variables=kept)


Flow = tuple[State | None, State | None]
"""What is known after a command that did well, and after one that failed."""

START: Final = State()
LOST: Final = State(folders=None)
"""Nothing is known."""


def join(one: State | None, other: State | None) -> State | None:
    """What is known where two ways meet.

    >>> one = START.assigned("x", Word(text="a")).assigned("y", Word(text="a"))
    >>> other = START.assigned("x", Word(text="b"))
    >>> met = join(one, other)
    >>> met.variables["x"].choices, "y" in met.variables
    (('a', 'b'), False)
    >>> join(one, None) is one  # No way leads from the other to here.
    True
    """
    if one is other or other is None:
        return one
    if one is None:
        return other
    return State(
        folders=_either(one.folders, other.folders),
        variables=_both(one.variables, other.variables),
        functions=one.functions & other.functions,
    )


def same(one: State | None, other: State | None) -> bool:
    """Whether nothing changed between the two, functions apart.

    >>> same(START, State()), same(START, START.assigned("x", Word(text="a")))
    (True, False)
    """
    if one is other or one is None or other is None:
        return True
    return one.folders == other.folders and one.variables == other.variables


def as_number(word: Word) -> bool:
    """Whether this is surely a whole number.

    >>> [as_number(it) for it in (NUMBER, Word(text="12"), Word(text="08"), Word(text="a"))]
    [True, True, False, False]
    """
    if word is NUMBER or (word.listed and word.text == NUMBER.text):
        return True
    texts = (word.text,) if word.known else word.choices
    return bool(texts) and all(map(_DECIMAL.fullmatch, texts))


def _either(one: Folders, other: Folders) -> Folders:
    if one == other:
        return one
    if one is None or other is None:
        return None
    return merged((*one, *other))


def merged(ways: Iterable[Way]) -> Folders:
    """Each way once; None where there are too many to follow.

    >>> len(merged([Way(), Way(), Way(steps=("src",))]))
    2
    >>> merged(Way(steps=(str(it),)) for it in range(100)) is None
    True
    """
    found = tuple(dict.fromkeys(ways))
    return found if len(found) <= _MOST_WAYS else None


def _both(one: Mapping[str, Word], other: Mapping[str, Word]) -> Mapping[str, Word]:
    if one is other:
        return one
    met = {name: _meet(one[name], other[name]) for name in one.keys() & other.keys()}
    return {name: word for name, word in met.items() if word is not None}


def _meet(one: Word, other: Word) -> Word | None:
    if one == other:
        return one
    if as_number(one) and as_number(other):
        return COUNT if one.empty or other.empty else NUMBER
    if one.listed and other.listed and one.text == other.text:
        by = one.by if one.by == other.by else ()
        several, empty = one.several or other.several, one.empty or other.empty
        return evolve(one, several=several, empty=empty, by=by)
    if one.home or other.home or one.glob or other.glob:
        return None
    texts = dict.fromkeys((*_texts(one), *_texts(other)))
    if not _texts(one) or not _texts(other) or len(texts) > _MOST:
        return None
    return Word(text=one.text, known=False, choices=tuple(texts))


def _texts(word: Word) -> tuple[str, ...]:
    return (word.text,) if word.known else word.choices
