"""How long a piece of a model's reply takes from the model's host until it is drawn.

The host notes when it writes each delta; the client's end of the pipe, when its number is there;
the page, when its number stands in the transcript. Nothing of the reply may be missing.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.talker import numbered
from bench.view import Live, live
from bench.window import Talker, Window, window
from webview.stage import CLIENT, FILES

__all__ = ["ARRIVED", "DRAWN", "WORK", "streamed"]

ARRIVED: Final = "delta to the client"
DRAWN: Final = "delta to the page"
WORK: Final = "processor for a delta"
_COUNT: Final = 10_000
_RATE: Final = 500

Seen = list[tuple[int, int]]
"""When, in ns, everything up to which number was there."""


def streamed(model: Talker, home: Path) -> dict[str, list[float]]:
    """Each delta's way in ms, and the server's work for one in us."""
    files = {path: (CLIENT / "dist" / path.strip("/")).read_bytes() for path in FILES}
    with window(model, home) as opened, live() as page:
        view = Live(page, files)
        view.open()
        chat = opened.chat()
        view.connect(opened)
        worked = opened.pipe.worked()
        key = opened.say(chat, f"stream {_COUNT} {_RATE}")
        arrived = _pass_on(opened, view, key)
        worked = opened.pipe.worked() - worked
        drawn = view.drawn()
    written = model.notes()["written"]
    if len(written) != _COUNT or written[-1] - written[0] > 1.1e9 * _COUNT / _RATE:
        raise AssertionError("the model's host could not keep the pace")
    return {
        ARRIVED: list(_ways(written, arrived)),
        DRAWN: list(_ways(written, drawn)),
        WORK: [worked / _COUNT * 1e6],
    }


def _pass_on(opened: Window, view: Live, turn: int) -> Seen:
    """Feed the page until the turn is over; when which number had come to the client."""
    arrived: Seen = []
    heard = ""
    while not (turn in opened.answers and opened.is_quiet):
        news = [opened.take(), *opened.rest()]
        view.feed(news)
        for came in news:
            if came.event.get("kind") == "said" and came.event["who"] == "agent":
                heard += came.event["append"]
                arrived.append((came.at, _number(heard)))
    if heard != "".join(map(numbered, range(_COUNT))):
        raise AssertionError("something of the reply is missing")
    view.settle(_COUNT - 1)
    if view.numbers()[-_COUNT:] != list(range(_COUNT)):
        raise AssertionError("something of the reply is not drawn")
    return arrived


def _number(heard: str) -> int:
    return int(re.findall(r"\d+", heard[-40:])[-1])


def _ways(written: list[int], seen: Iterable[tuple[int, int]]) -> Iterable[float]:
    """How long each delta took until it was there, in ms."""
    by_number = sorted(seen, key=lambda it: it[1])
    numbers = [number for _, number in by_number]
    first = _first_from(by_number)
    for number, began in enumerate(written):
        at = bisect_left(numbers, number)
        if at == len(numbers):
            raise AssertionError(f"delta {number} did not come")
        yield (first[at] - began) / 1e6


def _first_from(seen: Seen) -> list[int]:
    """For each, when that number or a later one was there first."""
    first: list[int] = []
    earliest = time.monotonic_ns()
    for at, _ in reversed(seen):
        earliest = min(earliest, at)
        first.append(earliest)
    return first[::-1]
