"""A call as spans: one for all of it, and one for each step."""

import os
from typing import Final

from assent.gate.call.lifecycle import State
from assent.gate.values import define, field, frozen

__all__ = ["STEPS", "Span", "Trace"]

Words = dict[str, str | list[str]]

STEPS: Final = {
    State.PROPOSED: "ruling",
    State.WAITING: "answering",
    State.RUNNING: "running",
}
"""What happens while a call stands there."""


@frozen(kw_only=True)
class Span:
    """Something that took a while."""

    trace: str
    id: str
    parent: str = ""
    name: str
    began: int
    """In nanoseconds, as the clock on the wall had it when its call was proposed."""
    ended: int
    words: Words = field(factory=dict)
    failed: bool = False

    @property
    def letters(self) -> int:
        """How long its words are; texts and lists of texts alike."""
        return sum(len(text) for said in self.words.values() for text in said)


@define
class Trace:
    """A call on its way; its ids are dice, so that nothing can be told by them."""

    words: Words
    began: int
    """By the clock on the wall."""
    since: int
    """By the one that never goes back."""
    state: State = State.PROPOSED
    entered: int = 0
    """When it came to that state, in nanoseconds from its beginning."""
    was_asked: bool = False
    id: str = field(factory=lambda: os.urandom(16).hex(), init=False)
    root: str = field(factory=lambda: os.urandom(8).hex(), init=False)
    steps: list[Span] = field(factory=list, init=False)

    def step(self, state: State, now: int) -> float:
        """Take a step; return for how many seconds it stood where it was."""
        at = now - self.since
        took = at - self.entered
        self.steps.append(
            Span(
                trace=self.id,
                id=os.urandom(8).hex(),
                parent=self.root,
                name=STEPS[self.state],
                began=self.began + self.entered,
                ended=self.began + at,
            )
        )
        self.state, self.entered = state, at
        self.was_asked |= state is State.WAITING
        return took / 1e9

    def spans(self) -> list[Span]:
        """All of it, once it is over."""
        whole = Span(
            trace=self.id,
            id=self.root,
            name="call",
            began=self.began,
            ended=self.began + self.entered,
            words={**self.words, "assent.end": self.state.value},
            failed=self.state is State.FAILED,
        )
        return [whole, *self.steps]
