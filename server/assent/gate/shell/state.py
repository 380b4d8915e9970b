"""What is known of folder, variables and functions at one place of a script.

Where two ways meet, only what both know is known: a folder may be either, a variable may be
either text, a function is there if both define it. `None` for a state is a place that cannot be
reached, such as what stands behind `exit`.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from assent.gate.shell.anchored_paths import InFolder, InTop
from assent.gate.shell.script import START as HERE
from assent.gate.shell.script import Assignment, Way
from assent.gate.shell.word import Below, Items, Phrase, Unknown, Word, one_of
from assent.gate.shell.word_sets import Number, as_number, moved
from assent.gate.values import evolve, frozen

__all__ = [
    "COUNTS",
    "LAST",
    "LOST",
    "START",
    "Flow",
    "Folders",
    "State",
    "job_in",
    "join",
    "merged",
    "same",
]

Folders = tuple[Way, ...] | None

_MAX_TEXTS: Final = 8
"""So many texts at once; with more nothing is known."""
_MAX_WAYS: Final = 64
"""So many ways at once; most of them are none where a folder is there."""

_NOTHING: Final[Mapping[str, Word]] = MappingProxyType({})

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


LAST: Final = frozenset(("$!", '"$!"'))
"""How the number of what was started last is spelled."""


def job_in(name: str) -> str:
    """Under which name it is kept that a variable holds the number of a job.

    >>> from assent.gate.shell.word import Unknown
    >>> job_in("pid") in START.assigned("pid", Unknown(text="$!")).variables
    True
    """
    return f"{name}!"


@frozen(kw_only=True)
class State:
    """What is known at one place.

    >>> from assent.gate.shell.word import Exact
    >>> known = START.assigned("name", Exact(text="notes")).assigned("RANDOM", Exact(text="1"))
    >>> sorted(known.variables)  # The shell gives `RANDOM` another value each time.
    ['name']
    """

    folders: Folders = HERE
    variables: Mapping[str, Word] = _NOTHING
    functions: frozenset[str] = frozenset()

    def assigned(self, name: str, value: Word | None) -> "State":
        """After an assignment; nothing is known of the variable without a value."""
        variables = dict(self.variables)
        variables.pop(f"{name}[@]", None)
        variables.pop(job_in(name), None)
        if isinstance(value, Unknown) and value.text in LAST:
            variables[job_in(name)] = Number()
        if isinstance(value, Items):
            variables[f"{name}[@]"] = value.each or Phrase(text=" ".join(value.items))
        if value is None or isinstance(value, Unknown) or name in _OWN:
            variables.pop(name, None)
        else:
            variables[name] = value
        return evolve(self, variables=variables)

    def given(self, assignments: Iterable[Assignment]) -> "State":
        """After these assignments, one after the other."""
        state = self
        for assignment in assignments:
            state = state.assigned(
                assignment.name, None if assignment.appended else assignment.value
            )
        return state

    def left(self) -> "State":
        """After its folder was left: a variable with its path is dropped, `$PWD` is another now.

        What a pattern found there is any name from now on: here it would find others.
        """
        kept = {
            name: there
            for name, word in self.variables.items()
            if not isinstance(word, InFolder | InTop) and (there := moved(word))
        }
        return evolve(self, variables=kept)


Flow = tuple[State | None, State | None]
"""What is known after a command that did well, and after one that failed."""

START: Final = State()
LOST: Final = State(folders=None)
"""Nothing is known."""


def join(state: State | None, other: State | None) -> State | None:
    """What is known where two ways meet.

    >>> from assent.gate.shell.word import Exact
    >>> one = START.assigned("x", Exact(text="a")).assigned("y", Exact(text="a"))
    >>> other = START.assigned("x", Exact(text="b"))
    >>> met = join(one, other)
    >>> met.variables["x"].choices, "y" in met.variables
    (('a', 'b'), False)
    >>> join(one, None) is one  # No way leads from the other to here.
    True
    """
    if state is other or other is None:
        return state
    if state is None:
        return other
    return State(
        folders=_either(state.folders, other.folders),
        variables=_both(state.variables, other.variables),
        functions=state.functions & other.functions,
    )


def same(state: State | None, other: State | None) -> bool:
    """Whether nothing changed between the two, functions apart.

    >>> from assent.gate.shell.word import Exact
    >>> same(START, State()), same(START, START.assigned("x", Exact(text="a")))
    (True, False)
    """
    if state is other or state is None or other is None:
        return True
    return state.folders == other.folders and state.variables == other.variables


def _either(folders: Folders, other: Folders) -> Folders:
    if folders == other:
        return folders
    if folders is None or other is None:
        return None
    return merged((*folders, *other))


def merged(ways: Iterable[Way]) -> Folders:
    """Each way once; None where there are too many to follow.

    >>> len(merged([Way(), Way(), Way(steps=("src",))]))
    2
    >>> merged(Way(steps=(str(it),)) for it in range(100)) is None
    True
    """
    found = tuple(dict.fromkeys(ways))
    return found if len(found) <= _MAX_WAYS else None


def _both(one: Mapping[str, Word], other: Mapping[str, Word]) -> Mapping[str, Word]:
    if one is other:
        return one
    met = {name: _meet(one[name], other[name]) for name in one.keys() & other.keys()}
    return {name: word for name, word in met.items() if word is not None}


def _meet(word: Word, other: Word) -> Word | None:
    if word == other:
        return word
    if isinstance(word, Phrase) or isinstance(other, Phrase):
        # An array that has no items, and the same with some.
        rest = next((it for it in (word, other) if type(it) is Below), None)
        return rest if "" in (word.text, other.text) else None
    if as_number(word) and as_number(other):
        return Number(empty=True) if word.empty or other.empty else Number()
    if isinstance(word, Below) and type(word) is type(other) and word.text == other.text:
        by = word.by if word.by == other.by else ()
        several, empty = word.several or other.several, word.empty or other.empty
        split = word.split or (isinstance(other, Below) and other.split)
        return evolve(word, several=several, empty=empty, by=by, split=split)
    if word.home or other.home or word.glob or other.glob:
        return None
    texts = dict.fromkeys((*word.texts, *other.texts))
    if not word.texts or not other.texts or len(texts) > _MAX_TEXTS:
        return None
    return one_of(tuple(texts))
