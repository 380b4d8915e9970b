"""The tables of a journal's index, and what each row adds to them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from assent.gate.journal import row_marks
from assent.gate.journal.reader import Reader

if TYPE_CHECKING:
    import sqlite3

__all__ = ["FILLS", "NAMES", "SAID", "TABLES", "connected", "is_sound", "told_of"]

SAID: Final[Mapping[str, str]] = {
    "agent": "agent",
    "by": "json_extract(body, '$.by')",
    "rule": "json_extract(body, '$.rule')",
    "tool": "json_extract(body, '$.tool')",
    "verdict": "case kind when 'decided' then json_extract(body, '$.outcome')"
    " when 'asked' then 'asked' end",
    "kind": "kind",
    "call": "chat || ' ' || call",
    "place": "coalesce(json_extract(body, '$.workspace'), json_extract(body, '$.cwd'))",
}
"""What a row says in a word, and where that stands in it."""

NAMES: Final = ("agent", "tool", "rule")
"""Of these it is kept which there are at all: a few, however many rows there be."""

TABLES: Final = (
    "create table told (name text primary key, value)",
    "create table said (seq integer primary key, at integer, "
    + ", ".join(f"{name} text collate nocase" for name in SAID)
    + ")",
    "create index said_at on said (at)",
    *(f"create index said_{name} on said ({name})" for name in SAID if name != "kind"),
    "create table names (name text, value text, primary key (name, value)) without rowid",
    "create table marks (mark text, seq integer, primary key (mark, seq)) without rowid",
    "create virtual table words using fts5 (text, content = '', columnsize = 0)",
)

_READABLE: Final = (
    "case when not json_valid(body) then '{}' when instr(body, '\\ud') then escaped(body)"
    " else body end as body"
)

_FILL_SAID: Final = (
    f"insert into said select seq, at, {', '.join(SAID.values())}"  # noqa: S608 -- our own texts
    f" from (select seq, at, kind, agent, chat, call, {_READABLE} from journal.entries"
    " where seq > ? and seq <= ?)"
)


_LOCK_TIMEOUT_S: Final = 1.0
"""Seconds that somebody else may keep it; then it is made for the one question."""


def connected(uri: str) -> "sqlite3.Connection":
    """The file of an index, open for what its tables are filled and asked with."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_LOCK_TIMEOUT_S)
    # SQLite takes escapes in rows for letters that no text has.
    database.text_factory = row_marks.lenient
    database.create_function("escaped", 1, row_marks.escaped, deterministic=True)
    database.create_function("folded", 1, row_marks.folded, deterministic=True)
    return database


def _fill_said(index: "sqlite3.Connection", _: Reader, after: int, last: int) -> None:
    index.execute(_FILL_SAID, (after, last))
    for name in NAMES:
        index.execute(
            f"insert or ignore into names select distinct ?, {name} from said"  # noqa: S608 -- ours
            f" where seq > ? and seq <= ? and {name} is not null",
            (name, after, last),
        )


def _fill_marks(index: "sqlite3.Connection", reader: Reader, after: int, last: int) -> None:
    marks = (
        (mark, row["seq"])
        for row in reader.between(after, last)
        for mark in row_marks.marks_of(row_marks.body_of(row))
    )
    # In their order, since each goes to its place in the tree.
    index.executemany("insert or ignore into marks values (?, ?)", sorted(marks))


def _fill_words(index: "sqlite3.Connection", reader: Reader, after: int, last: int) -> None:
    rows = reader.between(after, last)
    texts = ((row["seq"], row_marks.words_of(row_marks.body_of(row))) for row in rows)
    index.executemany("insert into words (rowid, text) values (?, ?)", texts)


FILLS: Final[Mapping[str, Callable[["sqlite3.Connection", Reader, int, int], None]]] = {
    "said": _fill_said,
    "marks": _fill_marks,
    "words": _fill_words,
}

_FAR: Final = ("last", *FILLS)
_VALUES: Final = (*_FAR, "turn", "end")


def told_of(index: "sqlite3.Connection") -> dict[str, Any]:
    """What an index tells of itself: how far it goes, how often it was written, and of what."""
    return dict(index.execute("select name, value from told limit ?", (len(_VALUES),)))


def is_sound(progress: Mapping[str, Any], last: int) -> bool:
    """Whether that can be gone by: no table goes further than the journal does, nor to nowhere.

    >>> is_sound({"last": 3, "said": 3}, 5), is_sound({"last": 3, "said": -9}, 5)
    (True, False)
    """
    far = (progress.get(name, 0) for name in _FAR)
    return all(isinstance(seq, int) and 0 <= seq <= last for seq in far)
