"""What `find` may match: evaluates its tests as it does, for one name at a time.

What a test says of a file that nobody has looked at is not known, so a term may be true, false or
either. A file is excluded only if no branch of the expression reaches an action.
"""

import fnmatch
from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.programs.options import literal_head
from assent.gate.programs.tables import by_name
from assent.gate.shell.word import Below, Exact, Word
from assent.gate.shell.word_sets import root_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import define, frozen

__all__ = [
    "EMPTY",
    "FINDERS",
    "FOLLOWS",
    "GENERIC",
    "NEWER",
    "OPERATORS",
    "RUNS",
    "Sample",
    "end_of_run",
    "may_find",
    "may_stand_for",
    "roots_and_tests",
    "roots_of",
]

_YES: Final = frozenset({True})
_NO: Final = frozenset({False})
_EITHER: Final = frozenset({True, False})

_BEFORE: Final = frozenset(("-H", "-L", "-P", "-X", "-E", "-s", "-x", "-d", "--"))
OPERATORS: Final = frozenset({"(", ")", "!", ","})
_NAMES: Final = frozenset(("-name", "-iname"))
_PATHS: Final = frozenset(("-path", "-ipath", "-wholename", "-iwholename"))
_ACTIONS: Final = frozenset(
    "-print -print0 -printf -ls -delete -fprint -fprint0 -fprintf -fls".split()
)
RUNS: Final = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
FOLLOWS: Final = frozenset(("-L", "-follow"))
_WRITES_MORE: Final = (
    "-printf", "-fprint", "-exec", "-ok", "-ls", "-fls", "-delete", "-files0", "-H", "-P", "-D",
)  # fmt: skip
"""With these it writes more than names, or names that do not begin with what is searched."""
_ALWAYS: Final = frozenset(
    """-true -prune -quit -depth -maxdepth -mindepth -mount -xdev -daystart -follow -noleaf -warn
    -nowarn -ignore_readdir_race -noignore_readdir_race -regextype""".split()
)
_MEASURING: Final = {
    **dict.fromkeys(("-mtime", "-mmin", "-atime", "-ctime"), late(r"\+?[1-9]\d*")),
    "-size": late(r"\d+[bckwMG]?|\+[1-9]\d*[MG]"),
    "-empty": late(r""),
}
"""Tests of age and size, with the values that an ordinary new file does not meet."""
_NOTHING: Final = late(r"0[bckwMG]?")
NEWER: Final = late(r"-newer[aBcm][aBcmt]")
_CLASS: Final = late(r"\[[!^]?\]?[^\]]*\]")
_ESCAPED: Final = late(r"\\.")

FINDERS: Final = frozenset(("find", "gfind"))
EMPTY: Final = frozenset({"-empty"})


@frozen(kw_only=True)
class Sample:
    """A file that might be found."""

    name: str
    path: str | None = None
    """Its path below the searched folder; None if unknown."""
    fails: frozenset[str] = frozenset()
    """The tests of age and size that it fails; `-empty` alone says that it holds something."""


GENERIC: Final = tuple(
    Sample(name=it, path=it, fails=frozenset(_MEASURING)) for it in ("\uf8ff", "\uf8ff.\uf8ff")
)
"""Files with names that no pattern is written for."""


