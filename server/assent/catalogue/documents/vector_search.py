"""Finds similar vectors: first by the signs of their numbers, then exactly among the nearest.

A sign is one bit for each number of a vector, as one whole number. Counting in how many bits two
differ takes a tenth of a microsecond, so all of a collection are gone through, and no index of
vectors is kept. Of the sixteenth that is nearest a second bit counts as well, which says whether a
number is far from zero; it finds twice as many of the ten that are nearest in truth.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from operator import mul
from typing import Final

from assent.gate.values import frozen

__all__ = ["Signature", "fused", "nearest", "normal", "rescored", "signature"]

_RESCORED_IN_SMALL_INDEX, _RESCORED_IN_LARGE_INDEX = 100, 400
"""How many are compared exactly, in a small collection and in a large one."""
_LARGE_INDEX_PASSAGES: Final = 100_000
_MIN_SECOND_LOOKS: Final = 1_600
_SECOND_LOOK_PART: Final = 16
"""Of so many one is looked at by its second bits, and never fewer than the above."""
_FAR_FACTOR: Final = 0.98
"""Times the usual size of a number: what is larger is far from zero."""
_FUSION_CONSTANT: Final = 60
"""Of reciprocal rank fusion: the larger, the less the first places count."""


@frozen
class Signature:
    """The outline of a vector, two bits for each of its numbers."""

    above: int
    """Which are above zero."""
    far: int
    """Which are far from zero."""


def normal(numbers: Iterable[float]) -> bytes:
    """A vector of the length 1; raises `ValueError` where it has no direction."""
    given = array("f", numbers)
    length = math.sqrt(sum(map(mul, given, given)))
    if not given or not math.isfinite(length) or length == 0:
        raise ValueError("a vector without a direction")
    return array("f", (number / length for number in given)).tobytes()


def signature(vector: bytes) -> Signature:
    """The outline of a vector of the length 1.

    >>> found = signature(normal([0.5, -1.0, 2.0]))
    >>> bin(found.above), bin(found.far)
    ('0b101', '0b1')
    """
    numbers = array("f", vector)
    far = _FAR_FACTOR / math.sqrt(len(numbers))
    return Signature(
        _bits(number > 0 for number in numbers), _bits(abs(number) > far for number in numbers)
    )


def nearest(asked: Signature, signatures: Sequence[Signature]) -> list[int]:
    """Where those stand that are the most like it, the nearest first."""
    above = asked.above
    apart = [(other.above ^ above).bit_count() for other in signatures]
    most = _edge(apart, max(_MIN_SECOND_LOOKS, len(apart) // _SECOND_LOOK_PART))
    near = {
        at: _apart(asked, signatures[at]) for at, distance in enumerate(apart) if distance <= most
    }
    return nsmallest(
        _RESCORED_IN_SMALL_INDEX
        if len(apart) < _LARGE_INDEX_PASSAGES
        else _RESCORED_IN_LARGE_INDEX,
        near,
        key=near.__getitem__,
    )


def rescored(asked: bytes, vectors: Iterable[tuple[int, bytes]]) -> list[int]:
    """The names of vectors, the one that points where the question does first."""
    mine = tuple(array("f", asked))
    scored = [
        (math.dist(mine, array("f", vector)), name)
        for name, vector in vectors
        if len(vector) == len(asked)
    ]
    return [name for _, name in sorted(scored)]


def _bits(said: Iterable[bool]) -> int:
    return int("".join("1" if bit else "0" for bit in said) or "0", 2)


def _edge(apart: Sequence[int], wanted: int) -> int:
    """How far apart one may be to be among so many; as many as are just as far come with them."""
    counts = Counter(apart)
    for edge in sorted(counts):
        wanted -= counts[edge]
        if wanted <= 0:
            return edge
    return max(counts, default=0)


def _apart(asked: Signature, other: Signature) -> int:
    """How far apart two are, where a number that is far from zero stands for three times as much.

    It is what the product of both outlines lacks, but for what is the same for all of them.
    """
    differ = asked.above ^ other.above
    doubly = differ & asked.far
    return (
        differ.bit_count()
        + 2 * doubly.bit_count()
        + 2 * (differ & other.far).bit_count()
        + 4 * (doubly & other.far).bit_count()
        - other.far.bit_count()
        - 2 * (asked.far & other.far).bit_count()
    )


def fused(*rankings: Sequence[int]) -> list[int]:
    """Several rankings as one: what stands high in any of them, and higher what does in more.

    >>> fused([1, 2, 3], [3, 4])
    [3, 1, 2, 4]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, 1):
            scores[name] = scores.get(name, 0.0) + 1 / (_FUSION_CONSTANT + rank)
    return sorted(scores, key=lambda score: -scores[score])
