"""Checks that one chat, or all of them together, still are what was written."""

import hmac
from typing import TYPE_CHECKING, Final

from assent.agent.chats.marks import told_runs
from assent.agent.chats.rows import UNTOLD, Row, State, bodies, head_of, state_of
from assent.agent.chats.seals import MODULUS, head_seal, name_of, state_seal, weight

if TYPE_CHECKING:
    import sqlite3

__all__ = [
    "UNVOUCHED",
    "fault_of",
    "fault_of_all",
    "is_sealed",
    "sealed_state",
    "total_of",
    "vouched_total",
    "weight_of",
]

_NOT_WRITTEN: Final = "was changed, cut or put back to an older copy by somebody else"
UNVOUCHED: Final = "was kept by another editor or without a key, so nothing vouches for it here"
_NO_KEY: Final = "cannot be vouched for, since there is no key"


def total_of(database: "sqlite3.Connection", key: bytes | None) -> int:
    """The number of all chats that were sealed with a key."""
    chats = database.execute("select id, seal from chats").fetchall()
    return sum(weight_of(key, chat, seal) for chat, seal in chats) % MODULUS


def weight_of(key: bytes | None, chat: object, seal: object) -> int:
    """What a seal adds to the number of the file: nothing, where it is another key's."""
    is_ours = str(seal).partition(" ")[0] == name_of(key)
    return weight(key, str(chat), "seal", 0, str(seal).encode()) if is_ours else 0


def fault_of_all(database: "sqlite3.Connection", key: bytes) -> str:
    """What is wrong with the chats that are there, all together; nothing where nothing is.

    Anybody can write a row for another editor, so these change nothing about what is ours.
    """
    state = state_of(database, key)
    there = total_of(database, key)
    is_new = not state.seal and not there
    return "" if is_new or (state.total == there and is_sealed(key, state)) else _NOT_WRITTEN


def sealed_state(database: "sqlite3.Connection", key: bytes | None) -> State:
    """What the file tells of itself; nothing where nothing vouches for that."""
    state = state_of(database, key)
    return state if is_sealed(key, state) else State()


def is_sealed(key: bytes | None, state: State) -> bool:
    """Whether what the file tells of itself was told by somebody who has the key."""
    seal = state_seal(key, state.writes, f"{state.total:x}{told_runs(state.runs)}")
    return hmac.compare_digest(state.seal.encode(), seal.encode())


def fault_of(database: "sqlite3.Connection", key: bytes | None, row: Row) -> str:
    """What is wrong with one chat; nothing where nothing is."""
    if key is None:
        return _NO_KEY
    if str(row["seal"]).partition(" ")[0] != name_of(key):
        return UNVOUCHED
    return "" if vouched_total(database, key, row) is not None else _NOT_WRITTEN


def vouched_total(database: "sqlite3.Connection", key: bytes | None, row: Row) -> int | None:
    """A chat's number; None where what is there is not what its seal was made of."""
    is_text = all(isinstance(row[column], str) for column in ("id", "owner", "seal"))
    if key is None or not is_text or row["total"] != UNTOLD:
        return None
    chat = row["id"]
    total = sum(
        weight(key, chat, table, number, body)
        for table in ("items", "turns")
        for number, body in bodies(database, table, chat)
    )
    seal = head_seal(key, head_of(row), row["owner"], f"{total % MODULUS:x}")
    return total % MODULUS if hmac.compare_digest(seal.encode(), row["seal"].encode()) else None
