"""The names by which a command is known: its own, and its package's or module's."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["MODULE_FLAG", "callings", "has_library", "is_python"]

_RUNNERS: Final = frozenset(
    """bun bunx corepack deno devbox fnm go nix pipx pnpm pnpx rtx uvx volta yarn""".split()
)
"""What runs a package, or another of these, whose row names no wrapper."""
_PYTHONS: Final = frozenset(("python", "pypy"))
_WITH_OTHERS: Final = _RUNNERS | _PYTHONS
_RUNS: Final = frozenset("run exec x dlx tool --".split())
"""Words of theirs that stand before what they run."""
_MAX_WORDS_BEFORE: Final = 12
"""So many words are looked at before the name of what they run."""
MODULE_FLAG: Final = late(r"-[bBdEiIOPqsSuvx]*m(.*)", re.DOTALL)
"""The option of Python that names a module, with the letters that may stand before it."""
_PYTHON: Final = late(r"(?:python|pypy)[\d.]*")
_LATEST: Final = late(r"python(?:3(?:\.\d+)?)?")
_VERSION: Final = late(r"(?<=[a-z])\d[\d.]*\Z")
_RELEASE: Final = late(r"(?<=.)@[^/]*\Z|\A.*[/:#](?=.)", re.DOTALL)
"""What stands around the name of a package: where it comes from, and which release of it."""


def is_python(name: str) -> bool:
    """Whether a program of this name, without its folder, is Python.

    >>> is_python("python3.12"), is_python("ipython")
    (True, False)
    """
    return _PYTHON.fullmatch(name) is not None


def has_library(name: str) -> bool:
    """Whether it is a Python of which it is known what its library loads.

    >>> has_library("python3.12"), has_library("python2"), has_library("pypy3")
    (True, False, False)
    """
    return _LATEST.fullmatch(name) is not None


def callings(name: str, words: tuple[Word, ...]) -> Iterable[tuple[str, tuple[Word, ...]]]:
    """A program and its words, and those of what it runs by the name of a package or a module.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("yarn husky@9 init", "python3 -Im pre_commit install", "uvx --from a b")
    >>> for line in lines:
    ...     argv = words_of(line)
    ...     print([name for name, _ in callings(argv[0].text, argv[1:])])
    ['yarn', 'husky']
    ['python3', 'python', 'pre-commit']
    ['uvx', 'b', 'a']
    """
    # Asked of each command, and most have their own name alone.
    if name.isalpha() and name not in _WITH_OTHERS:
        return ((name, words),)
    return _callings(name, words)


def _callings(name: str, words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    todo, seen = [(name, words)], set[int]()
    while todo:
        name, words = todo.pop()
        # In a name of letters stands neither.
        name = name if name.isalpha() else _RELEASE.sub("", name)
        plain = name if name.isalpha() else _VERSION.sub("", name)
        yield name, words
        if plain != name:
            yield plain, words
        if plain in _PYTHONS:
            yield from _modules(words)
        if name in _RUNNERS and len(words) not in seen:
            seen.add(len(words))
            todo += _run(words)


def _run(words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    """What may be run of these words: the first, and what follows it where a flag may have that."""
    flag = False
    for at, word in enumerate(words[:_MAX_WORDS_BEFORE]):
        if word.text[:1] == "-":
            flag = "=" not in word.text and word.text != "--"
        elif word.text not in _RUNS:
            yield word.text, words[at + 1 :]
            if not flag:
                return
            flag = False


def _modules(words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    for at, word in enumerate(words):
        match = MODULE_FLAG.fullmatch(word.text)
        name, rest = (match[1] if match else ""), words[at + 1 :]
        if match and not name and rest:
            name, rest = rest[0].text, rest[1:]
        if name:
            yield name.replace("_", "-"), rest
            return
