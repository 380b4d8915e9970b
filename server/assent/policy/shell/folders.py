"""Where `cd` leads: the ways by which a command may have come to its folder.

A `cd` may fail, so what follows it after a `;` stands in either folder; after `&&` only in the new
one. What is not known loses the way.
"""

from typing import Final

from assent.policy.patterns import late
from assent.policy.shell.script import Word
from assent.policy.shell.state import Folders

__all__ = ["MOVERS", "moved"]

MOVERS: Final = frozenset(("cd", "chdir", "pushd", "popd"))

_STACK: Final = late(r"[-+]\d*")
"""What stands for a folder that one was in before."""
_DEEPEST: Final = 12
_MOST: Final = 8


def moved(folders: Folders, argv: tuple[Word, ...]) -> Folders:
    """The folders after a `cd` that did well."""
    if folders is None:
        return None
    name, operands = argv[0].text, _operands(argv[1:])
    if operands is None or name == "popd" or (name == "pushd" and len(operands) != 1):
        return None
    if not operands:
        return tuple((*way, "~") for way in folders)
    targets = _targets(operands[0])
    if len(operands) > 1 or targets is None or (name == "pushd" and targets[0][:1] in "+-"):
        return None
    ways = dict.fromkeys((*way, it) for way in folders for it in targets)
    return tuple(ways) if len(ways) <= _MOST and max(map(len, ways)) <= _DEEPEST else None


def _operands(words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    for at, word in enumerate(words):
        if word.known and word.text == "--":
            return words[at + 1 :]
        if word.known and word.text in ("-L", "-P", "-e", "-q", "-n"):
            continue
        return words[at:]
    return ()


def _targets(word: Word) -> tuple[str, ...] | None:
    if word.glob or word.several:
        return None
    if word.known:
        return (word.path,) if word.text and not _STACK.fullmatch(word.text) else None
    if word.choices and not any(it in ("", "-") or it[0] == "~" for it in word.choices):
        return word.choices
    return None
