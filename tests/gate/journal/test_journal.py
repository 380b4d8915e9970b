"""The journal: durable before it answers, in one chain, shared by several, private to its owner."""

import asyncio
import logging
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.errors import JournalBroken, JournalUnwritable
from assent.gate.journal import chain, records
from assent.gate.journal.file import JournalFile
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.writer_thread import MAX_ROWS_AT_ONCE
from gate.journal.database import tamper
from gate.ruling.samples import running, using

ENTRY = Entry(kind="noted", chat="chat-1", body={"because": "a test"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "assent" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = _journal(path)
    yield journal
    journal.close()


def _journal(path: Path) -> Journal:
    ticks = count(1)
    return Journal(path=path, epoch="epoch-1", now=lambda: next(ticks))


def _read(path: Path) -> list[dict[str, Any]]:
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in database.execute("select * from entries order by seq")]
    finally:
        database.close()


async def test_a_row_can_be_read_by_others_as_soon_as_it_is_kept(
    journal: Journal, path: Path
) -> None:
    for expected in range(1, 4):
        assert await journal.keep(ENTRY) == expected
        assert [row["seq"] for row in _read(path)] == list(range(1, expected + 1))


async def test_rows_stand_in_the_order_in_which_they_were_handed_in(journal: Journal) -> None:
    waits = []
    for number in range(50):
        entry = Entry(kind="noted", call=str(number))
        if number % 2:
            journal.note(entry)
        else:
            waits.append(asyncio.ensure_future(journal.keep(entry)))
            await asyncio.wait(waits[-1:], timeout=5)
    assert [row["call"] for row in await journal.rows()] == [str(n) for n in range(50)]


async def test_rows_can_be_sought_by_their_columns(journal: Journal) -> None:
    await journal.keep(Entry(kind="asked", call="1"))
    await journal.keep(Entry(kind="decided", call="1"))
    await journal.keep(Entry(kind="decided", call="2"))
    assert [row["call"] for row in await journal.rows(kind="decided")] == ["1", "2"]
    assert [row["seq"] for row in await journal.rows(kind="decided", call="1")] == [2]


async def test_only_its_owner_may_read_it(journal: Journal, path: Path) -> None:
    before = os.umask(0)
    try:
        await journal.keep(ENTRY)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    files = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert path.name in files
    assert set(files.values()) == {0o600}


async def test_a_journal_that_others_could_read_is_closed_to_them(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch(mode=0o644)
    journal = _journal(path)
    await journal.keep(ENTRY)
    journal.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_texts_that_are_no_text_are_kept_by_their_escapes(journal: Journal) -> None:
    odd = Entry(kind="noted", chat="a\ud800b", call="n\0l", body={"x\udfff": "\ud83d", "ü": "€"})
    await journal.keep(odd)
    (row,) = await journal.rows()
    assert row["chat"] == "a\\ud800b"
    assert row["call"] == "n\0l"
    assert row["body"] == '{"x\\udfff":"\\ud83d","ü":"€"}'
    assert chain.first_break([row]) is None


async def test_what_cannot_be_a_row_is_told_as_such(journal: Journal) -> None:
    loop_in_itself: dict[str, Any] = {}
    loop_in_itself["self"] = loop_in_itself
    with pytest.raises(JournalUnwritable, match="could not be written"):
        await journal.keep(Entry(kind="noted", body=loop_in_itself))
    assert await journal.keep(ENTRY) == 1


async def test_a_closed_journal_keeps_nothing_and_says_so(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    journal.close()
    journal.close()
    with pytest.raises(JournalUnwritable, match="has been closed"):
        await journal.keep(ENTRY)
    with caplog.at_level(logging.ERROR):
        journal.note(ENTRY)
    assert "a row of the journal was lost: the journal has been closed" in caplog.text


async def test_a_note_that_is_lost_is_logged_and_breaks_nothing(
    journal: Journal, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.mkdir(parents=True)
    with caplog.at_level(logging.ERROR):
        journal.note(ENTRY)
        with pytest.raises(JournalUnwritable):
            await journal.keep(ENTRY)
    assert "a row of the journal was lost" in caplog.text
    path.rmdir()
    assert await journal.keep(ENTRY) == 1


async def test_a_journal_that_cannot_be_read_says_so(journal: Journal, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is no database, " * 500)
    with pytest.raises(JournalBroken, match="is damaged"):
        await journal.rows()


async def test_closing_writes_what_was_handed_in(path: Path) -> None:
    journal = _journal(path)
    for _ in range(20):
        journal.note(ENTRY)
    journal.close()
    assert len(_read(path)) == 20


@contextmanager
def _held(journal: Journal) -> Iterator[None]:
    """Nothing is written until all is handed in."""
    go_on = threading.Event()

    def hold() -> None:
        go_on.wait(5)

    journal._writer_thread.order(hold)
    try:
        yield
    finally:
        go_on.set()


def _hand_in(journal: Journal, *entries: Entry) -> "list[asyncio.Future[int]]":
    return [asyncio.ensure_future(journal.keep(entry)) for entry in entries]


async def test_rows_that_wait_together_are_written_in_few_transactions(
    journal: Journal, path: Path
) -> None:
    await journal.keep(ENTRY)
    statements: list[str] = []
    journal._file.opened().set_trace_callback(statements.append)
    count = 2 * MAX_ROWS_AT_ONCE
    with _held(journal):
        kept = _hand_in(journal, *[ENTRY] * count)
        await asyncio.sleep(0)
    assert await asyncio.gather(*kept) == list(range(2, count + 2))
    assert statements.count("begin immediate") == statements.count("COMMIT") == 2
    assert chain.first_break(_read(path)) is None


async def test_what_cannot_be_a_row_takes_no_other_with_it(journal: Journal) -> None:
    loop_in_itself: dict[str, Any] = {}
    loop_in_itself["self"] = loop_in_itself
    with _held(journal):
        kept = _hand_in(journal, ENTRY, Entry(kind="noted", body=loop_in_itself), ENTRY)
        await asyncio.sleep(0)
    one, fault, two = await asyncio.gather(*kept, return_exceptions=True)
    assert isinstance(fault, JournalUnwritable)
    assert (one, two) == (1, 2)
    assert chain.first_break(await journal.rows()) is None
    assert journal.trouble is None


async def test_rows_that_find_the_file_locked_wait_for_it_once_and_not_each(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.gate.journal.file._LOCK_TIMEOUT_S", 0)
    await journal.keep(ENTRY)
    tried: list[object] = []
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    monkeypatch.setattr(Journal, "_insert", _counting(Journal._insert, tried))
    with _held(journal):
        kept = _hand_in(journal, *[ENTRY] * 20)
        await asyncio.sleep(0)
    outcomes = await asyncio.gather(*kept, return_exceptions=True)
    other.close()
    assert {type(outcome) for outcome in outcomes} == {JournalUnwritable}
    assert len(tried) == 1
    assert await journal.keep(ENTRY) == 2


def _counting(real: Callable[..., Any], calls: list[object]) -> Callable[..., Any]:
    def counted(*given: object) -> Any:
        calls.append(given)
        return real(*given)

    return counted


async def test_rows_stand_in_the_journal_that_there_was_when_they_were_handed_in(
    journal: Journal, path: Path
) -> None:
    before, after = (Entry(kind="noted", body={"n": number}) for number in (1, 2))
    with _held(journal):
        journal.note(before)
        anew = asyncio.ensure_future(journal.begin_anew())
        await asyncio.sleep(0)
        journal.note(after)
    await anew
    assert [row["body"] for row in (await journal.rows())[1:]] == ['{"n":2}']
    (old,) = set(path.parent.glob("journal-*.db"))
    assert [row["body"] for row in _read(old)] == ['{"n":1}']


async def test_a_row_that_is_given_up_while_it_waits_hinders_no_other(journal: Journal) -> None:
    given_up = asyncio.ensure_future(journal.keep(ENTRY))
    await asyncio.sleep(0)
    given_up.cancel()
    kept = await asyncio.wait_for(journal.keep(ENTRY), 5)
    rows = await journal.rows()
    assert [row["seq"] for row in rows] == list(range(1, kept + 1))
    assert chain.first_break(rows) is None


async def test_a_journal_whose_thread_cannot_start_keeps_nothing_until_it_can(
    journal: Journal,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("threading.Thread.start", _no_thread)
        for _ in range(2):
            with pytest.raises(JournalUnwritable, match="thread could not be started"):
                await asyncio.wait_for(journal.keep(ENTRY), 5)
    assert await asyncio.wait_for(journal.keep(ENTRY), 5) == 1


def _no_thread(_: object) -> None:
    raise RuntimeError("can't start new thread")


async def test_every_row_is_synced_and_the_log_stays_short(journal: Journal, path: Path) -> None:
    for _ in range(250):
        await journal.keep(ENTRY)
    database = journal._file._database
    assert database is not None
    assert database.execute("pragma synchronous").fetchone() == (2,)
    assert path.with_name(f"{path.name}-wal").stat().st_size < 150 * 4200


async def test_a_journal_goes_on_where_another_ended(path: Path) -> None:
    for expected in (1, 2):
        journal = _journal(path)
        assert await journal.keep(ENTRY) == expected
        journal.close()
    assert chain.first_break(_read(path)) is None


async def test_a_locked_journal_is_waited_for(journal: Journal, path: Path) -> None:
    await journal.keep(ENTRY)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    kept = asyncio.ensure_future(journal.keep(ENTRY))
    # The journal's thread waits in SQLite, not on the loop, which stays free to let it go on.
    asyncio.get_running_loop().call_soon(other.execute, "rollback")
    assert await asyncio.wait_for(kept, 5) == 2
    other.close()


class TestTheChain:
    @pytest.fixture
    async def written(self, journal: Journal, path: Path) -> Path:
        for number in range(6):
            await journal.keep(Entry(kind="noted", call=f"call-{number}", body={"n": number}))
        journal.close()
        return path

    async def test_is_whole_when_nobody_touched_it(self, written: Path) -> None:
        assert chain.first_break(_read(written)) is None

    @pytest.mark.parametrize(
        "change",
        [
            "update entries set body = replace(body, '3', '4') where seq = 4",
            "update entries set chat = 'x' where seq = 4",
            "update entries set call = null where seq = 4",
            "update entries set kind = 'decided' where seq = 4",
            "update entries set at = at + 1 where seq = 4",
            "update entries set epoch = 'x' where seq = 4",
            "update entries set hash = replace(hash, substr(hash, 1, 1), 'x') where seq = 4",
            "update entries set previous = hash where seq = 4",
            "delete from entries where seq = 4",
        ],
    )
    async def test_breaks_where_a_row_was_changed_or_taken_out(
        self, written: Path, change: str
    ) -> None:
        tamper(written, change)
        assert chain.first_break(_read(written)) == 4

    async def test_breaks_where_two_rows_changed_places(self, written: Path) -> None:
        for old, new in ((2, 99), (3, 2), (99, 3)):
            tamper(written, f"update entries set seq = {new} where seq = {old}")  # noqa: S608 -- our own numbers
        assert chain.first_break(_read(written)) == 2

    async def test_breaks_where_the_beginning_was_cut(self, written: Path) -> None:
        tamper(written, "delete from entries where seq <= 2")
        assert chain.first_break(_read(written)) == 1

    async def test_shows_a_cut_end_only_to_who_remembers_it(self, written: Path) -> None:
        head = _read(written)[-1]
        tamper(written, "delete from entries where seq >= 5")
        rows = _read(written)
        assert chain.first_break(rows) is None
        assert head["hash"] not in {row["hash"] for row in rows}

    @pytest.mark.parametrize("other", [1.5, 0, "null", b"x"])
    async def test_breaks_where_something_is_put_in_the_place_of_nothing(
        self, written: Path, other: object
    ) -> None:
        rows = _read(written)
        empty = next(name for name, value in rows[2].items() if value is None)
        changed = [*rows[:2], {**rows[2], empty: other}, *rows[3:]]
        assert chain.first_break(changed) == 3

    async def test_breaks_at_every_byte_that_is_flipped(self, written: Path) -> None:
        rows = _read(written)
        body = rows[2]["body"]
        for at in range(len(body)):
            flipped = body[:at] + chr(ord(body[at]) ^ 1) + body[at + 1 :]
            changed = [*rows[:2], {**rows[2], "body": flipped}, *rows[3:]]
            assert chain.first_break(changed) == 3


@pytest.mark.parametrize(
    "change",
    [
        "delete from entries where seq >= 4",
        "update entries set body = '{}', hash = 'forged' where seq = 5",
    ],
)
async def test_a_journal_whose_end_is_cut_or_rewritten_in_use_takes_no_more_rows(
    journal: Journal, path: Path, change: str
) -> None:
    for _ in range(5):
        await journal.keep(ENTRY)
    tamper(path, change)
    rows = _read(path)
    for _ in range(2):
        with pytest.raises(JournalBroken, match=r"lost rows while it was in use|was changed"):
            await journal.keep(ENTRY)
    assert _read(path) == rows


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _an_empty_file(path: Path) -> None:
    path.with_name("other").touch()
    path.with_name("other").replace(path)


def _a_copy(path: Path) -> None:
    path.with_name("other").write_bytes(path.read_bytes())
    path.with_name("other").replace(path)


@pytest.mark.parametrize("swap", [_a_folder, _an_empty_file, _a_copy])
@pytest.mark.parametrize("step", ["wrote", "_check"])
async def test_a_file_put_in_its_place_while_a_row_is_written_takes_no_row_for_it(
    journal: Journal,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    swap: Callable[[Path], None],
    step: str,
) -> None:
    real = getattr(JournalFile, step)

    def swapped(*given: Any) -> None:
        monkeypatch.setattr(JournalFile, step, real)
        swap(path)
        real(*given)

    monkeypatch.setattr(JournalFile, step, swapped)
    kept = 0
    for _ in range(3):
        with suppress(JournalUnwritable):
            kept = await journal.keep(ENTRY)
            # Whoever looks from outside finds each row that was said to be kept.
            if kept > 1 or step == "_check":
                assert len(_read(path)) == kept


async def test_nobody_else_can_write_between_the_last_row_and_the_next(
    journal: Journal, path: Path
) -> None:
    await journal.keep(ENTRY)
    tried: list[str] = []

    def meanwhile(statement: str) -> None:
        """Another process begins to write where this one has just asked for the last row."""
        if not statement.startswith("select seq, hash"):
            return
        other = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            other.execute("begin immediate")
            tried.append("wrote")
        except sqlite3.OperationalError as error:
            tried.append(str(error))
        finally:
            other.close()

    journal._file.opened().set_trace_callback(meanwhile)
    assert await journal.keep(ENTRY) == 2
    assert tried == ["database is locked"]


_WRITER = """
import asyncio, sys
from pathlib import Path
from assent.gate.journal.journal import Entry, Journal

async def main():
    journal = Journal(path=Path(sys.argv[1]), epoch=sys.argv[2], now=lambda: 1)
    number = 0
    while sys.argv[3] == "forever" or number < int(sys.argv[3]):
        number += 1
        print(await journal.keep(Entry(kind="noted", body={"n": number})), flush=True)
    journal.close()

asyncio.run(main())
"""


def _start(path: Path, epoch: str, rows: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _WRITER, str(path), epoch, rows]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_two_processes_write_one_chain(path: Path) -> None:
    writers = [_start(path, epoch, "60") for epoch in ("one", "two")]
    told = [writer.communicate(timeout=30)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    rows = _read(path)
    assert sorted(int(number) for each in told for number in each) == list(range(1, 121))
    assert chain.first_break(rows) is None
    assert {row["epoch"] for row in rows} == {"one", "two"}
    for epoch, numbers in zip(("one", "two"), told, strict=True):
        assert [row["seq"] for row in rows if row["epoch"] == epoch] == [int(n) for n in numbers]


@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_process_that_is_killed_loses_nothing_that_it_was_told_is_kept(
    path: Path, after: int
) -> None:
    writer = _start(path, "one", "forever")
    assert writer.stdout is not None
    with writer, writer.stdout as lines:
        told = [int(lines.readline()) for _ in range(after)]
        writer.send_signal(signal.SIGKILL)
        told += [int(line) for line in lines.read().split("\n")[:-1]]
    rows = _read(path)
    assert told == list(range(1, len(told) + 1))
    assert len(rows) >= len(told)
    assert chain.first_break(rows) is None


class TestARecord:
    def test_of_a_long_text_keeps_its_ends_and_the_length_of_what_is_left_out(self) -> None:
        entry = records.ended(running(), "succeeded", "a" * 3000 + "b" * 3000)
        assert len(entry.body["output"]) < 4100
        assert "… 2,000 characters left out …" in entry.body["output"]
        assert entry.body["output"].startswith("aaa")
        assert entry.body["output"].endswith("bbb")

    def test_is_bounded_however_deep_the_long_text_stands(self) -> None:
        call = using({"files": [{"text": "x" * 1_000_000}]})
        entry = records.asked(call, "ticket-1", "because")
        assert len(str(entry.body)) < 10_000
        assert entry.digest == call.digest

    def test_names_the_whole_call_by_its_digest(self) -> None:
        call = running()
        for entry in (records.asked(call, "t", "b"), records.ended(call, "failed", "")):
            assert (entry.digest, entry.call, entry.chat) == (call.digest, call.id, call.chat)
