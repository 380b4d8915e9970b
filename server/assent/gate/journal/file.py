"""Opens the journal's file if it is what was written, and seals it after each row.

It is looked at whenever it is opened: a file that was cut, changed, replaced or put back to an
older copy is not gone on with until a person has set it aside. Used in the journal's thread.
"""

import os
import pathlib
from typing import TYPE_CHECKING, Final, Literal

from assent.gate.call.errors import JournalBroken, JournalUnwritable
from assent.gate.journal import integrity
from assent.gate.journal.quarantine import LOGS, WRITE_AHEAD_LOG, odd_one, set_aside
from assent.gate.journal.seal import Head, Seal
from assent.gate.journal.sqlite_open import set_up_file
from assent.gate.settings.private_files import make_private, reason
from assent.gate.values import define, evolve, field

if TYPE_CHECKING:
    import sqlite3

__all__ = ["JournalFile", "Place", "broken", "fault_in"]

_PRAGMAS = (
    "pragma journal_mode = wal",
    # FULL, since what is decided must outlive a power cut; see `Journal.keep`.
    "pragma synchronous = full",
    # A short log is written over in place, which a disk keeps sooner than a file that grows.
    "pragma wal_autocheckpoint = 100",
)

_LOCK_TIMEOUT_S = 5
"""Seconds that another window may keep the file to itself."""

_DAMAGED = (11, 26)
"""SQLITE_CORRUPT and SQLITE_NOTADB."""
_ENDS_EARLY = 522
"""SQLITE_IOERR_SHORT_READ: a page that SQLite wrote is behind the end of the file."""

_COULD_NOT: Final = {
    "read": "the journal could not be read ({})",
    "written": "the journal could not be written ({})",
}


Place = tuple[int, int]
"""Which file it is: the device and the inode."""


