"""Measures History: the first page and each filter over a journal of many rows, and its index.

What is timed is what the server does for `history/list`, from the file to the shapes. The peer is
a scan: the journal has no index of its own, so this is what each filter would cost without ours.
"""

import asyncio
import json
import os
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from assent.editor.protocol import history as shapes
from assent.editor.window.record.history import History
from assent.gate.journal.index import FOLDER
from assent.gate.journal.reader import reading
from assent.gate.journal.search import FILTERS, searching
from cli.month import Month, fill

__all__ = ["measure"]

_ROWS: Final = int(os.environ.get("ROWS", "100000"))
_RUNS: Final = 11
_PAGE_MS, _FILTER_MS = 30, 100
_FOLDER: Final = "/home/ada/till"

_ASKED: Final[dict[str, dict[str, Any]]] = {
    "first page, of this workspace": {},
    "first page, of all": {"everywhere": True},
    "since": {"since": 1_790_000_000_000 + 29 * 86_400_000},
    "agent": {"agent": "codex"},
    "denied": {"outcome": "refused"},
    "by": {"by": "timeout"},
    "tool": {"tool": "fetch"},
    "rule": {"rule": "npm"},
    "path, one file": {"path": "src/part3/a3.py"},
    "path, a folder": {"path": "src"},
    "path, all of the workspace": {"path": "."},
    "host": {"host": "b.example.org"},
    "text, a rare word": {"text": "terraform 96"},
    "text, in every row": {"text": "h"},
    "four at once": {"agent": "codex", "outcome": "refused", "by": "user", "text": "push"},
    "nothing fits": {"agent": "codex", "tool": "mcp", "text": "push"},
}


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as folder:
        path = Path(folder) / "journal.db"
        rows = fill(path, Month(calls=_ROWS * 10 // 21))
        size = path.stat().st_size / 2**20
        print(f"{rows:,} rows, {size:,.0f} MiB")
        _index(path)
        index = (path.parent / FOLDER / path.name).stat().st_size / 2**20
        print(f"{'the index, MiB':36}{index:10,.1f}")
        return asyncio.run(_pages(path))


def _index(path: Path) -> None:
    """How long each table of the index takes, the first time."""
    for name in dict.fromkeys(("since", *FILTERS)):
        table = FILTERS[name].table
        asked = {name: FILTERS[name].values and _some(name)}
        began = time.perf_counter()
        with reading(path) as reader, searching(reader, asked):
            pass
        took = time.perf_counter() - began
        if took > 0.05:
            print(f"{f'the table `{table}`, first, s':36}{took:10.1f}")


def _some(name: str) -> Any:
    return 0 if name == "since" else "a"


async def _pages(path: Path) -> bool:
    history = History(path, (_FOLDER,), str, lambda work: asyncio.ensure_future(work))
    met = True
    print(f"{'':36}{'assent':>10}{'worst':>10}{'scan':>10}  bar")
    for name, asked in _ASKED.items():
        wanted = shapes.WantHistory(filter=shapes.HistoryFilter(**asked))
        took = sorted([await _took(history, wanted) for _ in range(_RUNS)])
        most = _PAGE_MS if name.startswith("first") else _FILTER_MS
        middle, scan = statistics.median(took), _scan(path, asked)
        met = met and middle <= most
        bar = f"at most {most}: {'met' if middle <= most else 'MISSED'}"
        print(f"{f'{name}, ms':36}{middle:10.1f}{took[-1]:10.1f}{scan:10.1f}  {bar}")
    return met


async def _took(history: History, wanted: shapes.WantHistory) -> float:
    began = time.perf_counter()
    await history.list(wanted)
    return (time.perf_counter() - began) * 1000


def _scan(path: Path, asked: dict[str, Any]) -> float:
    """The newest hundred that fit, by looking at each row; in ms."""
    began, found = time.perf_counter(), 0
    with closing(sqlite3.connect(path)) as database:
        for at, agent, text in database.execute(
            "select at, agent, body from entries where kind = 'decided' order by seq desc"
        ):
            body = json.loads(text)
            said = {**body, "agent": agent, "verdict": body.get("outcome")}
            plain = {it: asked[it] for it in ("agent", "outcome", "by", "tool") if it in asked}
            fits = all(said.get(it) == value for it, value in plain.items())
            words = (asked.get(it, "") for it in ("rule", "path", "host", "text"))
            fits = fits and all(word in text for word in words) and at >= asked.get("since", 0)
            found += fits
            if found >= 100:
                break
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    measure()
