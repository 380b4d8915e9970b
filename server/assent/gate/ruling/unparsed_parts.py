"""Parts of a command that could not be parsed ask, unless an exact rule allows them.

A rule may name the very file whose commands a shell is told to run as its own (`source
.venv/bin/activate`): who wrote that knows the file, and that it stays in this folder. Where the
mode lets programs of the workspace run, such a file is one of them; nothing is known after it.

In such a mode a variable may also say where things lie, as a program of the workspace could say it
to those that it runs itself: where modules are found, or what is built is put. A rule may name it
with its value. Of folders with programs only those count in which nothing comes to lie without a
question.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.modes import Reach
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.programs.study import is_plainly_named
from assent.gate.programs.variables import is_filled, only_says_where
from assent.gate.ruling.destinations import target_of
from assent.gate.ruling.findings import CommandFinding, Finding
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.protected import change_of, lies_in
from assent.gate.ruling.ruling_context import ON_COPY, RulingContext, asked
from assent.gate.shell.anchored_paths import InFolder
from assent.gate.shell.script import SOURCES, START, Assignment, Opaque, Script
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["judged_unread", "only_places"]

_PATH: Final = "PATH"
_MACHINES: Final = ("/usr/", "/opt/", "/snap/", "/nix/", "/Applications/", "/Library/")
"""Folders of the whole machine, which only its owner fills."""
_STREAMS: Final = ("/dev/", "/proc/")
_HAD: Final = "\1"
"""Stands for all that a variable had before, which is as it was."""
_BEGINS: Final = late(r"\$(?:(PWD)\b|\{(PWD)\}|(?:HOME\b|\{HOME\})|(\(pwd\)))(?=/|\Z)")
_FOLDER: Final = late(r"(?:~(?=/|\Z)|[\w.@+/-])[\w.@+,/ -]*")
_FIXED: Final = ("/", "~", "$")
"""How a folder begins that is the same wherever the shell goes."""


def judged_unread(
    context: RulingContext, script: Script, judged: Sequence[CommandFinding]
) -> Iterator[Finding]:
    """What is said of each stretch that could not be read, beside the commands that could."""
    if not script.opaque:
        return
    sourced = {(it.start, it.end): it for it in reversed(judged) if _is_sourced(it)}
    stays = all(command.ways is START for command in script.commands)
    for opaque in script.opaque:
        # What is inside a script stands where that does, and may say another place.
        beside = [one for one in judged if (one.start, one.end) == (opaque.start, opaque.end)]
        if opaque.sets and _only_says_where(context, opaque.sets, beside, stays=stays):
            continue
        one = sourced.get((opaque.start, opaque.end))
        brought = any(one.deeds.hosts and one.end <= opaque.start for one in judged)
        if one is None or not (
            _is_named(context, one) or _is_run_anyhow(context, one, brought=brought)
        ):
            yield _judge_unread(context, opaque, named=one is not None)


def _judge_unread(context: RulingContext, opaque: Opaque, *, named: bool) -> Finding:
    """What cannot be read is asked about; what the mode denies stays denied.

    Where it is a file that is `named`, a rule may name it too.
    """
    by_mode = context.by_mode(Reach.EXECUTE)
    said = asked(opaque.because)
    if named and by_mode.verdict is Verdict.ASK:
        said = evolve(by_mode, because=opaque.because)
    # What runs on a copy need not be read.
    decides = by_mode.verdict is Verdict.DENY or by_mode is ON_COPY
    ruling = by_mode if decides else context.granted or said
    return Finding(ruling=ruling, start=opaque.start, end=opaque.end)


def _is_sourced(judged: CommandFinding) -> bool:
    """Whether a shell is told to run the commands of one file as its own."""
    command = judged.command
    return command.name in SOURCES and all(word.known and not word.glob for word in command.argv)


def _is_named(context: RulingContext, judged: CommandFinding) -> bool:
    """Whether a rule names this very file, as it is found from the top of the workspace."""
    command = judged.command
    if judged.leave.by is not Actor.RULE or not command.argv[1:]:
        return False
    file = command.argv[1].path
    rules = (rule for rule in context.book.rules if rule.text == judged.leave.rule)
    # A name without a folder is looked for in those of PATH first.
    if "/" not in file or not any(command.argv[1].text in rule.words for rule in rules):
        return False
    folders = folders_of(context, command, (), whole=False)
    found = {_resolved(target_of(context, file, folder)) for folder in folders}
    meant = {_resolved(target_of(context, file, context.located(top, top))) for top in context.tops}
    return None not in found and found <= meant


def _is_run_anyhow(context: RulingContext, judged: CommandFinding, *, brought: bool) -> bool:
    """Whether it is a file that lies somewhere, where the mode lets such run unread.

    What was `brought` by a command before it, from another machine, may be one outside.
    """
    command = judged.command
    if context.by_mode(Reach.EXECUTE).verdict is not Verdict.ALLOW:
        return False
    # A name without a folder is looked for in those of PATH first.
    file = command.argv[1].path if command.argv[1:] else ""
    targets = [
        target_of(context, file, folder) for folder in folders_of(context, command, (), whole=False)
    ]
    return "/" in file and all(
        target is not None and not _is_poured(target) and (target.inside or not brought)
        for target in targets
    )


def _is_poured(target: Target) -> bool:
    """Whether it is no file, but what another program pours in."""
    return f"{target.resolved}/".startswith(_STREAMS)


def _resolved(target: Target | None) -> str | None:
    return None if target is None else target.resolved


# What only says where things lie.


def _only_says_where(
    context: RulingContext, name: str, beside: Sequence[CommandFinding], *, stays: bool
) -> bool:
    """Whether there is no more to it than a variable that only says where things lie.

    The shell `stays` in its folder where no path leads elsewhere later than it does there.
    """
    found = [
        (one, assignment)
        for one in beside
        for assignment in one.command.assignments
        if assignment.name == name
    ]
    return bool(found) and all(
        # A rule goes no further than the variables that it names.
        (only_says_where(name) and one.leave.by is Actor.RULE)
        or _leads(
            context, assignment, folders_of(context, one.command, (), whole=False), stays=stays
        )
        for one, assignment in found
    )


def _leads(
    context: RulingContext, given: Assignment, folders: Sequence[Target | None], *, stays: bool
) -> bool:
    """Whether an assignment leads to such places alone, as it is spelled."""
    value = given.value
    if isinstance(value, InFolder):
        return only_places(context, given.name, f".{value.text.removeprefix(value.root)}", folders)
    # In quotes, and where all is known, a home stands for itself.
    quoted = '"' in value.text or (value.known and not value.home)
    # Without a sign before it, what is added is glued to the last folder of those before.
    glued = given.appended and not value.text.startswith(":")
    if glued or (quoted and "~" in value.text):
        return False
    text = value.text if value.known else _had_taken_out(given.name, value.text).replace('"', "")
    places = [it for it in text.split(":") if it != _HAD]
    fixed = stays or all(place.startswith(_FIXED) for place in places)
    if given.name == _PATH and not fixed:
        return False
    # What begins with a colon has nothing before it but what was there.
    places = places[1:] if given.appended else places
    led = places if value.known else [*map(_put_in, places)]
    return only_places(context, given.name, ":".join(led), folders) if led else not quoted


def only_places(
    context: RulingContext, name: str, value: str, folders: Sequence[Target | None]
) -> bool:
    """Whether a variable of this value only says where what may run unasked lies."""
    if context.by_mode(Reach.EXECUTE).verdict is not Verdict.ALLOW:
        return False
    if name != _PATH and not only_says_where(name):
        return False
    # What is left empty is, among folders with programs, the one that the shell is in.
    places = [it or "." for it in value.split(":") if it or name == _PATH]
    if not all(map(_FOLDER.fullmatch, places)):
        return False
    targets = [target_of(context, place, folder) for place in places for folder in folders]
    if name == _PATH:
        return all(_keeps_names(context, target) for target in targets)
    kept = is_filled(name)
    return all(target is not None and not (kept and change_of(target)) for target in targets)


def _had_taken_out(name: str, spelled: str) -> str:
    """The value with one sign for what the variable had before, in each of its usual spellings."""
    own = rf"(?:\${name}(?!\w)|\$\{{{name}(?::?-)?\}})"
    text = re.sub(rf"\$\{{{name}:?\+{own}:\}}", f"{_HAD}:", spelled)
    text = re.sub(rf"\$\{{{name}:?\+:{own}\}}", f":{_HAD}", text)
    return re.sub(own, _HAD, text)


def _put_in(place: str) -> str:
    """A folder that is spelled by the one that the shell is in, or by the home."""
    match = _BEGINS.match(place)
    if match is None:
        return place
    return f"{'.' if any(match.groups()) else '~'}{place[match.end() :]}"


def _keeps_names(context: RulingContext, folder: Target | None) -> bool:
    """Whether programs that are found there are what their names say, for all that an agent did."""
    if folder is None:
        return False
    machines = f"{folder.resolved}/".startswith(_MACHINES) and not folder.inside
    if machines or lies_in(folder) or is_plainly_named(f"{folder.resolved}/x"):
        return True
    # Where nothing is refused, no name has to be believed.
    refuses = any(rule.verdict is not Verdict.ALLOW for rule in context.book.rules)
    return folder.inside and not refuses
