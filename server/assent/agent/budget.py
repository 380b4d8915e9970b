"""How far a turn may still go, with all parts of its work together."""

from attrs import define, field

from assent.agent.setup import Limits
from assent.agent.spending import Spent
from assent.calls import Call, Effect

__all__ = ["Budget"]


@define(eq=False)
class Budget:
    """What is left for one prompt: made with its turn, and handed down to each part."""

    limits: Limits
    spent: Spent = field(factory=Spent)
    _rounds: int = 0
    _writes: int = 0

    def begin_round(self) -> bool:
        """Count one more request to the model; False where there were enough."""
        if self._rounds >= self.limits.rounds or self.is_spent:
            return False
        self._rounds += 1
        return True

    @property
    def is_spent(self) -> bool:
        """Whether it has taken as many tokens as it may."""
        return self.spent.tokens >= self.limits.tokens

    def uncount_round(self) -> None:
        """A request that was counted came to nothing by its host's fault."""
        self._rounds -= 1

    def count(self, call: Call) -> bool:
        """Count a call that changes files; False where there were enough."""
        if call.effect is not Effect.WRITE:
            return True
        if self._writes >= self.limits.writes:
            return False
        self._writes += 1
        return True

    def uncount(self, call: Call) -> None:
        """A call that was counted did not run."""
        self._writes -= call.effect is Effect.WRITE
