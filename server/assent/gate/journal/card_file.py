"""The file of kept cards: opened only if it holds cards and nothing else.

What is no file of these, or is damaged anywhere, is set aside, and another begun. Used in the
journal's thread, where calls wait for their decision: nobody waits long for a lock.
"""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from assent.gate.call.errors import AssentError
from assent.gate.journal.quarantine import odd_one, set_aside
from assent.gate.journal.sqlite_open import is_busy, set_up_file
from assent.gate.settings.private_files import make_private
from assent.gate.values import define

if TYPE_CHECKING:
    import sqlite3

__all__ = ["CardFile", "CardLost", "has_only_cards"]

Done = TypeVar("Done")

_LOCK_TIMEOUT_S: Final = 0.2
"""Seconds that somebody else may keep the file, while a call waits for its decision."""
_RETRY_DELAY_S: Final = 5.0
"""So many seconds it is not tried again where somebody kept it: the next calls do not wait."""
_LOCKED: Final = "another program keeps {} locked"
_KEPT: Final = "another program kept {} locked a moment ago"

_TABLE: Final = (
    "CREATE TABLE pictures (digest text primary key, at integer not null, picture blob not null)"
)
_INDEX: Final = "CREATE INDEX pictures_at on pictures (at)"
_SHAPE: Final = [
    ("index", "pictures_at", "pictures", _INDEX),
    ("index", "sqlite_autoindex_pictures_1", "pictures", None),
    ("table", "pictures", "pictures", _TABLE),
]
_PRAGMAS: Final = (
    "pragma journal_mode = wal",
    # What a row names must outlive a power cut as the row does.
    "pragma synchronous = full",
    # What is deleted is gone.
    "pragma secure_delete = on",
)


class CardLost(AssentError):
    """A card could not be kept; the message is the second half of a sentence."""


class _NotOurs(Exception):
    """The file is none of these."""


def has_only_cards(database: "sqlite3.Connection") -> bool | None:
    """Whether nothing else is in it, of which something could run; None where nothing is."""
    wanted = "select type, name, tbl_name, sql from sqlite_master order by type, name"
    objects = database.execute(wanted).fetchmany(len(_SHAPE) + 1)
    return None if not objects else objects == _SHAPE


@define
class CardFile:
    """One file, by its path."""

    path: Path
    _clock: Callable[[], float] = time.monotonic
    _database: "sqlite3.Connection | None" = None
    _seen: tuple[int, int] = (0, 0)
    """Which file it is: what is written into one that was deleted is lost."""
    _rests_until: float = 0.0

    def do(self, work: "Callable[[sqlite3.Connection], Done]", at: int) -> Done:
        """Do it with the file; once more with another, where this one is damaged."""
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        if self._clock() < self._rests_until:
            raise CardLost(_KEPT.format(self.path.name))
        try:
            return self._done(work, at)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            self._rests_until = self._clock() + _RETRY_DELAY_S
            raise CardLost(_LOCKED.format(self.path.name)) from error

    def close(self) -> None:
        """Have it open no longer; the next use opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _done(self, work: "Callable[[sqlite3.Connection], Done]", at: int) -> Done:
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        try:
            return self._tried(work)
        except (_NotOurs, sqlite3.DatabaseError) as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError):
                raise
            set_aside(self.path, at)
            return self._tried(work)

    def _tried(self, work: "Callable[[sqlite3.Connection], Done]") -> Done:
        done = work(self._sound())
        if self._place() != self._seen:
            raise CardLost("its file was replaced meanwhile")
        return done

    def _sound(self) -> "sqlite3.Connection":
        """The database, if there are pictures in it and nothing else."""
        if self._database is None or self._place() != self._seen:
            self.close()
            self._database = self._opened()
        _refuse_others(has_only_cards(self._database) is not True)
        return self._database

    def _opened(self) -> "sqlite3.Connection":
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        make_private(self.path.parent)
        odd = odd_one(self.path)
        if odd is not None:
            raise CardLost(f"{odd} is no ordinary file")
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)
        self._seen = self._place()
        database = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=_LOCK_TIMEOUT_S
        )
        try:
            self._begin(database)
        except BaseException:
            database.close()
            raise
        return database

    def _begin(self, database: "sqlite3.Connection") -> None:
        _refuse_others(has_only_cards(database) is False)
        set_up_file(database, _PRAGMAS, _LOCK_TIMEOUT_S)
        if has_only_cards(database) is None:
            # In one: another window that looks meanwhile finds all of it, or nothing.
            for statement in ("begin immediate", *map(_if_new, (_TABLE, _INDEX)), "commit"):
                database.execute(statement)

    def _place(self) -> tuple[int, int]:
        with contextlib.suppress(FileNotFoundError):
            facts = os.lstat(self.path)
            return facts.st_dev, facts.st_ino
        return 0, 0


def _refuse_others(are_others: bool) -> None:  # noqa: FBT001 -- what is said of it
    if are_others:
        raise _NotOurs


def _if_new(statement: str) -> str:
    head, name, rest = statement.split(" ", 2)
    return f"{head} {name} if not exists {rest}"
