"""The parts of a shell command as a card shows them, each with its ruling.

Operators and texts in order, and then the tail, are the command, byte for byte; where they would
not be, or where something between the parts would not be seen, there are no parts to show.
"""

from assent.editor.cards.danger import marked
from assent.editor.cards.spans import code
from assent.editor.protocol.card import ShellPart
from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Part, Ruling, Verdict
from assent.gate.values import evolve, frozen

__all__ = ["NONE", "Shown", "as_shown", "parts_of"]


@frozen(kw_only=True)
class Shown:
    """A command in its parts."""

    parts: tuple[ShellPart, ...] = ()
    tail: str = ""
    readable: bool = True


NONE = Shown(readable=False)
"""A command that has to be shown raw."""

_WORDS = {Verdict.ALLOW: "allow", Verdict.ASK: "ask", Verdict.DENY: "deny"}


def parts_of(command: str, ruling: Ruling) -> Shown:
    """The parts of a command by what was said of each."""
    if not ruling.readable:
        return NONE
    shown: list[ShellPart] = []
    at = 0
    below = said = (ruling.because, ruling.rule, ruling.source)
    for part in ruling.parts:
        between = command[at : part.start]
        if not _fits(command, part, at) or not _is_seen(between):
            return NONE
        # What the card says below, or the line above has said, is not said again.
        says = (part.because, part.rule, part.source)
        shown.append(_part(part, between, said=says in (below, said)))
        said, at = says, part.end
    tail = command[at:] if shown else ""
    return Shown(parts=tuple(shown), tail=tail) if _is_seen(tail) else NONE


def as_shown(call: Call, ruling: Ruling) -> Ruling:
    """The ruling as a card may tell it: what cannot be shown in its parts counts as not read."""
    if call.tool != "shell" or parts_of(str(call.input.get("command", "")), ruling).readable:
        return ruling
    return evolve(ruling, readable=False, parts=())


def _fits(command: str, part: Part, at: int) -> bool:
    """Whether a part stands where it says, behind the one before."""
    return at <= part.start <= part.end and command[part.start : part.end] == part.text


def _is_seen(text: str) -> bool:
    return all(span.kind != "hidden" for span in code(text))


def _part(part: Part, operator: str, *, said: bool) -> ShellPart:
    return ShellPart(
        operator=operator,
        text=marked(part.text),
        verdict=_WORDS[part.verdict],  # type: ignore[arg-type]  # one of the three
        because="" if said else part.because,
        rule=None if said else part.rule,
        source=None if said or part.source is None else str(part.source),
        grave=part.grave,
    )
