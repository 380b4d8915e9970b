"""Whether the branch that is checked out may have a name that another command takes for a flag.

Git makes no branch whose name begins with a dash, but a clone may bring one and check it out. So
what a command gives another for the branch is surely one where the repository says so now, and
where nothing else in the line can put another branch there.
"""

from collections.abc import Sequence
from typing import Final

from assent.bash.script import Command
from assent.calls import Target
from assent.policy.matter import Matter
from assent.programs.answers import names_branch
from assent.programs.study import study

__all__ = ["why_no_branch"]

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


def why_no_branch(
    matter: Matter, command: Command, folders: Sequence[Target | None], all_: Sequence[Command]
) -> str | None:
    """A sentence that says why what a command gives for the branch may be a flag, or None."""
    if not command.depth or not names_branch(command):
        return None
    others = [it for it in all_ if it.argv and not names_branch(it)]
    if all(it.name in _TELLING for it in others):
        return None
    if not all(map(_leaves_it, others)):
        return _MOVED
    for folder in folders:
        head = None if folder is None else matter.facts.head(folder.resolved)
        if head is None or "/-" in head:
            return _ODD
    return None


def _leaves_it(command: Command) -> bool:
    """Whether the branch that is checked out afterwards has a name that is no flag."""
    words = command.argv[1:]
    if command.program in _FETCHERS:
        return not {"checkout", "clone", "co"} & {it.text for it in words}
    if command.program != "git" or study(command).reading:
        return True
    first = words[0].text if words and words[0].known else ""
    if first in _GOING:
        # By a number or two dashes it may go to one that was there before.
        return all(it.known and it.text not in ("-", "--") and it.text[:1] != "@" for it in words)
    return first in _STAYING
