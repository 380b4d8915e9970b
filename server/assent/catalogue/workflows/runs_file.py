"""The file of graph runs: created, or brought from an older version's form to this one's."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assent.gate.settings.private_files import OPEN_SAFELY, make_private

if TYPE_CHECKING:
    import sqlite3

__all__ = ["opened"]

_RUNS: Final = (
    (
        "create table if not exists runs(id text primary key, file text not null,"
        " name text not null, digest text not null, inputs text not null, chat text not null,"
        " owner text not null default '')"
    ),
    (
        "create table if not exists pieces(run text not null, key text not null,"
        " step text not null, digest text not null, state text not null, output text not null,"
        " primary key(run, key)) without rowid"
    ),
)
_DOUBTS: Final = (
    # Beside the runs, since it stays when they are forgotten; the run is the one that began it.
    (
        "create table doubts(file text not null, key text not null, step text not null,"
        " run text not null, primary key(file, key)) without rowid"
    ),
    # Of a version that had them in the last run of each file alone.
    (
        "insert into doubts select runs.file, key, step, run from pieces join runs on runs.id = run"
        " where state = 'started' and runs.rowid in (select max(rowid) from runs group by file)"
    ),
)
_DROP: Final = ("drop table runs", "drop table pieces")
_OWNED: Final = ("alter table runs add column owner text not null default ''",)


def opened(path: Path) -> "sqlite3.Connection":
    """The file, as this version has it; what an older one had in doubt is so still."""
    import sqlite3  # noqa: PLC0415 -- most windows run no graph

    make_private(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | OPEN_SAFELY, 0o600))
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    # What makes room is not to be found in the file any more.
    connection.execute("pragma secure_delete=on")
    with connection:
        # Whole or not at all, and by one window: else what is in doubt could be lost half way.
        connection.execute("begin immediate")
        for statement in _statements(connection):
            connection.execute(statement)
    return connection


def _statements(connection: "sqlite3.Connection") -> tuple[str, ...]:
    columns = {column[1] for column in connection.execute("pragma table_info(runs)")}
    doubts = () if [*connection.execute("pragma table_info(doubts)")] else _DOUBTS
    # Of a version that did not say in which chat it was: nobody could forget these.
    anew = (*_DROP, *_RUNS) if columns and "chat" not in columns else ()
    owned = _OWNED if "chat" in columns and "owner" not in columns else ()
    return (*_RUNS, *doubts, *anew, *owned)
