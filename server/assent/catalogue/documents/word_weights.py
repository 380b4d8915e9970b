"""How much a word of a question counts: the rarer it is, the more."""

import math
from collections.abc import Mapping
from typing import Final

__all__ = ["COMMON_SHARE", "SMALL_INDEX_PASSAGES", "weighed"]

COMMON_SHARE: Final = 0.08
"""A word that stands in a larger part of the passages finds nothing and costs most of the time."""
SMALL_INDEX_PASSAGES: Final = 100
"""Of fewer passages every word is looked for."""


def weighed(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """What each word weighs that stands in so many passages of all; without any other, all do.

    >>> [*weighed({"the": 900, "kettle": 3}, 1000)]
    ['kettle']
    """
    said = {word: count for word, count in counts.items() if count}
    telling = {
        word: count
        for word, count in said.items()
        if total < SMALL_INDEX_PASSAGES or count <= total * COMMON_SHARE
    }
    return {
        word: math.log(1 + (total - count + 0.5) / (count + 0.5))
        for word, count in (telling or said).items()
    }
