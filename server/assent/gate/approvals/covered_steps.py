"""The workflow steps that a person allowed on its card, by digest, each for one use.

An answer is about what the card said of a step. Where something else is said of it by the time it
is reached (a step before it has put a link where it writes), the answer is none to that.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from assent.gate.approvals.tickets import Outcome, Settlement
from assent.gate.call.calls import Call, Planned
from assent.gate.call.verdicts import Actor, Part, Ruling
from assent.gate.values import define, field

__all__ = ["CoveredSteps"]

_MAX_ANSWERS: Final = 100
"""So many answers are kept for workflows that have not begun yet."""


@define(eq=False)
class CoveredSteps:
    """What was allowed beforehand, while the workflow runs that it is a part of."""

    _drawn: dict[str, dict[str, Ruling]] = field(factory=dict)
    """By the digest of a workflow's call: what is said of each step that its card drew."""
    _allowed: dict[str, tuple[Settlement, Ruling]] = field(factory=dict)

    def answered(self, call: Call, drawn: Ruling, ruling_on: Callable[[Call], Ruling]) -> None:
        """A person has answered this card; a step of which more is to be said is left out."""
        said = {
            step.call.digest: ruling
            for step, part in zip(call.steps, drawn.parts, strict=False)
            if step.call is not None
            and _is_whole(step)
            and _is_drawn(part, ruling := ruling_on(step.call))
        }
        if said:
            self._drawn[call.digest] = said
        while len(self._drawn) > _MAX_ANSWERS:
            del self._drawn[next(iter(self._drawn))]

    @contextmanager
    def under(self, call: Call, answer: Settlement) -> Iterator[None]:
        """Let the steps that stood on its card pass by the answer to it, if a person gave one."""
        drawn = self._drawn.pop(call.digest, {})
        mine = drawn if answer.by is Actor.USER else {}
        because = f"You allowed it as a step of {_named(call)}."
        said = Settlement(outcome=Outcome.ALLOWED, by=Actor.USER, because=because)
        self._allowed |= {digest: (said, ruling) for digest, ruling in mine.items()}
        try:
            yield
        finally:
            for digest in mine:
                self._allowed.pop(digest, None)

    def take(self, digest: str, ruling: Ruling) -> Settlement | None:
        """The answer to the call of this digest, of which this is said now; it holds once."""
        said, drawn = self._allowed.get(digest, (None, None))
        if said is None or drawn is None or _describe_ruling(drawn) != _describe_ruling(ruling):
            return None
        del self._allowed[digest]
        return said


def _is_whole(step: Planned) -> bool:
    """Whether its line on the card is all that there is to say of it."""
    described = step.call.described if step.call is not None else None
    return not step.waits_for and (described is None or described.before is None)


def _is_drawn(part: Part, ruling: Ruling) -> bool:
    facts = (ruling.verdict, ruling.because, ruling.rule, ruling.grave is not None)
    return (part.verdict, part.because, part.rule, part.grave) == facts


def _describe_ruling(ruling: Ruling) -> tuple[object, ...]:
    """What a person would be told of it on a card."""
    return ruling.verdict, ruling.because, ruling.rule, ruling.grave, ruling.deeds, ruling.readable


def _named(call: Call) -> str:
    name = str(call.input.get("name", ""))
    return f"the workflow “{name.removeprefix('workflow:')}”"
