"""Checks a journal: its ends against the seal at once, all of it later.

What is looked at when a server starts costs the same however long the journal is.
"""

import json
import pathlib
from typing import TYPE_CHECKING, Any

from assent.gate.journal import chain
from assent.gate.journal.quarantine import odd_one
from assent.gate.journal.seal import Head, covers

if TYPE_CHECKING:
    import sqlite3

__all__ = ["MAKE_TABLE", "MORE", "fault_of", "first_hash", "has_only_rows", "look_through"]

_TABLE = """CREATE TABLE entries (
    seq integer primary key, epoch text not null, at integer not null, kind text not null,
    chat text, call text, agent text, digest text, body text not null,
    previous text not null, hash text not null
)"""
"""As SQLite keeps it, to the letter."""

MAKE_TABLE = _TABLE.replace("CREATE TABLE", "create table if not exists")

_SCHEMA = "select type, name, tbl_name, sql from sqlite_master"

_TAIL_ROWS = 200
"""So many rows at the end are looked at one by one."""

_CUT = "was cut off: row {0} had been sealed, and it ends with row {1}"
_CHANGED = "was changed: row {0} is not what was written"
_GONE = "is gone: it had come to row {0}"
_OTHER = "is not the one that was here: another stands in its place"
MORE = "holds more than its rows, or is none"


def fault_of(
    database: "sqlite3.Connection", head: Head | None, mark: Head | None
) -> tuple[str | None, str]:
    """What is wrong with a journal, as the half of a sentence, and by what it is known."""
    is_rows_only = has_only_rows(database)
    if is_rows_only is False:
        return MORE, ""
    count, first = 0, ""
    if is_rows_only:
        (count,) = database.execute("select coalesce(max(seq), 0) from entries").fetchone()
        first = first_hash(database)
    if mark is not None and (head is None or not covers(head, mark)):
        return _unsealed(count, head, mark), first
    fault = None if head is None else _against(database, head, first, count)
    if fault is None and count:
        fault = _beyond(database, mark, first) or _broken_tail(database, count)
    return fault, first


def has_only_rows(database: "sqlite3.Connection") -> bool | None:
    """Whether the table is all that there is; None where there is nothing yet.

    A trigger could take back what is written, a view or an index show what was never written.
    """
    objects = database.execute(_SCHEMA).fetchmany(2)
    return None if not objects else objects == [("table", "entries", "entries", _TABLE)]


def first_hash(database: "sqlite3.Connection") -> str:
    """By what a journal is known; empty where it has no row."""
    return _hash(database, 1)


def look_through(path: pathlib.Path) -> str | None:
    """What is wrong with the file's pages, all of them; it takes longer the longer the file is.

    What else is in the file is looked for first: nothing of it is run.
    """
    import sqlite3  # noqa: PLC0415 -- only where there is a journal

    if odd_one(path.resolve()) is not None:
        # Whoever writes next is told; here nobody could end the waiting for it.
        return None
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            if has_only_rows(database) is False:
                return MORE
            (outcome,) = database.execute("pragma quick_check(1)").fetchone()
        finally:
            database.close()
    except sqlite3.OperationalError:
        # Locked, or gone meanwhile: whoever writes next is told.
        return None
    except sqlite3.DatabaseError as error:
        return f"is damaged ({error})"
    return None if outcome == "ok" else f"is damaged ({' '.join(outcome.split())[:200]})"


def _unsealed(count: int, head: Head | None, mark: Head) -> str:
    if count == 0:
        return _GONE.format(mark.seq)
    if head is None:
        return "has lost its seal, so it cannot be told whether its end is still there"
    if head.journal == mark.journal:
        return f"was put back to an older copy, from before row {mark.seq}"
    return _OTHER


def _against(database: "sqlite3.Connection", head: Head, first: str, count: int) -> str | None:
    if not head.journal:
        return None if count == 0 or _began_after(database, head) else "is still to be set aside"
    if count == 0:
        return _GONE.format(head.seq)
    if head.journal != first:
        return _OTHER
    if count < head.seq:
        return _CUT.format(head.seq, count)
    if _hash(database, head.seq) != head.hash:
        return _CHANGED.format(head.seq)
    return None


def _beyond(database: "sqlite3.Connection", mark: Head | None, first: str) -> str | None:
    if mark is None or mark.journal != first or _hash(database, mark.seq) == mark.hash:
        return None
    return _CHANGED.format(mark.seq)


def _began_after(database: "sqlite3.Connection", head: Head) -> bool:
    """Whether the first row says that this journal began where the other was set aside."""
    (body,) = database.execute("select body from entries where seq = 1").fetchone() or ("{}",)
    return bool(json.loads(body).get("before") == head.before)


def _hash(database: "sqlite3.Connection", seq: int) -> str:
    row = database.execute("select hash from entries where seq = ?", (seq,)).fetchone()
    return row[0] if row else ""


def _broken_tail(database: "sqlite3.Connection", count: int) -> str | None:
    start = max(1, count - _TAIL_ROWS + 1)
    cursor = database.execute("select * from entries where seq >= ? order by seq", (start,))
    names = [column[0] for column in cursor.description]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in cursor]
    before = _hash(database, start - 1) if start > 1 else chain.START
    broken = chain.first_break(rows, start, before)
    return None if broken is None else _CHANGED.format(broken)
