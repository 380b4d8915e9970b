"""Two windows that begin at once both come to write."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.gate.journal.sqlite_open import is_busy, set_up_file

WAL = "pragma journal_mode = wal"


class Trying(sqlite3.Connection):
    """A connection that counts how often it is tried."""

    tries = 0
    before: Callable[[int], object] = staticmethod(lambda _: None)

    def execute(self, *given: Any) -> sqlite3.Cursor:
        self.tries += 1
        self.before(self.tries)
        return super().execute(*given)


@pytest.fixture
def trying(tmp_path: Path) -> Trying:
    return sqlite3.connect(tmp_path / "a.db", isolation_level=None, timeout=0, factory=Trying)


@pytest.fixture
def reading(tmp_path: Path) -> sqlite3.Connection:
    """Another window, in the middle of looking."""
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("create table rows (it)")
    other.execute("begin")
    other.execute("select * from rows")
    return other


def test_what_another_window_keeps_for_a_moment_is_tried_until_it_lets_go(
    trying: Trying, reading: sqlite3.Connection
) -> None:
    trying.before = lambda tries: reading.execute("rollback") if tries == 3 else None
    set_up_file(trying, [WAL, "create table if not exists rows (it)"], seconds=60)
    assert trying.tries == 4
    (mode,) = trying.execute("pragma journal_mode").fetchone()
    assert mode == "wal"


def test_what_another_window_keeps_for_good_is_given_up(
    trying: Trying, reading: sqlite3.Connection
) -> None:
    with pytest.raises(sqlite3.OperationalError) as raised:
        set_up_file(trying, [WAL], seconds=0)
    assert is_busy(raised.value)
    assert reading.in_transaction


def test_what_waiting_does_not_mend_is_not_tried_again(trying: Trying) -> None:
    with pytest.raises(sqlite3.OperationalError, match="syntax"):
        set_up_file(trying, ["no such words"], seconds=60)
    assert trying.tries == 1
