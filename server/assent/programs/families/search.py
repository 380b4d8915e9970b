"""Tools that search folders: `find`, `grep`, `rg`."""

import re
from itertools import pairwise
from typing import Final

from attrs import evolve

from assent.bash.script import Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.finding import BEFORE_PATHS, GENERIC, may_find, roots_and_tests
from assent.programs.flags import Sorted, literal_head, sort_words
from assent.programs.outcome import HERE, deeds_of, operand_touches, paths_of
from assent.programs.rows import Flag, Row
from assent.text.patterns import late

__all__ = ["use_fd", "use_find", "use_grep", "use_rg"]

_EXEC: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FD_EXEC: Final = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_REMOVERS: Final = frozenset("rm grm unlink shred rmdir trash srm".split())
_BELOW: Final = late(r"(?!/|~|\.\.(?:/|$))(?!.*/\.\.(?:/|$)).+")
_CODE: Final = frozenset(
    """.ts .tsx .js .jsx .mjs .cjs .py .pyi .rs .go .java .kt .c .h .cc .cpp .hpp .cs .rb .php
    .swift .md .mdx .rst .txt .html .css .scss .vue .svelte .sql .proto""".split()
)
"""Endings of source files, of which hardly one is hidden."""
_OPERATORS: Final = frozenset({"(", ")", "!", ","})
_NEWER: Final = late(r"-newer[aBcm][aBcmt]")


def use_grep(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reads files; `-d recurse` goes below folders as `-r` does.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_grep(*row_and_words("grep -rn main src")))
    only reads: read src/**
    >>> print(use_grep(*row_and_words("grep -d recurse main")))
    only reads: read ./**
    """
    sorted_ = sort_words(row, words)
    for flag, value in sorted_.values:
        if flag in {"-d", "--directories"} and not value.text.startswith(("sk", "rea")):
            sorted_.found["-r"] = None
    return deeds_of(row, sorted_, operand_touches(row, sorted_, paths_of(row, sorted_)))


def use_rg(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reads files below the folder, and with `-g` hidden ones whose names fit.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_rg(*row_and_words("rg main src")))
    only reads: read src/**
    >>> print(use_rg(*row_and_words("rg -g '*.json' main")))
    only reads: read ./**, read ./.json, read ./.*.json, read ./**/.json, read ./**/.*.json
    """
    sorted_ = sort_words(row, words)
    paths = paths_of(row, sorted_)
    touches = []
    for flag, value in sorted_.values:
        if flag in {"-g", "--glob", "--iglob"} and not value.text.startswith("!"):
            last = value.text.rpartition("/")[2]
            dotted = last[:1] in {".", "[", "?"} or "{" in last or "/." in value.text
            if dotted or not value.known:
                sorted_.found["--hidden"] = None
            elif last[:1] == "*":
                folded = value.text.casefold() if flag == "--iglob" else value.text
                touches += _dotted(paths or [HERE], folded)
    return deeds_of(row, sorted_, [*operand_touches(row, sorted_, paths), *touches])


def _dotted(paths: list[Word], pattern: str) -> list[Touch]:
    """The hidden files that a pattern of rg matches, though it skips hidden files otherwise.

    Links that it comes upon it passes by; told to follow them, it may lead anywhere at all.
    """
    folder, slash, last = pattern.lstrip("/").removeprefix("**/").rpartition("/")
    tail = last.lstrip("*")
    names = [tail] if tail.startswith(".") else []
    names += [] if tail in _CODE else [f".*{tail}"]
    return [
        Touch(
            kind=Kind.READ,
            word=Word(
                text=f"{path.text.rstrip('/')}/{between}{folder}{slash}{name}",
                known=path.known,
                glob=True,
                home=path.home,
            ),
            stays=True,
        )
        for path in paths
        for between in ("", "**/")
        for name in names
        if not path.glob
    ]


def use_fd(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Looks below its folders. What it runs for each file is the rest of its words.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_fd(*row_and_words("fd -e py . src")))
    only reads: look src/**
    >>> print(use_fd(*row_and_words("fd -e pyc -x rm")))
    only reads: look ./**, -x can run a program
    """
    at = next((at for at, word in enumerate(words) if word.text in _FD_EXEC), len(words))
    sorted_ = sort_words(row, words[:at])
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, paths_of(row, sorted_)))
    escapes = [f"{word.text} can run a program" for word in words[at : at + 1]]
    return evolve(deeds, escapes=(*deeds.escapes, *escapes))


