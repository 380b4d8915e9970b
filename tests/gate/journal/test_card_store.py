"""The cards that are kept beside the journal: before their rows, bounded, deleted in time."""

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assent.editor.cards.stored_card import kept_of, read_kept
from assent.gate.journal.card_file import CardFile, has_only_cards
from assent.gate.journal.card_lookup import open_card_lookup
from assent.gate.journal.card_store import MAX_CARD_BYTES, CardStore, beside
from assent.gate.journal.journal import Entry, Journal
from gate.journal.database import tamper
from tables import each_row

requirement = pytest.mark.requirement
DECIDED = Entry(kind="decided", chat="chat-1", call="call-1", body={"ticket": "t", "outcome": "x"})
TEXT = json.dumps({"card": {"title": "a card"}})
DAY = 86_400_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    ticks = count(1)
    journal = Journal(path=path, epoch="epoch-1", now=lambda: next(ticks))
    yield journal
    journal.close()


async def _kept(journal: Journal, picture: Callable[[], str] = lambda: TEXT) -> dict[str, Any]:
    """What a row says, of which the card is kept."""
    seq = await journal.keep(DECIDED, picture)
    (row,) = await journal.rows(seq - 1)
    return dict(json.loads(row["body"]))


def _found(path: Path, body: dict[str, Any]) -> tuple[str | None, str]:
    with open_card_lookup(path) as cards:
        return cards.card_of(body)


@requirement("S-10")
async def test_a_card_is_on_the_disk_with_its_row_and_is_for_its_owner_alone(
    journal: Journal, path: Path
) -> None:
    body = await _kept(journal)
    assert body["card"] == hashlib.sha256(TEXT.encode()).hexdigest()
    assert _found(path, body) == (TEXT, "")
    assert beside(path).stat().st_mode & 0o777 == 0o600


