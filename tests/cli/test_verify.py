"""`assent verify`: whole, cut off, changed or unsure, for people and for programs."""

import json
import os
import shutil
import sqlite3
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.cli.main import main
from assent.gate.journal import chain, reader
from assent.gate.journal.card_store import beside, digest_of
from assent.gate.journal.index import behind
from assent.gate.journal.integrity import look_through
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import FOLDER, Seal
from cli import recorded
from gate.journal.database import tamper
from tables import each_row

Told = Callable[..., list[dict[str, Any]]]

KEY = b"k" * 32


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """What is said of each journal, and that the process ends as it should."""

    def verified(code: int, *words: str) -> list[dict[str, Any]]:
        assert main(["verify", "--jsonl", *words]) == code
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return verified


@pytest.fixture
async def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This person's journal, sealed."""
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path))
    path = tmp_path / "journal.db"
    await _write(path, 5)
    return path


async def _write(path: Path, rows: int) -> None:
    journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
    try:
        await journal.begin(Seal(folder=path.parent / FOLDER, key=KEY), None)
        for number in range(rows):
            await journal.keep(Entry(kind="noted", body={"n": number, "text": "x" * 500}))
    finally:
        journal.close()


def test_a_whole_journal_is_found_and_what_this_cannot_show_is_said(
    journal: Path, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = told(0)
    assert (found["journal"], found["state"], found["rows"]) == (str(journal), "whole", 5)
    assert main(["verify"]) == 0
    said = capsys.readouterr().out
    assert found["because"] in said
    assert found["cannotShow"]
    assert all(it in said for it in found["cannotShow"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("update entries set body = '{}' where seq = 3", "Row 3 was changed"),
        ("delete from entries where seq = 3", "Row 3 was changed"),
        ("delete from entries where seq > 3", "Cut off: row 5 had been sealed"),
        ("delete from entries", "Cut off: row 5 had been sealed, and the last is row 0"),
        ("create index planted on entries (at)", "holds more than its rows"),
        ("create trigger t after insert on entries begin select 1; end", "holds more"),
    ],
)
def test_what_is_not_what_was_written_is_told(
    journal: Path, told: Told, change: str, words: str
) -> None:
    tamper(journal, change)
    (found,) = told(1)
    assert found["state"] == "broken"
    assert words in found["because"]


async def test_another_journal_under_the_seal_is_told(journal: Path, told: Told) -> None:
    journal.unlink()
    await recorded.write(journal, int(time.time() * 1000))
    assert "not the one that was sealed" in told(1)[0]["because"]


def test_without_a_seal_the_end_cannot_be_told(journal: Path, told: Told) -> None:
    shutil.rmtree(journal.parent / FOLDER)
    (found,) = told(2)
    assert found["state"] == "unsealed"


async def _set_aside(path: Path) -> Path:
    """Begin another journal, as a person wishes."""
    journal = Journal(path=path, epoch="epoch-2", now=lambda: 1_790_000_000_000)
    try:
        await journal.begin(Seal(folder=path.parent / FOLDER, key=KEY), None)
        await journal.begin_anew()
    finally:
        journal.close()
    (aside,) = path.parent.glob("journal-*.db")
    return aside


async def test_one_that_was_set_aside_goes_by_what_the_next_one_says_of_it(
    journal: Path, told: Told
) -> None:
    aside = await _set_aside(journal)
    found = told(0, "--all")
    assert [it["journal"] for it in found] == [str(journal), str(aside)]
    assert [it["state"] for it in found] == ["whole", "whole"]
    tamper(aside, "delete from entries where seq = 5")
    found = told(1, "--all")
    assert [it["state"] for it in found] == ["whole", "broken"]
    assert "Cut off: row 5" in found[1]["because"]


async def test_its_memory_does_not_grow_with_the_journal(tmp_path: Path, told: Told) -> None:
    peaks = []
    for rows in (200, 4_000):
        path = tmp_path / str(rows) / "journal.db"
        await _write(path, 1)
        _repeat(path, rows)
        told(1, str(path))
        tracemalloc.start()
        try:
            told(1, str(path))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < peaks[0] + 100_000


def _repeat(path: Path, rows: int) -> None:
    """Fill a journal up with a chain that is whole, past its seal, but for the very last row."""
    from assent.gate.journal import chain  # noqa: PLC0415

    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    last = dict(database.execute("select * from entries").fetchone())
    names = [name for name in last if name not in {"hash", "previous"}]
    with database:
        for seq in range(2, rows + 1):
            values = {name: last[name] for name in names}
            last = chain.linked({**values, "seq": seq}, last["hash"])
            marks = ", ".join(f":{name}" for name in last)
            row = {**last, "hash": "x"} if seq == rows else last
            database.execute(f"insert into entries ({', '.join(last)}) values ({marks})", row)  # noqa: S608
    database.close()


@pytest.mark.parametrize(
    ("empty", "words"), [(False, "is gone: row 5 had been"), (True, "was emptied: row 5 had been")]
)
def test_a_journal_that_is_gone_from_beside_its_seal_is_told(
    journal: Path, told: Told, capsys: pytest.CaptureFixture[str], empty: bool, words: str
) -> None:
    journal.unlink()
    if empty:
        journal.touch()
    (found,) = told(1)
    assert found["state"] == "broken"
    assert words in found["because"]
    assert main(["history"]) == 1
    assert words in capsys.readouterr().err


def test_a_journal_that_is_a_link_is_told_as_one(journal: Path, told: Told) -> None:
    there = journal.with_name("elsewhere")
    journal.rename(there)
    journal.symlink_to(there)
    (found,) = told(2)
    assert found["state"] == "unknown"
    assert "is a link, into which no row is written" in found["because"]


def test_where_nothing_was_decided_yet_nothing_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "new"))
    (found,) = told(2)
    assert (found["state"], found["rows"]) == ("unknown", 0)
    assert "nothing was decided yet" in found["because"]


