"""One command on the table: whatever rules on it is given this, and not each thing by itself."""

from collections.abc import Sequence
from functools import cached_property

from assent.bash.script import Command, Script
from assent.calls import Target
from assent.policy.findings import Judged
from assent.policy.folders import folders_of
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.programs.deeds import Deeds
from assent.programs.inputs import is_unsure
from assent.rules.written import Given
from assent.values import frozen

__all__ = ["Case"]


@frozen(kw_only=True)
class Case:
    """One command of a call, with all that bears on it."""

    matter: Matter
    script: Script
    command: Command
    deeds: Deeds
    folders: list[Target | None]
    """Where it may come to run; None for a folder that nobody knows."""
    places: list[Place]
    """What it touches, from each of these."""
    before: Sequence[Judged]
    """The commands that may have run before it."""
    given: Given
    """The variables that it is given."""

    @cached_property
    def unsure(self) -> bool:
        """Whether it may do more to files than its words were read to say."""
        return is_unsure(self.command, self.deeds)

    @cached_property
    def anywhere(self) -> list[Target | None]:
        """Where it may come to run whatever the disk says now."""
        return folders_of(self.matter, self.command, (), whole=False)
