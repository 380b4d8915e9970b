"""What a killed run left open is found without reading the whole journal."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.gate.journal import epochs
from assent.gate.journal.epochs import Epochs, close_dead
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import FOLDER, Seal

KEY = b"k" * 32


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """One in which a run that was killed left a question of row 10 and one of row 45 open."""
    made = Journal(path=tmp_path / "journal.db", epoch="dead", now=lambda: 1)
    await made.begin(Seal(folder=tmp_path / FOLDER, key=KEY), None)
    for number in range(1, 51):
        kind = "asked" if number in {10, 45} else "noted"
        await made.keep(Entry(kind=kind, chat="c", call=f"call-{number}", agent="a", digest="d"))
    yield made
    made.close()


async def closed(journal: Journal, tmp_path: Path, note: str) -> list[str]:
    """The calls that are closed, where this stands in the file of the run that was killed."""
    folder = tmp_path / "epochs"
    folder.mkdir()
    (folder / "dead").write_text(note)
    await close_dead(Epochs(folder), journal)
    assert not (folder / "dead").exists()
    return [str(row["call"]) for row in await journal.rows(after=50)]


async def test_a_killed_run_is_read_from_where_it_began(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(epochs, "_ROWS_BEFORE", 5)
    assert journal.head is not None
    assert await closed(journal, tmp_path, f"{journal.head.journal} 40") == ["call-45"]


@pytest.mark.parametrize("note", ["", "nonsense", "0" * 64 + " 40"])
async def test_where_nobody_knows_when_it_began_in_this_journal_all_is_read(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: str
) -> None:
    monkeypatch.setattr(epochs, "_ROWS_BEFORE", 5)
    assert await closed(journal, tmp_path, note) == ["call-10", "call-45"]


async def test_a_run_notes_how_far_the_journal_had_come(journal: Journal, tmp_path: Path) -> None:
    mine = Epochs(tmp_path / "epochs")
    mine.begin("mine")
    mine.note("mine", journal.head)
    assert journal.head is not None
    told = (tmp_path / "epochs" / "mine").read_text()
    assert told == f"{journal.head.journal} {journal.head.seq}"
    mine.end("mine")
    assert not (tmp_path / "epochs" / "mine").exists()


def test_a_run_that_is_entered_again_after_a_fault_is_still_its_own(tmp_path: Path) -> None:
    mine, others = Epochs(tmp_path / "epochs"), Epochs(tmp_path / "epochs")
    mine.begin("mine")
    # What came after failed, so it is tried once more.
    mine.begin("mine")
    assert mine.lives("mine")
    with pytest.raises(OSError, match=r"."):
        others.begin("mine")
    assert [*others.dead()] == []
    mine.end("mine")
    assert not (tmp_path / "epochs" / "mine").exists()
