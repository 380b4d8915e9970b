"""Reads and writes the rows of the file, and checks each: anybody could have written them."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from assent.agent.chats.marks import RUNS, Mark, read_runs
from assent.agent.chats.seals import name_of, shown, weight
from assent.agent.chats.values import Head
from assent.gate.values import field, fields, frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = [
    "COLUMNS",
    "NAMES",
    "UNTOLD",
    "Row",
    "State",
    "bodies",
    "clear_away",
    "cut",
    "head_of",
    "index",
    "is_read",
    "leave_seal",
    "numbers",
    "oddity",
    "replace",
    "row",
    "rows_of",
    "sizes",
    "spoil_all",
    "spoilt",
    "state_of",
    "whole_from",
]

NAMES: Final = tuple(member.name for member in fields(Head))
COLUMNS: Final = ", ".join(NAMES)

UNTOLD: Final = ""
"""What stands for the number of a chat, which its seal alone has."""
_MAX_ROW_NUMBER: Final = 2**62
_MAX_WRITES: Final = 10**15
_TOTAL: Final = re.compile(rf"([0-9a-f]{{1,64}})({RUNS})\Z")
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}\Z")
_NO_SEAL: Final = "none"
_SIZES: Final = """
select id, touched, (select coalesce(sum(length(body)), 0) from items where chat = chats.id)
  + (select coalesce(sum(length(body)), 0) from turns where chat = chats.id)
from chats where workspace <> 'deleted' order by touched desc
"""
_LEFT: Final = f"""
insert into chats ({COLUMNS}, owner, total, seal)
values (?, 'deleted', 'deleted', '', '', '', '', '', '', 0, 0, 0, '', '', ?)
"""  # noqa: S608 -- our own column names

Row = dict[str, Any]


@frozen
class State:
    """What the file tells of itself to those who have a key."""

    writes: int = 0
    total: int = 0
    """The number of its chats."""
    seal: str = ""
    runs: Mapping[str, int] = field(factory=dict)
    """At which count each run wrote last."""

    @property
    def mark(self) -> Mark:
        """What is to be kept of it with the key."""
        return Mark(self.writes, max(self.runs, key=lambda run: self.runs[run], default=""))

    def is_above(self, mark: Mark) -> bool:
        """Whether the file has come further, and by way of there."""
        return self.writes > mark.writes and mark.is_in(self.writes, self.runs)


def row(database: "sqlite3.Connection", chat: str) -> Row | None:
    """What is kept of a chat beside what was said in it."""
    wanted = f"select {COLUMNS}, owner, total, seal from chats where id = ?"  # noqa: S608 -- our own column names
    return next(iter(rows_of(database.execute(wanted, (chat,)))), None)


def rows_of(cursor: "sqlite3.Cursor") -> list[Row]:
    """All that was found, by the names of the columns."""
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, values, strict=True)) for values in cursor]


def head_of(kept: Row) -> Head:
    """A chat's head; what is none of its kind is nothing."""
    values: dict[str, Any] = {}
    for member in fields(Head):
        value, kind = kept[member.name], member.type
        if kind is bool:
            values[member.name] = value == 1
        elif kind is int:
            values[member.name] = value if isinstance(value, int) and 0 <= value < 1 << 53 else 0
        else:
            values[member.name] = value if isinstance(value, str) else ""
    return Head(**values)


def bodies(
    database: "sqlite3.Connection",
    table: str,
    chat: str,
    first: int = 0,
    last: int = _MAX_ROW_NUMBER,
) -> list[tuple[int, bytes]]:
    """A chat's entries or turns with these numbers, in order."""
    wanted = (
        f"select number, body from {table}"  # noqa: S608 -- our own table names
        " where chat = ? and number >= ? and number < ? order by number"
    )
    rows = database.execute(wanted, (chat, first, last)).fetchall()
    return [(number, body if isinstance(body, bytes) else b"") for number, body in rows]


def numbers(database: "sqlite3.Connection", chat: str) -> list[int]:
    """The numbers of a chat's entries, in order."""
    wanted = "select number from items where chat = ? order by number"
    rows = database.execute(wanted, (chat,))
    return [
        number for (number,) in rows if isinstance(number, int) and 0 <= number < _MAX_ROW_NUMBER
    ]


