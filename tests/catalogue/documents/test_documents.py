"""Texts are cut into passages by their headings, kept in an index, and found by what they say."""

import os
import random
import sqlite3
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from assent.agent.tools.collections import _list_passages
from assent.agent.tools.tool import Bench
from assent.catalogue.documents import index_file, vector_search
from assent.catalogue.documents.document import read, stamp_at
from assent.catalogue.documents.index import Index
from assent.catalogue.documents.index_file import opened
from assent.catalogue.documents.passages import PassageFound, passages_in
from assent.catalogue.documents.stored_indexes import StoredIndexes
from assent.catalogue.documents.worker import Worker
from models.embedder import vector_of

requirement = pytest.mark.requirement


def written(folder: Path, **files: str) -> dict[str, str]:
    for name, said in files.items():
        (folder / f"{name}.md").write_text(said, "utf-8")
    return {str(it): stamp_at(str(it)) for it in sorted(folder.glob("*.md"))}


def index_in(folder: Path) -> Index:
    return Index(opened(folder / "state" / "docs.db")[0])


def found_in(index: Index, question: str, limit: int = 5) -> list[PassageFound]:
    found, changed = index.find(question, b"", limit)
    assert changed == []
    return found


def test_a_passage_has_its_headings_and_its_lines_and_code_has_none() -> None:
    found = passages_in("One.\n\n# A\n\n```\n# no heading\n```\n\nB\n---\n\nTwo.")
    assert [(it.first, it.last, it.heading) for it in found] == [
        (1, 1, ""),
        (3, 7, "A"),
        (9, 12, "A › B"),
    ]
    assert [it.heading for it in passages_in("# a comment\nx = 1", headed=False)] == [""]


def test_a_long_text_is_cut_into_passages_that_begin_with_the_last_sentence_before() -> None:
    lines = [f"Word{number} stands here and there. It ends {number}." for number in range(100)]
    found = passages_in("\n\n".join(lines))
    assert all(100 < len(it.text.split()) <= 300 for it in found[:-1])
    assert found[1].text.startswith("It ends ")
    assert [it.first for it in found[1:]] > [it.last for it in found[:-1]]
    (whole,) = passages_in("word " * 250)
    assert (whole.first, whole.last) == (1, 1)
    assert len(passages_in("word " * 1_000)) == 4


@requirement("N-09")
def test_a_passage_that_is_too_long_leaves_its_room_to_those_behind_it() -> None:
    bench = cast("Bench", SimpleNamespace(most=1_000))
    done = _list_passages("kettle", ["long " * 1_000, "The kettle whistles."], [], bench)
    assert done.shown == "1 passage"
    assert "The kettle whistles." in done.text


@requirement("N-09")
def test_of_a_line_of_any_length_every_piece_is_found_and_no_passage_is_too_long() -> None:
    long = " ".join(f"{'x' * 300}{number}" for number in range(100))
    texts = [long, "y" * 50_000 + " end", f"{'z' * 7_000}.\n{'z' * 7_900}.\n\nend", "w " * 4_001]
    for text in texts:
        found = passages_in(text)
        assert max(len(it.text) for it in found) <= 8_000
        said = "".join(it.text for it in found)
        assert all(word[:8_000] in said for word in text.split())
    assert sum(it.text.count("y") for it in passages_in(texts[1])) == 50_000


@requirement("N-09")
def test_a_file_that_cannot_be_read_is_gone_and_fails_nothing(tmp_path: Path) -> None:
    open_before = len([*Path("/dev/fd").iterdir()])
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    for _ in range(20):
        assert read(str(tmp_path / "folder.md")) is None
        assert read(str(tmp_path / "pipe.md")) is None
    # Opened, and then refused by the disk itself.
    if Path("/proc/self/mem").exists():
        assert read(f"/proc/{os.getpid()}/mem") is None
    assert len([*Path("/dev/fd").iterdir()]) == open_before


@requirement("N-09")
def test_a_file_that_is_no_index_of_ours_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "state" / "docs.db"
    index_in(tmp_path).close()
    with sqlite3.connect(path) as database:
        database.execute("create trigger t after insert on files begin delete from told; end")
    database.close()
    database, is_anew = opened(path)
    assert is_anew
    assert "trigger" not in {kind for (kind,) in database.execute("select type from sqlite_master")}


