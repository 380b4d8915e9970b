"""The files that a command runs, and which of them the same text has written before.

A file that is run passes where its program does, whatever stands in it. Where the same text puts
something into it first, that is at hand, and is looked through as what a shell is fed.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.code_inputs import is_interpreter, says_code, takes_code
from assent.gate.programs.command_scopes import RUNNER, kind_of
from assent.gate.programs.deeds import Kind
from assent.gate.programs.nested_execution.interpreters import CLIENTS, SCRIPTED, TYPED
from assent.gate.programs.nested_execution.wrappers import launched
from assent.gate.ruling.downloaded_folders import run_by
from assent.gate.ruling.findings import CommandFinding
from assent.gate.shell.dialects import SHELLS
from assent.gate.shell.script import SOURCES, Command
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["OF_SCRIPT", "SUBCOMMANDS", "has_language", "programs_in", "with_its_code"]

_SCRIPTS: Final = late(SCRIPTED)
_TOKENS: Final = late(r"[\w@+-][\w.@+-]*")
_MODULE: Final = late(r"\.(?:py|rb|pm|pl|[cm]?[jt]sx?)\Z")
"""The endings that a module's name does without."""
_LOADING: Final = late(r"(?:-[mrMI]|--(?:require|import|loader))(?:=?(\S+))?\Z")
OF_SCRIPT: Final = late(r"-[A-Za-z]*[fSx]|-jar|--(?:file|script|makefile|command)")
"""The flags of such a program, and of an editor, whose value is the file with the script."""
SUBCOMMANDS: Final = frozenset("run x dlx serve test bench exec".split())


def with_its_code(command: Command, others: Sequence[CommandFinding], text: str) -> Command:
    """The command; where it runs a file that one of the others writes, with how that is told."""
    writing = [other for other in others if any(at.kind is Kind.WRITE for at in other.places)]
    run = {*programs_in(command), *_told_in(command)} if writing and command.argv else set[str]()
    code: dict[int, str] = {}
    # What one file is made of may stand in another.
    for _ in writing if run else ():
        for one in (it for it in writing if it.start not in code and _writes(it, run)):
            code[one.start] = _spelled(one, others, command, text)
            run |= {place.name for place in one.places if place.kind is not Kind.WRITE}
    told = [code[it] for it in sorted(code)]
    return evolve(command, code=" ".join(told)) if told else command


def _writes(judged: CommandFinding, names: Collection[str]) -> bool:
    """Whether a command writes a file of one of these names, or a module that is called so."""
    return any(it in names or _MODULE.sub("", it) in names for it in _written_by(judged))


def _written_by(judged: CommandFinding) -> Iterator[str]:
    return (place.name for place in judged.places if place.kind is Kind.WRITE)


def _spelled(
    judged: CommandFinding, others: Sequence[CommandFinding], command: Command, text: str
) -> str:
    """How a command is spelled with what it is fed, which may stand before the next one."""
    if judged.command.fed:
        return text
    starts = [other.start for other in others if other.start >= judged.end]
    return text[judged.start : max(judged.end, min((*starts, command.start)))]


def _told_in(command: Command) -> Iterator[str]:
    """The same of those that it may come to run: by its code, by its options, or by itself."""
    words = [word.text for word in command.argv]
    yield from run_by(command.program)
    rest = " ".join(words[1:])
    if is_interpreter(command):
        first = next((word for word in words[1:] if word[:1] != "-"), "")
        if says_code(words) or first in SUBCOMMANDS:
            yield from _TOKENS.findall(rest)
        for flag, value in pairwise((*words[1:], "")):
            if loading := _LOADING.match(flag):
                yield (loading[1] or value).rpartition("/")[2]
    elif kind_of(launched(command.argv) or command.argv) == RUNNER or run_by(command.program):
        # The letter of an option may stand before the name of a file (`-fx.mk`).
        for it in _TOKENS.findall(rest):
            yield from (it, it[2:] if it[:1] == "-" else it) if "." in it else ()


def programs_in(command: Command) -> Iterator[str]:
    """The names of the files that a command may run: its own, and those an interpreter may get."""
    words = [word.text for word in command.argv]
    if takes_code(words):
        fed = (
            redirect.target.text
            for redirect in command.redirects
            if redirect.operator in ("<", "<>")
        )
        yield from (it.rpartition("/")[2] for it in fed)
    if command.program == "java" or has_language(command.program):
        pairs = pairwise(words)
        yield from (it.rpartition("/")[2] for flag, it in pairs if OF_SCRIPT.fullmatch(flag))
    yield from (word.rpartition("/")[2] for word in words[:1] if "/" in word or command.carried)
    if not (is_interpreter(command) or command.program in SHELLS or command.name in SOURCES):
        return
    for flag, word in pairwise(words):
        if word[:1] in {"-", "+"}:
            continue
        yield word.rpartition("/")[2]
        # Behind a flag it may be the value of that; the next one is the file then.
        if flag[:1] not in {"-", "+"}:
            return


def has_language(program: str) -> bool:
    """Whether a program does what a text in a language of its own says."""
    return any(it.fullmatch(program) for it in (_SCRIPTS, TYPED, CLIENTS))