def test_a_journal_that_others_keep_is_not_said_to_be_broken(
    journal: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_LOCK_TIMEOUT_S", 0.01)
    other = sqlite3.connect(journal, isolation_level=None)
    try:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin exclusive")
        assert told(2)[0]["state"] == "unknown"
    finally:
        other.close()


async def test_a_seal_that_says_nonsense_of_what_was_before_is_passed_over(
    journal: Path, told: Told
) -> None:
    await _set_aside(journal)
    for seal in (journal.parent / FOLDER).iterdir():
        places = seal.read_bytes()
        odd = [
            json.dumps({**json.loads(places[at : at + 512]), "before": "x yz"}).encode().ljust(512)
            for at in (0, 512)
        ]
        seal.write_bytes(b"".join(odd))
    assert [it["state"] for it in told(2, "--all")] == ["unsealed", "unsealed"]


async def _indexed(journal: Path) -> Path:
    """The index that was made for somebody who asked for each of its tables."""
    await recorded.write(journal, int(time.time() * 1000))
    asked = ("--text", "npm", "--path", "src", "--agent", "eliza")
    main(["history", *asked, str(journal)])
    return journal.parent / "indexes" / journal.name


def _change_in_place(index: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Change an index as somebody would who counts back what SQLite counts."""
    with sqlite3.connect(index, isolation_level=None) as database:
        database.execute("begin")
        for statement in statements:
            database.execute(*statement)
        database.execute("update told set value = value + 1 where name = 'turn'")
        database.execute("commit")
    database.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("delete from said where seq = 2", "table `said`"),
        ("update said set agent = 'nobody' where seq = 2", "table `said`"),
        ("delete from marks where seq = (select min(seq) from marks)", "table `marks`"),
        ("insert into words (rowid, text) values (900, 'npm')", "table `words`"),
        ("delete from names where name = 'agent'", "table `names`"),
        ("create view planted as select 1", "other tables"),
    ],
)
async def test_an_index_that_leaves_something_out_is_told_where_it_is_asked_for(
    tmp_path: Path, told: Told, change: str, words: str
) -> None:
    index = await _indexed(tmp_path / "journal.db")
    (found,) = told(2, "--index", str(tmp_path / "journal.db"))
    assert "The index says what the rows say" in found["because"]
    _change_in_place(index, (change, ()))
    (found,) = told(1, "--index", str(tmp_path / "journal.db"))
    assert found["state"] == "indexBroken"
    assert words in found["because"]
    told(2, str(tmp_path / "journal.db"))
    shutil.rmtree(index.parent)
    (found,) = told(2, "--index", str(tmp_path / "journal.db"))
    assert found["state"] == "unsealed"


async def test_nobody_waits_for_a_pipe_that_lies_beside_an_index_or_a_journal(
    tmp_path: Path, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    os.mkfifo(f"{await _indexed(path)}-journal")
    (found,) = told(1, "--index", str(path))
    assert "cannot be read (journal.db-journal is no ordinary file)" in found["because"]
    with reader.reading(path) as read:
        assert behind(read, ["said"]) == read.count() > 0
    assert main(["history", "--text", "push", str(path)]) == 0
    assert capsys.readouterr().out
    os.mkfifo(f"{path}-journal")
    assert look_through(path) is None
    (found,) = told(1, str(path))
    assert "journal.db-journal is no ordinary file" in found["because"]


def _found(journal: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is found by each of the index's tables."""
    capsys.readouterr()
    for asked in (("--agent", "codex"), ("--text", "push"), ("--path", "/home/me/app")):
        main(["history", "--jsonl", *asked, str(journal)])
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["last", "said", "marks", "words"])
@pytest.mark.parametrize("value", [-9 * 10**18, 10**12, float("inf"), b"\xff", "far", None])
async def test_an_index_that_tells_nonsense_of_itself_is_made_anew_and_finds_all(
    tmp_path: Path, told: Told, capsys: pytest.CaptureFixture[str], name: str, value: object
) -> None:
    index = await _indexed(tmp_path / "journal.db")
    found = _found(tmp_path / "journal.db", capsys)
    assert found
    _change_in_place(index, ("insert or replace into told values (?, ?)", (name, value)))
    # Nothing is found by it, so it leaves nothing out.
    told(2, "--index", str(tmp_path / "journal.db"))
    assert _found(tmp_path / "journal.db", capsys) == found
    (again,) = told(2, "--index", str(tmp_path / "journal.db"))
    assert "The index says what the rows say" in again["because"]


async def _decide(path: Path, *cards: str, times: Sequence[int] = range(10, 1_000, 10)) -> None:
    """Decisions, one after the other, of calls that were asked about with these cards."""
    clock = iter(times)
    journal = Journal(path=path, epoch="epoch-1", now=lambda: next(clock))
    entry = Entry(kind="decided", body={"ticket": "t", "input": {"card": "mine"}})
    try:
        await journal.begin(Seal(folder=path.parent / FOLDER, key=KEY), None)
        for card in cards:
            await journal.keep(entry, lambda card=card: card)
        await journal.keep(entry)
    finally:
        journal.close()


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ("select 1", 0, "3 of 3 cards are kept, as they were shown."),
        ("delete from pictures where at < 25", 0, "1 of 3 cards are kept, as they were shown; the"),
        ("delete from pictures", 0, "0 of 3 cards are kept"),
        ("delete from pictures where at > 15", 1, "The card of row 2 was taken out."),
        ("update pictures set picture = 7", 1, "The card of row 1 is not the one that was shown."),
        ("update pictures set picture = x'78'", 1, "The card of row 1 is not the one"),
        ("create view v as select 1", 0, "The cards cannot be read"),
    ],
)
async def test_whether_each_card_is_the_one_that_its_row_names_is_told(
    tmp_path: Path, told: Told, change: str, code: int, words: str
) -> None:
    path = tmp_path / "journal.db"
    await _decide(path, "one", "two", "three")
    tamper(beside(path), change)
    (found,) = told(code, str(path))
    assert words in found["because"]
    assert found["state"] == ("cardBroken" if code else "whole")


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize(
    ("cards", "times", "left"),
    [
        # The clock stood back for a while, after the others had gone in their time.
        ("abcd", (70, 80, 5, 90, 90), "c"),
        # It stood ahead.
        ("abcd", (70, 900, 75, 80, 90), "b"),
        # A card was shown again later, and so outlives one that came after it first.
        ("aba", (70, 80, 90, 90), "a"),
    ],
)
async def test_a_card_that_went_in_its_time_was_not_taken_out_whatever_the_clock_said(
    tmp_path: Path, told: Told, cards: str, times: tuple[int, ...], left: str
) -> None:
    path = tmp_path / "journal.db"
    await _decide(path, *cards, times=times)
    kept = digest_of(left)
    tamper(beside(path), f"delete from pictures where digest <> '{kept}' and at < 90")  # noqa: S608 -- a test's own
    (found,) = told(0, str(path))
    assert f"of {len(cards)} cards are kept" in found["because"]


@each_row("value", [None, True, 7, -1.5, 2**62, "ö\n\x7f", "\ud800", b"x", float("inf")])
def test_a_row_is_spelled_for_the_chain_as_it_was_when_it_was_written(value: Any) -> None:
    values = dict.fromkeys(("agent", "at", "body", "call", "chat", "digest"), value)
    row = {**values, "epoch": "e", "kind": "noted", "seq": 1}
    try:
        linked = chain.linked(row, chain.START)
    except (TypeError, ValueError):
        assert chain.first_break([{**row, "previous": chain.START, "hash": ""}]) == 1
    else:
        assert chain.first_break([linked]) is None
        assert chain.first_break([{**linked, "seq": 2}]) == 1
        assert chain.first_break([{**linked, "body": "other"}]) == 1
