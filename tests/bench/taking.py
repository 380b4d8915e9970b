"""Takes the time of one decision after the other, and tells it, for one engine in one process.

A few decisions count for nothing but their verdicts. Then the calls are decided kind by kind, in
several passes over all of a kind; so the dear ones do not slow down the cheap ones after them.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

__all__ = ["by_kind", "once", "told"]

_WARMING: Final = 200
_PASSES: Final = 5

Decide = Callable[[Any], Any]
Calls = Sequence[tuple[str, Any]]


def told(
    decide: Decide,
    said: Callable[[Any], str],
    calls: Calls,
    forget: Callable[[], object] = lambda: None,
    **more: list[float],
) -> None:
    """Decide each call, for no longer in a kind than the last argument says, and print what came.

    A call that the engine cannot be given is None. Before each pass an engine that remembers what
    it read has to forget it; `more` is what it measured by itself.
    """
    verdicts = ["" if it is None else said(decide(it)) for _, it in calls[:_WARMING]]
    took = {kind: list(_taken(decide, of_kind, forget)) for kind, of_kind in by_kind(calls)}
    print(json.dumps({"took": took | more, "verdicts": verdicts}))


def by_kind(calls: Calls) -> list[tuple[str, list[Any]]]:
    """The calls of each kind; those that cannot be given to the engine are left out."""
    kinds: dict[str, list[Any]] = {}
    for kind, call in calls:
        if call is not None:
            kinds.setdefault(kind, []).append(call)
    return list(kinds.items())


def once(decide: Decide, calls: Iterable[Any]) -> Iterator[float]:
    """How long each took, in µs, decided once."""
    for call in calls:
        began = time.perf_counter_ns()
        decide(call)
        done = time.perf_counter_ns()
        yield (done - began) / 1000


def _taken(decide: Decide, calls: list[Any], forget: Callable[[], object]) -> Iterator[float]:
    """How long each took, in µs, in every pass."""
    end = time.perf_counter() + float(sys.argv[-1])
    for _ in range(_PASSES):
        forget()
        for took in once(decide, calls):
            yield took
            if time.perf_counter() > end:
                return
