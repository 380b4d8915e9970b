"""The file of an index: private to this user, and rebuilt whenever it is not as we make it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from assent.catalogue.documents.question_words import TOKENIZER
from assent.catalogue.documents.stored_indexes import throw_away
from assent.gate.settings.private_files import OPEN_SAFELY, make_private
from assent.gate.values import frozen

__all__ = ["Whole", "is_broken", "opened"]

_SCHEMA: Final = (
    "create table told(name text primary key, value text not null) without rowid",
    (
        "create table files(id integer primary key, path text not null unique, stamp text not null,"
        " digest blob not null)"
    ),
    (
        "create table passages(id integer primary key, file integer not null,"
        " first integer not null, last integer not null)"
    ),
    "create index passages_of_file on passages(file)",
    f'create virtual table words using fts5(heading, body, tokenize="{TOKENIZER}")',
    "create virtual table terms using fts5vocab(words, row)",
    (
        "create table vectors(passage integer primary key, above blob not null,"
        " far blob not null, vector blob not null)"
    ),
)
_BROKEN: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class OddShape(sqlite3.DatabaseError):
    """Another program, or another version of ours, made it."""


def is_broken(error: sqlite3.Error) -> bool:
    """Whether an index is of no use any more, and not only out of reach or without room."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, OddShape) or code in _BROKEN


def opened(path: Path) -> tuple[sqlite3.Connection, bool]:
    """The index in a file, and whether it had to be made anew because it was broken."""
    make_private(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | OPEN_SAFELY, 0o600)
    is_new = os.fstat(descriptor).st_size == 0
    os.close(descriptor)
    if not is_new:
        try:
            return _connected(path), False
        except sqlite3.DatabaseError as error:
            if not is_broken(error):
                raise
            throw_away(path)
    return _made(path), not is_new


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, timeout=10)
    try:
        database.execute("pragma trusted_schema = off")
        database.execute("pragma journal_mode = wal")
        # It can be made anew, so nothing waits for the disk.
        database.execute("pragma synchronous = off")
        # What was denied since, or is gone, does not stay in pages that are free.
        database.execute("pragma secure_delete = on")
        _refuse_odd(database)
    except BaseException:
        database.close()
        raise
    return database


def _refuse_odd(database: sqlite3.Connection) -> None:
    if _shape(database) != _expected():
        raise OddShape("another program, or another version, made it")


def _made(path: Path) -> sqlite3.Connection:
    connected = sqlite3.connect(path, isolation_level=None, timeout=10)
    with closing(connected) as database, Whole(database):
        if not _shape(database):
            _lay_out(database)
    path.chmod(0o600)
    return _connected(path)


def _shape(database: sqlite3.Connection) -> list[Any]:
    return database.execute("select type, name, sql from sqlite_master order by name").fetchall()


def _expected() -> list[Any]:
    with closing(sqlite3.connect(":memory:")) as database:
        _lay_out(database)
        return _shape(database)


def _lay_out(database: sqlite3.Connection) -> None:
    for statement in _SCHEMA:
        database.execute(statement)


@frozen
class Whole:
    """All of what is written, or nothing."""

    _database: sqlite3.Connection

    def __enter__(self) -> None:
        self._database.execute("begin immediate")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._database.execute("commit")
        finally:
            # Where the disk is full SQLite may have taken it back already.
            if self._database.in_transaction:
                self._database.execute("rollback")
