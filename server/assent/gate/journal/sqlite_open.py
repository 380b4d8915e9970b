"""Sets an SQLite file's modes, while another window may be doing the same."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

__all__ = ["is_busy", "set_up_file"]

_BUSY: Final = (5, 6)
"""SQLITE_BUSY and SQLITE_LOCKED."""
_RETRY_DELAY_S: Final = 0.005


def set_up_file(database: "sqlite3.Connection", statements: Iterable[str], seconds: float) -> None:
    """Run these, each tried for so long: SQLite does not wait where a file changes its kind."""
    import sqlite3  # noqa: PLC0415 -- loaded with the first row, off the start's path

    until = time.monotonic() + seconds
    for statement in statements:
        while True:
            try:
                database.execute(statement)
                break
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > until:
                    raise
                time.sleep(_RETRY_DELAY_S)


def is_busy(error: BaseException | None) -> bool:
    """Whether somebody else keeps the file to themselves."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY
