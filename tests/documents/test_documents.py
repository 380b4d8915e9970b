"""Texts are cut into passages by their headings, kept in an index, and found by what they say."""

import sqlite3
from pathlib import Path

import pytest

from assent.documents import meaning
from assent.documents.document import stamp_at
from assent.documents.index import Index
from assent.documents.indexfile import opened
from assent.documents.passages import passages_in
from models.embedder import vector_of

requirement = pytest.mark.requirement


def written(folder: Path, **files: str) -> dict[str, str]:
    for name, said in files.items():
        (folder / f"{name}.md").write_text(said, "utf-8")
    return {str(it): stamp_at(str(it)) for it in sorted(folder.glob("*.md"))}


def index_in(folder: Path) -> Index:
    return Index(opened(folder / "state" / "docs.db")[0])


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
def test_only_what_changed_is_read_again_and_what_is_gone_is_dropped(tmp_path: Path) -> None:
    index = index_in(tmp_path)
    stamps = written(tmp_path, tea="The kettle whistles.", bread="The oven is hot.")
    assert index.compare(stamps) == [*stamps]
    index.take(stamps)
    assert [Path(it.path).stem for it in index.find("kettle", b"", 5)] == ["tea"]
    stamps = written(tmp_path, tea="The kettle trumpets.")
    # The hit is held against its file first, whatever anybody has looked at since.
    assert [it.text for it in index.find("kettle", b"", 5)] == ["The kettle trumpets."]
    (tmp_path / "bread.md").unlink()
    index.compare(written(tmp_path))
    assert index.find("oven", b"", 5) == []
    assert index.counts() == (1, 1, 0)


@requirement("N-09")
def test_no_link_is_opened_and_what_is_no_text_has_no_passages(tmp_path: Path) -> None:
    (tmp_path / "far.txt").write_text("kettle")
    (tmp_path / "led.md").symlink_to(tmp_path / "far.txt")
    (tmp_path / "binary.md").write_bytes(b"kettle\0\1\2" * 10)
    index = index_in(tmp_path)
    index.take(str(tmp_path / it) for it in ("led.md", "binary.md", "none.md"))
    assert index.find("kettle", b"", 5) == []


def test_words_that_stand_everywhere_leave_a_question_but_where_it_has_no_others(
    tmp_path: Path,
) -> None:
    index = index_in(tmp_path)
    index.take(written(tmp_path, **{f"n{it}": f"common rare{it}" for it in range(120)}))
    found = index.find("common rare7", b"", 50)
    assert [Path(it.path).stem for it in found] == ["n7"]
    assert len(index.find("Commons", b"", 50)) == 50
    assert index.find('" OR NEAR( *', b"", 5) == []


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
def test_the_nearest_by_sign_and_angle_are_those_that_mean_the_same() -> None:
    texts = [f"number {it} of many things" for it in range(300)]
    vectors = [meaning.normal(vector_of(it)) for it in texts]
    asked = meaning.normal(vector_of("things number 123"))
    near = meaning.nearest(meaning.signature(asked), [*map(meaning.signature, vectors)])
    assert len(near) == 100
    assert meaning.rescored(asked, [(it, vectors[it]) for it in near])[0] == 123
    with pytest.raises(ValueError, match="without a direction"):
        meaning.normal([0.0, 0.0])
