"""Compares vectors: first by the signs of their numbers, then exactly for the few that are near.

A signature is one bit for each number of a vector, as one whole number. Counting in how many bits
two differ takes a tenth of a microsecond, so all of a collection are gone through, and no index of
vectors is kept.
"""

import math
from array import array
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from operator import mul
from typing import Final

__all__ = ["fused", "nearest", "normal", "rescored", "signature"]

_FEW, _MANY = 100, 400
"""How many are compared exactly, in a small collection and in a large one."""
_LARGE: Final = 100_000
_SMOOTH: Final = 60
"""Of reciprocal rank fusion: the larger, the less the first places count."""


def normal(numbers: Iterable[float]) -> bytes:
    """A vector of the length 1; raises `ValueError` where it has no direction."""
    given = array("f", numbers)
    length = math.sqrt(sum(map(mul, given, given)))
    if not given or not math.isfinite(length) or length == 0:
        raise ValueError("a vector without a direction")
    return array("f", (it / length for it in given)).tobytes()


def signature(vector: bytes) -> int:
    """Which of its numbers are above zero, a bit for each.

    >>> bin(signature(normal([0.5, -1.0, 2.0])))
    '0b101'
    """
    return int("".join("1" if it > 0 else "0" for it in array("f", vector)) or "0", 2)


def nearest(asked: int, signatures: Sequence[int]) -> list[int]:
    """Where those stand that differ from it in the fewest bits, the nearest first."""
    apart = [(it ^ asked).bit_count() for it in signatures]
    most = _FEW if len(apart) < _LARGE else _MANY
    return nsmallest(most, range(len(apart)), key=apart.__getitem__)


def rescored(asked: bytes, vectors: Iterable[tuple[int, bytes]]) -> list[int]:
    """The names of vectors, the one that points where the question does first."""
    mine = array("f", asked)
    scored = [
        (sum(map(mul, mine, array("f", it))), name) for name, it in vectors if len(it) == len(asked)
    ]
    return [name for _, name in sorted(scored, key=lambda it: -it[0])]


def fused(*rankings: Sequence[int]) -> list[int]:
    """Several rankings as one: what stands high in any of them, and higher what does in more.

    >>> fused([1, 2, 3], [3, 4])
    [3, 1, 2, 4]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, it in enumerate(ranking, 1):
            scores[it] = scores.get(it, 0.0) + 1 / (_SMOOTH + rank)
    return sorted(scores, key=lambda it: -scores[it])
