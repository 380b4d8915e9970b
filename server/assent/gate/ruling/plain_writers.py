"""Commands that only write files that their words name, and whether what they write loses anything.

A rule about files is enough for such a command, and so is a mode that lets files be edited. It has
to be the program of its name, and what the mode lets pass must not lose what git does not have.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from assent.gate.call.modes import Mode
from assent.gate.programs.deeds import Deeds, Kind, Touch
from assent.gate.programs.escapes import Escape
from assent.gate.programs.study import study
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.destinations import is_harmless
from assent.gate.ruling.paths import Place, is_new
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact

__all__ = ["loses_nothing", "only_fills"]

_BY_MODE: Final = frozenset("mkdir touch cp mv tee sed gsed gofmt clang-format".split())
"""The programs that a mode lets write which lets files be edited."""

_FORMATTED: Final = {
    "gofmt": (".go",),
    "clang-format": (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".mm", ".proto"),
}
"""Programs that write code anew with other spaces, and the endings of the files that hold it."""
_FORMAT_FLAGS: Final = frozenset("-w -s -l -e -d -i".split())

_KEEPING: Final = frozenset({"mkdir", "touch"})
"""Programs that leave what stands in a file."""
_APPENDS: Final = frozenset({"-a", "--append"})


def only_fills(context: RulingContext, command: Command, deeds: Deeds) -> bool:
    """Whether it does nothing but write the files that its words name, as a redirect does.

    Each of them needs leave: where neither a rule nor the mode gives any, the mode is asked about
    the command. To move files within the workspace, or to format them, takes leave of the mode.
    """
    edits = context.policy.mode is Mode.ACCEPT_EDITS and command.program in _BY_MODE
    if not (edits or context.book.allows_writes):
        return False
    if (
        not deeds.known
        or deeds.hosts
        or any(not why.endswith(Escape.WRITES) for why in deeds.escapes)
    ):
        return False
    if edits and command.program in _FORMATTED:
        return _only_formats(command)
    moves = edits and deeds.moves
    written = [touch for touch in deeds.touches if touch.kind.changes]
    return (
        deeds.named
        and bool(written)
        and all(moves or (touch.kind is Kind.WRITE and not touch.tree) for touch in written)
    )


def _only_formats(command: Command) -> bool:
    """Whether it formats code in place, with no other code put in its place."""
    words = [word.text for word in command.argv[1:]]
    flags = {word for word in words if word.startswith("-")}
    files = [word for word in words if not word.startswith("-")]
    goes_into_folders = command.program == "gofmt"
    return (
        all(type(word) is Exact for word in command.argv)
        and flags <= _FORMAT_FLAGS
        and bool(files)
        and all(
            file.endswith(_FORMATTED[command.program])
            or (goes_into_folders and "." not in file.rstrip("/").rpartition("/")[2].strip("."))
            for file in files
        )
    )


def loses_nothing(case: CommandAnalysis, place: Place) -> bool:
    """Whether what a write changes is still there, or could be had again from git."""
    if place.kind is Kind.DELETE:
        return case.command.program == "mv" and _is_kept_elsewhere(case)
    if is_new(place) or place.appends:
        return True
    if not place.redirect and _keeps_text(case.command):
        return True
    if place.pattern is not None:
        # Each file that the pattern stands for is a place of its own.
        folder = case.folders[0] if len(case.folders) == 1 else None
        return folder is not None and bool(case.context.facts.names(place.spelled, folder.resolved))
    plain = not place.listed and (case.command.program == "mv" or not place.tree)
    return plain and case.context.facts.can_be_restored(place.lies)


def _keeps_text(command: Command) -> bool:
    """Whether what a program writes to still holds what it held, perhaps with other spaces."""
    flags = takewhile(lambda text: text != "--", (word.text for word in command.argv))
    appends = command.program == "tee" and not _APPENDS.isdisjoint(flags)
    return appends or command.program in _KEEPING or command.program in _FORMATTED


def _is_kept_elsewhere(case: CommandAnalysis) -> bool:
    """Whether what a command moves lies in the workspace afterwards, and nothing replaces it."""
    if len(case.folders) != 1 or any(type(word) is not Exact for word in case.command.argv):
        return False
    if any(place.target is not None and place.target.is_agents_own for place in case.places):
        return False
    touches = case.deeds.touches
    moved = [_names_in(touch.word.text)[-1] for touch in touches if touch.kind is Kind.DELETE]
    changed = [touch.word.text for touch in touches if touch.kind.changes]
    targets = {_names_in(text)[-1] for text in changed if not text.endswith("/")}
    return len(set(moved)) == len(moved) and not any(
        _may_replace(case, touch, targets) for other in _later(case) for touch in _written_by(other)
    )


def _later(case: CommandAnalysis) -> Iterator[Command]:
    """The other commands that may run after it, or while it runs."""
    for other in case.script.commands:
        is_before = other.end <= case.command.start and not case.command.aside
        if other is not case.command and not is_before:
            yield other


def _written_by(command: Command) -> Iterator[Touch]:
    """What a command may overwrite, its redirects included."""
    for redirect in command.redirects:
        if redirect.writes and not is_harmless(redirect.target.text):
            yield Touch(kind=Kind.WRITE, word=redirect.target, appends=">>" in redirect.operator)
    if command.program not in _KEEPING:
        yield from (touch for touch in study(command).touches if touch.kind.changes)


def _may_replace(case: CommandAnalysis, touch: Touch, targets: set[str]) -> bool:
    """Whether a write may reach what was moved to one of these names, or what lies below it."""
    folder = case.folders[0]
    if touch.appends:
        return False
    if type(touch.word) is not Exact or folder is None:
        return True
    target = case.context.located(touch.word.text, folder.resolved)
    if target is None or target.resolved != target.named:
        return True
    return not targets.isdisjoint(_names_in(touch.word.text))


def _names_in(path: str) -> list[str]:
    """The names on a path, in small letters, since some disks do not tell these apart.

    >>> _names_in("lib/A.go"), _names_in("lib/"), _names_in(".")
    (['lib', 'a.go'], ['lib'], ['.'])
    """
    return [name for name in path.casefold().split("/") if name not in {"", "."}] or ["."]
