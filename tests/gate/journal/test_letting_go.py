"""What is let go of the journal's file, and when; and that its state is told."""

import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.errors import JournalBroken, JournalUnwritable
from assent.gate.journal import file
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import Head, Seal
from gate.journal.database import tamper

ENTRY = Entry(kind="noted", body={"because": "a test"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    ticks = count(1)
    journal = Journal(path, "epoch-1", lambda: next(ticks))
    yield journal
    journal.close()


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """All that were made, whether they are closed or not."""
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connecting(*given: Any, **more: Any) -> sqlite3.Connection:
        made.append(connect(*given, **more))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", connecting)
    return made


def _in_use(connections: list[sqlite3.Connection]) -> list[bool]:
    return [_is_open(each) for each in connections]


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("select 1")
    except sqlite3.ProgrammingError:
        return False
    return True


def _seal(path: Path) -> Seal:
    return Seal(path.parent / "seals", b"k" * 32)


async def test_a_closed_journal_has_let_its_file_go(
    journal: Journal, connections: list[sqlite3.Connection]
) -> None:
    await journal.keep(ENTRY)
    assert _in_use(connections) == [True]
    journal.close()
    assert _in_use(connections) == [False]


async def test_a_closed_journal_has_let_its_cards_go(
    journal: Journal, connections: list[sqlite3.Connection]
) -> None:
    await journal.keep(ENTRY, lambda: '{"card": 1}')
    assert _in_use(connections) == [True, True]
    journal.close()
    assert _in_use(connections) == [False, False]


async def test_a_row_or_a_question_that_failed_lets_the_file_go(
    journal: Journal, path: Path, connections: list[sqlite3.Connection]
) -> None:
    for ask in (lambda: journal.keep(ENTRY), journal.coverage):
        await journal.keep(ENTRY)
        tamper(path, "create view v as select 1")
        with pytest.raises(JournalUnwritable):
            await ask()
        assert not any(_in_use(connections))
        tamper(path, "drop view v")


async def test_a_file_that_is_refused_is_let_go(
    journal: Journal, path: Path, connections: list[sqlite3.Connection]
) -> None:
    path.parent.mkdir()
    tamper(path, "create table others (text)")
    with pytest.raises(JournalBroken):
        await journal.begin(None, None)
    assert _in_use(connections) == [False, False]


async def test_a_file_that_another_has_taken_the_place_of_is_let_go(
    journal: Journal, path: Path, connections: list[sqlite3.Connection]
) -> None:
    await journal.keep(ENTRY)
    path.rename(path.with_name("elsewhere.db"))
    assert len(await journal.rows()) == 0
    assert _in_use(connections) == [False, True]


async def test_a_file_is_let_go_before_it_is_set_aside(
    journal: Journal, connections: list[sqlite3.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.keep(ENTRY)
    used: list[bool] = []
    set_aside = file.set_aside

    def setting_aside(path: Path, at: int) -> str | None:
        used.extend(_in_use(connections))
        return set_aside(path, at)

    monkeypatch.setattr(file, "set_aside", setting_aside)
    await journal.begin_anew()
    assert used == [False]


async def test_a_file_that_was_written_without_a_key_is_looked_at_once_the_key_is_there(
    journal: Journal, path: Path
) -> None:
    await journal.keep(ENTRY)
    with pytest.raises(JournalBroken):
        await journal.begin(_seal(path), Head(journal="another", seq=7, hash="x"))


async def test_what_was_there_before_the_key_is_sealed_with_it(
    journal: Journal, path: Path
) -> None:
    await journal.begin(_seal(path), None)
    assert _seal(path).read() is None
    assert await journal.rows() == []
    await journal.begin(_seal(path), None)
    assert _seal(path).read() is None
    for _ in range(3):
        await journal.keep(ENTRY)
    (path.parent / "seals").rename(path.parent / "lost")
    await journal.begin(_seal(path), None)
    sealed = _seal(path).read()
    assert sealed is not None
    assert sealed == journal.head
    assert sealed.seq == 3


async def test_no_empty_journal_is_made_in_the_place_of_one_that_is_gone(
    journal: Journal, path: Path
) -> None:
    await journal.begin(_seal(path), None)
    await journal.keep(ENTRY)
    journal.close()
    path.unlink()
    again = Journal(path, "epoch-2", lambda: 1)
    with pytest.raises(JournalBroken, match="is gone: it had come to row 1"):
        await again.begin(_seal(path), None)
    again.close()
    assert not path.exists()


async def test_what_is_wrong_with_it_is_told_when_it_begins_and_when_it_ends(
    journal: Journal, path: Path
) -> None:
    told: list[tuple[str | None, bool]] = []
    journal.heard = lambda: told.append((journal.trouble, journal.grown))
    for _ in range(2):
        await journal.keep(ENTRY)
    assert told == [(None, True)]
    tamper(path, "create view v as select 1")
    for ask in (journal.coverage, journal.coverage, lambda: journal.keep(ENTRY)):
        with pytest.raises(JournalUnwritable):
            await ask()
        assert len(told) == 2
    assert "Start a New Journal" in (told[-1][0] or "")
    tamper(path, "drop view v")
    await journal.keep(ENTRY)
    assert told[2:] == [(None, True)]


async def test_damage_that_somebody_found_is_told_as_soon_as_it_is_known(
    journal: Journal, path: Path
) -> None:
    await journal.keep(ENTRY)
    found = path.stat()
    await journal.condemn((found.st_dev, found.st_ino), "is damaged in the middle")
    assert "is damaged in the middle" in (journal.trouble or "")


async def test_only_a_journal_that_takes_no_row_is_replaced(journal: Journal, path: Path) -> None:
    await journal.keep(ENTRY)
    await journal.replace_broken()
    assert [row["seq"] for row in await journal.rows()] == [1, 2]
    tamper(path, "create view v as select 1")
    await journal.replace_broken()
    (first,) = await journal.rows()
    assert "setAside" in first["body"]
