"""Tools that search folders: `find`, `grep`, `rg`."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch
from assent.gate.programs.find_tests import (
    GENERIC,
    NEWER,
    OPERATORS,
    RUNS,
    end_of_run,
    may_find,
    roots_and_tests,
)
from assent.gate.programs.options import Sorted, literal_head, sort_words
from assent.gate.programs.outcome import HERE, deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Flag, Row
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["use_fd", "use_find", "use_grep", "use_rg"]

_FD_EXEC: Final = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_REMOVERS: Final = frozenset("rm grm unlink shred rmdir trash srm".split())
_BELOW: Final = late(r"(?!/|~|\.\.(?:/|$))(?!.*/\.\.(?:/|$)).+")


def use_grep(row: Row, sorted_: Sorted) -> Deeds:
    """Reads files; `-d recurse` goes below folders as `-r` does.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_grep(*row_and_sorted("grep -rn main src")))
    only reads: read src/**
    >>> print(use_grep(*row_and_sorted("grep -d recurse main")))
    only reads: read ./**
    """
    for flag, value in sorted_.values:
        if flag in {"-d", "--directories"} and not value.text.startswith(("sk", "rea")):
            sorted_.found["-r"] = None
    return deeds_of(row, sorted_, operand_touches(row, sorted_, paths_of(row, sorted_)))


def use_rg(row: Row, sorted_: Sorted) -> Deeds:
    """Reads files below the folder, and hidden ones too that a type or a glob may be about.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_rg(*row_and_sorted("rg main src")))
    only reads: read src/**
    >>> print(use_rg(*row_and_sorted("rg --files -g '*.json'")))
    only reads: look ./**
    """
    if sorted_.has("--type-list"):
        return deeds_of(row, sorted_, ())
    globs = sorted_.of("-g --glob --iglob")
    if sorted_.has("-t --type") or any(glob.text[:1] != "!" or not glob.known for glob in globs):
        sorted_.found["--hidden"] = None
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, paths_of(row, sorted_)))
    if not sorted_.has("--files") or sorted_.touches:
        return deeds
    return evolve(deeds, touches=tuple(evolve(touch, kind=Kind.LOOK) for touch in deeds.touches))


def use_fd(row: Row, sorted_: Sorted) -> Deeds:
    """Looks below its folders. What it runs for each file is the rest of its words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_fd(*row_and_sorted("fd -e py . src")))
    only reads: look src/**
    >>> print(use_fd(*row_and_sorted("fd -e pyc -x rm")))
    only reads: look ./**, -x can run a program
    """
    words = sorted_.words
    at = next((at for at, word in enumerate(words) if word.text in _FD_EXEC), len(words))
    sorted_ = sort_words(row, words[:at])
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, paths_of(row, sorted_)))
    escapes = [f"{word.text} can run a program" for word in words[at : at + 1]]
    return evolve(deeds, escapes=(*deeds.escapes, *escapes))


def use_find(row: Row, sorted_: Sorted) -> Deeds:
    """Looks below its folders. What it runs is listed as a command of its own.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_find(*row_and_sorted("find src -name '*.py'")))
    only reads: look src/**
    >>> print(use_find(*row_and_sorted("find src -name '*.pyc' -delete")))
    look src/**, delete src/**, -delete removes files
    """
    sorted_ = _sorted(row, sorted_.words)
    runs = [why for why in sorted_.escapes if why.split()[0] in RUNS]
    sorted_.escapes = [why for why in sorted_.escapes if why not in runs]
    touches = operand_touches(row, sorted_, sorted_.operands)
    if not ("-delete" in sorted_.found or _removes(sorted_.words)):
        deeds = deeds_of(row, sorted_, touches)
        return evolve(deeds, escapes=(*deeds.escapes, *runs)) if runs else deeds
    everything = not _is_narrowed(sorted_.words)
    for path in sorted_.operands or [HERE]:
        below = everything or not path.known or not _BELOW.fullmatch(path.path)
        touches.append(Touch(kind=Kind.DELETE, word=path, tree=True, some=not below))
    deeds = deeds_of(row, sorted_, touches, safe=False)
    return evolve(deeds, escapes=(*deeds.escapes, *runs), catastrophic=True)


def _removes(words: tuple[Word, ...]) -> bool:
    """Whether what `-exec` runs is a program that removes."""
    return any(
        before.text in RUNS and word.text.rpartition("/")[2].casefold() in _REMOVERS
        for before, word in pairwise(words)
    )


def _is_narrowed(words: tuple[Word, ...]) -> bool:
    """Whether its tests leave out a file of no particular name."""
    _, tests = roots_and_tests(words)
    return not any(may_find(tests, ".", sample) for sample in GENERIC)


def _sorted(row: Row, words: tuple[Word, ...]) -> Sorted:
    roots, tests = roots_and_tests(words)
    before = words[: len(words) - len(roots) - len(tests)]
    given = dict.fromkeys(word.text for word in before)
    sorted_ = Sorted(words=words, operands=roots, found=given)
    for word in roots:
        if not word.known and (word.several or not literal_head(word)):
            sorted_.loose = True
        if _wild(word, row):
            _doubt_term(sorted_, word)
    at = 0
    while at < len(tests):
        at += _term(row, sorted_, tests[at:])
    return sorted_


def _wild(word: Word, row: Row) -> bool:
    """Whether a pattern may stand for a file that is named like a term which does more."""
    if not (word.glob or word.listed) or word.text[:1] not in {"*", "?", "[", "-"}:
        return False
    if "/" in word.text:
        return False  # No term has a slash in it.
    tail = re.split(r"[*?\]]", word.text)[-1]
    return any(flag.escape and name.endswith(tail) for name, flag in row.known.items())


def _doubt_term(sorted_: Sorted, word: Word) -> None:
    """Note a word that may become a term which does more."""
    sorted_.loose = True
    sorted_.escapes.append(f"{word.text} may become a term that does more")


def _term(row: Row, sorted_: Sorted, words: Sequence[Word]) -> int:
    """Take the first term of an expression in; return how many words it is."""
    word = words[0]
    if word.known and not word.glob and word.text in OPERATORS:
        return 1
    flag = row.known.get(word.text) if word.known else None
    if flag is None and word.known and NEWER.fullmatch(word.text):
        flag = Flag(name=word.text, values=1)
    if flag is None:
        sorted_.strange = True
        if word.glob or (not word.known and word.text[:1] == "-"):
            _doubt_term(sorted_, word)
        sorted_.loose = sorted_.loose or not word.known
        return 1
    sorted_.found[flag.name] = None
    if flag.escape:
        sorted_.escapes.append(flag.escape)
    if flag.name in RUNS:
        return end_of_run(words, 0) + 1
    count = 2 if flag.name == "-fprintf" else flag.values
    values = words[1 : 1 + count]
    if any(_wild(value, row) if value.glob else value.several for value in values):
        sorted_.loose = True
    # A value that would itself do more is doubted: not every find takes the same values.
    doubted = [row.known[value.text].escape for value in values if value.text in row.known]
    sorted_.escapes += [why for why in doubted if why]
    if flag.kind is not None and values:
        sorted_.touches.append(Touch(kind=flag.kind, word=values[0]))
    return 1 + count
