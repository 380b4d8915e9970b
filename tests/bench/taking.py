"""Takes the time of one decision after the other, and tells it, for one engine in one process.

A few decisions count for nothing but their verdicts. Then each call is decided once, kind by kind,
since nobody decides the same thing over and over; so none makes as many decisions as a compiler
likes to see, and the dear ones do not slow down the cheap ones after them.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

__all__ = ["told"]

_WARMING: Final = 200


def told(
    decide: Callable[[Any], Any],
    said: Callable[[Any], str],
    calls: Sequence[tuple[str, Any]],
) -> None:
    """Decide each call, for no longer in a kind than the last argument says, and print what came.

    A call that the engine cannot be given is None.
    """
    verdicts = ["" if it is None else said(decide(it)) for _, it in calls[:_WARMING]]
    kinds: dict[str, list[Any]] = {}
    for kind, call in calls[_WARMING:]:
        if call is not None:
            kinds.setdefault(kind, []).append(call)
    took = {kind: list(_taken(decide, of_kind)) for kind, of_kind in kinds.items()}
    print(json.dumps({"took": took, "verdicts": verdicts}))


def _taken(decide: Callable[[Any], Any], calls: Iterable[Any]) -> Iterator[float]:
    """How long each took, in µs."""
    end = time.perf_counter() + float(sys.argv[-1])
    for call in calls:
        began = time.perf_counter_ns()
        decide(call)
        done = time.perf_counter_ns()
        yield (done - began) / 1000
        if time.perf_counter() > end:
            return
