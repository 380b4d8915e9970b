"""What others put into the journal's file or beside it neither runs nor hides a row."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path

import pytest

from assent.gate.call.errors import JournalBroken, JournalUnwritable
from assent.gate.journal import integrity
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import Seal
from gate.journal.database import tamper

ENTRY = Entry(kind="decided", call="c1", body={"outcome": "allowed"})
SECONDS = 5.0

PLANTED = {
    "takes each row back": "create trigger t after insert on entries begin"
    " delete from entries where seq = new.seq; end",
    "lets no row in": "create trigger t before insert on entries begin select raise(ignore); end",
    "writes something else": "create trigger t after insert on entries begin"
    " update entries set body = '{}' where seq = new.seq; end",
    "writes another digest": "create trigger t after insert on entries begin"
    " update entries set digest = 'x' where seq = new.seq; end",
    "takes an earlier row out": "create trigger t after insert on entries begin"
    " delete from entries where seq = new.seq - 1; end",
    "does nothing": "create trigger t after insert on entries begin select 1; end",
    "orders rows otherwise": "create index i on entries (seq desc, hash)",
    "shows other rows": "create view v as select * from entries",
    "keeps more": "create table more (text)",
    "counts for ever": "create view v as with recursive n(x) as"
    " (select 1 union all select x + 1 from n) select x from n",
}
ANOTHER_TABLE = {
    "a view that takes rows": (
        "alter table entries rename to kept",
        "create view entries as select * from kept",
        "create trigger t instead of insert on entries begin select 1; end",
    ),
    "a view without an end": (
        "drop table entries",
        (
            "create view entries as with recursive n(seq) as"
            " (select 1 union all select seq + 1 from n) select seq, 'x' as hash from n"
        ),
    ),
    "one column more": ("alter table entries add column more text",),
    "a row that replaces": (
        "alter table entries rename to kept",
        (
            "create table entries (seq integer primary key on conflict ignore, epoch text,"
            " at integer, kind text, chat text, call text, agent text, digest text, body text,"
            " previous text, hash text)"
        ),
        "insert into entries select * from kept",
        "drop table kept",
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
async def open_journal(path: Path) -> AsyncIterator[Callable[[], Journal]]:
    ticks, opened = count(1), []

    def begin() -> Journal:
        journal = Journal(path, f"epoch-{len(opened)}", lambda: next(ticks))
        opened.append(journal)
        return journal

    yield begin
    for journal in opened:
        journal.close()


def _rows(path: Path) -> list[tuple[object, ...]]:
    database = sqlite3.connect(path)
    try:
        kind = database.execute("select type from sqlite_master where name = 'entries'").fetchone()
        return database.execute("select * from entries").fetchall() if kind == ("table",) else []
    finally:
        database.close()


async def _within(journal: Journal) -> int:
    return await asyncio.wait_for(journal.keep(ENTRY), SECONDS)


@pytest.mark.parametrize(
    "statements", [*((it,) for it in PLANTED.values()), *ANOTHER_TABLE.values()]
)
@pytest.mark.parametrize("running", [True, False], ids=["while it is open", "before it is opened"])
async def test_what_was_planted_in_the_journal_lets_no_call_be_taken_for_kept(
    open_journal: Callable[[], Journal], path: Path, statements: tuple[str, ...], *, running: bool
) -> None:
    journal = open_journal()
    for _ in range(3):
        await journal.keep(ENTRY)
    if not running:
        journal.close()
    tamper(path, *statements)
    before = _rows(path)
    if not running:
        journal = open_journal()
    for _ in range(2):
        with pytest.raises(JournalBroken, match="Start a New Journal"):
            await _within(journal)
    assert _rows(path) == before
    await journal.begin_anew()
    assert journal.trouble is None
    assert await journal.keep(ENTRY) == 2


async def test_what_was_planted_is_told_when_the_file_is_looked_through(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    await open_journal().keep(ENTRY)
    assert integrity.look_through(path) is None
    tamper(path, *ANOTHER_TABLE["a view without an end"])
    assert integrity.look_through(path) == integrity.MORE


async def test_a_row_that_does_not_stand_as_it_was_written_is_not_kept(
    open_journal: Callable[[], Journal], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever made SQLite do so: what was planted is not even looked for here."""
    journal = open_journal()
    await journal.keep(ENTRY)
    tamper(path, PLANTED["writes another digest"])
    monkeypatch.setattr(integrity, "has_only_rows", lambda _: True)
    before = _rows(path)
    with pytest.raises(JournalBroken, match="does not keep what is written"):
        await journal.keep(ENTRY)
    assert _rows(path) == before


def _link(path: Path) -> Path:
    elsewhere = path.parent.parent / "a file of the person's"
    elsewhere.write_bytes(b"")
    path.symlink_to(elsewhere)
    return elsewhere


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _nothing(path: Path) -> Path:
    path.symlink_to(os.devnull)
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
@pytest.mark.parametrize("plant", [_link, _pipe, _nothing, _folder])
async def test_what_is_no_file_is_neither_followed_nor_written_into(
    open_journal: Callable[[], Journal], path: Path, end: str, plant: Callable[[Path], Path]
) -> None:
    journal = open_journal()
    await journal.keep(ENTRY)
    journal.close()
    planted = Path(f"{path}{end}")
    planted.unlink(missing_ok=True)
    elsewhere = plant(planted)
    journal = open_journal()
    for _ in range(2):
        with pytest.raises(JournalBroken, match=f"no ordinary file .{planted.name}.;"):
            await _within(journal)
    assert not elsewhere.is_file() or elsewhere.read_bytes() == b""
    await asyncio.wait_for(journal.begin_anew(), SECONDS)
    assert await _within(journal) == 2


