"""Counts what a turn has used of its limits, over all subtasks together and for each alone."""

from collections.abc import Iterator

from assent.agent.loop.setup import Limits
from assent.agent.loop.spending import Price, Spent
from assent.agent.models.events import Used
from assent.gate.call.calls import Call, Effect
from assent.gate.values import define, field

__all__ = ["Budget"]


@define(eq=False)
class Budget:
    """What is left for one prompt: made with its turn, and handed down to each part.

    A part has a share of it, with an end of its own: what the part uses counts in both.
    """

    limits: Limits
    spent: Spent = field(factory=Spent)
    part: str = ""
    """Whose share it is; nothing where it is the whole."""
    _outer: "Budget | None" = None
    rounds: int = 0
    """How many requests there were; below it changes to files, and pictures and sounds: all of
    the whole."""
    writes: int = 0
    shown: int = 0

    def share(self, part: str) -> "Budget":
        """What a part of the work may take of this."""
        return Budget(limits=self.limits, part=part, outer=self)

    @property
    def whole(self) -> "Budget":
        """That of the turn."""
        return self if self._outer is None else self._outer.whole

    def begin_round(self) -> bool:
        """Count one more request to the model; False where there were enough."""
        whole = self.whole
        if whole.rounds >= self.limits.rounds or self.used_up is not None:
            return False
        whole.rounds += 1
        return True

    @property
    def used_up(self) -> "Budget | None":
        """What has taken as many tokens as it may: the turn, or else the part around all others."""
        return next((budget for budget in reversed(tuple(self.way())) if budget.is_spent), None)

    def spend(self, used: Used, price: Price | None) -> None:
        """A request came to this."""
        for budget in self.way():
            budget.spent.add(used, price)

    def uncount_round(self) -> None:
        """A request that was counted came to nothing by its host's fault."""
        self.whole.rounds -= 1

    def count(self, call: Call) -> bool:
        """Count a call that changes files; False where there were enough."""
        if call.effect is not Effect.WRITE:
            return True
        whole = self.whole
        if whole.writes >= self.limits.writes:
            return False
        whole.writes += 1
        return True

    def show(self) -> int:
        """Count one more picture or sound; how many there were with it."""
        whole = self.whole
        whole.shown += 1
        return whole.shown

    def uncount(self, call: Call) -> None:
        """A call that was counted did not run."""
        self.whole.writes -= call.effect is Effect.WRITE

    @property
    def is_spent(self) -> bool:
        """Whether this by itself has taken as many tokens as it may."""
        most = self.limits.part_tokens if self.part else self.limits.tokens
        return self.spent.tokens >= most

    def way(self) -> Iterator["Budget"]:
        """This, and all of which it is a share."""
        yield self
        if self._outer is not None:
            yield from self._outer.way()