@requirement("N-09")
def test_an_index_is_thrown_away_where_it_is_broken_and_not_where_the_disk_is_full(
    tmp_path: Path,
) -> None:
    file = tmp_path / "state" / "docs.db"
    worker = Worker()

    def asked(do: str, **more: Any) -> dict[str, Any]:
        return worker.answer({"id": 1, "do": do, "file": str(file), **more})

    paths = [*written(tmp_path, tea="The kettle whistles.")]
    assert asked("take", paths=paths)["is"] == {"broken": False}
    index, _ = worker._open[str(file)]
    index._database.execute("pragma max_page_count = 1")
    more = [*written(tmp_path, **{f"n{it}": "kettle " * 9_000 for it in range(9)})]
    assert "full" in asked("take", paths=more)["failed"]
    assert asked("counts")["is"] == {"files": 1, "passages": 1, "vectors": 0, "broken": False}
    worker.let_go(str(file))
    file.write_bytes(b"no database" * 1_000)
    assert asked("counts")["is"]["broken"]


@requirement("N-09")
def test_what_was_dropped_is_in_no_page_of_the_file_and_its_shape_is_made_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state" / "docs.db"
    with monkeypatch.context() as broken:
        broken.setattr(index_file, "_SCHEMA", (*index_file._SCHEMA[:3], "no statement"))
        with pytest.raises(sqlite3.OperationalError):
            opened(file)
    assert file.stat().st_size == 0
    index = index_in(tmp_path)
    paths = written(tmp_path, tea="Zeppelins whistle. " * 400)
    index.take(paths)
    index.drop(paths)
    index.close()
    assert b"Zeppelins whistle" not in file.read_bytes()


@requirement("N-09")
def test_no_word_of_what_was_denied_or_is_gone_stays_in_the_full_text_index(
    tmp_path: Path,
) -> None:
    index = index_in(tmp_path)
    files = {f"n{it}": f"The kettle number {it} whistles." for it in range(50)}
    stamps = written(tmp_path, plan="Zeppelins are xylophonic.", **files)
    index.take(stamps)
    del stamps[str(tmp_path / "plan.md")]
    index.compare(stamps)
    kept = [it.read_bytes() for it in (tmp_path / "state").iterdir()]
    assert not any(word in it for it in kept for word in (b"zeppelin", b"xylophon"))
    assert len(found_in(index, "kettle", 60)) == 50


@requirement("N-09")
def test_two_windows_keep_the_indexes_of_each_other_and_a_window_that_ended_keeps_none(
    tmp_path: Path,
) -> None:
    open_now = {"one", "two"}
    one, two = (StoredIndexes(tmp_path, it, open_now.__contains__) for it in ("one", "two"))
    for name in ("docs-1", "notes-1", "old-1"):
        (tmp_path / f"{name}.db").write_text(name)
    one.keep(["docs-1"])
    assert sorted(it.stem for it in tmp_path.glob("*.db")) == ["docs-1"]
    (tmp_path / "notes-1.db").write_text("notes-1")
    two.keep(["notes-1", "docs-2"])
    one.keep(["docs-1"])
    assert sorted(it.stem for it in tmp_path.glob("*.db")) == ["docs-1", "notes-1"]
    open_now.remove("one")
    two.keep(["notes-1", "docs-2"])
    assert {it.stem: it.read_text() for it in tmp_path.glob("*.db")} == {
        "docs-2": "docs-1",
        "notes-1": "notes-1",
    }
    two.leave()
    assert sorted(it.name for it in tmp_path.iterdir()) == ["docs-2.db", "notes-1.db"]


@requirement("N-09")
def test_the_nearest_by_sign_and_angle_are_those_that_mean_the_same() -> None:
    texts = [f"number {it} of many things" for it in range(300)]
    vectors = [vector_search.normal(vector_of(it)) for it in texts]
    asked = vector_search.normal(vector_of("things number 123"))
    near = vector_search.nearest(
        vector_search.signature(asked), [*map(vector_search.signature, vectors)]
    )
    assert len(near) == 100
    assert vector_search.rescored(asked, [(it, vectors[it]) for it in near])[0] == 123
    with pytest.raises(ValueError, match="without a direction"):
        vector_search.normal([0.0, 0.0])


@requirement("N-09")
def test_a_question_by_meaning_finds_its_passage_among_many_that_mean_something_else() -> None:
    chance = random.Random(3)  # noqa: S311 -- the same each time
    vectors = [vector_search.normal(chance.gauss(0, 1) for _ in range(256)) for _ in range(3_000)]
    outlines = [*map(vector_search.signature, vectors)]
    found = 0
    for wanted in range(0, 3_000, 100):
        near = array("f", vectors[wanted])
        asked = vector_search.normal(it + chance.gauss(0, 0.24) for it in near)
        found += wanted in vector_search.nearest(vector_search.signature(asked), outlines)
    # By signs alone it were 24 of the 30.
    assert found >= 29
