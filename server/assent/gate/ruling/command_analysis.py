"""One command of a call with everything that a ruling on it needs."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.code_inputs import is_unsure
from assent.gate.programs.command_scopes import CHECKER, RUNNER, kind_of
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.rules.written_rules import Given
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.paths import Place
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command, Script
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["IN_PLACE_EDITORS", "CommandAnalysis"]

IN_PLACE_EDITORS: Final = frozenset("sed gsed gofmt".split())
"""Programs that write anew what is there."""
_MAKES: Final = late(r"-[A-Za-hj-z]*i.|--in?[a-z-]*=|-[A-Za-eg-z]*f|--fi")
"""How `sed` is told to keep what was there by another name, or to do what a file says."""


@frozen(kw_only=True)
class CommandAnalysis:
    """One command of a call, with all that bears on it."""

    context: RulingContext
    script: Script
    command: Command
    deeds: Deeds
    folders: list[Target | None]
    """Where it may come to run; None for a folder that nobody knows."""
    places: list[Place]
    """What it touches, from each of these."""
    before: Sequence[CommandFinding]
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
        return folders_of(self.context, self.command, (), whole=False)

    def makes_files(self, place: Place) -> bool:
        """Whether it may write other files than those that lie there, or elsewhere."""
        if place.kind is not Kind.WRITE:
            return False
        command = self.command
        kind = kind_of(command.argv)
        checks = kind == CHECKER or (kind == RUNNER and place.pattern is not None)
        kept = any(_MAKES.match(word.text) for word in command.argv[1:])
        anew = command.program in IN_PLACE_EDITORS and not kept
        return not (checks or anew)
