"""One word for many: what a loop's variable becomes in turn, and what an array's items are."""

from typing import Final

from assent.bash.listed import (
    LISTED,
    Day,
    Number,
    Revision,
    as_number,
    comes_apart,
    is_below,
    is_split,
    is_surely_below,
    parent,
)
from assent.bash.word import Below, Exact, Word, one_of
from assent.text.patterns import late
from assent.values import evolve

__all__ = ["loop_word"]

_MOST: Final = 16
_HIDDEN: Final = late(r"(?:^|/)\.[^/]")


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
        if name.several and is_split(name):
            return None
        # A name with a blank in it becomes two words here, and the second may be a flag.
        split = name.several and not isinstance(name, Day | Revision)
        one = name.spelled(LISTED.text) if split else name
        if split:
            one = evolve(one, solid=True, joined=False, split=comes_apart(name))
        return evolve(one, several=False, empty=False)
    if not all(_is_below(it) for it in found):
        return None
    # What is split is no name there: its second half may lie anywhere. A word for many hides it.
    if len(found) > 1 and any(map(is_split, found)):
        return None
    together = (
        Below(text=found[0].text) if len(found) == 1 else _together([it.text for it in found])
    )
    return together and evolve(together, split=any(map(comes_apart, found)))


def _is_below(word: Word) -> bool:
    """Whether it is surely a file's name below the folder, or stands for such."""
    sure = (word.known or word.listed) and bool(word.text)
    return sure and is_below(word) and is_surely_below(word.text)


def _together(texts: list[str]) -> Below | None:
    """One word for all of these, which tells in which folder they are."""
    folders = {parent(it).removeprefix("./") for it in texts}
    dashed = any(it[0] in "*?[…" for it in texts)
    if len(folders) == 1 and folders != {"…"}:
        return Below(text=folders.pop())
    if any(_HIDDEN.search(it) for it in texts):
        return None
    return Below(text="…" if dashed else "./…")
