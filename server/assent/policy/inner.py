"""What holds for a command that another one runs: whether that vouches for it, and where it runs.

On another machine, or among other files, its ruling is as strict as here, since what stands around
it may give it files of this machine; only the sentences say where it is.
"""

from typing import Final

from attrs import evolve

from assent.bash.script import Command
from assent.modes import NAMES
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.protected import LATER
from assent.programs.codes import CONTAINER, ELSEWHERE
from assent.programs.harming import harms_of
from assent.programs.runners import AFTER_WORD
from assent.programs.study import study
from assent.programs.wrapping import HANDING
from assent.verdicts import Actor, Verdict

__all__ = ["in_place", "vouches"]

_RUNNERS: Final = frozenset({"npx", "bunx", "uvx", *AFTER_WORD, *HANDING})
"""Programs that are there to run a project's own programs, or those of a container."""

_MOUNTED: Final = "in a container that has folders of this machine"


def vouches(outer: Judged | None, inner: Command) -> bool:
    """Whether what allows a command allows what it runs: a rule that names it, or a task runner's.

    What speaks against the inner command counts all the same.
    """
    if outer is None or outer.command is None:
        return False
    if outer.covered:
        return True
    if outer.command.wraps or outer.leave.rule is None:
        return False
    away = outer.command.program in ELSEWHERE
    runs = outer.command.program in _RUNNERS and (away or not _reaches(inner))
    # What runs elsewhere is all in the words of a rule that is to the letter.
    told = away and _is_exact(outer.leave.rule)
    named = outer.leave.rule.removesuffix(")").removesuffix(":*").split()
    return runs or told or inner.name in named


def _reaches(inner: Command) -> bool:
    """Whether it is one of this machine's programs that changes files or reaches a host."""
    deeds = study(inner)
    return bool(deeds.hosts) or any(it.kind.changes for it in deeds.touches)


def _is_exact(rule: str) -> bool:
    return rule.startswith("shell(") and rule != "shell(*)" and not rule.endswith(":*)")


def in_place(
    matter: Matter, one: Judged, command: Command, text: str, outer: Judged | None
) -> Judged:
    """The same, with where it runs, and what is lost there for good.

    The paths of what runs elsewhere are none of this workspace, and nothing is allowed by them.
    """
    where = _where(outer)
    losses = tuple(_there(it, where) for it in harms_of(command, text))
    said = one.ruling
    if not where or said.verdict is not Verdict.ASK:
        return evolve(one, losses=losses, where=where) if losses or where else one
    because = said.because
    if said.by is Actor.MODE and said.lasting:
        because = f"{NAMES[matter.mode]} mode asks about what runs {where}."
    later = said.grave is None or said.grave.startswith(LATER)
    grave = None if later or said.grave is None else _there(said.grave, where)
    said = evolve(said, because=because, grave=grave)
    return evolve(one, ruling=said, losses=losses, where=where)


def _where(outer: Judged | None) -> str:
    """Where a command runs that `outer` runs; nothing where that is here."""
    if outer is None or outer.command is None:
        return ""
    where = outer.where or ELSEWHERE.get(outer.command.program, "")
    # What it does there to these it does here.
    mounts = where == CONTAINER and any(it.tree for it in outer.deeds.touches)
    return _MOUNTED if mounts else where


def _there(loss: str, where: str) -> str:
    """A loss as it is told of what happens elsewhere."""
    return f"{loss.removesuffix('.')}, {where}." if where else loss