@pytest.mark.parametrize("end", ["-wal", "-shm"])
@pytest.mark.parametrize("swap", ["taken away", "replaced by a copy"])
async def test_a_row_is_not_written_into_a_log_that_nobody_else_can_find(
    open_journal: Callable[[], Journal], path: Path, end: str, swap: str
) -> None:
    journal = open_journal()
    await journal.keep(ENTRY)
    log = Path(f"{path}{end}")
    copy = log.read_bytes()
    log.unlink()
    if swap == "replaced by a copy":
        log.write_bytes(copy)
    kept = []
    for _ in range(3):
        try:
            kept.append(await _within(journal))
        except JournalUnwritable:
            continue
        assert kept[-1] in {row[0] for row in _rows(path)}


def _emptied(log: Path) -> None:
    os.truncate(log, 0)


def _halved(log: Path) -> None:
    os.truncate(log, log.stat().st_size // 2)


def _one_letter_short(log: Path) -> None:
    os.truncate(log, log.stat().st_size - 1)


def _zeros_of_its_length(log: Path) -> None:
    _overwrite(log, bytes(log.stat().st_size))


def _zeros_in_its_last_page(log: Path) -> None:
    _overwrite(log, log.read_bytes()[:-4_000] + bytes(4_000))


def _overwrite(log: Path, data: bytes) -> None:
    log.write_bytes(data)
    # A coarse clock of the file system could give it the time that it had.
    os.utime(log, (1, 1))


CUT_LOGS = [_emptied, _halved, _one_letter_short, _zeros_of_its_length, _zeros_in_its_last_page]


@pytest.mark.parametrize("cut", CUT_LOGS)
@pytest.mark.parametrize("key", [b"k" * 32, None])
async def test_a_log_that_was_cut_or_overwritten_in_use_takes_no_row(
    open_journal: Callable[[], Journal],
    path: Path,
    cut: Callable[[Path], None],
    key: bytes | None,
) -> None:
    journal = open_journal()
    await journal.begin(None if key is None else Seal(path.parent / "seals", key), None)
    for _ in range(6):
        await journal.keep(ENTRY)
    cut(path.with_name(f"{path.name}-wal"))
    for _ in range(2):
        with pytest.raises(JournalBroken) as refusal:
            await _within(journal)
        assert journal.trouble == str(refusal.value)
    await asyncio.wait_for(journal.begin_anew(), SECONDS)
    assert await _within(journal) == 2


@pytest.mark.parametrize("cut", CUT_LOGS)
async def test_a_log_that_was_cut_takes_no_row_of_a_window_that_has_a_key(
    open_journal: Callable[[], Journal], path: Path, cut: Callable[[Path], None]
) -> None:
    windows = [open_journal(), open_journal()]
    for window in windows:
        await window.begin(Seal(path.parent / "seals", b"k" * 32), None)
    for window in windows * 3:
        await window.keep(ENTRY)
    cut(path.with_name(f"{path.name}-wal"))
    for window in windows * 2:
        with pytest.raises(JournalBroken):
            await _within(window)


async def test_a_log_that_was_cut_after_its_rows_went_into_the_file_raises_no_alarm(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    journal = open_journal()
    await journal.begin(Seal(path.parent / "seals", b"k" * 32), None)
    await journal.keep(ENTRY)
    tamper(path, "pragma wal_checkpoint(truncate)")
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    assert await _within(journal) == 2


async def test_windows_that_write_in_turns_keep_the_file_open(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    windows = [open_journal(), open_journal()]
    for window in windows:
        await window.keep(ENTRY)
    opened = [window._file._database for window in windows]
    for window in windows * 3:
        await window.keep(ENTRY)
    assert [window._file._database for window in windows] == opened
    assert len(_rows(path)) == 8


async def test_what_was_found_damaged_is_not_told_of_the_file_that_took_its_place(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    journal = open_journal()
    await journal.keep(ENTRY)
    found = path.stat()
    # While somebody looks through the file, the person begins another.
    await journal.begin_anew()
    await journal.condemn((found.st_dev, found.st_ino), "is damaged")
    assert journal.trouble is None
    assert await journal.keep(ENTRY) == 2


async def test_damage_that_is_found_of_a_journal_that_is_gone_or_closed_breaks_nothing(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    journal = open_journal()
    await journal.keep(ENTRY)
    found = path.stat()
    path.unlink()
    await journal.condemn((found.st_dev, found.st_ino), "is damaged")
    assert journal.trouble is None
    journal.close()
    with pytest.raises(JournalUnwritable):
        await journal.condemn((found.st_dev, found.st_ino), "is damaged")


async def test_a_sealed_journal_that_something_was_planted_in_is_not_gone_on_with(
    open_journal: Callable[[], Journal], path: Path
) -> None:
    seal = Seal(path.parent / "seals", b"k" * 32)
    journal = open_journal()
    await journal.begin(seal, None)
    await journal.keep(ENTRY)
    journal.close()
    tamper(path, PLANTED["does nothing"])
    again = open_journal()
    with pytest.raises(JournalBroken, match="holds more"):
        await again.begin(Seal(path.parent / "seals", b"k" * 32), journal.head)
