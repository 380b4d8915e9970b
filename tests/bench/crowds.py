"""Many cards at once: on a disk that is slow to sync, and more than anybody could read."""

import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.window import SERVER, Came, Talker, Window, allowing, talker, window

__all__ = ["longest_turn", "slow_disk", "snapshot"]

_CHATS, _EACH = 3, 100
_TURNS: Final = 3
_MANY_CHATS: Final = 50
_SNAPSHOTS: Final = 5
_LATE: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int later(const char *name, int file) {
    usleep(5000);
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
"""
"""Stands before the system's own library, and has each sync take 5 ms more."""


def slow_disk(home: Path) -> tuple[float, float]:
    """300 cards and their answers at once: where a sync takes 5 ms more, and where it does not."""
    source, library = home / "late.c", home / "late.so"
    source.write_text(_LATE, "ascii")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    took: dict[str, list[float]] = {"late": [], "plain": []}
    with talker() as model:
        for number in range(_TURNS):
            late = (_loader(), "--preload", str(library), *SERVER)
            took["late"].append(_answered(model, home / f"late-{number}", late))
            took["plain"].append(_answered(model, home / f"plain-{number}", SERVER))
    return min(took["late"]), min(took["plain"])


def _loader() -> str:
    """The system's loader: the server takes no LD_PRELOAD from its environment."""
    return next(map(str, Path("/lib64").glob("ld-linux-*.so.*")))


def _answered(model: Talker, home: Path, server: Sequence[str]) -> float:
    with window(model, home, server=server) as opened:
        libraries = opened.pipe.libraries()
        if any(word.endswith(".so") and word not in libraries for word in server):
            raise AssertionError("the server has not loaded what makes a sync late")
        chats = [opened.chat() for _ in range(_CHATS)]
        began = time.perf_counter()
        turns = _ask(opened, chats)
        cards = [_card(opened) for _ in range(_CHATS * _EACH)]
        for key in [opened.ask("tool/approvalResponse", allowing(card)) for card in cards]:
            receipt = opened.answer(key)
            if receipt.message["result"]["kind"] != "applied":
                raise AssertionError(f"an answer was not taken: {receipt.message}")
        for turn in turns:
            opened.done(turn)
        return time.perf_counter() - began


def longest_turn(home: Path) -> tuple[float, float]:
    """How long the server left a question unanswered while 5,000 cards were told, and 50 ms."""
    with talker() as model, window(model, home) as opened:
        return max(_told(opened)), 0.05


def snapshot(home: Path) -> tuple[float, float]:
    """A snapshot where 5,000 cards wait, and 300 ms."""
    with talker() as model, window(model, home) as opened:
        _told(opened)
        took = []
        for number in range(_SNAPSHOTS):
            key = opened.ask("agent/subscribe", {"viewId": f"bench-{number}"})
            asked = opened.said_at
            took.append((opened.answer(key).at - asked) / 1e9)
        return statistics.median(took), 0.3


def _told(opened: Window) -> list[float]:
    """Have 5,000 cards told; how many seconds each question meanwhile was unanswered."""
    chats = [opened.chat() for _ in range(_MANY_CHATS)]
    _ask(opened, chats)
    waited, left = list[float](), _MANY_CHATS * _EACH
    while left > 0:
        key = opened.ask("agent/list", {})
        asked = opened.said_at
        while key not in opened.answers:
            came = opened.take()
            left -= came.method == "tool/approvalRequest"
            # Who reads too slowly is told so by this, and has to ask for a snapshot.
            left = 0 if came.event.get("kind") == "agents" else left
        waited.append((opened.answers[key].at - asked) / 1e9)
    return waited


def _ask(opened: Window, chats: list[str]) -> list[int]:
    return [opened.say(chat, f"calls {_EACH} c{number}") for number, chat in enumerate(chats)]


def _card(opened: Window) -> Came:
    return opened.until(lambda it: it.method == "tool/approvalRequest")
