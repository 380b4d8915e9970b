"""The journal: what was decided and what came of it, on disk, append-only.

A decision is durable before its call runs: `keep` returns when the row is on the disk, or raises.
Each row carries the hash of the row before, so that a changed, lost or moved row shows. Where
rows vanish while the journal is in use, the next row says so.
SQLite is loaded with the first row and lives in a thread of its own.
"""

import logging
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from assent.calls import canonical
from assent.errors import JournalUnwritable
from assent.history import chain
from assent.history.scribe import Scribe

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Entry", "Journal"]

_LOG = logging.getLogger(__name__)

_TABLE = """
create table if not exists entries (
    seq integer primary key, epoch text not null, at integer not null, kind text not null,
    chat text, call text, agent text, digest text, body text not null,
    previous text not null, hash text not null
)
"""

_NEWEST = "select seq, hash from entries order by seq desc limit 1"

_INSERT = """
insert into entries (seq, epoch, at, kind, chat, call, agent, digest, body, previous, hash)
values (:seq, :epoch, :at, :kind, :chat, :call, :agent, :digest, :body, :previous, :hash)
"""

_OF_A_KIND = "select * from entries where kind = :kind order by seq desc limit :count"

_TALLY = """
select json_extract(body, '$.rule') as rule, count(*) as uses, max(at) as last
from entries
where kind = 'decided' and seq > (select max(seq) from entries) - :among and rule is not null
group by rule
"""

_LATELY = 20_000
"""So many rows are looked through for a tally: it must not hold up what is to be written."""

_PRAGMAS = (
    "pragma journal_mode = wal",
    # FULL, since what is decided must outlive a power cut; see `Journal.keep`.
    "pragma synchronous = full",
    # A short log is written over in place, which a disk keeps sooner than a file that grows.
    "pragma wal_autocheckpoint = 100",
)


@frozen(kw_only=True)
class Entry:
    """One row, before it has a place."""

    kind: str
    """`asked`, `decided`, `ended`, or `noted`."""
    chat: str | None = None
    call: str | None = None
    agent: str | None = None
    digest: str | None = None
    body: dict[str, Any] = field(factory=dict)


