"""Tools that keep the old text of what they change, by a name that they make of its own."""

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from assent.bash.word import Exact, Pattern, Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.families.naming import below, beside, kept_as
from assent.programs.options import Sorted, sort_words
from assent.programs.outcome import deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = ["kept_beside", "use_mv", "use_patch", "use_perl"]

_KEEPS: Final = "-b --backup -S --suffix -B"
_ENDING: Final = frozenset({"-S", "--suffix", "-B"})
_NONE: Final = Exact(text="")
_USUAL: Final = Exact(text="~")
_PARTS: Final = ("-B --prefix", "-Y --basename-prefix", "-z --suffix")
"""What `patch` puts before a path, before the name in it, and after it."""
_IN_PLACE: Final = late(r"-(?:[acfnpsStTuUwWX]|0[xX]?[0-9a-fA-F]*|l[0-7]*)*?i(.*)")


def kept_beside(sorted_: Sorted, touches: Iterable[Touch]) -> list[Touch]:
    """The backups that a tool is told to keep of what it overwrites.

    >>> from assent.programs.reading import row_and_words
    >>> row, words = row_and_words("cp -S .old a b")
    >>> sorted_ = sort_words(row, words)
    >>> print(*kept_beside(sorted_, operand_touches(row, sorted_, sorted_.operands)), sep=", ")
    write b.old, write b/a.old
    """
    if not sorted_.has(_KEEPS):
        return []
    endings = [value for flag, value in sorted_.values if flag in _ENDING] or [_USUAL]
    written = [touch for touch in touches if touch.kind is Kind.WRITE]
    kept = [evolve(it, word=beside(it.word, ending)) for it in written for ending in endings]
    # Below a folder any file may be written over.
    deep = [it.word for it in written if it.tree]
    kept += [
        Touch(kind=Kind.WRITE, word=hidden.spelled(hidden.text, glob=True))
        for word in deep
        for ending in endings
        for hidden in [_hidden(word, ending)]
    ]
    return kept


def _hidden(folder: Word, ending: Word) -> Word:
    return beside(below(folder, Exact(text=".*")), ending)


def use_mv(row: Row, sorted_: Sorted) -> Deeds:
    """Moves; a backup is kept of the target alone, and never of what lies below it.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_mv(*row_and_sorted("mv a.txt b.txt")))
    delete a.txt/**, write b.txt/**, write b.txt/a.txt/**
    >>> print(use_mv(*row_and_sorted("mv -b a.txt b.txt")))
    delete a.txt/**, write b.txt/**, write b.txt/a.txt/**, write b.txt~, write b.txt/a.txt~
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    kept = kept_beside(sorted_, [evolve(it, tree=False) for it in touches])
    return deeds_of(row, sorted_, [*touches, *kept])


def use_patch(row: Row, sorted_: Sorted) -> Deeds:
    """Changes the named file, or those that its input names, and may keep backups.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_patch(*row_and_sorted("patch -d lib a.c")))
    write lib, write a.c/**, write lib/a.c/**
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    before, inner, after = (_given(sorted_, part) for part in _PARTS)
    if (before, inner, after) != (_NONE,) * 3:
        told = sorted_.operands[:1] or [Pattern(text=it) for it in ("*", ".*")]
        touches += [Touch(kind=Kind.WRITE, word=_framed(it, before, inner, after)) for it in told]
    folder = sorted_.found.get("-d") or sorted_.found.get("--directory")
    if folder is not None:
        touches += [evolve(it, word=below(folder, it.word)) for it in touches]
    return deeds_of(row, sorted_, touches)


def _given(sorted_: Sorted, flags: str) -> Word:
    found = [sorted_.found[flag] for flag in flags.split() if flag in sorted_.found]
    return next((it for it in found if it is not None), _NONE)


def _framed(word: Word, before: Word, inner: Word, after: Word) -> Word:
    folder, slash, name = word.text.rpartition("/")
    framed = word.spelled(f"{before.text}{folder}{slash}{inner.text}{name}")
    return beside(framed if before.known and inner.known else framed.lost(), after)


def use_perl(row: Row, sorted_: Sorted) -> Deeds:
    """Runs a program that nobody has read; with `-i` it may change the files in their places.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_perl(*row_and_sorted("perl -pi.bak -e 's/a/b/' a.txt")))
    perhaps more: write a.txt, write a.txt.bak
    >>> print(use_perl(*row_and_sorted("perl tool.pl a.txt")))
    perhaps more
    """
    sorted_ = sort_words(row, tuple(map(_plainly, sorted_.words)))
    files = sorted_.operands if sorted_.has("-e -E") else sorted_.operands[1:]
    if not sorted_.has("-i"):
        return deeds_of(row, sorted_, (), known=False)
    endings = sorted_.of("-i")
    names = [*files, *(it for file in files for ending in endings for it in kept_as(file, ending))]
    touches = [Touch(kind=Kind.WRITE, word=word) for word in names]
    return deeds_of(row, sorted_, touches, known=False)


def _plainly(word: Word) -> Word:
    """`-pi.bak` as `-i.bak`: other letters of the word, with their numbers, are dropped."""
    matched = _IN_PLACE.fullmatch(word.text)
    return word if matched is None else word.spelled(f"-i{matched[1]}")
