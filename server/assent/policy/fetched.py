"""Code that comes from elsewhere while a call runs, so that nobody has read what is run here.

`curl … | python3`, `node -e "$(curl …)"`: a shell that is given such a text cannot be read, and an
interpreter of another language is no other thing.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve

from assent.bash.script import Command
from assent.policy.findings import Judged
from assent.policy.matter import asked
from assent.programs.inputs import is_interpreter, says_unknown, takes_code
from assent.verdicts import Ruling

__all__ = ["fetched_code"]

_FETCHED: Final = evolve(
    asked("What this program runs is fetched, and nobody has read it."),
    grave="Runs what comes from another machine.",
)
_UNKNOWN: Final = asked("What this program runs is only known when it runs.")


def fetched_code(judged: Sequence[Judged]) -> Iterator[Ruling]:
    """What is asked about programs that run what another command of the text brings."""
    sources = [it.command for it in judged if it.command is not None and it.deeds.hosts]
    for command in (it.command for it in judged):
        if command is None or not is_interpreter(command):
            continue
        if any(_is_run(source, command) for source in sources):
            yield _FETCHED
        elif says_unknown(command):
            yield _UNKNOWN


def _is_run(source: Command, command: Command) -> bool:
    """Whether a program may run what another command fetches: as its input, or out of its words."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if within and says_unknown(command):
        return True
    piped = command.fed and source.aside == command.aside != 0 and source.start < command.start
    return (piped or within) and takes_code([it.text for it in command.argv])
