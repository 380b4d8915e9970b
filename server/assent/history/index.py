"""An index of a journal, in a file of its own: which rows fit what is asked for, newest first.

The journal holds its rows and nothing else, so the index lies beside it. It gives numbers alone;
what is shown is read from the journal. It is brought up to date when something is asked, as far
as that needs it, and made anew where it is not this journal's. Where its file cannot be used, it
is made for the one question.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from assent.history import marks
from assent.history.reader import Reader
from assent.settings.private_files import OPEN_SAFELY, make_private

__all__ = ["FOLDER", "SAID", "Index", "indexed"]

FOLDER: Final = "indexes"
"""Where indexes lie, in the folder of the journals."""

_VERSION: Final = 1

SAID: Final[Mapping[str, str]] = {
    "agent": "agent",
    "by": "json_extract(body, '$.by')",
    "rule": "json_extract(body, '$.rule')",
    "tool": "json_extract(body, '$.tool')",
    "verdict": "case kind when 'decided' then json_extract(body, '$.outcome')"
    " when 'asked' then 'asked' end",
}
"""What a row says in a word, and where that stands in it."""

_TABLES: Final = (
    "create table told (name text primary key, value)",
    f"create table said (seq integer primary key, at integer, {', '.join(SAID)})",
    "create index said_at on said (at)",
    *(f"create index said_{name} on said ({name} collate nocase)" for name in SAID),
    "create table marks (mark text, seq integer, primary key (mark, seq)) without rowid",
    "create virtual table words using fts5 (text, content = '', columnsize = 0)",
)

_READABLE: Final = "case when json_valid(body) then body else '{}' end as body"

_FILL_SAID: Final = (
    f"insert into said select seq, at, {', '.join(SAID.values())}"  # noqa: S608 -- our own texts
    f" from (select seq, at, kind, agent, {_READABLE} from journal.entries"
    " where seq > ? and seq <= ?)"
)


def _fill_said(index: sqlite3.Connection, _: Reader, after: int, last: int) -> None:
    index.execute(_FILL_SAID, (after, last))


def _fill_marks(index: sqlite3.Connection, reader: Reader, after: int, last: int) -> None:
    found = (
        (mark, row["seq"])
        for row in reader.between(after, last)
        for mark in marks.marks_of(marks.body_of(row))
    )
    index.executemany("insert or ignore into marks values (?, ?)", found)


def _fill_words(index: sqlite3.Connection, reader: Reader, after: int, last: int) -> None:
    rows = reader.between(after, last)
    found = ((row["seq"], marks.words_of(marks.body_of(row))) for row in rows)
    index.executemany("insert into words (rowid, text) values (?, ?)", found)


_FILLS: Final[Mapping[str, Callable[[sqlite3.Connection, Reader, int, int], None]]] = {
    "said": _fill_said,
    "marks": _fill_marks,
    "words": _fill_words,
}


@frozen
class Index:
    """An index that is open, for one journal."""

    _database: sqlite3.Connection
    _reader: Reader

    def numbers(self, where: str, values: Mapping[str, Any]) -> Iterator[int]:
        """The numbers of the rows that fit, newest first."""
        wanted = f"select seq from said where {where} order by seq desc"  # noqa: S608 -- our own texts
        return (seq for (seq,) in self._database.execute(wanted, values))

    def update(self, needed: Iterable[str]) -> None:
        """Take in what the journal has, and these tables have not."""
        self._database.execute("attach ? as journal", (self._reader.uri,))
        with _writing(self._database):
            if not self._is_ours():
                self._begin_anew()
            last = self._reader.count()
            for name in sorted(needed):
                after = self._told(name) or 0
                if after < last:
                    _FILLS[name](self._database, self._reader, after, last)
                    self._tell(name, last)

    def close(self) -> None:
        """Have no more of it."""
        self._database.close()

    def _is_ours(self) -> bool:
        """Whether it was made of this journal, as far as it goes, by this version."""
        try:
            return bool(self._told("end") == self._end(self._told("last") or 0))
        except sqlite3.OperationalError:
            # It has no tables yet.
            return False

    def _end(self, seq: int) -> str:
        return f"{_VERSION} {self._reader.hash_of(1)} {self._reader.hash_of(seq)}"

    def _begin_anew(self) -> None:
        for name in ("told", "said", "marks", "words"):
            self._database.execute(f"drop table if exists main.{name}")
        for statement in _TABLES:
            self._database.execute(statement)
        self._tell("last", 0)

    def _told(self, name: str) -> Any:
        found = self._database.execute("select value from told where name = ?", (name,)).fetchone()
        return found[0] if found else None

    def _tell(self, name: str, seq: int) -> None:
        for key, value in ((name, seq), ("last", seq), ("end", self._end(seq))):
            self._database.execute("insert or replace into told values (?, ?)", (key, value))


@contextlib.contextmanager
def indexed(reader: Reader, needed: Iterable[str]) -> Iterator[Index]:
    """The journal's index, up to date for these tables."""
    with contextlib.closing(_kept(reader, needed) or _passing(reader, needed)) as index:
        yield index


def _kept(reader: Reader, needed: Iterable[str]) -> Index | None:
    """The one that is kept beside the journal; None where that cannot be had."""
    path = reader.path.parent / FOLDER / reader.path.name
    try:
        make_private(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | OPEN_SAFELY, 0o600))
        return _opened(path.resolve().as_uri(), reader, needed)
    except (OSError, sqlite3.OperationalError):
        return None
    except sqlite3.DatabaseError:
        # It is damaged; the next question makes it anew.
        path.unlink(missing_ok=True)
        return None


def _passing(reader: Reader, needed: Iterable[str]) -> Index:
    """One in a file that the system takes back by itself."""
    return _opened("", reader, needed)


def _opened(uri: str, reader: Reader, needed: Iterable[str]) -> Index:
    index = Index(sqlite3.connect(uri, uri=True, isolation_level=None), reader)
    try:
        index.update(needed)
    except BaseException:
        index.close()
        raise
    return index


@contextlib.contextmanager
def _writing(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("begin immediate")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("rollback")
        raise
    database.execute("commit")
