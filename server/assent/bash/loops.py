"""Loops: what is known after going round any number of times."""

from collections.abc import Callable
from typing import Final

from attrs import evolve

from assent.bash.commands import Simple
from assent.bash.listed import is_below
from assent.bash.notes import Here
from assent.bash.record import record
from assent.bash.state import Flow, State, join, same
from assent.bash.word import Exact, Word

__all__ = ["around", "tell_names"]

_TURNS: Final = 3


def around(turn: Callable[[State], State | None], here: Here) -> Flow:
    """Read a loop, again with less known if going round changes what is known.

    `turn` reads the body once from what is known at its start, and gives what is known at its end.

    >>> from assent.bash.read import prepare
    >>> from assent.programs.reading import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> start = here.at(here.state.assigned("file", Exact(text="a")))
    >>> after, _ = around(lambda state: state.assigned("file", Exact(text="b")), start)
    >>> after.variables["file"].choices
    ('a', 'b')
    """
    record = here.notes.record
    commands, opaque = len(record.commands), len(record.opaque)
    with record.beside():
        return _turned(turn, here, commands, opaque)


def _turned(turn: Callable[[State], State | None], here: Here, commands: int, opaque: int) -> Flow:
    record, state = here.notes.record, here.state
    # Each round knows less, so this comes to rest; if it takes too long, next to nothing is known.
    for _ in range(_TURNS):
        left, known = len(record.left), len(record.functions)
        end = turn(state)
        for it in record.left[left:]:
            end = join(end, it)
        weaker = _weaker(state, end)
        # What is defined in a turn may be called in the next one, further up.
        if same(state, weaker) and len(record.functions) == known:
            return state, state
        # What was read with too much known is read anew.
        state = weaker
        del record.commands[commands:], record.opaque[opaque:]
    state = State(folders=None, functions=state.functions)
    turn(state)
    return state, state


def _weaker(state: State, end: State | None) -> State:
    """What is known at the start of every turn.

    A folder that changes by going round would have another way each time, so it is lost at once.
    """
    met = join(state, end) or state
    return met if met.folders == state.folders else evolve(met, folders=None)


def tell_names(found: list[Word], place: tuple[int, int], here: Here) -> None:
    """Write down that a loop goes through names of another folder, as `echo` would tell them.

    >>> from assent.bash.read import prepare
    >>> from assent.bash.word import Pattern
    >>> from assent.programs.reading import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> tell_names([Pattern(text="src/*"), Pattern(text="../*")], (0, 0), here)
    >>> [word.text for it in here.notes.record.commands for word in it.argv]
    ['echo', '../*']
    """
    away = tuple(it for it in found if it.glob and not is_below(it))
    if away:
        record(Simple(argv=(Exact(text="echo"), *away), start=place[0], end=place[1]), here)
