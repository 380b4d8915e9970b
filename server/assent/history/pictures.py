"""The cards of decided calls as they were shown, kept by their digests beside the journal.

The journal holds its rows and nothing else: a row names the digest of its card, so cards can be
deleted when their time has come, and rows never are. A card is on the disk before the row that
names it. What is no file of these is set aside, and another begun.
"""

import contextlib
import hashlib
import logging
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define

from assent.errors import AssentError, JournalUnwritable
from assent.history.aside import LOGS, odd_one, set_aside
from assent.settings.private_files import make_private, reason

if TYPE_CHECKING:
    import sqlite3

__all__ = ["LARGEST", "PictureLost", "Pictures", "beside", "digest_of", "has_only_pictures"]

_LOG: Final = logging.getLogger(__name__)

Later = Callable[[Callable[[], None]], None]
"""Has something done in the journal's thread, in its turn."""

LARGEST: Final = 256 * 1024
"""In bytes: what is kept of one."""

_DAYS: Final = 90
_MOST: Final = 256 * 1024 * 1024
"""In bytes: what is kept of all of them."""
_OFTEN: Final = 1_000
"""After so many that were kept it is looked for what is too old, and with the first of a run."""
_DAY_MS: Final = 86_400_000
_PATIENCE: Final = 1.0
"""Seconds that somebody else may keep the file, while a call waits for its decision."""

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
_PUT: Final = (
    "insert into pictures values (?, ?, ?) on conflict (digest)"
    " do update set at = max(at, excluded.at), picture = excluded.picture"
)
_USED: Final = (
    "select (page_count - freelist_count) * page_size"
    " from pragma_page_count, pragma_freelist_count, pragma_page_size"
)
_OLDEST: Final = (
    "delete from pictures where at <= (select max(at) from"
    " (select at from pictures order by at limit 100))"
)


class PictureLost(AssentError):
    """A card could not be kept; the message is the second half of a sentence."""


class _NotOurs(Exception):
    """The file is none of these."""


def beside(journal: Path) -> Path:
    """Where the cards of a journal lie, and of those that were set aside for it."""
    return journal.with_name("pictures.db")


def digest_of(text: str) -> str:
    """By what a card is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


def has_only_pictures(database: "sqlite3.Connection") -> bool | None:
    """Whether nothing else is in it, of which something could run; None where nothing is."""
    wanted = "select type, name, tbl_name, sql from sqlite_master order by type, name"
    found = database.execute(wanted).fetchmany(len(_SHAPE) + 1)
    return None if not found else found == _SHAPE


@define
class Pictures:
    """Used in the journal's thread."""

    _path: Path
    days: Callable[[], float] = lambda: _DAYS
    """So long they are kept."""
    _database: "sqlite3.Connection | None" = None
    _seen: tuple[int, int] = (0, 0)
    """Which file it is: what is written into one that was deleted is lost."""
    _put: int = 0

    def keep(self, text: str, at: int) -> str:
        """Put one on the disk, at most `LARGEST` bytes of it; return its digest."""
        try:
            return self._keep(text, at)
        except PictureLost:
            raise
        except Exception as error:
            self.close()
            said = reason(error) if isinstance(error, OSError) else str(error)
            raise PictureLost(said or type(error).__name__) from error

    def told(self, picture: Callable[[], str], at: int, later: Later) -> dict[str, str]:
        """Keep a card; what its row says of it: without one the decision stands all the same."""
        try:
            digest = self.keep(picture(), at)
        except Exception as error:  # noqa: BLE001 -- a picture is no part of the decision
            _LOG.warning("a card was not kept: %s", error)
            return {"cardLost": str(error) or type(error).__name__}
        self._put += 1
        if self._put % _OFTEN == 1:
            # Nobody waits for what is too old.
            with contextlib.suppress(JournalUnwritable):
                later(lambda: self._forget(at))
        return {"card": digest}

    def forget(self, now: int) -> None:
        """Delete those whose time has come, and the oldest of more than are kept."""
        database = self._opened(now)
        since = now - int(self.days() * _DAY_MS)
        database.execute("delete from pictures where at < ?", (since,))
        while database.execute(_USED).fetchone()[0] > _MOST:
            if not database.execute(_OLDEST).rowcount:
                break
        for path in self._path.parent.glob(f"{self._path.stem}-*{self._path.suffix}"):
            if path.lstat().st_mtime * 1000 < since:
                for end in (*LOGS, ""):
                    Path(f"{path}{end}").unlink(missing_ok=True)

    def close(self) -> None:
        """Have it open no longer; the next use opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _forget(self, now: int) -> None:
        try:
            self.forget(now)
        except Exception as error:  # noqa: BLE001 -- the next run deletes them
            _LOG.warning("old cards were not deleted: %s", error)

    def _keep(self, text: str, at: int) -> str:
        digest, packed = digest_of(text), zlib.compress(text.encode(), 1)
        self._opened(at).execute(_PUT, (digest, at, packed))
        if self._place() != self._seen:
            raise PictureLost("its file was replaced meanwhile")
        return digest

    def _opened(self, at: int) -> "sqlite3.Connection":
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        try:
            return self._sound()
        except (_NotOurs, sqlite3.DatabaseError) as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError):
                raise
            set_aside(self._path, at)
            return self._sound()

    def _sound(self) -> "sqlite3.Connection":
        """The database, if there are pictures in it and nothing else."""
        if self._database is None or self._place() != self._seen:
            self.close()
            self._database = self._connected()
        _refuse_others(has_only_pictures(self._database) is not True)
        return self._database

    def _connected(self) -> "sqlite3.Connection":
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        make_private(self._path.parent)
        odd = odd_one(self._path)
        if odd is not None:
            raise PictureLost(f"{odd} is no ordinary file")
        self._path.touch(mode=0o600)
        self._path.chmod(0o600)
        self._seen = self._place()
        database = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE
        )
        try:
            _refuse_others(has_only_pictures(database) is False)
            for statement in (*_PRAGMAS, *map(_if_new, (_TABLE, _INDEX))):
                database.execute(statement)
        except BaseException:
            database.close()
            raise
        return database

    def _place(self) -> tuple[int, int]:
        with contextlib.suppress(FileNotFoundError):
            found = os.lstat(self._path)
            return found.st_dev, found.st_ino
        return 0, 0


def _refuse_others(are_others: bool) -> None:  # noqa: FBT001 -- what is said of it
    if are_others:
        raise _NotOurs


def _if_new(statement: str) -> str:
    head, name, rest = statement.split(" ", 2)
    return f"{head} {name} if not exists {rest}"
