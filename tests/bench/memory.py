"""What the whole server holds in memory: after many calls in one chat, and over a long while.

`make bench WHAT=memory` makes ten thousand calls in one chat, then opens and closes chats.
`make bench WHAT=soak MINUTES=20` does all of that at a steady pace, hides and shows a view in
between, and prints what the process holds, by the minute. Everything but the model is real.
"""

import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bench.window import Came, Window, talker, window

__all__ = ["measure", "soak"]

_CALLS: Final = 10_000
_TURN: Final = 40
"""Calls in one turn."""
_MOST_IDLE, _MOST_LATER = 70.0, 90.0
"""In MiB, before the first call and after the first thousand."""
_MOST_GROWN: Final = 40.0
"""In MiB, for ten thousand calls in one chat."""
_CHATS, _CALLS_EACH = 8, 200
_WARM: Final = 400
_STEEPEST: Final = 1.0
"""In MiB a minute, after the server is warm."""
_A_TURN_EVERY: Final = 1.0
"""In seconds, in the long run."""
_LATER: Final = 0.25
"""The part of the run after which the server counts as warm."""


def measure() -> bool:
    """Print what calls and chats leave behind; whether the bars are met."""
    with _server() as opened:
        idle = opened.pipe.memory()
        later, grown = _one_chat(opened)
        _closed_chats(opened)
    return all(
        [
            _is_met("Before the first call", idle, _MOST_IDLE),
            _is_met("After the first thousand", later, _MOST_LATER),
            _is_met(f"Growth with {_CALLS:,} calls in one chat", grown, _MOST_GROWN),
        ]
    )


def _is_met(what: str, size: float, most: float) -> bool:
    met = size <= most
    print(f"{what}: {size:.1f} MiB  at most {most:g}: {'met' if met else 'MISSED'}")
    return met


def soak() -> bool:
    """Print what the server holds by the minute, and how that grows; whether the bar is met."""
    minutes = float(os.environ.get("MINUTES") or 20)
    with _server() as opened:
        taken = list(_steadily(opened, minutes * 60))
    warm = [it for it in taken if it[0] >= taken[-1][0] * _LATER]
    slope = statistics.linear_regression(*zip(*warm, strict=True)).slope
    met = slope <= _STEEPEST
    mark = "met" if met else "MISSED"
    print(f"It grows by {slope:+.2f} MiB a minute.  at most {_STEEPEST:g}: {mark}")
    return met


@contextmanager
def _server() -> Iterator[Window]:
    home = tempfile.TemporaryDirectory(prefix="assent-bench-")
    with home as path, talker() as model, window(model, Path(path)) as opened:
        (opened.folder / "README.md").write_text("A small workspace.\n" * 20, encoding="utf-8")
        yield opened


def _one_chat(opened: Window) -> tuple[float, float]:
    """What the server holds after a thousand calls, and by how much it grows with all, in MiB."""
    chat = opened.chat(mode="auto")
    _calls(opened, chat, _WARM)
    before = opened.pipe.memory()
    print(f"{before:8.1f} MiB, warm")
    held = list[float]()
    for done in range(_CALLS // 10, _CALLS + 1, _CALLS // 10):
        _calls(opened, chat, _CALLS // 10)
        held.append(opened.pipe.memory())
        print(f"{held[-1]:8.1f} MiB after {done:,} calls", flush=True)
    grown = held[-1] - before
    _subscribe(opened, None)
    opened.answer(opened.ask("agent/closeChat", {"chatId": chat}))
    print(f"{opened.pipe.memory():8.1f} MiB after a snapshot, closed")
    return held[0], grown


def _closed_chats(opened: Window) -> None:
    for agent in ("assent", "eliza"):
        for _ in range(_CHATS):
            chat = opened.chat(agent, mode="auto")
            _calls(opened, chat, _CALLS_EACH, agent)
            opened.answer(opened.ask("agent/closeChat", {"chatId": chat}))
            print(f"{opened.pipe.memory():8.1f} MiB, a chat with {agent} closed", flush=True)


def _calls(opened: Window, chat: str, count: int, agent: str = "assent") -> None:
    for done in range(0, count, _TURN):
        _turn(opened, chat, min(_TURN, count - done), agent)


def _turn(opened: Window, chat: str, count: int, agent: str) -> None:
    if agent == "eliza":
        for _ in range(count):
            opened.done(opened.say(chat, "read README.md"))
        return
    opened.done(opened.say(chat, f"mixed {count}"))


def _steadily(opened: Window, seconds: float) -> Iterator[tuple[float, float]]:
    """Minutes since it began, and MiB."""
    began, printed = time.monotonic(), -1
    have: dict[str, Any] | None = None
    steady = opened.chat(mode="auto")
    for number in itertools.count():
        agent = "eliza" if number % 3 == 0 else "assent"
        chat = opened.chat(agent, mode="auto")
        _turn(opened, chat, 5, agent)
        _turn(opened, steady, 10, "assent")
        told = _subscribe(opened, have if number % 2 else None)
        have = {"epoch": told["epoch"], "seq": told["seq"]}
        opened.answer(opened.ask("agent/closeChat", {"chatId": chat}))
        opened.answers.clear()
        at = time.monotonic() - began
        yield at / 60, opened.pipe.memory()
        if int(at // 60) > printed:
            printed = int(at // 60)
            size = opened.pipe.memory()
            print(f"minute {printed:3}: {size:8.1f} MiB, {number + 1} chats so far", flush=True)
        if at >= seconds:
            return
        opened.pass_by(max(0.0, began + (number + 1) * _A_TURN_EVERY - time.monotonic()))


def _subscribe(opened: Window, have: dict[str, Any] | None) -> dict[str, Any]:
    params: dict[str, Any] = {"viewId": "bench"} | ({"have": have} if have else {})
    came: Came = opened.answer(opened.ask("agent/subscribe", params))
    return dict(came.message["result"])
