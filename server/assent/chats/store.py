"""The chats that are kept: written by batches, listed, loaded, claimed, deleted.

Used in one thread. What is read here was written by anybody who can write the file: it is given on
as bytes and texts for others to read by their shapes.
"""

import pathlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeGuard

from attrs import define

from assent.chats import file, finding, rows
from assent.chats.sealing import MODULUS, head_seal, name_of, state_seal
from assent.chats.values import Batch, Head, Listed, Loaded

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Store"]

_PUT_HEAD: Final = f"""
insert or replace into chats ({rows.COLUMNS}, owner, total, seal)
values ({", ".join(f":{name}" for name in rows.NAMES)}, :owner, :total, :seal)
"""  # noqa: S608 -- our own column names


@define(eq=False)
class Store:
    """One file, for one window."""

    path: pathlib.Path
    run: str
    """The epoch of this run: what it has, it owns."""
    lives: Callable[[str], bool]
    """Whether another run is there still."""
    key: bytes | None = None
    _database: "sqlite3.Connection | None" = None
    is_wiped: bool = True
    """Whether nothing of what was deleted is left in the files."""

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def begin(self, key: bytes | None, mark: int) -> str:
        """Know the key from now on; what is wrong with the file as a whole, if anything."""
        self.key = key
        database, writes = self._opened(), self.writes
        fault = "" if key is None else rows.fault_of_all(database, key)
        if writes < mark:
            fault = "was put back to an older copy" if writes else "is gone, and a new one is begun"
        if fault:
            # What was told once is the person's to know; from here on it is vouched for anew.
            with file.writing(database):
                self._put_state(database, mark + 1)
        return fault

    @property
    def writes(self) -> int:
        """How often the file was written: this only grows."""
        return rows.state_of(self._opened(), name_of(self.key))[0]

    def put(self, batches: Iterable[Batch]) -> list[str]:
        """Keep what has changed; the chats that another run has by now, of which nothing is."""
        database = self._opened()
        with file.writing(database):
            lost = [it.head.id for it in batches if not self._put(database, it)]
            self._put_state(database)
        return lost

    def newest(self, workspace: str, most: int) -> list[Listed]:
        """The chats of a workspace, those first in which something happened last."""
        return self._listed(finding.newest(self._opened(), workspace, most))

    def find(self, workspace: str, wanted: str, most: int) -> list[Listed]:
        """Those in which all these words were said at once, or whose title has them."""
        return self._listed(finding.find(self._opened(), workspace, wanted, most))

    def load(self, chat: str, workspace: str, most: int) -> Loaded | None:
        """A chat of this workspace with its last entries; None where there is none."""
        database = self._opened()
        found = rows.row(database, chat)
        if found is None or found["workspace"] != workspace:
            return None
        there = rows.numbers(database, chat)
        last = there[-1] + 1 if there else 0
        kept_from = rows.whole_from(there)
        first = max(kept_from, last - most)
        return Loaded(
            head=rows.head_of(found),
            first=first,
            items=tuple(it for _, it in rows.bodies(database, "items", chat, first, last)),
            kept_from=kept_from,
            fault=rows.fault_of(database, self.key, found),
            owner="" if self._is_free(str(found["owner"])) else found["owner"],
        )

    def page(self, chat: str, before: int, limit: int) -> tuple[bytes, ...]:
        """So many entries before a number."""
        found = rows.bodies(self._opened(), "items", chat, max(0, before - limit), before)
        return tuple(body for _, body in found)

    def turns(self, chat: str) -> tuple[bytes, ...]:
        """Our own agent's conversation."""
        return tuple(body for _, body in rows.bodies(self._opened(), "turns", chat))

    def claim(self, chat: str, workspace: str) -> bool:
        """Have a chat from now on; False where another run has it that is there still."""
        database = self._opened()
        with file.writing(database):
            found = rows.row(database, chat)
            if not self._is_to_have(found, workspace):
                return False
            # What nothing vouches for is not vouched for by being taken.
            if not rows.fault_of(database, self.key, found):
                self._put_head(database, rows.head_of(found), found["total"])
            else:
                database.execute("update chats set owner = ? where id = ?", (self.run, chat))
            self._put_state(database)
        return True

    def let_go(self, chats: Iterable[Head]) -> None:
        """Have these no longer, and keep them as they are told here."""
        database = self._opened()
        with file.writing(database):
            for head in chats:
                found = rows.row(database, head.id)
                if found is not None and found["owner"] == self.run:
                    self._put_head(database, head, found["total"], owner="")
            self._put_state(database)

    def change(self, chat: str, workspace: str, change: Callable[[Head], Head]) -> bool:
        """Keep another head of a chat; False where another run has it, or there is none."""
        database = self._opened()
        with file.writing(database):
            found = rows.row(database, chat)
            if not self._is_to_have(found, workspace):
                return False
            head = change(rows.head_of(found))
            self._put_head(database, head, found["total"], owner=found["owner"])
            self._put_state(database)
        return True

    def delete(self, chats: Iterable[str], workspace: str | None = None) -> list[str]:
        """Delete chats with all that is kept of them; those that another run has stay.

        None is any workspace.
        """
        database = self._opened()
        with file.writing(database):
            gone = [it for it in chats if self._delete(database, it, workspace)]
            # Else the words would stand in the index until it is put together anew by itself.
            database.execute("insert into words (words) values ('optimize')")
            self._put_state(database)
        self.wipe()
        return gone

    def wipe(self) -> None:
        """Leave nothing in the files of what was deleted; a reader may be in the way of that."""
        self.is_wiped = False
        (found,) = self._opened().execute("pragma wal_checkpoint(truncate)").fetchall()
        self.is_wiped = not found[0]

    def outlived(self, before: int, most_bytes: int) -> list[str]:
        """The chats that are too old, and the oldest of those that are too many bytes."""
        gone, size = [], 0
        for chat, touched, length in rows.sizes(self._opened()):
            size += length
            if touched < before or size > most_bytes:
                gone.append(chat)
        return gone

    def _put(self, database: "sqlite3.Connection", batch: Batch) -> bool:
        """Keep one chat's; whether it is ours to keep."""
        chat = batch.head.id
        found = rows.row(database, chat)
        if found is not None and found["owner"] not in {"", self.run}:
            return False
        total = int(found["total"], 16) if found is not None else 0
        for number, body in batch.items.items():
            total += rows.replace(database, "items", chat, number, body)
            rows.index(database, chat, number, batch.words.get(number, ""))
        for number, body in batch.turns.items():
            total += rows.replace(database, "turns", chat, number, body)
        if batch.turns_until is not None:
            total -= rows.cut(database, chat, batch.turns_until)
        self._put_head(database, batch.head, f"{total % MODULUS:x}")
        return True

    def _put_head(
        self, database: "sqlite3.Connection", head: Head, total: str, owner: str | None = None
    ) -> None:
        owner = self.run if owner is None else owner
        seal = head_seal(self.key, head, owner, total)
        told = {name: getattr(head, name) for name in rows.NAMES}
        database.execute(_PUT_HEAD, {**told, "owner": owner, "total": total, "seal": seal})

    def _put_state(self, database: "sqlite3.Connection", at_least: int = 0) -> None:
        name = name_of(self.key)
        writes = max(rows.state_of(database, name)[0] + 1, at_least)
        total = rows.total_of(database, name)
        told = (name, writes, total, state_seal(self.key, writes, total))
        database.execute("insert or replace into state values (?, ?, ?, ?)", told)

    def _delete(self, database: "sqlite3.Connection", chat: str, workspace: str | None) -> bool:
        if not self._is_to_have(rows.row(database, chat), workspace):
            return False
        database.execute(
            "delete from words where rowid in (select id from items where chat = ?)", (chat,)
        )
        for table, column in (("items", "chat"), ("turns", "chat"), ("chats", "id")):
            database.execute(f"delete from {table} where {column} = ?", (chat,))  # noqa: S608 -- our own names
        return True

    def _is_to_have(self, found: rows.Row | None, workspace: str | None) -> TypeGuard[rows.Row]:
        """Whether it is a chat of this workspace that no other run has."""
        if found is None or workspace not in {None, found["workspace"]}:
            return False
        return self._is_free(str(found["owner"]))

    def _is_free(self, owner: str) -> bool:
        return owner in {"", self.run} or not self.lives(owner)

    def _listed(self, found: list[rows.Row]) -> list[Listed]:
        living = {it["owner"] for it in found if not self._is_free(str(it["owner"]))}
        return [
            Listed(
                head=rows.head_of(it),
                entries=it["entries"],
                owner=it["owner"] if it["owner"] in living else "",
                is_ours=str(it["seal"]).partition(" ")[0] == name_of(self.key),
                found=str(it["found"]),
            )
            for it in found
        ]

    def _opened(self) -> "sqlite3.Connection":
        if self._database is None:
            self._database = file.opened(self.path)
        return self._database
