"""The journal: decisions and their outcomes, on disk, append-only.

A decision is durable before its call runs: `keep` returns when the row is on the disk, or raises.
Each row carries the hash of the row before, so that a changed, lost or moved row shows; the last
is sealed beside the file. A journal that is not what was written takes no row until a person has
set it aside. SQLite is loaded with the first row and lives in a thread of its own.
"""

import logging
import pathlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from assent.gate.call.calls import canonical
from assent.gate.call.errors import JournalUnwritable
from assent.gate.journal import chain
from assent.gate.journal.card_store import CardStore, beside
from assent.gate.journal.file import JournalFile, Place, broken, fault_in
from assent.gate.journal.seal import Head, Seal
from assent.gate.journal.sqlite_open import is_busy
from assent.gate.journal.writer_thread import WriterThread
from assent.gate.values import Factory, define, evolve, field, frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Entry", "Journal"]

Done = TypeVar("Done")

_LOG = logging.getLogger(__name__)

_NEWEST = "select seq, hash from entries order by seq desc limit 1"

_INSERT = """
insert into entries (seq, epoch, at, kind, chat, call, agent, digest, body, previous, hash)
values (:seq, :epoch, :at, :kind, :chat, :call, :agent, :digest, :body, :previous, :hash)
"""

_WRITTEN = """
select seq, at, epoch, kind, chat, call, agent, digest, body, previous, hash
from entries where seq = :seq
"""

_OF_A_KIND = "select * from entries where kind = :kind order by seq desc limit :count"

_TALLY = """
select json_extract(body, '$.rule') as rule, count(*) as uses, max(at) as last
from entries
where kind = 'decided' and seq > (select max(seq) from entries) - :among and rule is not null
group by rule
"""

_MAX_TALLIED_ROWS = 20_000
"""So many rows are looked through for a tally: it must not hold up what is to be written."""


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


@frozen
class _HandedIn:
    """A row that is to be written."""

    entry: Entry
    at: int
    picture: Callable[[], str] | None = None


