"""Keeps chats: writes them in batches, lists, loads, claims and deletes them.

Used in one thread. What is read here was written by anybody who can write the file: it is given on
as bytes and texts for others to read by their shapes.
"""

import os
import pathlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeGuard

from assent.agent.chats import chat_search, chats_file, integrity, rows
from assent.agent.chats.ledger import Ledger
from assent.agent.chats.marks import Mark
from assent.agent.chats.seals import name_of
from assent.agent.chats.values import Batch, Head, Listed, Loaded
from assent.gate.values import Factory, define, field

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Store"]


@define(eq=False)
class Store:
    """One file, for one window."""

    path: pathlib.Path
    run: str
    """The epoch of this run: what it has, it owns."""
    lives: Callable[[str], bool]
    """Whether another run is there still."""
    _ledger: Ledger = field(
        default=Factory(lambda store: Ledger(store.run, store.lives), takes_self=True)
    )
    _database: "sqlite3.Connection | None" = None
    is_wiped: bool = True
    """Whether nothing of what was deleted is left in the files."""

    @property
    def is_there(self) -> bool:
        """Whether anything was kept yet; a first start has nothing to open."""
        return os.path.lexists(self.path)

    @property
    def key(self) -> bytes | None:
        """By which what is kept is vouched for."""
        return self._ledger.key

    @key.setter
    def key(self, key: bytes | None) -> None:
        self._ledger.key = key

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def begin(self, key: bytes | None, mark: Mark) -> str:
        """Know the key from now on; what is wrong with the file as a whole, if anything."""
        self.key = key
        database = self._opened()
        faults = (self._ledger.begin(database, mark), rows.oddity(database))
        return " and ".join(filter(None, faults))

    @property
    def state(self) -> rows.State:
        """What the file surely tells of itself: how often it was written only grows."""
        database = self._opened()
        # What is not on the disk yet could be lost with the power, and would then be missed.
        database.execute("pragma wal_checkpoint(full)")
        return integrity.sealed_state(database, self.key)

    def put(self, batches: Iterable[Batch]) -> list[str]:
        """Keep what has changed; the chats that another run has by now, of which nothing is."""
        database = self._opened()
        with self._ledger.writing(database):
            return [batch.head.id for batch in batches if not self._put(database, batch)]

    def newest(self, workspace: str, most: int) -> list[Listed]:
        """The chats of a workspace, those first in which something happened last."""
        return self._listed(chat_search.newest(self._opened(), workspace, most))

    def find(self, workspace: str, wanted: str, most: int) -> list[Listed]:
        """Those in which all these words were said at once, or whose title has them."""
        return self._listed(chat_search.find(self._opened(), workspace, wanted, most))

    def load(self, chat: str, workspace: str, most: int) -> Loaded | None:
        """A chat of this workspace with its last entries; None where there is none."""
        database = self._opened()
        row = rows.row(database, chat)
        if row is None or row["workspace"] != workspace:
            return None
        fault = integrity.fault_of(database, self.key, row)
        if fault:
            self._ledger.spoil(chat)
        there = rows.numbers(database, chat)
        last = there[-1] + 1 if there else 0
        kept_from = rows.whole_from(there)
        first = max(kept_from, last - most)
        return Loaded(
            head=rows.head_of(row),
            first=first,
            items=tuple(body for _, body in rows.bodies(database, "items", chat, first, last)),
            kept_from=kept_from,
            fault=fault,
            owner="" if self._is_free(str(row["owner"])) else str(row["owner"]),
        )

    def page(self, chat: str, before: int, limit: int) -> tuple[bytes, ...]:
        """So many entries before a number."""
        entries = rows.bodies(self._opened(), "items", chat, max(0, before - limit), before)
        return tuple(body for _, body in entries)

    def turns(self, chat: str) -> tuple[bytes, ...]:
        """Our own agent's conversation."""
        return tuple(body for _, body in rows.bodies(self._opened(), "turns", chat))

    def claim(self, chat: str, workspace: str) -> bool:
        """Have a chat from now on; False where another run has it that is there still."""
        database = self._opened()
        with self._ledger.writing(database):
            row = rows.row(database, chat)
            if not self._is_to_have(row, workspace):
                return False
            self._keep(database, row, rows.head_of(row), self.run)
        return True

    def let_go(self, chats: Iterable[Head]) -> None:
        """Have these no longer, and keep them as they are told here."""
        database = self._opened()
        with self._ledger.writing(database):
            for head in chats:
                row = rows.row(database, head.id)
                if row is not None and row["owner"] == self.run:
                    self._ledger.put(database, head, self._ledger.total(database, head.id, row), "")
                self._ledger.forget(head.id)

    def change(self, chat: str, workspace: str, change: Callable[[Head], Head]) -> bool:
        """Keep another head of a chat; False where another run has it, or there is none."""
        database = self._opened()
        with self._ledger.writing(database):
            row = rows.row(database, chat)
            if not self._is_to_have(row, workspace):
                return False
            self._keep(database, row, change(rows.head_of(row)), str(row["owner"]))
        return True

    def delete(self, chats: Iterable[str], workspace: str | None = None) -> list[str]:
        """Delete chats with all that is kept of them; those that another run has stay.

        None is any workspace.
        """
        database = self._opened()
        with self._ledger.writing(database):
            gone = [chat for chat in chats if self._delete(database, chat, workspace)]
            # Else the words would stand in the index until it is put together anew by itself.
            database.execute("insert into words (words) values ('optimize')")
        self.wipe()
        return gone

    def wipe(self) -> None:
        """Leave nothing in the files of what was deleted; a reader may be in the way of that."""
        self.is_wiped = False
        (outcome,) = self._opened().execute("pragma wal_checkpoint(truncate)").fetchall()
        self.is_wiped = not outcome[0]

    def outlived(self, before: int, most_bytes: int) -> list[str]:
        """The chats that are too old, and the oldest of those that are too many bytes."""
        gone, size = [], 0
        for chat, touched, length in rows.sizes(self._opened()):
            size += length
            if (isinstance(touched, int) and touched < before) or size > most_bytes:
                gone.append(chat)
        return gone

    def _put(self, database: "sqlite3.Connection", batch: Batch) -> bool:
        """Keep one chat's; whether it is ours to keep."""
        chat = batch.head.id
        row = rows.row(database, chat)
        if row is not None and row["owner"] not in {"", self.run}:
            self._ledger.forget(chat)
            return False
        before = self._ledger.total(database, chat, row)
        total = before or 0
        for number, body in batch.items.items():
            total += rows.replace(database, self.key, "items", chat, number, body=body)
            rows.index(database, chat, number, batch.words.get(number, ""))
        for number, body in batch.turns.items():
            total += rows.replace(database, self.key, "turns", chat, number, body=body)
        if batch.turns_until is not None:
            total -= rows.cut(database, self.key, chat, batch.turns_until)
        self._ledger.put(database, batch.head, None if before is None else total, self.run)
        return True

    def _keep(self, database: "sqlite3.Connection", row: rows.Row, head: Head, owner: str) -> None:
        """Keep another head, vouched for only where what stood there was."""
        self._ledger.forget(head.id)
        total = self._ledger.total(database, head.id, row)
        self._ledger.put(database, head, total, owner)

    def _delete(self, database: "sqlite3.Connection", chat: str, workspace: str | None) -> bool:
        row = rows.row(database, chat)
        if not self._is_to_have(row, workspace):
            return False
        self._ledger.forget(chat)
        self._ledger.lost(chat, row)
        database.execute(
            "delete from words where rowid in (select id from items where chat = ?)", (chat,)
        )
        for table, column in (("items", "chat"), ("turns", "chat"), ("chats", "id")):
            database.execute(f"delete from {table} where {column} = ?", (chat,))  # noqa: S608 -- our own names
        rows.leave_seal(database, chat, row["seal"], name_of(self.key))
        return True

    def _is_to_have(self, row: rows.Row | None, workspace: str | None) -> TypeGuard[rows.Row]:
        """Whether it is a chat of this workspace that no other run has."""
        if row is None or workspace not in {None, row["workspace"]}:
            return False
        return self._is_free(str(row["owner"]))

    def _is_free(self, owner: str) -> bool:
        return owner in {"", self.run} or not self.lives(owner)

    def _listed(self, listed: list[rows.Row]) -> list[Listed]:
        living = {row["owner"] for row in listed if not self._is_free(str(row["owner"]))}
        return [
            Listed(
                head=rows.head_of(row),
                entries=row["entries"],
                owner=row["owner"] if row["owner"] in living else "",
                is_ours=str(row["seal"]).partition(" ")[0] == name_of(self.key),
                found=str(row["found"]),
            )
            for row in listed
            if rows.is_read(row["id"], row["agent"])
        ]

    def _opened(self) -> "sqlite3.Connection":
        if self._database is None:
            self._database = chats_file.opened(self.path)
        return self._database
