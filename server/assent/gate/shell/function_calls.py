"""The arguments with which a script calls its functions, as far as they are known."""

from collections.abc import Collection, Iterable
from typing import Final

from assent.gate.shell.script import Command
from assent.gate.shell.word import Word

__all__ = ["Calls", "calls_of"]

Calls = tuple[tuple[Word, ...], ...]
"""What stands behind the name at each call of a function."""

_MAX_WAYS_CALLED: Final = 8
"""In so many ways one function may be called, before nothing is known in its body."""


def calls_of(functions: Collection[str], commands: Iterable[Command]) -> dict[str, Calls]:
    """What each function is called with; none where it is nothing, or too much.

    >>> from assent.gate.programs.read_lines import read_script
    >>> commands = read_script("f() { a; }; f b; f c d").commands
    >>> [[it.text for it in words] for words in calls_of({"f"}, commands)["f"]]
    [['b'], ['c', 'd']]
    """
    found: dict[str, dict[tuple[Word, ...], None]] = {}
    for command in commands:
        if command.name in functions:
            found.setdefault(command.name, {})[command.argv[1:]] = None
    few = {name: tuple(it) for name, it in found.items() if len(it) <= _MAX_WAYS_CALLED}
    return {name: calls for name, calls in few.items() if any(calls)}
