"""Indexes a journal, in a file of its own: finds rows that match, newest first.

The journal holds its rows and nothing else, so the index lies beside it. It gives numbers alone;
what is shown is read from the journal. It is brought up to date when something is asked, as far
as that needs it, some thousand rows at a time, so that it can be told how far it has come and
nothing is lost where that breaks off. It is made anew where it is not this journal's, or where
somebody else wrote into it. Where its file cannot be used, it is made for the one question.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from assent.gate.journal.index_file import IndexFile
from assent.gate.journal.index_tables import FILLS, TABLES, connected, is_sound, told_of
from assent.gate.journal.reader import JournalUnread, Reader
from assent.gate.values import frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = ["FOLDER", "Index", "Progress", "behind", "indexed"]

FOLDER: Final = "indexes"
"""Where indexes lie, in the folder of the journals."""

_VERSION: Final = 3
_ROWS_A_TURN: Final = 5_000
"""So many rows are taken in before others may write, and before it is told how far that is."""
_SQLITE_ERROR: Final = 1
"""The code of SQLite for what is asked of a file that has other tables."""

Progress = Callable[[int, int], None]
"""Is told how much of the work is done, and of how much."""


class _NotOurs(Exception):
    """The file holds something else than what was made of this journal."""


@frozen
class Index:
    """An index that is open, for one journal."""

    _database: "sqlite3.Connection"
    _reader: Reader
    _file: IndexFile | None = None
    """None where nobody else can come to it."""

    def numbers(self, where: str, values: Mapping[str, Any]) -> Iterator[int]:
        """The numbers of the rows that fit, newest first."""
        wanted = f"select seq from said where {where} order by seq desc"  # noqa: S608 -- our own texts
        with self._sound():
            for (seq,) in self._database.execute(wanted, values):
                yield seq

    def names(self, name: str) -> list[str]:
        """All that rows say under one of the names of which that is kept."""
        wanted = "select value from names where name = ? order by value"
        with self._sound():
            return [str(value) for (value,) in self._database.execute(wanted, (name,))]

    def select(self, wanted: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What a query of the tables gives."""
        with self._sound():
            return self._database.execute(wanted, values).fetchall()

    def behind(self, needed: Iterable[str]) -> int:
        """How many rows these tables have still to take in."""
        last = self._reader.count()
        if not self._is_ours():
            return last * len(set(needed))
        return sum(last - (self._read_value(name) or 0) for name in set(needed))

    def update(self, needed: Iterable[str], progress: Progress = lambda *_: None) -> None:
        """Take in what the journal has, and these tables have not."""
        self._database.execute("attach ? as journal", (self._reader.uri,))
        last, names = self._reader.count(), sorted(set(needed))
        if self._has(names, last):
            return
        for at, name in enumerate(names):
            done = 0
            while done < last:
                done = self._take_in(name, last)
                progress(at * last + done, len(names) * last)

    def _take_in(self, name: str, last: int) -> int:
        """Take in the next rows into one table; how far it then goes."""
        with _at_once(self._database, "begin immediate"):
            turn = self._turn()
            if self._is_empty():
                self._begin(turn)
            elif not self._is_ours(turn):
                raise _NotOurs
            after = self._read_value(name) or 0
            if after < last:
                FILLS[name](self._database, self._reader, after, min(after + _ROWS_A_TURN, last))
                self._tell(name, min(after + _ROWS_A_TURN, last), turn)
            return min(after + _ROWS_A_TURN, last)

    def _has(self, names: Iterable[str], last: int) -> bool:
        """Whether it has all of it already; nobody has to wait for that."""
        with _at_once(self._database, "begin"):
            return self._is_ours(self._turn()) and all(
                self._read_value(name) == last for name in names
            )

    @contextlib.contextmanager
    def _sound(self) -> Iterator[None]:
        """Throw it away where it cannot be asked."""
        import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

        try:
            yield
        except sqlite3.DatabaseError as error:
            if self._file is not None:
                self._file.throw_away()
            message = f"The index of {self._reader.path} is damaged; it is made anew: ask again."
            raise JournalUnread(message) from error

    def is_current(self) -> bool:
        """Whether it is gone on with when something is asked, or else made anew."""
        return self._is_ours(self._turn())

    def close(self) -> None:
        """Have no more of it."""
        self._database.close()

    def _turn(self) -> int | None:
        """How often the file was written; None where nobody else can."""
        return self._file.turn() if self._file is not None else None

    def _is_empty(self) -> bool:
        return self._database.execute("select 1 from main.sqlite_master").fetchone() is None

    def _is_ours(self, turn: int | None = None) -> bool:
        """Whether it was made of this journal, as far as it goes, by this version, and no other."""
        import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

        try:
            progress = told_of(self._database)
            if not is_sound(progress, self._reader.count()) or turn not in {
                None,
                progress.get("turn"),
            }:
                return False
            return bool(progress.get("end") == self._end(progress.get("last", 0)))
        except sqlite3.OperationalError as error:
            if _code(error) == _SQLITE_ERROR:
                # It has no tables yet, or others.
                return False
            raise

    def _end(self, seq: int) -> str:
        return f"{_VERSION} {self._reader.hash_of(1)} {self._reader.hash_of(seq)}"

    def _begin(self, turn: int | None) -> None:
        for statement in TABLES:
            self._database.execute(statement)
        self._tell("last", 0, turn)

    def _read_value(self, name: str) -> Any:
        return told_of(self._database).get(name)

    def _tell(self, name: str, seq: int, turn: int | None) -> None:
        furthest = max(seq, self._read_value("last") or 0)
        progress = {name: seq, "last": furthest, "end": self._end(furthest)}
        if turn is not None:
            # SQLite counts once for each transaction: whoever else writes is noticed.
            progress["turn"] = turn + 1
        self._database.executemany("insert or replace into told values (?, ?)", progress.items())


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

    file = IndexFile(reader.path.parent / FOLDER / reader.path.name)
    try:
        file.refuse_odd()
        database = sqlite3.connect(f"{file.uri}?mode=ro", uri=True)
        with contextlib.closing(Index(database, reader)) as index:
            return index.behind(needed)
    except (OSError, sqlite3.Error):
        return reader.count() * len(set(needed))


def _kept(reader: Reader, needed: Iterable[str], progress: Progress) -> Index | None:
    """The one that is kept beside the journal; None where that cannot be had."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    file = IndexFile(reader.path.parent / FOLDER / reader.path.name)
    for _ in range(2):
        try:
            file.hold()
            return _opened(file.uri, reader, needed, progress, file)
        except (OSError, sqlite3.Error, _NotOurs) as error:
            if isinstance(error, OSError) or _is_kept_from_us(error):
                return None
            with contextlib.suppress(OSError):
                file.throw_away()
    return None


def _is_kept_from_us(error: Exception) -> bool:
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    return isinstance(error, sqlite3.OperationalError) and _code(error) != _SQLITE_ERROR


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", _SQLITE_ERROR)) & 0xFF


def _opened(
    uri: str,
    reader: Reader,
    needed: Iterable[str],
    progress: Progress,
    file: IndexFile | None = None,
) -> Index:
    """An index in this file; without a name in one that the system takes back by itself."""
    index = Index(connected(uri), reader, file)
    try:
        index.update(needed, progress)
    except BaseException:
        index.close()
        raise
    return index


@contextlib.contextmanager
def _at_once(database: "sqlite3.Connection", begin: str) -> Iterator[None]:
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    database.execute(begin)
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("rollback")
        raise
    database.execute("commit")
