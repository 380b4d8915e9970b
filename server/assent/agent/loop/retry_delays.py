"""How long to wait before a model that failed for now is asked again.

The pauses grow, and a host that says when is asked then. All pauses in a row are minutes, not
hours; a whole reply makes an end of them, and a person can end each at once.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

from assent.agent.models.provider import ModelFailed
from assent.gate.values import define, field, frozen

__all__ = ["Pause", "RetryDelays"]

_FIRST_DELAY_S: Final = 1.0
_MAX_DELAY_S: Final = 60.0
_MAX_WAIT_S: Final = 900.0
"""In seconds: so long it is waited in a row."""


@frozen(kw_only=True, eq=False)
class Pause:
    """One pause that is under way."""

    because: str
    """Why, in a sentence for the person."""
    seconds: float
    """How long it was to be."""
    until: float
    """By the loop's clock."""
    skipped: asyncio.Event

    @property
    def left(self) -> float:
        """How many seconds there are left of it."""
        return max(0.0, self.until - asyncio.get_running_loop().time())


@define(eq=False)
class RetryDelays:
    """That of one turn."""

    _chance: Callable[[], float]
    """Spreads those who were turned away together."""
    pause: Pause | None = None
    _tries: Counter[int] = field(factory=Counter)
    """In a row, by how many are worth it for their reason."""
    _waited: float = 0.0

    def wait(self, failed: ModelFailed) -> float | None:
        """How long the next pause would be; None where there should be none."""
        if self._tries[failed.again] >= failed.again:
            return None
        spread = 0.5 + self._chance() / 2
        backoff = min(_MAX_DELAY_S, _FIRST_DELAY_S * (1 << min(self._tries.total(), 10))) * spread
        wait = max(failed.after or 0.0, backoff)
        return wait if self._waited + wait <= _MAX_WAIT_S else None

    def begin(self, failed: ModelFailed, seconds: float) -> Pause:
        """Begin to wait."""
        self._tries[failed.again] += 1
        until = asyncio.get_running_loop().time() + seconds
        self.pause = Pause(
            because=str(failed), seconds=seconds, until=until, skipped=asyncio.Event()
        )
        return self.pause

    def end(self) -> None:
        """The pause is over, at its end or before."""
        if self.pause is not None:
            self._waited += self.pause.seconds - self.pause.left
            self.pause = None

    def skip(self) -> None:
        """Wait no longer."""
        if self.pause is not None:
            self.pause.skipped.set()

    def renew(self) -> None:
        """A whole reply came."""
        self._tries.clear()
        self._waited = 0.0
