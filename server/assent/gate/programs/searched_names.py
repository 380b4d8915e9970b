"""Which files a search looks into, by the words that restrict their names.

`grep --include`, `rg -t` and `rg -g` leave out what is called otherwise. What they let through may
be told too wide here, and never too narrow.
"""

# ruff: noqa: ARG001 -- whatever stands in the table of readers is called alike

import fnmatch
import re
from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.programs.excluding_options import WALKERS, left_out
from assent.gate.programs.find_tests import (
    FINDERS,
    FOLLOWS,
    Sample,
    may_find,
    may_stand_for,
    roots_and_tests,
)
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.tables import row_of
from assent.gate.programs.tables.file_types import TYPES
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["heeds_lists", "let_in", "looked_into"]

Looks = Callable[[str], bool]
"""Whether a file may be looked into that has this path below the folder that is searched."""

_INCLUDE, _EXCLUDE, _EXCLUDE_DIR = "--include", "--exclude", "--exclude-dir"
_SIMPLE: Final = late(r"[\w.*-]+", re.ASCII)
"""A pattern that means the same to every program."""
_WILD: Final = late(r"[*?\]]")
_LEFT_OUT: Final = late(r"!(?:\*\*/)?([\w.*-]+)(?:/(?:\*\*)?)?", re.ASCII)
"""How a glob of rg leaves out whatever has this name, and all that lies in it."""
_FREE: Final = "--type-add --type-clear --ignore-file -L --follow"
"""With these the types are others than those known, or names are not those on the way."""

_ALL: Final = (
    "-u -uu -uuu --unrestricted --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files"
    " --no-ignore-global --no-ignore-parent --no-ignore-vcs --ignore-file -L --follow"
)
"""With these rg looks into what git leaves out, or may."""


def heeds_lists(argv: Sequence[Word]) -> Looks | None:
    """What tells whether a search heeds what the lists of git say of a name; None if it does not.

    A glob that lets in goes before them, and not for the folders that have other names.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [heeds_lists(words_of(it)) is None for it in ("rg main", "rg -u main")]
    [False, True]
    >>> heeds = heeds_lists(words_of("rg -g '*.json' main"))
    >>> heeds("secrets"), heeds("a.json")
    (True, False)
    """
    row = row_of(("rg",))
    if row is None or not argv or argv[0].text.rpartition("/")[2] != "rg":
        return None
    sorted_ = sort_words(row, tuple(argv[1:]))
    if (
        sorted_.loose
        or sorted_.strange
        or sorted_.has(_ALL)
        or not all(word.known for word in argv)
    ):
        return None
    globs = [word.text for word in sorted_.of("-g --glob --iglob") if word.text[:1] != "!"]
    names = ["*" if "{" in glob else name for glob in globs for name in glob.split("/") if name]
    return lambda name: not any(_may(it, name) for it in names)


def looked_into(argv: Sequence[Word]) -> Looks | None:
    """What tells whether a search looks into a file; None where nothing is left out, or unclear.

    >>> from assent.gate.programs.read_lines import words_of
    >>> looks = looked_into(words_of("rg -t py -n main"))
    >>> looks("src/a.py"), looks("secrets/key.pem")
    (True, False)
    >>> looked_into(words_of("rg main")) is None
    True
    """
    program = argv[0].text.rpartition("/")[2] if argv else ""
    if program in FINDERS:
        return _find(argv[1:])
    reader = _READERS.get(program)
    row = row_of((program,)) if reader else None
    if reader is None or row is None:
        return _without(left_out(argv)) if argv and argv[0].text in WALKERS else None
    sorted_ = sort_words(row, tuple(argv[1:]))
    known = all(word.known and not word.several for _, word in sorted_.values)
    return None if sorted_.loose or sorted_.strange or not known else reader(sorted_)


def _grep(found: Sorted) -> Looks | None:
    """The last pattern that fits decides; where none does, whether the first one lets in.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("--include='*.py'", "--exclude='.env*' --include='*.py'")
    >>> for looks in (looked_into(words_of(f"grep -r {it} main .")) for it in lines):
    ...     print([looks(it) for it in ("a.py", ".env", "a.md")])
    [True, False, False]
    [True, False, True]
    """
    names = [value for value in found.values if value[0] in {_INCLUDE, _EXCLUDE}]
    folders = [word.text for word in found.of(_EXCLUDE_DIR) if _SIMPLE.fullmatch(word.text)]
    # A list of more patterns is read out of a file.
    if not (names or folders) or found.has("--exclude-from"):
        return None

    def looks(path: str) -> bool:
        *above, name = path.split("/")
        if any(fnmatch.fnmatchcase(one, folder) for one in above for folder in folders):
            return False
        # Where nothing fits it depends on the first, and not to every build on that alone.
        let_in = not names or names[0][0] != _INCLUDE
        for flag, value in names:
            if flag == _INCLUDE and _may_let_in(value.text, name):
                let_in = True
            elif flag == _EXCLUDE and _fits(value.text, name):
                let_in = False
        return let_in

    return looks


