"""What of a shell's text could not be read: asked about, whatever rules there are but one.

A rule may name the very file whose commands a shell is told to run as its own (`source
.venv/bin/activate`): who wrote that knows the file, and that it stays in this folder. Where the
mode lets programs of the workspace run, such a file is one of them; nothing is known after it.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from assent.bash.script import SOURCES, Opaque, Script
from assent.calls import Target
from assent.modes import Reach
from assent.policy.destinations import target_of
from assent.policy.findings import Judged
from assent.policy.folders import folders_of
from assent.policy.matter import Matter, asked
from assent.verdicts import Actor, Verdict

__all__ = ["judged_unread"]


def judged_unread(matter: Matter, script: Script, judged: Sequence[Judged]) -> Iterator[Judged]:
    """What is said of each stretch that could not be read, beside the commands that could."""
    sourced = {(it.start, it.end): it for it in judged if _is_sourced(it)}
    for it in script.opaque:
        one = sourced.get((it.start, it.end))
        if one is None or not (_is_meant(matter, one) or _is_run_anyhow(matter, one)):
            yield _judge(matter, it, named=one is not None)


def _judge(matter: Matter, opaque: Opaque, *, named: bool) -> Judged:
    """What cannot be read is asked about; what the mode denies stays denied.

    Where it is a file that is `named`, a rule may name it too.
    """
    by_mode = matter.by_mode(Reach.EXECUTE)
    said = asked(opaque.because)
    if named and by_mode.verdict is Verdict.ASK:
        said = evolve(by_mode, because=opaque.because)
    denied = by_mode.verdict is Verdict.DENY
    ruling = by_mode if denied else matter.granted or said
    return Judged(ruling=ruling, leave=ruling, start=opaque.start, end=opaque.end)


def _is_sourced(judged: Judged) -> bool:
    """Whether a shell is told to run the commands of one file as its own."""
    command = judged.command
    told = command is not None and command.name in SOURCES
    return told and command is not None and all(it.known and not it.glob for it in command.argv)


def _is_meant(matter: Matter, judged: Judged) -> bool:
    """Whether a rule names this very file, as it is found from the top of the workspace."""
    command = judged.command
    if command is None or judged.leave.by is not Actor.RULE or not command.argv[1:]:
        return False
    file = command.argv[1].path
    rules = (it for it in matter.book.rules if it.text == judged.leave.rule)
    # A name without a folder is looked for in those of PATH first.
    if "/" not in file or not any(command.argv[1].text in it.words for it in rules):
        return False
    folders = folders_of(matter, command, (), whole=False)
    found = {_resolved(target_of(matter, file, it)) for it in folders}
    meant = {
        _resolved(target_of(matter, file, matter.facts.locate(it, it))) for it in _tops(matter)
    }
    return None not in found and found <= meant


def _is_run_anyhow(matter: Matter, judged: Judged) -> bool:
    """Whether it is a file of the workspace, where the mode lets programs of it run unread."""
    command = judged.command
    if command is None or matter.by_mode(Reach.EXECUTE).verdict is not Verdict.ALLOW:
        return False
    # A name without a folder is looked for in those of PATH first.
    file = command.argv[1].path if command.argv[1:] else ""
    found = [target_of(matter, file, it) for it in folders_of(matter, command, (), whole=False)]
    return "/" in file and all(it is not None and it.inside for it in found)


def _tops(matter: Matter) -> tuple[str, ...]:
    return (*matter.policy.book.roots, *matter.policy.more.roots)


def _resolved(target: Target | None) -> str | None:
    return None if target is None else target.resolved