@define
class Journal:
    """Appends rows, one after the other, in the order in which they were handed in."""

    _path: pathlib.Path
    _epoch: str
    _now: Callable[[], int]
    """The wall clock in milliseconds: rows are for people to read."""
    _database: "sqlite3.Connection | None" = None
    _seen: tuple[int, int, int] = (0, 0, 0)
    """The device, the inode and the size of the file, as they were after our last row."""
    _last: tuple[int, str] | None = None
    """The number and the hash of our last row, which must still be there at the next."""
    _scribe: Scribe = field(factory=Scribe)

    async def keep(self, entry: Entry) -> int:
        """Put a row on the disk and return its number; raise where that cannot be done."""
        at = self._now()
        return await self._scribe.ask(lambda: self._append(entry, at))

    def note(self, entry: Entry) -> None:
        """Put a row on the disk soon, after those handed in before; a failure is only logged."""
        at = self._now()
        try:
            self._scribe.order(lambda: self._append_or_log(entry, at))
        except JournalUnwritable as error:
            _LOG.error("a row of the journal was lost: %s", error)

    async def rows(self, **equal: str) -> list[dict[str, Any]]:
        """All rows in which these columns have these values."""
        where = " and ".join(f"{name} = :{name}" for name in equal) or "true"
        wanted = f"select * from entries where {where} order by seq"  # noqa: S608 -- our own column names
        return await self._scribe.ask(lambda: self._select(wanted, equal))

    async def newest(self, kind: str, count: int) -> list[dict[str, Any]]:
        """The last rows of a kind, the newest first."""
        given = {"kind": kind, "count": count}
        return await self._scribe.ask(lambda: self._select(_OF_A_KIND, given))

    async def tally(self) -> list[dict[str, Any]]:
        """Each `rule` by which calls were decided of late: how often, and when last."""
        return await self._scribe.ask(lambda: self._select(_TALLY, {"among": _LATELY}))

    def close(self) -> None:
        """Write what was handed in and close the file; a second time does nothing."""
        self._scribe.close()
        self._forget_connection()

    def _append_or_log(self, entry: Entry, at: int) -> None:
        try:
            self._append(entry, at)
        except Exception as error:  # noqa: BLE001 -- nobody waits for it, and the thread must go on
            _LOG.error("a row of the journal was lost: %s", error)

    def _append(self, entry: Entry, at: int) -> int:
        import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

        try:
            return self._insert(self._connection(), entry, at)
        except (sqlite3.Error, OSError, ValueError) as error:
            self._forget_connection()
            raise JournalUnwritable(f"the journal could not be written ({error})") from error

    def _insert(self, database: "sqlite3.Connection", entry: Entry, at: int) -> int:
        with database:
            # The write lock is taken before the last row is read: several servers share one file.
            database.execute("begin immediate")
            newest = database.execute(_NEWEST).fetchone() or (0, chain.START)
            if newest != self._last and self._misses_rows(database):
                newest = self._link(database, newest, _loss(self._last), at)
            last = self._link(database, newest, entry, at)
        self._last = last
        self._seen = self._identity()
        return last[0]

    def _link(
        self, database: "sqlite3.Connection", before: tuple[int, str], entry: Entry, at: int
    ) -> tuple[int, str]:
        """Write a row behind the last one; return its number and its hash."""
        row = chain.linked(self._values(entry, at, before[0] + 1), before[1])
        database.execute(_INSERT, row)
        return row["seq"], row["hash"]

    def _values(self, entry: Entry, at: int, seq: int) -> dict[str, Any]:
        texts = {
            "epoch": self._epoch,
            "kind": entry.kind,
            "chat": entry.chat,
            "call": entry.call,
            "agent": entry.agent,
            "digest": entry.digest,
            "body": canonical(entry.body),
        }
        kept = {name: text and chain.spelled(text) for name, text in texts.items()}
        return {"seq": seq, "at": at, **kept}

    def _misses_rows(self, database: "sqlite3.Connection") -> bool:
        """Whether the row that we wrote last is gone."""
        if self._last is None:
            return False
        seq, digest = self._last
        found = database.execute("select hash from entries where seq = ?", (seq,)).fetchone()
        return found is None or found[0] != digest

    def _select(self, wanted: str, given: Mapping[str, object]) -> list[dict[str, Any]]:
        import sqlite3  # noqa: PLC0415 -- as above

        try:
            found = self._connection().execute(wanted, given)
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found]
        except (sqlite3.Error, OSError) as error:
            self._forget_connection()
            raise JournalUnwritable(f"the journal could not be read ({error})") from error

    def _connection(self) -> "sqlite3.Connection":
        import sqlite3  # noqa: PLC0415 -- as above

        if self._database is None or not self._is_the_file_we_knew():
            self._forget_connection()
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Made before SQLite would make it, so that nobody else can read it for a moment.
            self._path.touch(mode=0o600)
            self._database = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False, timeout=5
            )
            self._path.chmod(0o600)
            for statement in (*_PRAGMAS, _TABLE):
                self._database.execute(statement)
            self._seen = self._identity()
        return self._database

    def _is_the_file_we_knew(self) -> bool:
        """False where the file was deleted, replaced or cut: SQLite would write on unnoticed."""
        try:
            *file, size = self._identity()
        except OSError:
            return False
        return file == list(self._seen[:2]) and size >= self._seen[2]

    def _identity(self) -> tuple[int, int, int]:
        found = os.stat(self._path)  # noqa: PTH116 -- at every row, and half the time of the other
        return found.st_dev, found.st_ino, found.st_size

    def _forget_connection(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


def _loss(last: tuple[int, str] | None) -> Entry:
    return Entry(
        kind="noted", body={"lost": "rows vanished while the journal was in use", "until": last}
    )
