"""Checks a journal's index against its rows: computes each table again and compares.

An index shows nothing by itself, but what it leaves out is not found. A table is compared by the
sum of its rows' hashes, made with a key that is drawn for this one look, so that nobody can have
prepared other rows of the same sum; so some thousand rows at a time are in memory, and no more.
"""

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Final

from assent.gate.journal.index import FOLDER, Index
from assent.gate.journal.index_file import IndexFile
from assent.gate.journal.index_tables import FILLS, TABLES, connected, told_of
from assent.gate.journal.reader import Reader
from assent.gate.settings.private_files import reason

__all__ = ["index_fault"]

_ROWS_A_TURN: Final = 5_000
_SHAPE: Final = "select type, name, tbl_name, sql from sqlite_master order by type, name"
_ROWS: Final = {
    "said": "select * from said where seq <= ?",
    "marks": "select mark, seq from marks where seq <= ?",
    "words": "select term, doc, offset from temp.instances where doc <= ?",
}
"""What a table holds, up to a row."""
_INSTANCES: Final = "create virtual table temp.instances using fts5vocab(main, words, instance)"
_EMPTY: Final = {
    "said": "delete from said",
    "marks": "delete from marks",
    "words": "insert into words (words) values ('delete-all')",
}
_MODULUS: Final = 1 << 128


def index_fault(reader: Reader) -> str | None:
    """What is wrong with the index that is kept, as the half of a sentence; None where nothing is.

    One that is not there, or that the next question makes anew by itself, is not wrong.
    """
    path = reader.path.parent / FOLDER / reader.path.name
    if not path.is_file():
        return None
    file = IndexFile(path)
    try:
        file.hold()
    except OSError as error:
        return f"cannot be read ({reason(error)})"
    with contextlib.closing(connected(f"{file.uri}?mode=ro")) as kept:
        try:
            # As one picture of it, whoever writes meanwhile.
            kept.execute("begin")
            if not Index(kept, reader, file).is_current():
                return None
            return _compared(kept, reader)
        except sqlite3.DatabaseError as error:
            return f"is damaged ({error})"


def _compared(kept: sqlite3.Connection, reader: Reader) -> str | None:
    with contextlib.closing(connected("")) as fresh:
        for statement in TABLES:
            fresh.execute(statement)
        if kept.execute(_SHAPE).fetchall() != fresh.execute(_SHAPE).fetchall():
            return "has other tables than it was made with"
        (outcome,) = kept.execute("pragma integrity_check(1)").fetchone()
        if outcome != "ok":
            return f"is damaged ({' '.join(str(outcome).split())[:200]})"
        for database in (kept, fresh):
            database.execute(_INSTANCES)
        fresh.execute("attach ? as journal", (reader.uri,))
        return _other_rows(kept, fresh, reader)


def _other_rows(kept: sqlite3.Connection, fresh: sqlite3.Connection, reader: Reader) -> str | None:
    key = os.urandom(32)
    progress = told_of(kept)
    for name, wanted in _ROWS.items():
        last = progress.get(name, 0)
        # Whatever stands behind the row that it says it has come to is none of it.
        there = _sum(key, kept.execute(wanted, (1 << 62,)))
        made = sum(_sum(key, rows) for rows in _made(fresh, reader, name, last))
        if there != made % _MODULUS:
            return f"does not say what the rows say (table `{name}`)"
    named = "select name, value from names order by name, value"
    if kept.execute(named).fetchall() != fresh.execute(named).fetchall():
        return "does not say what the rows say (table `names`)"
    return None


def _made(
    fresh: sqlite3.Connection, reader: Reader, name: str, last: int
) -> Iterator[Iterable[tuple[Any, ...]]]:
    """A table as the rows give it, some thousand at a time."""
    for after in range(0, last, _ROWS_A_TURN):
        FILLS[name](fresh, reader, after, min(after + _ROWS_A_TURN, last))
        yield fresh.execute(_ROWS[name], (1 << 62,))
        fresh.execute(_EMPTY[name])


def _sum(key: bytes, rows: Iterable[tuple[Any, ...]]) -> int:
    """What rows come to, in whichever order they stand."""
    total = 0
    for row in rows:
        said = repr(row).encode("utf-8", "surrogatepass")
        total += int.from_bytes(hashlib.blake2b(said, key=key, digest_size=16).digest())
    return total % _MODULUS
