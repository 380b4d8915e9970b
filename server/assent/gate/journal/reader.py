"""Opens a journal for reading only, whoever may write it meanwhile.

What cannot be opened is told in one sentence.
"""

import contextlib
import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from assent.gate.call.errors import AssentError
from assent.gate.journal import integrity
from assent.gate.journal.quarantine import is_set_aside, odd_one
from assent.gate.journal.seal import heads_beside
from assent.gate.settings.ordinary_files import opened
from assent.gate.settings.private_files import reason
from assent.gate.values import frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = ["JournalUnread", "JournalUntold", "Reader", "reading"]

_LOCK_TIMEOUT_S: Final = 2.0
"""Seconds that somebody else may keep the file to themselves."""

_WHY: Final = {  # by the codes of SQLite, which is loaded late
    5: "another program keeps it locked; try again when that has ended",
    6: "another program keeps it locked; try again when that has ended",
    3: "you may not read it",
    26: "it is damaged, or no database",
    10: "the disk cannot be read just now, or is full",
    11: "it is damaged",
    13: "the disk is full",
    14: "its folder cannot be used",
}
_KEPT_FROM_US: Final = frozenset({3, 5, 6, 10, 13, 14})
"""Those of these that say nothing about what is in it."""
_OTHER: Final = "it was written by another version of Assent, or holds more than its rows"

Row = dict[str, Any]


class JournalUnread(AssentError):
    """A journal cannot be read; the message is a sentence."""


class JournalUntold(JournalUnread):
    """One of which nothing is known, not even that it is broken."""


@frozen
class Reader:
    """A journal that is open."""

    path: pathlib.Path
    database: "sqlite3.Connection"

    @property
    def uri(self) -> str:
        """How SQLite is told to open it for reading alone."""
        return _uri(self.path)

    def all(self) -> Iterator[Row]:
        """Every row, from the first on; one at a time is in memory."""
        cursor = self.database.cursor()
        # A row that SQLite names itself takes as long to be made a dictionary as to be read.
        cursor.row_factory = None
        cursor.execute("select * from entries order by seq")
        names = tuple(column[0] for column in cursor.description)
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def newest(self) -> Iterator[Row]:
        """Every row, from the last one back."""
        return map(dict, self.database.execute("select * from entries order by seq desc"))

    def between(self, after: int, last: int) -> Iterator[Row]:
        """The rows behind one, up to another."""
        wanted = "select * from entries where seq > ? and seq <= ? order by seq"
        return map(dict, self.database.execute(wanted, (after, last)))

    def numbered(self, numbers: Iterable[int]) -> Iterator[Row]:
        """The rows with these numbers."""
        for seq in numbers:
            row = self.database.execute("select * from entries where seq = ?", (seq,)).fetchone()
            if row is not None:
                yield dict(row)

    def hash_of(self, seq: int) -> str:
        """By what a row is known; empty where there is none."""
        row = self.database.execute("select hash from entries where seq = ?", (seq,)).fetchone()
        return str(row[0]) if row else ""

    def count(self) -> int:
        """The number of the last row."""
        (count,) = self.database.execute("select coalesce(max(seq), 0) from entries").fetchone()
        return int(count)


@contextlib.contextmanager
def reading(path: pathlib.Path) -> Iterator[Reader]:
    """Open a journal; whatever goes wrong with it, now or later, is a `JournalUnread`."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    try:
        _refuse_unreadable(path)
        with contextlib.closing(_connected(path)) as database:
            is_rows_only = integrity.has_only_rows(database)
            if is_rows_only is None:
                raise _lost(path, "was emptied", f"The journal {path} has no row yet.")
            if not is_rows_only:
                raise JournalUnread(_sentence(path, _OTHER))
            database.row_factory = sqlite3.Row
            yield Reader(path, database)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        kind = JournalUntold if code in _KEPT_FROM_US else JournalUnread
        raise kind(_sentence(path, _WHY.get(code, str(error)))) from error


def _lost(path: pathlib.Path, what: str, else_: str) -> JournalUnread:
    """There is nothing: that is as it should be where nothing was sealed."""
    sealed = max((head.seq for head in heads_beside(path)), default=0)
    if sealed and not is_set_aside(path):
        return JournalUnread(f"The journal {path} {what}: row {sealed} had been sealed.")
    return JournalUntold(else_)


def _refuse_unreadable(path: pathlib.Path) -> None:
    """SQLite says of much that it cannot open it, and not why."""
    try:
        with opened(path):
            odd = odd_one(path.resolve())
    except FileNotFoundError as error:
        message = f"There is no journal at {path}; nothing was decided yet."
        raise _lost(path, "is gone", message) from error
    except PermissionError as error:
        raise JournalUntold(_sentence(path, reason(error))) from error
    except OSError as error:
        raise JournalUnread(_sentence(path, reason(error))) from error
    if odd is not None:
        raise JournalUnread(_sentence(path, f"{odd} is no ordinary file"))


def _connected(path: pathlib.Path) -> "sqlite3.Connection":
    """Where nobody can have it open for writing, it is read as it lies."""
    import sqlite3  # noqa: PLC0415 -- only where a journal is looked up

    alone = not os.access(path.parent, os.W_OK) and not os.path.lexists(f"{path}-wal")
    more = "&immutable=1" if alone else ""
    return sqlite3.connect(f"{_uri(path)}{more}", uri=True, timeout=_LOCK_TIMEOUT_S)


def _uri(path: pathlib.Path) -> str:
    return f"{path.resolve().as_uri()}?mode=ro"


def _sentence(path: pathlib.Path, why: str) -> str:
    return f"The journal {path} cannot be read: {why}."
