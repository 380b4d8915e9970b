"""What programs that look for files run for each file that they find."""

import re
from typing import Final

from attrs import evolve

from assent.bash.port import Inside
from assent.bash.word import Below, Exact, Unknown, Word
from assent.programs.finding import RUNS, end_of_run, roots_of
from assent.programs.listers import fd_lists
from assent.programs.wrappers import NOWHERE
from assent.text.patterns import late

__all__ = ["with_fd", "with_find"]

_BEHIND: Final = late(r"(?:/(?!\.\.?(?:/|\Z))[\w.\-]+)*|\.?\w[.\w\-]*", re.ASCII)
_RUNS: Final = frozenset({"-x", "-X"})
_FD_RUNS: Final = frozenset({*_RUNS, "--exec", "--exec-batch"})
_MARK: Final = late(r"\{(?:/?\.?|//)\}")
_PARTS: Final = late(r"\{(?:/\.?|\.|//)\}")
"""Marks of fd for a part of a name, such as its folder: nobody knows where that lies."""
_ANYTHING: Final = Unknown(text="…", several=True)


def with_find(argv: tuple[Word, ...]) -> Inside | None:
    """What `find -exec` runs, with the names that it finds in the place of `{}`.

    >>> from assent.programs.reading import words_of
    >>> ran = with_find(words_of("find src -name '*.o' -exec rm {} +")).argvs[0]
    >>> ran[1].text, ran[1].listed
    ('src/…', True)
    """
    argvs: list[tuple[Word, ...]] = []
    at, names = 1, roots_of(argv[1:], prints=False)
    elsewhere = any(it.text in ("-execdir", "-okdir") for it in argv)
    if elsewhere:
        names = Below(text="./…") if names else None
    names = evolve(names, by=(argv,)) if names else None
    while at < len(argv):
        if argv[at].text in RUNS:
            end = end_of_run(argv, at)
            many = argv[end - 1].text == "{}" and end < len(argv) and argv[end].text == "+"
            inner = argv[at + 1 : end] + ((argv[end - 1],) if many else ())
            argvs.append(tuple(_found(it, names) for it in inner))
            at = end
        at += 1
    folder = NOWHERE if elsewhere else None
    return Inside(argvs=tuple(filter(None, argvs)), folder=folder) if argvs else None


def _found(word: Word, names: Below | None) -> Word:
    """A word with the found name in the place of its braces."""
    if "{}" not in word.text:
        return word
    lost = Unknown(text=word.text.replace("{}", "…"))
    if names is None or not word.known:
        return lost
    if word.text == "{}":
        return names
    before, _, behind = word.text.partition("{}")
    stays = before in ("", "./") and _BEHIND.fullmatch(behind) and names.text[:1] != "/"
    return evolve(names.spelled(names.text + behind), by=()) if stays else lost


def with_fd(argv: tuple[Word, ...]) -> Inside | None:
    """What `fd -x` runs, with the names that it finds put in or behind.

    >>> from assent.programs.reading import words_of
    >>> [it.text for it in with_fd(words_of("fd -e o -x rm {}")).argvs[0]]
    ['rm', '…']
    >>> with_fd(words_of("fd -e o")) is None
    True
    """
    argv = tuple(part for it in argv for part in _apart(it))
    at = next((at for at, it in enumerate(argv) if it.text[:2] in _RUNS), None)
    at = next((at for at, it in enumerate(argv) if it.text in _FD_RUNS), at)
    if at is None:
        return None
    if argv[at].text not in _FD_RUNS:
        glued = (Exact(text=argv[at].text[2:]), *argv[at + 1 :])
        return Inside(argvs=((*glued, _ANYTHING),)) if argv[at].text[2:] else None
    names = fd_lists(argv[1:at])
    names = evolve(names, by=(argv[:at],)) if names else None
    argvs: list[tuple[Word, ...]] = []
    rest = argv[at:]
    while rest:
        if rest[0].text not in _FD_RUNS:
            # What follows says anew what is looked for, and where.
            names, rest = None, ()
            break
        end = next((at for at, it in enumerate(rest) if it.text == ";"), len(rest))
        argvs.append(rest[1:end])
        rest = rest[end + 1 :]
    elsewhere = any(it.text.startswith("--base") or it.text == "-C" for it in argv[1:])
    filled = (_filled(it, names) for it in argvs if it)
    return Inside(argvs=tuple(filled), folder=NOWHERE if elsewhere else None)


def _apart(word: Word) -> tuple[Word, ...]:
    """A flag and the program that it runs, where one word is both."""
    flag, equals, value = word.text.partition("=")
    if not equals or flag not in _FD_RUNS:
        return (word,)
    return word.spelled(flag), word.spelled(value)


def _filled(inner: tuple[Word, ...], names: Below | None) -> tuple[Word, ...]:
    """The command that fd runs, with the found name in the place of its marks, or behind it."""
    if not any(_MARK.search(it.text) for it in inner):
        return (*inner, names or _ANYTHING)
    return tuple(_found(it, names) if not _PARTS.search(it.text) else _ANYTHING for it in inner)