async def test_a_card_is_there_before_the_row_that_names_it(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    keep = CardStore.keep_for_rows

    def looked(self: CardStore, *given: Any) -> list[dict[str, str]]:
        kept = keep(self, *given)
        with sqlite3.connect(path) as database:
            seen.append(database.execute("select count(*) from entries").fetchone()[0])
        return kept

    await journal.keep(DECIDED)
    monkeypatch.setattr(CardStore, "keep_for_rows", looked)
    assert (await _kept(journal))["card"]
    assert seen == [1]


def _no_file(path: Path) -> None:
    beside(path).mkdir(parents=True)


def _a_link(path: Path) -> None:
    path.parent.mkdir()
    beside(path).symlink_to(path.parent / "elsewhere")


def _a_pipe(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(f"{beside(path)}-journal")


@pytest.mark.parametrize("break_it", [_no_file, _a_link, _a_pipe])
async def test_a_card_that_cannot_be_kept_takes_no_decision_away_and_is_told(
    journal: Journal, path: Path, break_it: Callable[[Path], None]
) -> None:
    break_it(path)
    body = await _kept(journal)
    assert body["outcome"] == "x"
    assert "card" not in body
    assert body["cardLost"]
    assert _found(path, body) == (None, f"Its card could not be kept: {body['cardLost']}.")
    assert not (path.parent / "elsewhere").exists()


async def test_nobody_waits_for_a_pipe_that_lies_beside_the_cards(
    journal: Journal, path: Path
) -> None:
    body = await _kept(journal)
    journal.close()
    os.mkfifo(f"{beside(path)}-journal")
    sentence = "The cards cannot be read: pictures.db-journal is no ordinary file."
    assert _found(path, body) == (None, sentence)


async def test_a_card_that_cannot_be_made_takes_no_decision_away(journal: Journal) -> None:
    body = await _kept(journal, lambda: str(1 / 0))
    assert body["cardLost"] == "division by zero"


@pytest.mark.parametrize(
    "change",
    [
        "create trigger t after insert on pictures begin delete from pictures; end",
        "drop table pictures",
        "create view v as select 1",
    ],
)
async def test_what_is_no_file_of_cards_is_set_aside_and_another_begun(
    journal: Journal, path: Path, change: str
) -> None:
    await _kept(journal)
    tamper(beside(path), change)
    body = await _kept(journal, lambda: "another")
    assert _found(path, body) == ("another", "")
    assert len(list(path.parent.glob("pictures-*.db"))) == 1


async def test_a_damaged_file_of_cards_is_set_aside_and_another_begun(path: Path) -> None:
    path.parent.mkdir()
    beside(path).write_bytes(b"no database " * 100)
    journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
    try:
        body = await _kept(journal)
    finally:
        journal.close()
    assert _found(path, body) == (TEXT, "")


async def test_a_file_of_cards_that_is_damaged_anywhere_is_set_aside_and_another_begun(
    path: Path,
) -> None:
    pictures = CardStore.at(beside(path))
    for number in range(50):
        pictures.keep(f"{number}", number)
    pictures.close()
    with beside(path).open("r+b") as file:
        file.seek(4_096)
        file.write(os.urandom(beside(path).stat().st_size - 4_096))
    digest = pictures.keep(TEXT, 100 * DAY)
    pictures.close()
    assert _found(path, {"card": digest}) == (TEXT, "")
    assert len(list(path.parent.glob("pictures-*.db"))) == 1


def _watched(path: Path, seen: list[bool | None]) -> type[sqlite3.Connection]:
    """What another window finds in the file before each statement of ours."""

    class Watched(sqlite3.Connection):
        def execute(self, *given: Any) -> sqlite3.Cursor:
            with contextlib.closing(sqlite3.Connection(str(path))) as other:
                seen.append(has_only_cards(other))
            return super().execute(*given)

    return Watched


def test_another_window_finds_all_of_a_new_file_or_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool | None] = []
    connect = partial(sqlite3.connect, factory=_watched(beside(path), seen))
    monkeypatch.setattr(sqlite3, "connect", connect)
    pictures = CardStore.at(beside(path))
    pictures.keep(TEXT, 1)
    pictures.close()
    assert set(seen) == {None, True}


def test_a_new_file_that_another_window_begins_just_now_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(beside(path), isolation_level=None)
    other.execute("begin immediate")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if other.in_transaction:
            other.execute("commit")

    monkeypatch.setattr("assent.gate.journal.card_file.time.sleep", sleep)
    pictures = CardStore.at(beside(path))
    digest = pictures.keep(TEXT, 1)
    pictures.close()
    other.close()
    assert slept
    assert _found(path, {"card": digest}) == (TEXT, "")


def test_a_lock_that_somebody_holds_is_waited_for_once_and_not_by_each_decision(
    path: Path,
) -> None:
    now = [100.0]
    pictures = CardStore(CardFile(beside(path), clock=lambda: now[0]))
    pictures.keep("first", 1)
    other = sqlite3.connect(beside(path), isolation_level=None)
    other.execute("begin immediate")
    said = [_kept_by(pictures, 2) for _ in range(2)]
    other.close()
    said += [_kept_by(pictures, 2)]
    now[0] += 60
    kept = _kept_by(pictures, 3)
    pictures.close()
    assert said == [
        {"cardLost": "another program keeps pictures.db locked"},
        {"cardLost": "another program kept pictures.db locked a moment ago"},
        {"cardLost": "another program kept pictures.db locked a moment ago"},
    ]
    assert _found(path, kept) == (TEXT, "")


def _kept_by(pictures: CardStore, at: int) -> dict[str, str]:
    (kept,) = pictures.keep_for_rows([(lambda: TEXT, at)], lambda _: None)
    return kept


def test_cards_of_rows_that_are_written_together_are_kept_together(path: Path) -> None:
    pictures = CardStore.at(beside(path))
    pictures.keep("first", 1)
    statements: list[str] = []
    assert pictures._file._database is not None
    pictures._file._database.set_trace_callback(statements.append)
    texts = ["one", "two", "\ud800", "three"]
    kept = pictures.keep_for_rows([(partial(str, text), 2) for text in texts], lambda _: None)
    pictures.close()
    assert statements.count("begin immediate") == 1
    assert "surrogates not allowed" in kept.pop(2)["cardLost"]
    assert [_found(path, members)[0] for members in kept] == ["one", "two", "three"]


async def test_a_file_of_cards_that_was_deleted_is_begun_anew(journal: Journal, path: Path) -> None:
    before = await _kept(journal)
    for it in path.parent.glob("pictures.db*"):
        it.unlink()
    body = await _kept(journal, lambda: "another")
    assert _found(path, body) == ("another", "")
    assert _found(path, before) == (None, "Its card is not kept any more.")


@pytest.mark.parametrize("change", ["x''", "'text'", "null + 1", "zeroblob(9)"])
async def test_what_is_not_what_was_shown_is_not_drawn(
    journal: Journal, path: Path, change: str
) -> None:
    body = await _kept(journal)
    tamper(beside(path), f"update pictures set picture = coalesce({change}, 7)")  # noqa: S608 -- a test's own
    text, why_not = _found(path, body)
    assert text is None
    assert "not the one that was shown" in why_not


async def test_a_card_that_is_another_s_is_not_drawn(journal: Journal, path: Path) -> None:
    body, other = await _kept(journal), await _kept(journal, lambda: "another")
    with sqlite3.connect(beside(path)) as database:
        wanted = "select picture from pictures where digest = ?"
        packed = database.execute(wanted, (other["card"],)).fetchone()
        database.execute("update pictures set picture = ?", packed)
    database.close()
    assert "not the one that was shown" in _found(path, body)[1]


async def test_cards_are_deleted_in_time_and_rows_are_not(path: Path) -> None:
    at = 100 * DAY
    pictures = CardStore.at(beside(path))
    old = pictures.keep("old", at - 91 * DAY)
    pictures.keep("old and used again", at - 91 * DAY)
    used = pictures.keep("old and used again", at - DAY)
    while pictures.forget(at):
        pass
    pictures.close()
    assert _found(path, {"card": old}) == (None, "Its card is not kept any more.")
    assert _found(path, {"card": used}) == ("old and used again", "")
    assert b"old" not in beside(path).read_bytes().replace(b"used", b"")


async def test_the_oldest_of_too_many_cards_are_deleted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.gate.journal.card_store._MAX_STORE_BYTES", 60_000)
    pictures = CardStore.at(beside(path))
    kept = [pictures.keep(f"{number} {hashlib.sha512(bytes(number)).hexdigest()}", number)
            for number in range(300)]  # fmt: skip
    while pictures.forget(3_000):
        pass
    pictures.close()
    with open_card_lookup(path) as cards:
        there = [cards.card_of({"card": it})[0] is not None for it in kept]
    assert there == sorted(there)
    assert there[-1]
    assert not there[0]


async def test_a_run_deletes_what_is_too_old_beside_its_work(journal: Journal, path: Path) -> None:
    first = CardStore.at(beside(path))
    old = first.keep("old", -91 * DAY)
    first.close()
    await _kept(journal)
    await journal.rows()
    assert _found(path, {"card": old})[0] is None


def test_old_cards_are_deleted_some_at_a_time_with_turns_for_decisions_between(
    path: Path,
) -> None:
    pictures = CardStore.at(beside(path))
    for number in range(250):
        pictures.keep(f"{number}", number)
    handed: list[Callable[[], None]] = []
    pictures.keep_for_rows([(lambda: "new", 100 * DAY)], handed.append)
    left = [_count(path)]
    while handed:
        handed.pop()()
        left.append(_count(path))
    pictures.close()
    assert left == [251, 151, 51, 1, 1]


def _count(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(beside(path))) as database:
        return int(database.execute("select count(*) from pictures").fetchone()[0])


def _card(**more: Any) -> dict[str, Any]:
    span = [{"kind": "code", "text": "make", "shown": None}]
    return {
        "agentId": "a", "agentName": "A", "chatTitle": "", "mode": "", "title": span,
        "consequence": None, "level": "low",
        "body": {"kind": "read", "paths": [span]}, "members": [], "touches": [],
        "because": {"text": "why", "rule": None, "source": None},
        "primary": "deny", "options": [], "says": None, **more,
    }  # fmt: skip


def _long(text: str) -> list[dict[str, Any]]:
    return [{"kind": "code", "text": text, "shown": None}]


@each_row(
    "card",
    [
        _card(body={"kind": "read", "paths": [_long("a" * 90) for _ in range(20_000)]}),
        _card(body={"kind": "plan", "text": _long("ö" * 900_000)}),
        _card(says=_long("\u202e" * 900_000), title=_long("\n" * 900_000)),
        _card(touches=[{"name": "File", "text": _long("x")}] * 30_000),
    ],
)
def test_a_card_that_is_too_long_is_cut_and_says_so(card: dict[str, Any]) -> None:
    sent = json.dumps({"approvalId": "1", "card": card}).encode()
    text = kept_of(sent)
    assert MAX_CARD_BYTES / 8 < len(text.encode()) <= MAX_CARD_BYTES
    kept = read_kept(text)
    assert "cut" in kept.note
    assert f"{kept.bytes:,} bytes" in kept.note
    assert kept.card.because.text == "why"


def test_a_card_of_usual_length_is_kept_whole() -> None:
    kept = read_kept(kept_of(json.dumps({"card": _card()}).encode()))
    assert (kept.note, kept.card.level) == ("", "low")


@each_row("text", ["", "[]", "{}", '{"card": {}}', "[" * 100_000, '{"card": 1}'])
def test_what_is_no_card_is_told(text: str) -> None:
    with pytest.raises(Exception, match="another version of Assent"):
        read_kept(text)
