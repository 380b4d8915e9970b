"""An index answers the same wherever it is: in a file of its own, or in a team's PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from assent.catalogue.documents import vector_search
from assent.catalogue.documents.document import stamp_at
from assent.catalogue.documents.index import Index
from assent.catalogue.documents.index_file import opened
from assent.catalogue.documents.passages import PassageFound
from assent.catalogue.documents.port import Store
from assent.catalogue.documents.team_server import forget, team_index
from assent.gate.call.errors import AssentError
from catalogue.documents.teamplace import place_of
from models.embedder import vector_of

requirement = pytest.mark.requirement


@pytest.fixture(params=["file", "team"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "file":
        made = Index(opened(tmp_path / "state" / "docs.db")[0])
    else:
        made = team_index(place_of(request.getfixturevalue("team"), str(uuid4())))
    yield made
    made.close()


def written(folder: Path, **files: str) -> dict[str, str]:
    for name, said in files.items():
        (folder / f"{name}.md").write_text(said, "utf-8")
    return {str(it): stamp_at(str(it)) for it in sorted(folder.glob("*.md"))}


def found_in(index: Store, question: str, limit: int = 5) -> list[PassageFound]:
    found, changed = index.find(question, b"", limit)
    assert changed == []
    return found


def vector(text: str) -> bytes:
    return vector_search.normal(vector_of(text, {"automobile": "car", "fix": "repair"}))


def learnt(index: Store, model: str = "played") -> int:
    """How many passages had no vector."""
    lacking = index.lacking(model, 0, 100)
    index.learn((number, vector(text)) for number, text in lacking)
    return len(lacking)


@requirement("N-09")
def test_only_what_changed_is_read_again_and_what_is_gone_is_dropped(
    index: Store, tmp_path: Path
) -> None:
    stamps = written(tmp_path, tea="The kettle whistles.", bread="The oven is hot.")
    assert index.compare(stamps) == [*stamps]
    index.take(stamps)
    assert [Path(it.path).stem for it in found_in(index, "kettle")] == ["tea"]
    (tmp_path / "bread.md").unlink()
    stamps = written(tmp_path, tea="The kettle trumpets.")
    assert index.compare(stamps) == [*stamps]
    index.take(stamps)
    assert [it.text for it in found_in(index, "kettle")] == ["The kettle trumpets."]
    assert found_in(index, "oven") == []
    assert index.counts() == (1, 1, 0)


@requirement("N-09")
def test_a_question_reads_no_file_and_drops_and_names_what_has_changed(
    index: Store, tmp_path: Path
) -> None:
    index.take(written(tmp_path, tea="The kettle whistles.", bread="No kettle in the oven."))
    (tmp_path / "tea.md").write_text("The kettle was denied since.", "utf-8")
    found, changed = index.find("kettle", b"", 5)
    assert [Path(it.path).stem for it in found] == ["bread"]
    assert changed == [str(tmp_path / "tea.md")]
    assert found_in(index, "denied whistles") == []
    assert index.counts() == (1, 1, 0)


@requirement("N-09")
def test_no_link_is_opened_and_what_is_no_text_has_no_passages(
    index: Store, tmp_path: Path
) -> None:
    (tmp_path / "far.txt").write_text("kettle")
    (tmp_path / "led.md").symlink_to(tmp_path / "far.txt")
    (tmp_path / "binary.md").write_bytes(b"kettle\0\1\2" * 10)
    index.take(str(tmp_path / it) for it in ("led.md", "binary.md", "none.md"))
    assert found_in(index, "kettle") == []


def test_words_that_stand_everywhere_leave_a_question_but_where_it_has_no_others(
    index: Store, tmp_path: Path
) -> None:
    index.take(written(tmp_path, **{f"n{it}": f"common rare{it}" for it in range(120)}))
    found = found_in(index, "common rare7", 50)
    assert [Path(it.path).stem for it in found] == ["n7"]
    assert len(found_in(index, "Commons", 50)) == 50
    assert found_in(index, '" OR NEAR( *') == []


def test_the_words_that_leave_a_question_are_told_by_their_stems(
    index: Store, tmp_path: Path
) -> None:
    index.take(written(tmp_path, **{f"n{it}": f"database running rare{it}" for it in range(120)}))
    for question in ("Databases runs rare7", "DATABASE ran running rare7"):
        assert [Path(it.path).stem for it in found_in(index, question, 50)] == ["n7"]


@requirement("N-09")
def test_what_means_the_same_is_found_and_nothing_is_made_twice(
    index: Store, tmp_path: Path
) -> None:
    index.take(written(tmp_path, a="Repair a car.", b="Bake a cake.", c="Sing a song."))
    assert learnt(index) == 3
    assert learnt(index) == 0
    assert index.counts() == (3, 3, 3)
    found, _ = index.find("fix automobile", vector("fix automobile"), 2)
    assert Path(found[0].path).stem == "a"
    # Of another model's vectors none can be compared with these.
    assert learnt(index, "another") == 3
    other = vector_search.normal(vector_of("fix automobile", size=32))
    assert len(index.find("cake", other, 3)[0]) >= 1


@requirement("N-09")
def test_a_seldom_word_counts_more_than_one_that_many_say(index: Store, tmp_path: Path) -> None:
    files = {f"n{it}": f"A kettle and a pot. Number {it}." for it in range(20)}
    index.take(written(tmp_path, rare="A zeppelin passes.", **files))
    assert Path(found_in(index, "kettle pot zeppelin")[0].path).stem == "rare"


@requirement("N-09")
def test_what_one_machine_has_made_of_a_text_another_needs_not_make_again(
    team: str, tmp_path: Path
) -> None:
    paths = written(tmp_path, a=f"Repair a car. {tmp_path.name} {uuid4()}")
    one, two = (team_index(place_of(team, str(uuid4()))) for _ in range(2))
    for it in (one, two):
        it.take(paths)
    assert (learnt(one), learnt(two)) == (1, 0)
    # What the other machine drops stays for this one.
    two.drop(paths)
    assert two.compare({}) == []
    assert (one.counts(), two.counts()) == ((1, 1, 1), (0, 0, 0))
    one.drop(paths)
    one.compare({})
    two.take(paths)
    assert learnt(two) == 1
    for it in (one, two):
        it.close()


@requirement("N-09")
def test_in_a_teams_database_only_the_indexes_of_this_machine_are_forgotten(
    team: str, tmp_path: Path
) -> None:
    paths = written(tmp_path, a="A kettle.")
    mine, others = str(uuid4()), str(uuid4())
    named = ((mine, "docs"), (mine, "old"), (others, "old"))
    for it in named:
        with closing(team_index(place_of(team, *it))) as index:
            index.take(paths)
    forget(place_of(team, mine, ""), ["docs"])
    left = []
    for it in named:
        with closing(team_index(place_of(team, *it))) as index:
            left.append(index.counts()[0])
    assert left == [1, 0, 1]


@requirement("N-09")
def test_a_database_that_is_not_there_or_refuses_is_told_of_in_a_sentence(
    team: str, tmp_path: Path
) -> None:
    for wrong in ({"host": str(tmp_path)}, {"name": "nowhere"}, {"user": "nobody-here"}):
        with pytest.raises(AssentError, match="could not be reached"):
            team_index({**place_of(team, "me"), **wrong})
