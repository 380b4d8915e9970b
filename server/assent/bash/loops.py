"""Loops: what their variable holds, and what is known after going round any number of times."""

from collections.abc import Callable
from typing import Final

from attrs import evolve

from assent.bash.commands import Simple
from assent.bash.listed import (
    LISTED,
    Day,
    Number,
    Revision,
    as_number,
    is_below,
    is_surely_below,
    parent,
)
from assent.bash.notes import Here
from assent.bash.record import record
from assent.bash.state import Flow, State, join, same
from assent.bash.word import Below, Exact, Word, one_of
from assent.text.patterns import late

__all__ = ["around", "loop_word", "tell_names"]

_TURNS: Final = 3
_MOST: Final = 16
_HIDDEN: Final = late(r"(?:^|/)\.[^/]")


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


def loop_word(found: list[Word]) -> Word | None:
    """What a variable is that becomes each of these words in turn; None where that cannot be told.

    >>> from assent.bash.word import Pattern
    >>> loop_word([Exact(text="a"), Exact(text="b")]).choices
    ('a', 'b')
    >>> pattern = loop_word([Pattern(text="src/*.py")])
    >>> pattern.text, pattern.known, pattern.listed
    ('src/*.py', False, True)
    >>> loop_word([Pattern(text="../*")]) is None
    True
    """
    if not found:
        return None
    if all(as_number(it) for it in found):
        return Number() if len(found) > 1 else found[0].quoted
    if all(isinstance(it, Exact) for it in found) and len(found) <= _MOST:
        return one_of([it.text for it in found])
    if len(found) == 1 and isinstance(name := found[0], Below):
        # A name with a blank in it becomes two words here, and the second may be a flag.
        split = name.several and not isinstance(name, Day | Revision)
        one = evolve(name.spelled(LISTED.text), solid=True, joined=False) if split else name
        return evolve(one, several=False, empty=False)
    if not all(_is_below(it) for it in found):
        return None
    if len(found) == 1:
        return Below(text=found[0].text)
    return _together([it.text for it in found])


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


def _is_below(word: Word) -> bool:
    """Whether it is surely a file's name below the folder, or stands for such."""
    sure = (word.known or word.listed) and bool(word.text)
    return sure and is_below(word) and is_surely_below(word.text)


def _together(texts: list[str]) -> Word | None:
    """One word for all of these, which tells in which folder they are."""
    folders = {parent(it).removeprefix("./") for it in texts}
    dashed = any(it[0] in "*?[…" for it in texts)
    if len(folders) == 1 and folders != {"…"}:
        return Below(text=folders.pop())
    if any(_HIDDEN.search(it) for it in texts):
        return None
    return Below(text="…" if dashed else "./…")
