"""Measures how the right one of five hundred tools is found, beside SQLite's FTS5 over the same.

Both are asked the same with the same weights; the peer has no lexicon. What is timed is the search.
"""

import sqlite3
import statistics
import time
from collections.abc import Callable
from contextlib import closing

from assent.catalogue.nodes.search import Index, terms_in
from catalogue.mcp.five_hundred import ASKED, definitions

__all__ = ["measure"]

_RUNS = 200
_MOST_MS = 1.0
_FIRST = 5
_MOST_OF = 9


def measure() -> bool:
    """Measure and print; whether the bars are met."""
    index = Index()
    began = time.perf_counter()
    for source, tool in definitions():
        index.add(source, tool)
    print(f"{'to take in 500 tools, ms':36}{(time.perf_counter() - began) * 1000:10.1f}")
    with closing(sqlite3.connect(":memory:")) as database:
        peer = _peer(database)
        ours, theirs = _timed(lambda it: index.find(it, 10)), _timed(peer)
        met = ours <= _MOST_MS
        hits = sum(name in index.find(words, _FIRST) for words, name in ASKED)
        others = sum(name in peer(words)[:_FIRST] for words, name in ASKED)
    bar = f"at most {_MOST_MS:g}: {'met' if met else 'MISSED'}"
    print(f"{'':36}{'assent':>10}{'FTS5':>10}{'ratio':>10}  bar")
    print(f"{'a search, p50, ms':36}{ours:10.3f}{theirs:10.3f}{ours / theirs:10.2f}  {bar}")
    enough = hits >= _MOST_OF
    bar = f"at least {_MOST_OF} of {len(ASKED)}: {'met' if enough else 'MISSED'}"
    print(f"{f'found among the first {_FIRST}':36}{hits:10}{others:10}{'':10}  {bar}")
    return met and enough


def _timed(find: Callable[[str], list[str]]) -> float:
    took: list[float] = []
    for _ in range(_RUNS):
        for words, _ in ASKED:
            began = time.perf_counter()
            find(words)
            took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def _peer(database: sqlite3.Connection) -> Callable[[str], list[str]]:
    database.execute("create virtual table t using fts5(node, source, says, form, tokenize=porter)")
    for source, tool in definitions():
        parts = (tool["name"].replace("_", " "), source, tool["description"], str(tool))
        database.execute("insert into t values (?, ?, ?, ?)", parts)
    names = [f"{source}:{tool['name']}" for source, tool in definitions()]
    query = "select rowid from t where t match ? order by bm25(t, 8, 4, 2, 0.5) limit 10"

    def find(words: str) -> list[str]:
        asked = " OR ".join(f'"{it}"' for it in terms_in(words))
        return [names[row - 1] for (row,) in database.execute(query, (asked,))]

    return find
