"""Which repository and branch a git command uses, and what these could make it run.

Git does what the settings of a repository say, whoever wrote them. So a command that only reads is
one only where the repository is harmless, from each folder in which the command may come to run.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Deeds
from assent.gate.programs.study import study
from assent.gate.programs.substitution_values import names_branch
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.destinations import meant_by, target_of
from assent.gate.ruling.effects_between_commands import is_planted
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.shell.word import Below, Word

__all__ = ["starts_of", "why_no_branch", "why_not_reading", "why_of_another"]

_UNKNOWN: Final = "Which repository git would find is only known when it runs."


def why_not_reading(case: CommandAnalysis) -> str | None:
    """A sentence that says why a reading command of git may do more, or None."""
    context, deeds = case.context, case.deeds
    if not (deeds.reading and deeds.git_from):
        return None
    for start in starts_of(context, deeds, case.folders):
        if start is None or is_planted(context, start.resolved, case.before):
            return _UNKNOWN
        why = context.facts.git_runs(start.resolved)
        if why is not None:
            return f"{_named(start)} could make git run something: {why}."
    return None


def why_of_another(case: CommandAnalysis) -> str | None:
    """Why a rule about git means no such command here, as a clause: another repository says more.

    Who lets git work means the repository of the workspace, and what its people have it run.
    """
    context, deeds = case.context, case.deeds
    if case.command.program != "git" or not deeds.git_from:
        return None
    starts = [start for start in starts_of(context, deeds, case.folders) if start is not None]
    if all(start.shown == "." for start in starts):
        return None
    tops = filter(None, (context.located(top, top) for top in context.tops))
    own = {_top(context, top) for top in tops}
    # Where the workspace is no repository itself, those in it are what its people work on.
    hooked = not deeds.reading and None not in own
    for start in (start for start in starts if _top(context, start) not in own):
        why = context.facts.git_runs(start.resolved) or (
            _hooked(context, start) if hooked else None
        )
        if why is not None:
            return f"the repository in {start.shown} could make git run something: {why}"
    return None


def _top(context: RulingContext, folder: Target) -> str | None:
    looks = context.facts.git_looks(folder.resolved)
    return None if looks is None else looks.top


def _hooked(context: RulingContext, folder: Target) -> str | None:
    """Why a command that changes something there may run a hook, as a clause."""
    looks = context.facts.git_looks(folder.resolved)
    hooks = looks.besides[:1] if looks is not None else ()
    found = [context.facts.names(f"{at}/*", "/") for at in hooks]
    told = any(it is None or not all(one.endswith(".sample") for one in it) for it in found)
    return "it has hooks of its own" if told else None


def starts_of(
    context: RulingContext, deeds: Deeds, folders: Sequence[Target | None]
) -> Iterator[Target | None]:
    """The folders from which git looks for its repository; None for one that is not known."""
    # A folder that nobody knows is asked about by itself.
    known = [folder for folder in folders if folder is not None]
    for chain in deeds.git_from:
        yield from _ends(context, chain, known)


def _named(start: Target) -> str:
    whole = start.shown == "."
    return "The repository of this workspace" if whole else f"The repository in {start.shown}"


def _ends(
    context: RulingContext, chain: tuple[Word, ...], starts: list[Target]
) -> Iterator[Target | None]:
    """Where a chain of folders leads; None where that is not known."""
    ends: list[Target] = starts
    for word in chain:
        further = [where for start in ends for where in _next(context, word, start)]
        if None in further:
            yield None
        ends = [where for where in further if where is not None]
    yield from ends


def _next(context: RulingContext, word: Word, start: Target) -> list[Target | None]:
    if word.known and not word.text:
        return [start]
    return [
        None if path is None else target_of(context, path, start)
        for path in _paths(context, word, start)
    ]


def _paths(context: RulingContext, word: Word, start: Target) -> Sequence[str | None]:
    if word.choices:
        return word.choices
    if word.glob or (isinstance(word, Below) and word.of_pattern):
        meant = meant_by(context, word.path, start)
        return (None,) if meant is None else meant
    return (word.path if word.known else None,)


# Whether the branch that is checked out may have a name that another command takes for a flag.
#
# Git makes no branch whose name begins with a dash, but a clone may bring one and check it out. So
# what a command gives another for the branch is surely one where the repository says so now, and
# where nothing else in the line can put another branch there.

_ODD: Final = "The branch may have a name that is taken for a flag."
_MOVED: Final = "Which branch this names is only known when it runs."

_STAYING: Final = frozenset(
    """add branch cherry-pick clean commit config fetch merge mv pull push remote reset restore
    revert rm stash tag""".split()
)
"""What changes something, and leaves checked out what was, or what git itself has named."""
_GOING: Final = frozenset(("checkout", "rebase", "switch"))
_TELLING: Final = frozenset("cd echo test [ [[".split())
"""What no name makes do anything else."""
_FETCHERS: Final = frozenset("gh glab hub".split())
"""Programs that check out what somebody else has named."""


def why_no_branch(case: CommandAnalysis) -> str | None:
    """A sentence that says why what a command gives for the branch may be a flag, or None."""
    if not case.command.depth or not names_branch(case.command):
        return None
    others = [
        command for command in case.script.commands if command.argv and not names_branch(command)
    ]
    if all(other.name in _TELLING for other in others):
        return None
    if not all(map(_leaves_it, others)):
        return _MOVED
    for folder in case.folders:
        head = None if folder is None else case.context.facts.head(folder.resolved)
        if head is None or "/-" in head:
            return _ODD
    return None


def _leaves_it(command: Command) -> bool:
    """Whether the branch that is checked out afterwards has a name that is no flag."""
    words = command.argv[1:]
    if command.program in _FETCHERS:
        return not {"checkout", "clone", "co"} & {word.text for word in words}
    if command.program != "git" or study(command).reading:
        return True
    first = words[0].text if words and words[0].known else ""
    if first in _GOING:
        # By a number or two dashes it may go to one that was there before.
        return all(
            word.known and word.text not in ("-", "--") and word.text[:1] != "@" for word in words
        )
    return first in _STAYING
