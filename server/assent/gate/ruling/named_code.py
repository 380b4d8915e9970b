"""Finds the files that a shell call runs, as far as its words name them.

What a person answers to a card is about what the files said then. So each file is named that could
be run: the program itself, and whatever a program is given of which nobody knows what it does, be
it a word, a part of one (`-fx.mk`, `tests/a.py::b`, code that opens a file) or a variable.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from assent.gate.call.calls import Call, Target
from assent.gate.call.errors import AnotherForEach, CallUnreadable
from assent.gate.programs.code_inputs import is_given, is_unsure, takes_code
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.programs.variables import is_plain
from assent.gate.ruling.facts import Facts
from assent.gate.ruling.paths_in_text import pieces_of
from assent.gate.shell.script import Command
from assent.gate.shell.word import Word

__all__ = ["files_run"]

_MAX_PATHS: Final = 200
"""So many paths of a call are followed: programs before words, and words before their pieces."""
_Paths = Callable[[Command, Facts, str], Iterator[str]]

_MAX_NAME_LETTERS: Final = 255
"""In letters; no file has a longer name, while code that stands in a word often is longer."""


def files_run(call: Call, facts: Facts) -> tuple[Target, ...]:
    """Where the words of a shell call lead that may name a file which it runs."""
    script = read_script(str(call.input.get("command", "")), str(call.input.get("shell") or "bash"))
    commands = script.commands
    unsure = [command for command in commands if _may_run_files(command)]
    # What is given on to a program that may run it has been read before.
    whole = bool(script.opaque) or any(command.fed for command in unsure)
    given = [
        command
        for command in commands
        if whole or command in unsure or (unsure and _fills(command))
    ]
    found: dict[str, Target] = {}
    passes = ((_program, commands), (_words, given), (_variables, commands), (_pieces, given))
    for paths, those in passes:
        for target in _led_to(call, those, facts, paths):
            found[target.named or target.resolved] = target
            if len(found) >= _MAX_PATHS:
                return tuple(found.values())
    return tuple(found.values())


def _may_run_files(command: Command) -> bool:
    reads = is_given(command) and takes_code([word.text for word in command.argv])
    return reads or is_unsure(command, study(command))


def _fills(command: Command) -> bool:
    """Whether it changes files, among them perhaps one that is run behind it."""
    return any(touch.kind.changes for touch in study(command).touches)


def _led_to(
    call: Call, commands: Iterable[Command], facts: Facts, paths: _Paths
) -> Iterator[Target]:
    """Where the paths lead that are found in some commands, and in the variables of the call."""
    variables = call.input.get("env")
    if paths is _variables and isinstance(variables, dict):
        yield from _located(_parts_of(map(str, variables.values())), call.cwd, facts)
    for command in commands:
        for folder in _folders(call, command, facts):
            yield from _located(paths(command, facts, folder), folder, facts)


def _located(paths: Iterable[str], folder: str, facts: Facts) -> Iterator[Target]:
    for path in paths:
        try:
            yield facts.locate(path, folder)
        except AnotherForEach:
            raise
        except CallUnreadable:
            # What leads nowhere may lead to a file by the time it runs.
            if _may_be_there(path):
                yield _as_spelled(path, folder)


def _may_be_there(path: str) -> bool:
    return "\0" not in path and 0 < max(map(len, path.split("/"))) <= _MAX_NAME_LETTERS


def _as_spelled(path: str, folder: str) -> Target:
    whole = path if path.startswith("/") else f"{folder}/{path}"
    return Target(spelled=path, resolved=whole, inside=False, shown=path, named=whole)


def _folders(call: Call, command: Command, facts: Facts) -> Iterator[str]:
    """The folders in which a command may run, and the call's own."""
    yield call.cwd
    for chain in command.folders or ():
        steps = [step for step in chain if isinstance(step, str)]
        folder = spelled = call.cwd
        try:
            for step in steps:
                folder, spelled = (
                    facts.locate(step, folder).resolved,
                    facts.locate(step, spelled).named,
                )
        except CallUnreadable:
            continue
        # By the time it runs, a link may lead to another folder with a file of the same name.
        yield from dict.fromkeys(
            place for place in (folder, spelled) if place not in {"", call.cwd}
        )


def _program(command: Command, facts: Facts, folder: str) -> Iterator[str]:
    if "/" in command.name:
        yield command.argv[0].path
        yield from _stood_for(command.argv[0], facts, folder)
    elif command.name:
        program = facts.program(command.name)
        if program.path is not None and program.why is not None:
            yield program.path


def _words(command: Command, facts: Facts, folder: str) -> Iterator[str]:
    """What the words say as they are, and the files that a pattern stands for now."""
    for word in _given_to(command):
        yield from (it for it in _said_by(word) if it and not it.startswith("-"))
        yield from _stood_for(word, facts, folder)


def _pieces(command: Command, _: Facts, __: str) -> Iterator[str]:
    """The parts of words that may be paths."""
    for word in _given_to(command):
        yield from _parts_of(_said_by(word))


def _variables(command: Command, _: Facts, __: str) -> Iterator[str]:
    """What the variables say that a command is given, but for those that only change its looks."""
    for assignment in command.assignments:
        if not is_plain(assignment.name, assignment.text):
            yield from _parts_of(_said_by(assignment.value))


def _parts_of(texts: Iterable[str]) -> Iterator[str]:
    """Of a text with blanks only what looks like a path, since the rest is prose or code."""
    for text in texts:
        long = " " in text or "\n" in text
        for piece in sorted(pieces_of(text)):
            if not piece.startswith("-") and (not long or "/" in piece or "." in piece):
                yield piece


def _given_to(command: Command) -> list[Word]:
    opened = [redirect.target for redirect in command.redirects if redirect.operator in {"<", "<>"}]
    return [*dict.fromkeys((*command.argv[1:], *opened))]


def _said_by(word: Word) -> tuple[str, ...]:
    """What a word says, or each of its choices."""
    return (word.path,) if word.known else word.choices


def _stood_for(word: Word, facts: Facts, folder: str) -> Iterator[str]:
    yield from (facts.names(word.path, folder) or ()) if word.glob else ()