@define
class Journal:
    """Appends rows, one after the other, in the order in which they were handed in."""

    _path: pathlib.Path
    _epoch: str
    _now: Callable[[], int]
    """The wall clock in milliseconds: rows are for people to read."""
    _workspace: str = ""
    """The folder of the window, by which its rows are found again; nothing where none is open."""
    _file: JournalFile = field(
        init=False, default=Factory(lambda self: JournalFile(self._path), takes_self=True)
    )
    trouble: str | None = field(default=None, init=False)
    """Why nothing can be written, as far as is known."""
    grown: bool = field(default=False, init=False)
    """Whether it was written to since somebody said that it was not."""
    heard: Callable[[], None] = field(default=lambda: None, init=False)
    """Called in the journal's thread when either of these two is another."""
    _writer_thread: WriterThread = field(factory=WriterThread)
    pictures: CardStore = field(
        init=False, default=Factory(lambda self: CardStore.at(beside(self._path)), takes_self=True)
    )

    @property
    def head(self) -> Head | None:
        """The head as it was sealed last in this run."""
        return self._file.head

    async def begin(self, seal: Seal | None, mark: Head | None) -> None:
        """Look whether what is there is what was written, as soon as the key is known."""
        await self._writer_thread.ask(lambda: self._guarded(lambda: self._file.begin(seal, mark)))

    async def replace_broken(self) -> None:
        """Begin another as a person wishes, unless a row can be written after all.

        They may have said so twice, or in another window: what was begun since is not set aside.
        """
        at = self._now()
        await self._writer_thread.ask(lambda: self._guarded(lambda: self._replace_broken(at)))

    async def begin_anew(self) -> None:
        """Set the file aside, as a person wishes, and begin another that says so."""
        at = self._now()
        await self._writer_thread.ask(lambda: self._guarded(lambda: self._begin_anew(at)))

    async def condemn(self, file: Place, damage: str) -> None:
        """Take no more rows into this file: somebody looked through all of it."""
        await self._writer_thread.ask(lambda: self._condemn(file, damage))

    async def keep(self, entry: Entry, picture: Callable[[], str] | None = None) -> int:
        """Put a row, its card before it, on the disk, whoever still waits; its number, or raise."""
        row = _HandedIn(entry, self._now(), picture)
        return int(await self._writer_thread.write(row, self._append))

    def note(self, entry: Entry) -> None:
        """Put a row on the disk soon, after those handed in before; a failure is only logged."""
        row = _HandedIn(entry, self._now())
        try:
            self._writer_thread.write_unwatched(row, self._append, _log_loss)
        except JournalUnwritable as error:
            _log_loss(error)

    async def rows(self, after: int = 0, **equal: str) -> list[dict[str, Any]]:
        """All rows behind one in which these columns have these values."""
        where = "".join(f" and {name} = :{name}" for name in equal)
        wanted = f"select * from entries where seq > :after{where} order by seq"  # noqa: S608 -- our own column names
        return await self._writer_thread.ask(
            lambda: self._select(wanted, {"after": after, **equal})
        )

    async def newest(self, kind: str, count: int) -> list[dict[str, Any]]:
        """The last rows of a kind, the newest first."""
        given = {"kind": kind, "count": count}
        return await self._writer_thread.ask(lambda: self._select(_OF_A_KIND, given))

    async def coverage(self) -> list[dict[str, Any]]:
        """Each `rule` by which calls were decided of late: how often, and when last."""
        return await self._writer_thread.ask(
            lambda: self._select(_TALLY, {"among": _MAX_TALLIED_ROWS})
        )

    def close(self) -> None:
        """Write what was handed in and close the file; a second time does nothing."""
        self._writer_thread.close()
        self.pictures.close()
        self._file.close()

    def _condemn(self, file: Place, damage: str) -> None:
        fault = self._file.condemn(file, damage)
        if fault is not None:
            self._tell(str(fault))

    def _append(self, rows: list[_HandedIn]) -> list[int | Exception]:
        """Write rows in one transaction; of each its number, or why it is not on the disk."""
        rows = self._with_cards(rows)
        try:
            return [*self._guarded(lambda: self._insert(self._file.opened(), rows))]
        except JournalUnwritable as error:
            if len(rows) == 1 or is_busy(error.__cause__):
                return [error] * len(rows)
        # What cannot be a row takes no other with it.
        return [outcome for row in rows for outcome in self._append([row])]

    def _with_cards(self, rows: list[_HandedIn]) -> list[_HandedIn]:
        """The rows with the digests of their cards, which are on the disk then."""
        drawn = [(row.picture, row.at) for row in rows if row.picture is not None]
        if not drawn:
            return rows
        kept = iter(self.pictures.keep_for_rows(drawn, self._writer_thread.order))
        return [row if row.picture is None else _with_card(row, next(kept)) for row in rows]

    def _replace_broken(self, at: int) -> int:
        entry = Entry(kind="noted", body={"because": "You wished for another journal; this is it"})
        try:
            return self._insert(self._file.opened(), [_HandedIn(entry, at)])[0]
        except Exception:  # noqa: BLE001 -- whatever is wrong with it, it is to be set aside
            return self._begin_anew(at)

    def _begin_anew(self, at: int) -> int:
        because = self.trouble or "you wished it"
        name, before = self._file.begin_anew(at)
        body = {"setAside": name, "before": before, "because": because}
        row = _HandedIn(Entry(kind="noted", body=body), at)
        return self._insert(self._file.opened(), [row])[0]

    def _guarded(self, work: Callable[[], Done]) -> Done:
        """Do it; tell when it cannot be done, and when it can be done again."""
        try:
            done = work()
        except Exception as error:
            self._file.close()
            fault = fault_in(error, "written")
            self._tell(str(fault))
            raise fault from error
        self._tell(None)
        return done

    def _tell(self, trouble: str | None) -> None:
        """Say what is known now; of one row after the other nothing is new."""
        if trouble != self.trouble or (trouble is None and not self.grown):
            self.trouble, self.grown = trouble, self.grown or trouble is None
            self.heard()

    def _insert(self, database: "sqlite3.Connection", rows: list[_HandedIn]) -> list[int]:
        with database:
            # The write lock is taken before the last row is read: several servers share one file.
            database.execute("begin immediate")
            self._file.refuse_planted(database)
            newest = database.execute(_NEWEST).fetchone() or (0, chain.START)
            self._file.refuse_losses(database, newest)
            written = [newest]
            for row in rows:
                written.append(self._link(database, written[-1], row.entry, row.at))
        self._file.wrote(database, written[-1])
        return [number for number, _ in written[1:]]

    def _link(
        self, database: "sqlite3.Connection", before: tuple[int, str], entry: Entry, at: int
    ) -> tuple[int, str]:
        """Write a row behind the last one; return its number and its hash."""
        row = chain.linked(self._values(entry, at, before[0] + 1), before[1])
        database.execute(_INSERT, row)
        # Read back before it is kept: whatever SQLite was made to do, this is what stands there.
        if database.execute(_WRITTEN, row).fetchone() != tuple(row.values()):
            raise broken("does not keep what is written")
        return row["seq"], row["hash"]

    def _values(self, entry: Entry, at: int, seq: int) -> dict[str, Any]:
        body = {**entry.body, "workspace": self._workspace} if self._workspace else entry.body
        texts = {
            "epoch": self._epoch,
            "kind": entry.kind,
            "chat": entry.chat,
            "call": entry.call,
            "agent": entry.agent,
            "digest": entry.digest,
            "body": canonical(body),
        }
        kept = {name: text and chain.spelled(text) for name, text in texts.items()}
        return {"seq": seq, "at": at, **kept}

    def _select(self, wanted: str, given: Mapping[str, object]) -> list[dict[str, Any]]:
        try:
            database = self._file.opened()
            self._file.refuse_planted(database)
            cursor = database.execute(wanted, given)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]
        except Exception as error:
            self._file.close()
            fault = fault_in(error, "read")
            self._tell(str(fault))
            raise fault from error


def _with_card(row: _HandedIn, members: dict[str, str]) -> _HandedIn:
    return _HandedIn(evolve(row.entry, body={**row.entry.body, **members}), row.at)


def _log_loss(error: BaseException) -> None:
    _LOG.error("a row of the journal was lost: %s", error)
