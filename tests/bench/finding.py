"""Asks one engine in one process all questions, and tells how long that took and what it found."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

__all__ = ["found_by"]

_WARMING: Final = 20

Ask = Callable[[str, str, int], list[int]]
"""By the kind of a question, its text and its number, the papers that answer it, the best first."""


def found_by(ask: Ask, given: dict[str, Any], kinds: tuple[str, ...] = ()) -> None:
    """Print for each kind the median in ms, and the part of the questions that were answered."""
    told: dict[str, dict[str, float]] = {}
    for kind in kinds or tuple(given["questions"]):
        questions = given["questions"][kind]
        for number, (question, _) in enumerate(questions[:_WARMING]):
            ask(kind, question, number)
        took, found = zip(*(_asked(ask, kind, *it) for it in enumerate(questions)), strict=True)
        hits = sum(paper in it for (_, paper), it in zip(questions, found, strict=True))
        told[kind] = {"p50": statistics.median(took), "recall": hits / len(questions)}
        if kind == "meaning":
            near = given["nearest"]
            same = sum(len({*it} & {*mine}) for it, mine in zip(near, found, strict=True))
            told[kind]["nearest"] = same / sum(map(len, near))
    print(json.dumps(told))


def _asked(ask: Ask, kind: str, number: int, of: tuple[str, int]) -> tuple[float, list[int]]:
    began = time.perf_counter()
    found = ask(kind, of[0], number)
    return (time.perf_counter() - began) * 1000, found
