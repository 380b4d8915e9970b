"""An index of a journal, in a file of its own: which rows fit what is asked for, newest first.

The journal holds its rows and nothing else, so the index lies beside it. It gives numbers alone;
what is shown is read from the journal. It is brought up to date when something is asked, as far
as that needs it, some thousand rows at a time, so that it can be told how far it has come and
nothing is lost where that breaks off. It is made anew where it is not this journal's. Where its
file cannot be used, it is made for the one question.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from assent.history import marks
from assent.history.reader import Reader
from assent.settings.private_files import OPEN_SAFELY, make_private

if TYPE_CHECKING:
    import sqlite3

__all__ = ["FOLDER", "NAMES", "SAID", "Index", "Progress", "behind", "indexed"]

FOLDER: Final = "indexes"
"""Where indexes lie, in the folder of the journals."""

_VERSION: Final = 3
_AT_ONCE: Final = 5_000
"""So many rows are taken in before others may write, and before it is told how far that is."""

Progress = Callable[[int, int], None]
"""Is told how much of the work is done, and of how much."""

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

_TABLES: Final = (
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


def _fill_said(index: "sqlite3.Connection", _: Reader, after: int, last: int) -> None:
    index.execute(_FILL_SAID, (after, last))
    for name in NAMES:
        index.execute(
            f"insert or ignore into names select distinct ?, {name} from said"  # noqa: S608 -- ours
            f" where seq > ? and seq <= ? and {name} is not null",
            (name, after, last),
        )


def _fill_marks(index: "sqlite3.Connection", reader: Reader, after: int, last: int) -> None:
    found = (
        (mark, row["seq"])
        for row in reader.between(after, last)
        for mark in marks.marks_of(marks.body_of(row))
    )
    # In their order, since each goes to its place in the tree.
    index.executemany("insert or ignore into marks values (?, ?)", sorted(found))


def _fill_words(index: "sqlite3.Connection", reader: Reader, after: int, last: int) -> None:
    rows = reader.between(after, last)
    found = ((row["seq"], marks.words_of(marks.body_of(row))) for row in rows)
    index.executemany("insert into words (rowid, text) values (?, ?)", found)


_FILLS: Final[Mapping[str, Callable[["sqlite3.Connection", Reader, int, int], None]]] = {
    "said": _fill_said,
    "marks": _fill_marks,
    "words": _fill_words,
}


@frozen
class Index:
    """An index that is open, for one journal."""

    _database: "sqlite3.Connection"
    _reader: Reader

    def numbers(self, where: str, values: Mapping[str, Any]) -> Iterator[int]:
        """The numbers of the rows that fit, newest first."""
        wanted = f"select seq from said where {where} order by seq desc"  # noqa: S608 -- our own texts
        return (seq for (seq,) in self._database.execute(wanted, values))

    def names(self, name: str) -> list[str]:
        """All that rows say under one of the names of which that is kept."""
        wanted = "select value from names where name = ? order by value"
        return [str(value) for (value,) in self._database.execute(wanted, (name,))]

    def select(self, wanted: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What a query of the tables gives."""
        return self._database.execute(wanted, values).fetchall()

    def behind(self, needed: Iterable[str]) -> int:
        """How many rows these tables have still to take in."""
        last = self._reader.count()
        if not self._is_ours():
            return last * len(set(needed))
        return sum(last - (self._told(name) or 0) for name in set(needed))

    def update(self, needed: Iterable[str], progress: Progress = lambda *_: None) -> None:
        """Take in what the journal has, and these tables have not."""
        self._database.execute("attach ? as journal", (self._reader.uri,))
        last, names = self._reader.count(), sorted(set(needed))
        for at, name in enumerate(names):
            done = 0
            while done < last:
                done = self._take_in(name, last)
                progress(at * last + done, len(names) * last)

    def _take_in(self, name: str, last: int) -> int:
        """Take in the next rows into one table; how far it then goes."""
        with _writing(self._database):
            if not self._is_ours():
                self._begin_anew()
            after = self._told(name) or 0
            if after < last:
                _FILLS[name](self._database, self._reader, after, min(after + _AT_ONCE, last))
                self._tell(name, min(after + _AT_ONCE, last))
            return min(after + _AT_ONCE, last)

    def close(self) -> None:
        """Have no more of it."""
        self._database.close()

    def _is_ours(self) -> bool:
        """Whether it was made of this journal, as far as it goes, by this version."""
        import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

        try:
            return bool(self._told("end") == self._end(self._told("last") or 0))
        except sqlite3.OperationalError:
            # It has no tables yet.
            return False

    def _end(self, seq: int) -> str:
        return f"{_VERSION} {self._reader.hash_of(1)} {self._reader.hash_of(seq)}"

    def _begin_anew(self) -> None:
        for name in ("told", "said", "names", "marks", "words"):
            self._database.execute(f"drop table if exists main.{name}")
        for statement in _TABLES:
            self._database.execute(statement)
        self._tell("last", 0)

    def _told(self, name: str) -> Any:
        found = self._database.execute("select value from told where name = ?", (name,)).fetchone()
        return found[0] if found else None

    def _tell(self, name: str, seq: int) -> None:
        furthest = max(seq, self._told("last") or 0)
        for key, value in ((name, seq), ("last", furthest), ("end", self._end(furthest))):
            self._database.execute("insert or replace into told values (?, ?)", (key, value))


@contextlib.contextmanager
def indexed(
    reader: Reader, needed: Iterable[str], progress: Progress = lambda *_: None
) -> Iterator[Index]:
    """The journal's index, up to date for these tables."""
    index = _kept(reader, needed, progress) or _opened("", reader, needed, progress)
    with contextlib.closing(index):
        yield index


def behind(reader: Reader, needed: Iterable[str]) -> int:
    """How many rows the index that is kept has still to take in for these tables."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    path = reader.path.parent / FOLDER / reader.path.name
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        with contextlib.closing(Index(database, reader)) as index:
            return index.behind(needed)
    except sqlite3.Error:
        return reader.count() * len(set(needed))


def _kept(reader: Reader, needed: Iterable[str], progress: Progress) -> Index | None:
    """The one that is kept beside the journal; None where that cannot be had."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    path = reader.path.parent / FOLDER / reader.path.name
    try:
        make_private(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | OPEN_SAFELY, 0o600))
        return _opened(path.resolve().as_uri(), reader, needed, progress)
    except (OSError, sqlite3.OperationalError):
        return None
    except sqlite3.DatabaseError:
        # It is damaged; the next question makes it anew.
        path.unlink(missing_ok=True)
        return None


def _opened(uri: str, reader: Reader, needed: Iterable[str], progress: Progress) -> Index:
    """An index in this file; without a name in one that the system takes back by itself."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    database = sqlite3.connect(uri, uri=True, isolation_level=None)
    # SQLite takes escapes in rows for letters that no text has.
    database.text_factory = marks.lenient
    database.create_function("escaped", 1, marks.escaped, deterministic=True)
    index = Index(database, reader)
    try:
        index.update(needed, progress)
    except BaseException:
        index.close()
        raise
    return index


@contextlib.contextmanager
def _writing(database: "sqlite3.Connection") -> Iterator[None]:
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    database.execute("begin immediate")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("rollback")
        raise
    database.execute("commit")
