"""Which commands do not run on a copy of the workspace where others do.

What such a run changes is looked at before it becomes real, and each host that it wants is asked
about. So nothing has to be known of the command: it is ruled on once more as if the mode asked
about no command. What rules say still holds, and so do the questions about the files and hosts that
its words name. What is known to write, or works only outside, is asked about as before.
"""

from collections.abc import Iterator
from typing import Final

from assent.gate.call.modes import Mode, Reach
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.programs.irreversible_losses import command_losses
from assent.gate.programs.tables.outside import OUTSIDE
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.ruling_context import ON_COPY, of_mode

__all__ = ["asked_anyway"]

_GIT: Final = "git"
"""What it changes is in its repository, of which a card can show little. For other machines it
needs keys, which a sandbox does not have."""


def asked_anyway(case: CommandAnalysis, leave: Ruling) -> Iterator[Ruling]:
    """The mode's question about a command that is not to run on a copy.

    `leave` is what lets it run.
    """
    policy, command, deeds = case.context.policy, case.command, case.deeds
    if not policy.on_copy or deeds.reading or not command.argv:
        return
    if policy.mode is Mode.AUTO:
        if command.program in OUTSIDE or (command.program == _GIT and deeds.hosts):
            because = f"`{command.program}` works only outside the sandbox."
            yield Ruling(verdict=Verdict.ASK, because=because)
        return
    only_asks = leave is ON_COPY and deeds.known and not command.wraps
    works_outside = command.program in {_GIT, *OUTSIDE} or deeds.hosts or deeds.later
    if only_asks or works_outside or command_losses(command, case.script.text):
        yield of_mode(policy.mode, Reach.EXECUTE)
