"""The numbers that this run vouches for: one of each chat that it has, one of the whole file.

The file tells its numbers to everybody, so none is sealed because it stands there. A chat's is
known from when its seal was found whole, and grows by what is written; the file's by the seals that
take the place of others. What was not whole before is therefore never whole afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assent.agent.chats import chats_file, integrity, rows
from assent.agent.chats.marks import Mark, fewer, told_runs
from assent.agent.chats.seals import MODULUS, head_seal, hidden, name_of, state_seal
from assent.agent.chats.values import Head
from assent.gate.values import define, field

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Ledger"]

_PUT_HEAD: Final = f"""
insert or replace into chats ({rows.COLUMNS}, owner, total, seal)
values ({", ".join(f":{name}" for name in rows.NAMES)}, :owner, :total, :seal)
"""  # noqa: S608 -- our own column names
_PUT_STATE: Final = "insert or replace into state values (?, ?, ?, ?)"

_OLDER: Final = "was put back to an older copy"
_GONE: Final = "is gone, and a new one is begun"


@define(eq=False)
class Ledger:
    """One for each window."""

    run: str
    lives: Callable[[str], bool]
    key: bytes | None = None
    _writes: int = 0
    """How often the file had been written, when it was looked at last."""
    _wrote: int = 0
    """The same, when this run wrote it last."""
    _totals: dict[str, int | None] = field(factory=dict)
    """Of the chats that this run has; None where nothing vouches for one."""
    _pending: dict[str, int | None] = field(factory=dict)
    """The same, as far as it is written and may still be taken back."""
    _grown: int = 0
    """By how much the number of the file is another."""

    def begin(self, database: "sqlite3.Connection", mark: Mark) -> str:
        """What is wrong with the file as a whole; nothing in it is vouched for then."""
        wrote = 0
        with chats_file.writing(database):
            state = rows.state_of(database, self.key)
            fault, known = self._fault(database, state, mark), state.writes
            runs = dict(state.runs) if integrity.is_sealed(self.key, state) else {}
            name = name_of(self.key)
            if fault:
                # What was told once is the person's to know; from here on it goes on anew, and
                # what the mark was taken at counts as reached.
                runs[mark.run] = max(mark.writes, runs.get(mark.run, 0))
                rows.spoil_all(database, name)
            if rows.clear_away(database, name) or fault:
                known = wrote = max(known, mark.writes) + 1
                there = integrity.total_of(database, self.key)
                self._put_state(database, rows.State(known, there, "", runs), is_whole=True)
        self._writes, self._wrote = known, wrote
        return fault

    @contextmanager
    def writing(self, database: "sqlite3.Connection") -> Iterator[None]:
        """Write all of it or nothing, and the number of the file with it."""
        self._pending, self._grown = {}, 0
        with chats_file.writing(database):
            yield
            state = rows.state_of(database, self.key)
            seen = state.writes >= self._writes and state.runs.get(self.run, 0) >= self._wrote
            is_whole = seen and integrity.is_sealed(self.key, state)
            now = max(state.writes, self._writes) + 1
            is_first = now == 1 and not state.seal
            grown = (state.total + self._grown) % MODULUS
            new = rows.State(now, grown, "", state.runs)
            self._put_state(database, new, is_whole=is_whole or is_first)
        self._writes = self._wrote = now
        self._totals |= self._pending

    def total(self, database: "sqlite3.Connection", chat: str, row: rows.Row | None) -> int | None:
        """A chat's number; None where nothing vouches for what is kept of it."""
        if chat in self._totals:
            return self._totals[chat]
        if row is None:
            return 0
        # Without a key there is nothing that vouches, and nothing that could be spoilt.
        return integrity.vouched_total(database, self.key, row)

    def put(
        self, database: "sqlite3.Connection", head: Head, total: int | None, owner: str
    ) -> None:
        """Keep a head, sealed where there is a number."""
        old = rows.row(database, head.id)
        if total is not None:
            seal = head_seal(self.key, head, owner, f"{total % MODULUS:x}")
        else:
            seal = rows.spoilt(old, name_of(self.key))
        columns = {name: getattr(head, name) for name in rows.NAMES}
        database.execute(_PUT_HEAD, {**columns, "owner": owner, "total": rows.UNTOLD, "seal": seal})
        self._pending[head.id] = total
        self._grown += self._weight(head.id, seal)
        self.lost(head.id, old)

    def lost(self, chat: str, old: rows.Row | None) -> None:
        """A row of the chats is not there any more as it was."""
        if old is not None:
            self._grown -= self._weight(chat, old["seal"])

    def forget(self, chat: str) -> None:
        """A chat is this run's no longer, or what it had is not what stands there."""
        self._totals.pop(chat, None)
        self._pending.pop(chat, None)

    def spoil(self, chat: str) -> None:
        """What stands there is not what was written."""
        self._totals[chat] = None

    def _weight(self, chat: str, seal: object) -> int:
        return integrity.weight_of(self.key, chat, seal)

    def _fault(self, database: "sqlite3.Connection", state: rows.State, mark: Mark) -> str:
        fault = "" if self.key is None else integrity.fault_of_all(database, self.key)
        if mark.is_in(state.writes, state.runs):
            return fault
        return _OLDER if state.writes or fault else _GONE

    def _put_state(
        self, database: "sqlite3.Connection", state: rows.State, *, is_whole: bool
    ) -> None:
        """Have the file tell this of itself, and that it was this run that wrote it."""
        runs = told_runs(fewer({**state.runs, self.run: state.writes}, self.lives))
        seal = state_seal(self.key, state.writes, f"{state.total:x}{runs}") if is_whole else ""
        kept = hidden(self.key, state.total, state.writes)
        database.execute(_PUT_STATE, (name_of(self.key), state.writes, kept + runs, seal))