def sizes(database: "sqlite3.Connection") -> list[tuple[str, int, int]]:
    """Each chat, when it was touched last, and how many bytes it takes; the newest first."""
    return database.execute(_SIZES).fetchall()


def spoilt(kept: Row | None, name: str) -> str:
    """What takes the place of a seal that is none; another key's is its own to miss."""
    seal = "" if kept is None else str(kept["seal"])
    return f"{name} " if seal.partition(" ")[0] == name and name else seal


def spoil_all(database: "sqlite3.Connection", name: str) -> None:
    """Have nothing vouched for that was sealed with a key."""
    if name:
        database.execute("update chats set seal = ? where seal glob ?", (f"{name} ", f"{name}*"))


def leave_seal(database: "sqlite3.Connection", chat: str, seal: object, name: str) -> None:
    """Leave the seal alone of a deleted chat of another editor, which would miss it."""
    owner = str(seal).partition(" ")[0]
    if owner not in {"", name}:
        database.execute(_LEFT, (chat, seal))


def clear_away(database: "sqlite3.Connection", name: str) -> bool:
    """Take away what other editors left of our deleted chats; whether there was any."""
    wanted = "delete from chats where workspace = 'deleted' and seal glob ?"
    return bool(name) and database.execute(wanted, (f"{name}*",)).rowcount > 0


def is_read(chat: object, agent: object) -> bool:
    """Whether they are names that a chat and an agent can have."""
    return all(isinstance(name, str) and _NAME.match(name) is not None for name in (chat, agent))


def oddity(database: "sqlite3.Connection") -> str:
    """What is told of chats that are left out."""
    chats = database.execute("select id, agent from chats").fetchall()
    odd = sum(not is_read(chat, agent) for chat, agent in chats)
    return f"holds chats that cannot be read and are left out ({odd})" if odd else ""


def state_of(database: "sqlite3.Connection", key: bytes | None) -> State:
    """How often the file was written with a key, by whom, the number of its chats, and the seal."""
    wanted = "select writes, total, seal from state where key = ?"
    state = database.execute(wanted, (name_of(key),)).fetchone()
    if state is None:
        return State()
    writes, total, seal = state
    is_count = isinstance(writes, int) and 0 <= writes < _MAX_WRITES
    match = _TOTAL.match(total) if isinstance(total, str) else None
    if not is_count or match is None or not isinstance(seal, str):
        return State(writes if is_count else 0, 0, _NO_SEAL)
    return State(writes, shown(key, match[1], writes), seal, read_runs(match[2]))


def whole_from(there: list[int]) -> int:
    """The first number from which on none is missing."""
    first = there[-1] + 1 if there else 0
    for number in reversed(there):
        if number != first - 1:
            break
        first = number
    return first


def replace(
    database: "sqlite3.Connection",
    key: bytes | None,
    table: str,
    chat: str,
    number: int,
    *,
    body: bytes,
) -> int:
    """Put a row in its place; by how much that changes its chat's number."""
    old = bodies(database, table, chat, number, number + 1)
    if old:
        changed = f"update {table} set body = ? where chat = ? and number = ?"  # noqa: S608 -- our own names
    else:
        changed = f"insert into {table} (body, chat, number) values (?, ?, ?)"  # noqa: S608 -- our own names
    database.execute(changed, (body, chat, number))
    before = sum(weight(key, chat, table, number, old_body) for _, old_body in old)
    return weight(key, chat, table, number, body) - before


def cut(database: "sqlite3.Connection", key: bytes | None, chat: str, until: int) -> int:
    """Take away the turns from one on; by how much that changes its chat's number."""
    gone = bodies(database, "turns", chat, until)
    database.execute("delete from turns where chat = ? and number >= ?", (chat, until))
    return sum(weight(key, chat, "turns", number, body) for number, body in gone)


def index(database: "sqlite3.Connection", chat: str, number: int, text: str) -> None:
    """Have an entry found by its words."""
    (place,) = database.execute(
        "select id from items where chat = ? and number = ?", (chat, number)
    ).fetchone()
    database.execute("delete from words where rowid = ?", (place,))
    if text:
        database.execute("insert into words (rowid, text) values (?, ?)", (place, text))
