"""Measures the longest that one ruling on a long text takes.

Each construct of the grammar is repeated to as many letters as are read, and ruled on without
rules, with one that allows and with some that deny. Processor time is taken, the least of a few
turns, with all that was remembered of the text forgotten before each.
"""

import gc
import time
from collections.abc import Callable, Sequence
from functools import _lru_cache_wrapper
from typing import Any, Final

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.ruling.policy import Policy
from gate.ruling.shapes import POLICIES, SHAPES

__all__ = ["measure"]

_MOST_MS: Final = 25.0
_TURNS: Final = 5
_SOON_MS: Final = 10.0
"""What takes no longer is not measured again."""
_AGAIN: Final = 3
"""So often what took too long is measured again after all others."""
_SHOWN: Final = 12
_PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")


def measure() -> bool:
    """Measure and print; whether none takes longer."""
    policies = {
        name: Policy(mode=Mode.DEFAULT, book=book_of_case(rules, _PLACES), trusted=True)
        for name, rules in POLICIES.items()
    }
    for text in SHAPES.values():
        _rule(text[:300], policies["deny rules"])
    kept = [it for it in gc.get_objects() if isinstance(it, _lru_cache_wrapper)]
    kept = [it for it in kept if it.cache_info().maxsize is not None]
    gc.collect()
    gc.freeze()

    def took(shape: str, name: str) -> float:
        return _took(lambda: _rule(SHAPES[shape], policies[name]), kept)

    taken = [(took(shape, name), shape, name) for shape in SHAPES for name in policies]
    for _ in range(_AGAIN):
        # A machine that was busy with something else is so for longer than one text takes.
        taken = [
            (min(ms, took(shape, name)) if ms > _MOST_MS else ms, shape, name)
            for ms, shape, name in taken
        ]
    taken.sort(reverse=True)
    for ms, shape, name in taken[:_SHOWN]:
        print(f"{f'{shape[:44]!r}, {name}, ms':64}{ms:8.1f}")
    met = taken[0][0] <= _MOST_MS
    bar = "met" if met else "MISSED"
    print(f"{f'{len(SHAPES)} shapes, the longest, ms':64}{taken[0][0]:8.1f}", end="")
    print(f"  at most {_MOST_MS:g}: {bar}")
    return met


def _rule(text: str, policy: Policy) -> None:
    question = Question(tool="shell", input={"command": text})
    explain(question, policy, _PLACES)


def _took(work: Callable[[], None], kept: Sequence[Any]) -> float:
    least = float("inf")
    for _ in range(_TURNS):
        for it in kept:
            it.cache_clear()
        began = time.process_time()
        work()
        least = min(least, (time.process_time() - began) * 1_000)
        if least < _SOON_MS:
            break
    return least
