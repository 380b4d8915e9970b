"""The whole server with ten thousand papers in a collection: read, stopped, searched, edited."""

import itertools
import json
import time
from pathlib import Path
from typing import Final

from bench.corpus import FILES
from bench.window import Talker, Window, talker, window

__all__ = ["measure"]

_EDITS: Final = 5
_MOST_S: Final = 1.0
_MOST_MS: Final = 50.0


def measure(home: Path) -> bool:
    """Measure and print; whether all bars are met. The papers lie in a folder of the home."""
    (home / "workspace").mkdir()
    papers = (home / "papers").rename(home / "workspace" / "papers")
    docs = {"docs": {"paths": ["./papers/**"]}}
    with talker() as model, window(model, home, collections=docs) as opened:
        stopped = _stopped(opened)
        took, told, waited = _indexed(opened)
        edits = sorted(_edited(model, opened, papers, it) for it in range(_EDITS))
    rows = (
        ("stopped while it is being read, files", stopped, f"under {FILES:,}", FILES),
        (f"{FILES:,} files indexed, s", took, "", float("inf")),
        ("how far it is was told, times", told, "", float("inf")),
        ("another answer meanwhile, p95, ms", waited, f"at most {_MOST_MS:g}", _MOST_MS),
        ("an edit found, the slowest, s", edits[-1], f"at most {_MOST_S:g}", _MOST_S),
    )
    for name, figure, bar, most in rows:
        mark = f"{bar}: {'met' if figure <= most else 'MISSED'}" if bar else ""
        print(f"{name:40}{figure:10,.3f}  {mark}".rstrip())
    return all(figure <= most for _, figure, _, most in rows) and told > 1


def _stopped(opened: Window) -> float:
    """How many files are read when it is stopped as soon as it says that it reads."""
    opened.ask("collection/index", {"name": "docs"})
    told = opened.until(lambda it: it.method == "collection/changed" and it.params["done"] > 0)
    state = opened.answer(opened.ask("collection/stop", {"name": "docs"})).message["result"]
    if state["state"] != "stopped":
        raise AssertionError(f"it was stopped and is {state}")
    return float(told.params["done"])


def _indexed(opened: Window) -> tuple[float, float, float]:
    """In seconds until all is read, how often it was told how far, and another answer's p95."""
    began = time.monotonic()
    opened.answer(opened.ask("collection/index", {"name": "docs"}))
    waited: list[float] = []
    told = 0
    while True:
        key = opened.ask("collection/list", {})
        asked = opened.said_at
        while key not in opened.answers:
            told += opened.take().method == "collection/changed"
        waited.append((opened.answers[key].at - asked) / 1e6)
        if opened.answers[key].message["result"]["collections"][0]["state"] == "ready":
            break
    return time.monotonic() - began, float(told), sorted(waited)[len(waited) * 95 // 100]


def _edited(model: Talker, opened: Window, papers: Path, number: int) -> float:
    """In seconds from an edit until a question is answered by it."""
    chat = opened.chat()
    word = f"zeppelin{number}"
    path = papers / f"{number:05}.md"
    path.write_text(f"{path.read_text('utf-8')}\nA {word} whistles.\n", "utf-8")
    began = time.monotonic()
    for attempt in itertools.count():
        # Another question each time: the same call again and again is asked about.
        asked = json.dumps({"name": "docs", "question": word, "limit": attempt % 20 + 1})
        key = opened.say(chat, f"call query_collection {asked}")
        ended = opened.until(lambda it: it.event.get("call", {}).get("state") == "succeeded")
        took = ended.at / 1e9 - began
        opened.done(key)
        if "1 passage" in json.dumps(ended.message):
            return took
    raise AssertionError