def use_find(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Looks below its folders. What it runs is listed as a command of its own.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_find(*row_and_words("find src -name '*.py'")))
    only reads: look src/**
    >>> print(use_find(*row_and_words("find src -name '*.pyc' -delete")))
    look src/**, delete src/**, -delete removes files
    """
    sorted_ = _sorted(row, words)
    runs = [why for why in sorted_.escapes if why.split()[0] in _EXEC]
    sorted_.escapes = [why for why in sorted_.escapes if why not in runs]
    touches = operand_touches(row, sorted_, sorted_.operands)
    if not ("-delete" in sorted_.found or _removes(words)):
        deeds = deeds_of(row, sorted_, touches)
        return evolve(deeds, escapes=(*deeds.escapes, *runs)) if runs else deeds
    everything = not _is_narrowed(words)
    for path in sorted_.operands or [HERE]:
        below = everything or not path.known or not _BELOW.fullmatch(path.path)
        touches.append(Touch(kind=Kind.DELETE, word=path, tree=True, some=not below))
    deeds = deeds_of(row, sorted_, touches, safe=False)
    return evolve(deeds, escapes=(*deeds.escapes, *runs), catastrophic=True)


def _removes(words: tuple[Word, ...]) -> bool:
    """Whether what `-exec` runs is a program that removes."""
    return any(
        before.text in _EXEC and word.text.rpartition("/")[2].casefold() in _REMOVERS
        for before, word in pairwise(words)
    )


def _is_narrowed(words: tuple[Word, ...]) -> bool:
    """Whether its tests leave out a file of no particular name."""
    _, tests = roots_and_tests(words)
    return not any(may_find(tests, ".", it) for it in GENERIC)


def _sorted(row: Row, words: tuple[Word, ...]) -> Sorted:
    sorted_ = Sorted()
    at = _paths(row, sorted_, words)
    while at < len(words):
        at += _term(row, sorted_, words[at:])
    return sorted_


def _paths(row: Row, sorted_: Sorted, words: tuple[Word, ...]) -> int:
    """Take the paths in; return where the expression begins."""
    at = 0
    while at < len(words):
        word = words[at]
        head = word.text if word.known else literal_head(word)
        if head == "-D" and word.known:
            at += 2
            continue
        if word.known and (head in BEFORE_PATHS or (head[:2] == "-O" and not word.glob)):
            sorted_.found[head] = None
            at += 1
            continue
        if head in _OPERATORS or head[:1] == "-":
            break
        if not word.known and (word.several or not head):
            sorted_.loose = True
        if _wild(word, row):
            _doubt_term(sorted_, word)
        sorted_.operands.append(word)
        at += 1
    return at


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


def _term(row: Row, sorted_: Sorted, words: tuple[Word, ...]) -> int:
    """Take the first term of an expression in; return how many words it is."""
    word = words[0]
    if word.known and not word.glob and word.text in _OPERATORS:
        return 1
    flag = row.known.get(word.text) if word.known else None
    if flag is None and word.known and _NEWER.fullmatch(word.text):
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
    if flag.name in _EXEC:
        return _executed(words)
    count = 2 if flag.name == "-fprintf" else flag.values
    values = words[1 : 1 + count]
    if any(_wild(value, row) if value.glob else value.several for value in values):
        sorted_.loose = True
    # A value that would itself do more is doubted: not every find takes the same values.
    doubted = [row.known[it.text].escape for it in values if it.text in row.known]
    sorted_.escapes += [why for why in doubted if why]
    if flag.kind is not None and values:
        sorted_.touches.append(Touch(kind=flag.kind, word=values[0]))
    return 1 + count


def _executed(words: tuple[Word, ...]) -> int:
    """How many words `-exec` and its command are."""
    for at, word in enumerate(words[1:], start=1):
        ends = word.text == ";" or (word.text == "+" and words[at - 1].text == "{}")
        if word.known and ends:
            return at + 1
    return len(words)
