"""Which files a shell call runs, as far as its words name them: programs by path, and scripts.

What a person answers to a card is about what the files said then. So each file is named that could
be run: the program itself, and whatever a program is given of which nobody knows what it does.
"""

from collections.abc import Iterator
from typing import Final

from assent.calls import Call, Target
from assent.errors import AnotherForEach, CallUnreadable
from assent.policy.always import is_unsure
from assent.policy.facts import Facts
from assent.policy.shell.reader import read_script
from assent.policy.shell.script import Command, Word
from assent.policy.shell.study import study

__all__ = ["files_run"]

_MOST: Final = 200
"""So many words of a call are followed."""

_LONGEST: Final = 255
"""In letters; no file has a longer name, while code that stands in a word often is longer."""


def files_run(call: Call, facts: Facts) -> tuple[Target, ...]:
    """Where the words of a shell call lead that may name a file which it runs."""
    script = read_script(str(call.input.get("command", "")), str(call.input.get("shell") or "bash"))
    unsure = [it for it in script.commands if is_unsure(it, study(it))]
    # What is given on to a program that may run it has been read before.
    fed = any(it.fed for it in unsure)
    found: dict[str, Target] = {}
    for command in script.commands:
        for target in _files_of(call, command, facts, whole=fed or command in unsure):
            found[target.named or target.resolved] = target
            if len(found) >= _MOST:
                return tuple(found.values())
    return tuple(found.values())


def _files_of(call: Call, command: Command, facts: Facts, *, whole: bool) -> Iterator[Target]:
    for folder in _folders(call, command, facts):
        for path in _paths(command, facts, whole=whole):
            try:
                yield facts.locate(path, folder)
            except AnotherForEach:
                raise
            except CallUnreadable:
                # What leads nowhere may lead to a file by the time it runs.
                if _may_be_there(path):
                    yield _as_spelled(path, folder)


def _may_be_there(path: str) -> bool:
    return "\0" not in path and 0 < max(map(len, path.split("/"))) <= _LONGEST


def _as_spelled(path: str, folder: str) -> Target:
    whole = path if path.startswith("/") else f"{folder}/{path}"
    return Target(spelled=path, resolved=whole, inside=False, shown=path, named=whole)


def _folders(call: Call, command: Command, facts: Facts) -> Iterator[str]:
    """The folders in which a command may run, and the call's own."""
    yield call.cwd
    for chain in command.folders or ():
        folder = call.cwd
        try:
            for step in chain:
                folder = facts.locate(step, folder).resolved if isinstance(step, str) else folder
        except CallUnreadable:
            continue
        if folder != call.cwd:
            yield folder


def _paths(command: Command, facts: Facts, *, whole: bool) -> Iterator[str]:
    if "/" in command.name:
        yield command.argv[0].path
    elif command.name:
        found = facts.program(command.name)
        if found.path is not None and found.why is not None:
            yield found.path
    if not whole:
        return
    given = [it.target for it in command.redirects if it.operator in {"<", "<>"}]
    for word in (*command.argv[1:], *given):
        yield from _texts(word)


def _texts(word: Word) -> Iterator[str]:
    """The paths that a word may be: itself, what a flag is given, and each of its choices."""
    for text in word.choices or (word.path,) if word.known or word.choices else ():
        if text and not text.startswith("-"):
            yield text
        _, equals, value = text.partition("=")
        if equals and value:
            yield value
