"""A model of meaning that is played: words that mean the same point in the same direction.

Each meaning has a direction of its own, dense and made of its letters alone, and a text points
where its words do together. So what it makes is the same on every machine and in every run.
"""

import hashlib
import math
import random
import re
from collections.abc import Mapping
from functools import cache

__all__ = ["SIZE", "vector_of"]

SIZE = 256
_WORDS = re.compile(r"\w+")


def vector_of(text: str, alike: Mapping[str, str] | None = None, size: int = SIZE) -> list[float]:
    """Where a text points; `alike` gives to a word the one that means the same."""
    same = alike or {}
    total = [0.0] * size
    for word in _WORDS.findall(text.lower()):
        for at, it in enumerate(_direction(same.get(word, word), size)):
            total[at] += it
    length = math.sqrt(sum(it * it for it in total)) or 1.0
    return [it / length for it in total]


@cache
def _direction(word: str, size: int) -> tuple[float, ...]:
    chance = random.Random(hashlib.sha256(word.encode()).digest())  # noqa: S311 -- the same each time
    return tuple(chance.gauss(0, 1) for _ in range(size))
