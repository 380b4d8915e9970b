"""Code that comes from elsewhere while a call runs, so that nobody has read what is run here.

`curl … | python3`, `node -e "$(curl …)"`, `wget …/x.py; python3 x.py`: a shell that is
given such a text cannot be read, and an interpreter of another language is no other thing.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import evolve

from assent.bash.dialects import SHELLS
from assent.bash.script import Command
from assent.policy.findings import Judged
from assent.policy.matter import asked
from assent.programs.deeds import Kind
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
    bringing = [it for it in judged if it.command is not None and it.deeds.hosts]
    sources = [it.command for it in bringing if it.command is not None]
    brought = {it for one in bringing for it in _kept_by(one, judged)}
    for command in (it.command for it in judged):
        if command is None:
            continue
        if not brought.isdisjoint(_programs_in(command)):
            yield _FETCHED
        elif not is_interpreter(command):
            continue
        elif any(_is_run(source, command) for source in sources):
            yield _FETCHED
        elif says_unknown(command):
            yield _UNKNOWN


def _kept_by(one: Judged, judged: Sequence[Judged]) -> Iterator[str]:
    """The names of the files into which it puts what it fetches, or another that reads from it."""
    line = one.command.aside if one.command is not None else 0
    for it in judged:
        of_it = it is one or (line and it.command is not None and it.command.aside == line)
        for place in it.places if of_it else ():
            if place.kind is Kind.WRITE and place.target is not None:
                yield place.target.resolved.rpartition("/")[2]


def _programs_in(command: Command) -> Iterator[str]:
    """The names of the files that a command may run: its own, and those an interpreter may get."""
    words = [it.text for it in command.argv]
    yield from (it.rpartition("/")[2] for it in words[:1] if "/" in it)
    if not (is_interpreter(command) or command.program in SHELLS):
        return
    for flag, word in pairwise(words):
        if word[:1] in {"-", "+"}:
            continue
        yield word.rpartition("/")[2]
        # Behind a flag it may be the value of that; the next one is the file then.
        if flag[:1] not in {"-", "+"}:
            return


def _is_run(source: Command, command: Command) -> bool:
    """Whether a program may run what another command fetches: as its input, or out of its words."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if within and says_unknown(command):
        return True
    piped = command.fed and source.aside == command.aside != 0 and source.start < command.start
    return (piped or within) and takes_code([it.text for it in command.argv])
