"""Adds up what requests to models cost: tokens, and money where a price is known.

The sums are about right and no bill: what a host asks for keeping something is not in them, and
a price is that of the model's maker.
"""

from typing import Final

from assent.agent.models.events import Used
from assent.gate.values import define, evolve

__all__ = ["Price", "Spent"]

Price = tuple[float, float, float]
"""In US dollars for a million tokens: read, written, and read from the cache."""
_MILLION: Final = 1_000_000
_A_CENT: Final = 0.01


@define
class Spent:
    """All of some requests together."""

    tokens: int = 0
    """Read and written."""
    dollars: float | None = None
    """None where no request had a price."""
    lacks_a_price: bool = False
    """Whether some had none."""

    def add(self, used: Used, price: Price | None) -> None:
        """One more request came to this."""
        self.tokens += used.read + used.wrote
        if price is None:
            self.lacks_a_price = True
        else:
            self.dollars = (self.dollars or 0.0) + _cost(used, price)

    def after(self, used: Used, price: Price | None) -> "Spent":
        """The sum with one more request, which is not over."""
        sum_of_both = evolve(self)
        sum_of_both.add(used, price)
        return sum_of_both

    @property
    def words(self) -> str:
        """The money in words; nothing where it is not known.

        >>> Spent(dollars=0.4211).words, Spent(dollars=1.5, lacks_a_price=True).words
        ('$0.42', 'over $1.50')
        >>> Spent(dollars=0.002).words, Spent().words
        ('under $0.01', '')
        """
        if self.dollars is None:
            return ""
        if self.dollars < _A_CENT and not self.lacks_a_price:
            return "under $0.01"
        return f"{'over ' if self.lacks_a_price else ''}${self.dollars:,.2f}"


def _cost(used: Used, price: Price) -> float:
    read, wrote, cached = price
    kept = min(used.cached, used.read)
    return ((used.read - kept) * read + kept * cached + used.wrote * wrote) / _MILLION
