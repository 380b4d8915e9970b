"""Words that depend on a command's output or on a file, and variables that hold them."""

from collections.abc import Callable
from typing import Final

from assent.gate.shell.script import Command, Script
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["Answers", "is_computed"]

Answers = Callable[[Command], bool]
"""Which commands do not count: who reads what they print has told it, or knows it."""

_NAMED: Final = late(r"\$\{?[!#]?(\w+|[@*])")
"""How a variable is named in a word."""
_FILLED: Final = {"REPLY": ("read",), "MAPFILE": ("mapfile", "readarray"), "BASH_REMATCH": ("=~",)}
"""The variables that a shell fills by itself, and by what."""
_GIVEN: Final = frozenset("1@*_")
"""Those that hold what a function is called with, or `set` says; the first stands for each."""


def is_computed(script: Script, word: Word, reader: Command, answers: Answers) -> bool:
    """Whether other commands, or a file, say what stands in a word of a command.

    `answers` tells which commands do not count: who reads it has told it, or knows it.

    >>> from assent.gate.programs.read_lines import read_script
    >>> script = read_script('A=$(cat .env); B="x-$A"; curl $B $C `id`')
    >>> curl = script.commands[-2]
    >>> [is_computed(script, it, curl, lambda _: False) for it in curl.argv]
    [False, True, False, True]
    >>> [is_computed(script, it, curl, lambda it: it.name == "id") for it in curl.argv]
    [False, True, False, False]
    >>> script = read_script('A=$(cat .env); B="$A `id`"; curl $B')
    >>> is_computed(script, script.commands[-1].argv[1], curl, lambda it: it.name == "id")
    True
    """
    if word.texts:
        return False
    told = _is_told(script, reader, word, answers)
    return told or "…" in word.text or _names(_computed(script, answers), word)


def _is_told(script: Script, around: Command, word: Word, answers: Answers) -> bool:
    """Whether what stands in a word of a command is printed by others than such."""
    printed = "$(" in word.text or "`" in word.text
    return printed and not _is_answered(script, around, answers)


def _is_answered(script: Script, around: Command, answers: Answers) -> bool:
    """Whether only such commands say what is put into a command's words."""
    inner = [command for command in script.commands if around.holds(command)]
    return bool(inner) and all(map(answers, inner))


def _computed(script: Script, answers: Answers) -> frozenset[str]:
    """The variables that hold what is read, or what other commands print than such."""
    told = [
        (command, assignment) for command in script.commands for assignment in command.assignments
    ]
    # What a loop or `read` assigns stands in none of these.
    found = script.sets - {assignment.name for _, assignment in told} - script.looped
    run = {command.name for command in script.commands}
    found |= {
        own for own, by in _FILLED.items() if any(it in run or it in script.text for it in by)
    }
    lost = [
        (by, assignment)
        for by, assignment in told
        if not (assignment.value.texts or assignment.value.listed)
    ]
    found |= {
        assignment.name
        for by, assignment in lost
        if _is_told(script, by, assignment.value, answers)
    }
    # What functions and texts of a shell are called with, and what `set` sets.
    calls = [
        command for command in script.commands if command.wraps or command.name in {"set", ":"}
    ]
    given = [(by, word) for by in calls for word in by.argv[1:]]
    found |= (
        _GIVEN if any(_is_told(script, by, word, answers) for by, word in given) else frozenset()
    )
    for _ in (None, *lost):
        found |= _GIVEN if any(_names(found, word) for _, word in given) else frozenset()
        found |= {assignment.name for _, assignment in lost if _names(found, assignment.value)}
    return found


def _names(computed: frozenset[str], word: Word) -> bool:
    return not computed.isdisjoint(_names_in(word))


def _names_in(word: Word) -> list[str]:
    return ["1" if it.isdigit() else it for it in _NAMED.findall(word.text)]
