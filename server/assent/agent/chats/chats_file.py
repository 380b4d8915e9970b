"""Opens the file of the chats, and only if it holds exactly what this version creates.

Whoever could write into the folder could plant a trigger or a view, which SQLite would run. So the
shape of the file is held against one that was made just now, before anything of it is used.
"""

import pathlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from assent.gate.call.errors import AssentError
from assent.gate.journal.quarantine import odd_one
from assent.gate.journal.sqlite_open import set_up_file
from assent.gate.settings.private_files import make_private, reason

if TYPE_CHECKING:
    import sqlite3

__all__ = ["ChatsUnkept", "opened", "trouble_in", "writing"]

_VERSION: Final = 1
_LOCK_TIMEOUT_S: Final = 2.0
"""Seconds that another window may keep the file to itself."""

_TABLES: Final = (
    """
create table chats (
  id text primary key, workspace text not null, agent text not null, title text not null,
  mode text not null, model text not null, effort text not null,
  session text not null, more text not null, begun integer not null, touched integer not null,
  is_open integer not null, owner text not null, total text not null, seal text not null
)""",
    "create index by_workspace on chats (workspace, touched)",
    """
create table items (
  id integer primary key, chat text not null, number integer not null, body blob not null,
  unique (chat, number)
)""",
    """
create table turns (
  chat text not null, number integer not null, body blob not null, primary key (chat, number)
) without rowid""",
    """
create table state (
  key text primary key, writes integer not null, total text not null, seal text not null
) without rowid""",
    "create virtual table words using fts5(text)",
    f"pragma user_version = {_VERSION}",
)

_PRAGMAS: Final = (
    "pragma journal_mode = wal",
    # A chat may lose its last moment to a power cut; what is decided is in the journal.
    "pragma synchronous = normal",
    # What is deleted is not to be found in the file any more.
    "pragma secure_delete = on",
    "pragma trusted_schema = off",
)

_SHAPE: Final = "select type, name, tbl_name, sql from sqlite_master order by type, name"

_WHY: Final = {
    "BUSY": "another program keeps it locked",
    "LOCKED": "another program keeps it locked",
    "PERM": "it may not be opened",
    "READONLY": "it may not be written into",
    "NOTADB": "it is damaged, or no database",
    "CORRUPT": "it is damaged",
    "CANTOPEN": "its folder cannot be used",
    "FULL": "the disk is full",
    "IOERR": "the disk does not take it",
}


class ChatsUnkept(AssentError):
    """Chats cannot be kept or read; the message is the second half of a sentence."""


def opened(path: pathlib.Path) -> "sqlite3.Connection":
    """The file, made where there is none; raise where it is not ours to go on with."""
    make_private(path.parent)
    if (odd := odd_one(path)) is not None:
        raise ChatsUnkept(f"{odd} is no ordinary file")
    # Made before SQLite would make it, so that nobody else can read it for a moment.
    path.touch(mode=0o600)
    path.chmod(0o600)
    import sqlite3  # noqa: PLC0415 -- only where chats are kept

    database = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=_LOCK_TIMEOUT_S
    )
    # A text that is none is one odd row, and not the end of all the others.
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        _begin(database)
    except BaseException:
        database.close()
        raise
    return database


def trouble_in(error: Exception) -> str:
    """Why chats cannot be kept, as the second half of a sentence."""
    # As SQLite calls it, with what more it knows behind: `SQLITE_IOERR_WRITE`.
    name = str(getattr(error, "sqlite_errorname", "")).removeprefix("SQLITE_")
    why_known = next((why for begin, why in _WHY.items() if name.startswith(begin)), None)
    if why_known is not None:
        return why_known
    return reason(error) if isinstance(error, OSError) else str(error) or type(error).__name__


@contextmanager
def writing(database: "sqlite3.Connection") -> Iterator[None]:
    """Write all of it or nothing."""
    import sqlite3  # noqa: PLC0415 -- as above

    database.execute("begin immediate")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("rollback")
        raise
    database.execute("commit")


def _begin(database: "sqlite3.Connection") -> None:
    # As of one moment: another window may make it meanwhile.
    database.execute("begin")
    (version,) = database.execute("pragma user_version").fetchone()
    shape = database.execute(_SHAPE).fetchall()
    database.execute("commit")
    if version not in {0, _VERSION}:
        raise ChatsUnkept("it was written by another version of Assent")
    if shape and (shape != _expected() or version != _VERSION):
        raise ChatsUnkept("it holds more than chats, or less")
    set_up_file(database, _PRAGMAS, _LOCK_TIMEOUT_S)
    if not shape:
        with writing(database):
            # Two windows may begin at once.
            if not database.execute(_SHAPE).fetchall():
                for statement in _TABLES:
                    database.execute(statement)


def _expected() -> list[tuple[str, ...]]:
    """What a file of this version holds, as SQLite itself says it."""
    import sqlite3  # noqa: PLC0415 -- as above

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for statement in _TABLES:
            fresh.execute(statement)
        return fresh.execute(_SHAPE).fetchall()