def _may_let_in(pattern: str, name: str) -> bool:
    """Whether a pattern may be about a file, which some builds hold against its whole path.

    There a star goes through slashes, so that only what stands behind the last one is of the name.
    """
    last = _WILD.split(pattern)[-1].rpartition("/")[2]
    of_path = pattern[:1] != "*" and last != pattern and name.casefold().endswith(last.casefold())
    return of_path or may_stand_for(pattern.rpartition("/")[2], name) is not False


def _fits(pattern: str, name: str) -> bool:
    """Whether a pattern surely stands for a name."""
    return _SIMPLE.fullmatch(pattern) is not None and fnmatch.fnmatchcase(name, pattern)


def _rg(found: Sorted) -> Looks | None:
    """Globs that let in come before types; without either, what is left out counts.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("rg -g '*.ts' x", "rg -t ts x", "rg -g '!secrets' x", "rg -t odd x")
    >>> [(it := looked_into(words_of(line))) and it("secrets/a.pem") for line in lines]
    [False, False, False, None]
    """
    globs = [word.text for word in found.of("-g --glob --iglob")]
    if found.has(_FREE):
        return None
    only = let_in(found)
    if only is None:
        return None
    if only:
        lasts = ["*" if "{" in it else it.rstrip("/").rpartition("/")[2] for it in only]
        return lambda path: any(_may(it, path.rpartition("/")[2]) for it in lasts)
    outs = [match[1] for match in map(_LEFT_OUT.fullmatch, globs) if match]
    if not outs:
        return None
    return lambda path: (
        not any(fnmatch.fnmatchcase(name, out) for name in path.split("/") for out in outs)
    )


def let_in(found: Sorted) -> list[str] | None:
    """The patterns of the files that rg looks into alone; None where nobody knows them.

    >>> from assent.gate.programs.listing_options import RG
    >>> from assent.gate.programs.read_lines import words_of
    >>> [let_in(RG.sort(words_of(it))) for it in ("x -g '*.ts' -g '!a'", "-t py x", "-t odd x")]
    [['*.ts'], ['*.py', '*.pyi'], None]
    """
    globs = [word.text for word in found.of("-g --glob --iglob") if word.text[:1] != "!"]
    types = [word.text for word in found.of("-t --type")]
    if globs or not types:
        return globs
    known = TYPES.keys() >= {*types}
    return [pattern for it in types for pattern in TYPES[it]] if known else None


def _find(words: Sequence[Word]) -> Looks | None:
    """What its tests let through to an action; where links are followed, nobody can tell.

    >>> from assent.gate.programs.read_lines import words_of
    >>> looks = looked_into(words_of("find . -name '*.pyc' -delete"))
    >>> looks("a/b.pyc"), looks("migrations/001.sql")
    (True, False)
    """
    roots, tests = roots_and_tests(words)
    if any(not word.known or word.text in FOLLOWS for word in words):
        return None
    starts = [root.text for root in roots] or ["."]

    def looks(path: str) -> bool:
        sample = Sample(name=path.rpartition("/")[2], path=path)
        return any(may_find(tests, start, sample) for start in starts)

    return looks


def _gofmt(found: Sorted) -> Looks | None:
    """Of a folder it formats the files of its language alone.

    >>> from assent.gate.programs.read_lines import words_of
    >>> looks = looked_into(words_of("gofmt -l ."))
    >>> looks("cmd/main.go"), looks("secrets/key.pem")
    (True, False)
    """
    return lambda path: path.endswith(".go")


def _without(names: Sequence[tuple[str, str]]) -> Looks | None:
    if not names:
        return None
    everywhere = {name for name, where in names if where == "everywhere"}
    here = {name for name, where in names if where != "below"}
    below = {name for name, _ in names}

    def looks(path: str) -> bool:
        first, *rest = path.split("/")
        out = first in here or (bool(rest) and first in below)
        return not out and everywhere.isdisjoint((first, *rest))

    return looks


def _may(pattern: str, name: str) -> bool:
    return may_stand_for(pattern, name) is not False


_READERS: Final = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "rgrep"), _grep),
    "rg": _rg,
    "gofmt": _gofmt,
}
