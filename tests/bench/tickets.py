"""A thousand tickets at once: how long until all are told, and until all are answered.

A few are answered one after the other while all the others wait, as a person does; then the rest
at once. Nothing may be lost: each call has run once, by the disk and by the journal.
"""

import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bench.window import Came, Talker, Window, allowing, window

__all__ = ["ALL", "AT_ONCE", "GREW", "ONE", "TOLD", "ticketed"]

TOLD: Final = "1,000 cards told"
ONE: Final = "one answer, the others wait"
AT_ONCE: Final = "each of 900 answers at once"
ALL: Final = "- until the last receipt"
GREW: Final = "memory for 1,000 tickets"

_CHATS, _EACH = 10, 100
_SINGLE: Final = 100


def ticketed(model: Talker, home: Path) -> dict[str, list[float]]:
    """Times in ms, and the memory in MiB."""
    with window(model, home) as opened:
        chats = [opened.chat() for _ in range(_CHATS)]
        held = opened.pipe.begin_peak()
        began = time.monotonic_ns()
        turns = [opened.say(chat, f"calls {_EACH} c{at}") for at, chat in enumerate(chats)]
        cards = [_card(opened) for _ in range(_CHATS * _EACH)]
        told = (cards[-1].at - began) / 1e6
        single = [_answered(opened, card) for card in cards[:_SINGLE]]
        at_once = _all_answered(opened, cards[_SINGLE:])
        for turn in turns:
            opened.done(turn)
        grew = opened.pipe.peak() - held
    _see_that_each_ran_once(opened)
    return {TOLD: [told], ONE: single, AT_ONCE: at_once, ALL: [max(at_once)], GREW: [grew]}


def _card(opened: Window) -> Came:
    return opened.until(lambda it: it.method == "tool/approvalRequest")


def _answered(opened: Window, card: Came) -> float:
    key = opened.ask("tool/approvalResponse", allowing(card))
    said_at = opened.said_at
    return _took(opened, key, said_at)


def _all_answered(opened: Window, cards: list[Came]) -> list[float]:
    said = {}
    for card in cards:
        key = opened.ask("tool/approvalResponse", allowing(card))
        said[key] = opened.said_at
    return [_took(opened, key, said_at) for key, said_at in said.items()]


def _took(opened: Window, key: int, said_at: int) -> float:
    """From an answer to its receipt."""
    receipt = opened.answer(key)
    if receipt.message["result"]["kind"] != "applied":
        raise AssertionError(f"an answer was not taken: {receipt.message}")
    return (receipt.at - said_at) / 1e6


def _see_that_each_ran_once(opened: Window) -> None:
    count = _CHATS * _EACH
    written = {path.name: path.read_text("utf-8") for path in opened.folder.glob("c*.txt")}
    if written != {f"c{c}-{n}.txt": f"c{c} {n}\n" for c in range(_CHATS) for n in range(_EACH)}:
        raise AssertionError(f"of {count} files {len(written)} were written, or otherwise")
    rows = _rows(opened.state / "journal.db")
    for kind in ("asked", "decided", "ended"):
        calls = Counter(row["call"] for row in rows if row["kind"] == kind)
        if len(calls) != count or set(calls.values()) != {1}:
            raise AssertionError(f"the journal has {calls.total()} rows of {kind}, not {count}")


def _rows(journal: Path) -> list[dict[str, Any]]:
    database = sqlite3.connect(journal)
    database.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in database.execute("select kind, call from entries")]
    finally:
        database.close()
