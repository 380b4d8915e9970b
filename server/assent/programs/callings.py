"""The names by which a command is known: its own, and that of the package or module it runs."""

import re
from collections.abc import Iterator
from typing import Final

from assent.bash.word import Word
from assent.text.patterns import late

__all__ = ["callings"]

_RUNNERS: Final = frozenset(
    """bun bunx corepack deno devbox fnm go nix pipx pnpm pnpx rtx uvx volta yarn""".split()
)
"""What runs a package, or another of these, whose row names no wrapper."""
_RUNS: Final = frozenset("run exec x dlx tool --".split())
"""Words of theirs that stand before what they run."""
_VERSION: Final = late(r"(?<=[a-z])\d[\d.]*\Z")
_RELEASE: Final = late(r"(?<=.)@[^/]*\Z|\A.*[/:#](?=.)", re.DOTALL)
"""What stands around the name of a package: where it comes from, and which release of it."""


def callings(name: str, words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    """A program and its words, and those of what it runs by the name of a package or a module.

    >>> from assent.programs.reading import words_of
    >>> for line in ("yarn husky@9 init", "python3 -m pre_commit install", "yarn run jest"):
    ...     argv = words_of(line)
    ...     print([name for name, _ in callings(argv[0].text, argv[1:])])
    ['yarn', 'husky']
    ['python3', 'python', 'pre-commit']
    ['yarn', 'jest']
    """
    name = _RELEASE.sub("", name)
    plain = _VERSION.sub("", name)
    yield from ((it, words) for it in dict.fromkeys((name, plain)))
    if plain == "python":
        yield from _modules(words)
    if name in _RUNNERS:
        found = (at for at, it in enumerate(words) if it.text[:1] != "-" and it.text not in _RUNS)
        at = next(found, None)
        if at is not None:
            yield from callings(words[at].text, words[at + 1 :])


def _modules(words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    for at, word in enumerate(words):
        if word.text == "-m" and words[at + 1 :]:
            yield words[at + 1].text.replace("_", "-"), words[at + 2 :]
            return
        if word.text.startswith("-m"):
            yield word.text[2:].replace("_", "-"), words[at + 1 :]
            return