@define
class JournalFile:
    """One file and its seal."""

    _path: pathlib.Path
    _database: "sqlite3.Connection | None" = None
    _seen: tuple[int, int, int] = (0, 0, 0)
    """The device, the inode and the size of the file, as they were after our last row."""
    _logs: tuple[Place | None, ...] = ()
    """What SQLite has open beside it; what is written to one that was deleted is lost."""
    _log: tuple[int, ...] = ()
    """The size and the times of SQLite's log, as they were after the last row that we know of."""
    _foreign_commits: int = 0
    """A number of SQLite's that changes when another window writes."""
    _last: tuple[int, str] | None = None
    """The number and the hash of our last row, which must still be there at the next."""
    _seal: Seal | None = None
    """None where there is no key."""
    _mark: Head | None = None
    """How far it had surely come when this run began."""
    _head: Head = field(factory=Head)
    """How far it has come."""
    _damage: tuple[Place, str] | None = None
    """Which file is damaged somewhere, and how."""

    @property
    def head(self) -> Head | None:
        """The head as it was sealed last in this run."""
        return self._head if self._seal is not None and self._head.seq else None

    def begin(self, seal: Seal | None, mark: Head | None) -> None:
        """Know the key and the mark from now on, and look whether they fit what is there."""
        self.close()
        self._seal, self._mark = seal, mark
        # What nobody has written yet is made with its first row.
        if os.path.lexists(self._path) or mark is not None or self._sealed() is not None:
            database = self.opened()
            newest = database.execute("select max(seq), hash from entries").fetchone()
            if newest[0] is not None:
                self._put_seal(database, newest)

    def begin_anew(self, at: int) -> tuple[str | None, str]:
        """Set the file aside: under which name, and how far it had come."""
        self.close()
        before = self._seal.retire(self._mark).before if self._seal is not None else ""
        name = set_aside(self._path, at)
        self._last, self._damage, self._head = None, None, Head(before=before)
        return name, before

    def opened(self) -> "sqlite3.Connection":
        """The database, if it may be gone on with."""
        known = self._database if self._is_the_file_we_knew() else None
        database = known or self._open()
        if self._damage is not None and self._damage[0] == self._seen[:2]:
            raise broken(self._damage[1])
        return database

    def refuse_planted(self, database: "sqlite3.Connection") -> None:
        """Raise where there is more than rows, before anything that is there could run."""
        if integrity.has_only_rows(database) is not True:
            raise broken(integrity.MORE)

    def refuse_losses(self, database: "sqlite3.Connection", newest: tuple[int, str]) -> None:
        """Raise where the row that we wrote last is gone."""
        if self._last is None or newest == self._last:
            return
        seq, digest = self._last
        last_row = database.execute("select hash from entries where seq = ?", (seq,)).fetchone()
        if last_row is None or last_row[0] != digest:
            raise broken("lost rows while it was in use")

    def wrote(self, database: "sqlite3.Connection", last: tuple[int, str]) -> None:
        """A row is on the disk; only then is it sealed, so that a crash leaves the seal behind."""
        self._last = last
        now = self._identity()
        # One that was put in its place meanwhile is not known: it is looked at before the next.
        if now[:2] == self._seen[:2]:
            self._seen = now
            self._log = self._log_now()
        self._put_seal(database, last)

    def condemn(self, file: Place, damage: str) -> JournalBroken | None:
        """Take no more rows into this file, if it still is the journal: it is damaged somewhere."""
        self._damage = file, damage
        return broken(damage) if file == _place_of(os.fspath(self._path)) else None

    def close(self) -> None:
        """Forget the database; the next use opens it again, and looks at it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _open(self) -> "sqlite3.Connection":
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        self.close()
        head = self._sealed()
        known = head if head is not None else self._mark
        if known is not None and known.journal and not self._path.exists():
            raise broken(f"is gone: it had come to row {known.seq}")
        make_private(self._path.parent)
        odd = odd_one(self._path)
        if odd is not None:
            raise broken(f"is no ordinary file ({odd})")
        # Made before SQLite would make it, so that nobody else can read it for a moment.
        self._path.touch(mode=0o600)
        identity = self._identity()
        database = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=_LOCK_TIMEOUT_S
        )
        try:
            self._path.chmod(0o600)
            # Looked at first: what is to be set aside stays as it was found.
            self._check(database, head)
            set_up_file(database, (*_PRAGMAS, integrity.MAKE_TABLE), _LOCK_TIMEOUT_S)
            self._know(database, identity)
        except BaseException:
            database.close()
            raise
        self._database = database
        return database

    def _know(self, database: "sqlite3.Connection", before: tuple[int, int, int]) -> None:
        """Know the file that was found here before it was opened, if it still is here."""
        self._seen = self._identity()
        self._log = self._log_now()
        self._foreign_commits = _count_foreign_commits(database)
        self._logs = self._logs_there()
        if self._seen[:2] != before[:2]:
            raise JournalUnwritable("the journal was replaced while it was opened")

    def _check(self, database: "sqlite3.Connection", head: Head | None) -> None:
        """Refuse a file that is not what was written, and know this one from then on."""
        fault, journal = integrity.fault_of(database, head, self._mark)
        if fault is not None:
            raise broken(fault)
        if head is not None and head.before.partition(" ")[0] == (self._head.journal or None):
            # Another window set ours aside, and began this one.
            self._last = None
        before = head.before if head is not None else ""
        self._head = Head(journal=journal, before=before)

    def _put_seal(self, database: "sqlite3.Connection", last: tuple[int, str]) -> None:
        journal = self._head.journal or integrity.first_hash(database)
        self._head = evolve(self._head, journal=journal, seq=last[0], hash=last[1])
        if self._seal is not None:
            self._seal.put(self._head)

    def _sealed(self) -> Head | None:
        return self._seal.read() if self._seal is not None else None

    def _is_the_file_we_knew(self) -> bool:
        """False where a file was deleted, replaced or cut: SQLite would write on unnoticed."""
        try:
            *file, size = self._identity()
        except OSError:
            return False
        same = file == list(self._seen[:2]) and size >= self._seen[2]
        return same and self._logs_there() == self._logs and self._is_the_log_we_knew()

    def _is_the_log_we_knew(self) -> bool:
        """False where the log was cut or overwritten: what SQLite still remembers hides that."""
        log = self._log_now()
        if log == self._log or self._database is None:
            return True
        commits = _count_foreign_commits(self._database)
        if commits == self._foreign_commits or log[:1] < self._log[:1]:
            return False
        # Another window wrote, so SQLite reads what is there now.
        self._log, self._foreign_commits = log, commits
        return True

    def _log_now(self) -> tuple[int, ...]:
        facts = _facts_of(f"{self._path}{WRITE_AHEAD_LOG}")
        return (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns) if facts else ()

    def _identity(self) -> tuple[int, int, int]:
        facts = os.lstat(self._path)
        return facts.st_dev, facts.st_ino, facts.st_size

    def _logs_there(self) -> tuple[Place | None, ...]:
        return tuple(_place_of(f"{self._path}{end}") for end in LOGS)


def _count_foreign_commits(database: "sqlite3.Connection") -> int:
    (count,) = database.execute("pragma data_version").fetchone()
    return int(count)


def _place_of(path: str) -> Place | None:
    facts = _facts_of(path)
    return (facts.st_dev, facts.st_ino) if facts else None


def _facts_of(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def broken(what: str) -> JournalBroken:
    """What is told of a journal that a person has to set aside."""
    return JournalBroken(f"the journal {what!s}; “Assent: Start a New Journal…” sets it aside")


def fault_in(error: Exception, doing: Literal["read", "written"]) -> JournalUnwritable:
    """What is told of an error: what mends itself, or what a person has to mend."""
    if isinstance(error, JournalUnwritable):
        return error
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and (code == _ENDS_EARLY or code & 0xFF in _DAMAGED):
        return broken(f"is damaged ({error})")
    said = reason(error) if isinstance(error, OSError) else str(error) or type(error).__name__
    return JournalUnwritable(_COULD_NOT[doing].format(said))