def roots_and_tests(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The folders that `find` searches, and the expression behind them.

    >>> from assent.gate.programs.read_lines import words_of
    >>> roots, tests = roots_and_tests(words_of("find src lib -name '*.py' -print")[1:])
    >>> [it.text for it in roots], [it.text for it in tests]
    (['src', 'lib'], ['-name', '*.py', '-print'])
    """
    at = 0
    while at < len(words) and _stands_before(words[at]):
        at += 2 if words[at].text == "-D" else 1
    first = at
    while at < len(words) and not _begins_test(words[at]):
        at += 1
    return list(words[first:at]), list(words[at:])


def _stands_before(word: Word) -> bool:
    sure = word.known and not word.glob
    return sure and (word.text in _BEFORE or word.text[:2] in ("-D", "-O"))


def _begins_test(word: Word) -> bool:
    head = word.text if word.known else literal_head(word)
    return head in OPERATORS or head[:1] == "-"


def roots_of(words: Sequence[Word], *, prints: bool) -> Below | None:
    """What each name begins with that `find` prints or hands on; None where nobody can tell.

    >>> from assent.gate.programs.read_lines import words_of
    >>> roots_of(words_of("find src -name '*.py'")[1:], prints=True).text
    'src/…'
    >>> roots_of(words_of("find -L src")[1:], prints=True) is None
    True
    """
    roots, tests = roots_and_tests(words)
    if any(word.text in FOLLOWS for word in _own(words)) or (prints and _does_more(tests)):
        return None
    if (
        any(root.glob and root.text[:1] in "*?[" and "." not in root.text for root in roots)
        and prints
    ):
        return None
    starts = [root_of(word) for word in roots or [Exact(text=".")]]
    known = [start for start in starts if start is not None]
    if len(known) < len(starts):
        return None
    if len(known) == 1 and not known[0].text.startswith("…"):
        return known[0]
    if any(start.text.startswith("/") for start in known):
        return None
    return Below(text="./…")


def _own(words: Sequence[Word]) -> Iterator[Word]:
    """The words without those of commands that it runs."""
    at = 0
    while at < len(words):
        yield words[at]
        at = end_of_run(words, at) + 1 if words[at].text in RUNS else at + 1


def _does_more(tests: Sequence[Word]) -> bool:
    return any(not test.known or test.text.startswith(_WRITES_MORE) for test in tests)


def end_of_run(words: Sequence[Word], at: int) -> int:
    """Where the command ends which the `-exec` at this place runs: at its `;`, or `+` after `{}`.

    >>> from assent.gate.programs.read_lines import words_of
    >>> end_of_run(words_of("find -exec grep x {} + -print"), 1)
    5
    """
    for end in range(at + 1, len(words)):
        if words[end].text == ";" or (words[end].text == "+" and words[end - 1].text == "{}"):
            return end
    return len(words)


def may_find(tests: Sequence[Word], root: str, sample: Sample) -> bool:
    """Whether `find` may print the name of such a file, or do something to it.

    >>> from assent.gate.programs.read_lines import words_of
    >>> _, tests = roots_and_tests(words_of("find . -name .git -prune -o -name '*.py' -print")[1:])
    >>> [may_find(tests, ".", Sample(name=it)) for it in ("a.py", ".git", ".env")]
    [True, False, False]
    """
    reading = _Reading(words=tests, root=root, sample=sample)
    try:
        value = reading.list(live=True)
    except (IndexError, RecursionError):
        return True
    if reading.lost or reading.at < len(tests):
        return True
    return reading.acted if reading.acts else True in value


def may_stand_for(pattern: str, name: str) -> bool | None:
    """Whether a pattern of `find` matches a name; None where its case or a class decides.

    >>> [may_stand_for(it, "a.py") for it in ("*.py", "*.ts", "*.PY")]
    [True, False, None]
    """
    if "[[" in pattern or "[:" in pattern or "[." in pattern or "[=" in pattern:
        return None
    wider = _CLASS.sub("?", _ESCAPED.sub("?", pattern))
    if not fnmatch.fnmatchcase(name.casefold(), wider.casefold()):
        return False
    return True if wider == pattern and fnmatch.fnmatchcase(name, pattern) else None


@define
class _Reading:
    """An expression on the way."""

    words: Sequence[Word]
    root: str
    sample: Sample
    at: int = 0
    acts: bool = False
    """Whether an action stands in it, so that nothing is printed by itself."""
    acted: bool = False
    """Whether an action may be reached for this file."""
    lost: bool = False

    def list(self, *, live: bool) -> frozenset[bool]:
        value = self._either(live=live)
        while self._next() == ",":
            self.at += 1
            value = self._either(live=live)
        return value

    def _next(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    def _either(self, *, live: bool) -> frozenset[bool]:
        value = self._both(live=live)
        while self._next() in ("-o", "-or"):
            self.at += 1
            other = self._both(live=live and False in value)
            value = (value - _NO) | other if False in value else value
        return value

    def _both(self, *, live: bool) -> frozenset[bool]:
        value = self._one(live=live)
        while self._next() not in ("", "-o", "-or", ",", ")"):
            if self._next() in ("-a", "-and"):
                self.at += 1
            other = self._one(live=live and True in value)
            value = (value - _YES) | other if True in value else value
        return value

    def _one(self, *, live: bool) -> frozenset[bool]:
        word = self.words[self.at]
        self.at += 1
        if not word.known or word.glob:
            self.lost = True
        if word.text in ("!", "-not"):
            return frozenset(not it for it in self._one(live=live))
        if word.text == "(":
            value = self.list(live=live)
            self.lost = self.lost or self._next() != ")"
            self.at += 1
            return value
        return self._term(word.text, live=live)

    def _term(self, term: str, *, live: bool) -> frozenset[bool]:
        if term in _ACTIONS or term in RUNS:
            self.acts = True
            self.acted = self.acted or live
        if term in RUNS:
            self.at = end_of_run(self.words, self.at - 1) + 1
            self.lost = self.lost or self.at > len(self.words)
            return _EITHER
        values = self._values(term)
        if term in _NAMES or term in _PATHS:
            return self._named(term, values[0])
        if term in _MEASURING:
            return self._measured(term, values[0].text if values else "")
        if term == "-false":
            return _NO
        return _YES if term in _ALWAYS or term in _ACTIONS else _EITHER

    def _values(self, term: str) -> Sequence[Word]:
        flag = by_name()["find"].known.get(term)
        if flag is None and not NEWER.fullmatch(term):
            self.lost = True
        count = 1 if flag is None else 2 if term == "-fprintf" else flag.values
        values = self.words[self.at : self.at + count]
        self.lost = self.lost or len(values) < count or any(value.several for value in values)
        self.at += count
        return values

    def _named(self, term: str, value: Word) -> frozenset[bool]:
        path = self.sample.path
        if not value.known or (term in _PATHS and path is None):
            return _EITHER
        whole = f"{self.root}/{path}" if term in _PATHS else self.sample.name
        stands = may_stand_for(value.text, whole)
        if stands is None or (stands and (value.glob or term in _PATHS)):
            return _EITHER
        return _YES if stands else _NO

    def _measured(self, term: str, value: str) -> frozenset[bool]:
        full = "-empty" in self.sample.fails
        if full and (term == "-empty" or (term == "-size" and _NOTHING.fullmatch(value))):
            return _NO
        fails = term in self.sample.fails and _MEASURING[term].fullmatch(value)
        return _NO if fails else _EITHER
