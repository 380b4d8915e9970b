"""Programs of which only what they write is told by their words, such as compilers."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from assent.bash.word import Exact, Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.options import Sorted, part_of
from assent.programs.outcome import deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = ["use_outputs", "use_sessions", "use_untold"]

_OUTPUT: Final = late(r"-[abcdestvq]*o(.*)|--output(?:=(.*))?")
"""`-o` and its value, also behind letters with which no other flag of a compiler begins."""
_NONE: Final = Exact(text="")


def use_outputs(row: Row, sorted_: Sorted) -> Deeds:
    """Writes what `-o` names; all else is not known.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_outputs(*row_and_sorted("gcc -Wall -o app a.c")))
    perhaps more: write app
    """
    named = _named(sorted_.words)
    touches = [Touch(kind=Kind.WRITE, word=word) for word in named if word.text != "-"]
    return deeds_of(row, Sorted(), touches, known=False)


def _named(words: tuple[Word, ...]) -> Iterator[Word]:
    for word, value in zip_longest(words, words[1:], fillvalue=_NONE):
        matched = _OUTPUT.fullmatch(word.text)
        if matched is None:
            continue
        attached = matched[1] or matched[2]
        if attached or value.text:
            yield part_of(word, attached) if attached else value


def use_sessions(row: Row, sorted_: Sorted) -> Deeds:
    """Runs a shell, and writes down what happens in it.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_sessions(*row_and_sorted("script log.txt")))
    perhaps more: write log.txt
    """
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands[:1]), known=False)


def use_untold(_row: Row, _sorted: Sorted) -> Deeds:
    """Nothing that its words tell.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_untold(*row_and_sorted("twine upload dist/app.whl")))
    perhaps more
    """
    return Deeds()
