"""Limits the work on one text by counting steps, independently of any clock."""

from typing import Final

from assent.gate.values import define

__all__ = ["MAX_STEPS", "Budget", "TooMuch"]

MAX_STEPS: Final = 14_000
"""So many are taken for one text; a step is about a microsecond of an ordinary machine."""


class TooMuch(Exception):
    """Raised where going on would take too long."""


@define
class Budget:
    """The steps that are left for one text."""

    left: int = MAX_STEPS

    def spend(self, steps: int) -> None:
        """Take some of them; raise where there are not so many."""
        self.left -= steps
        if self.left < 0:
            raise TooMuch
