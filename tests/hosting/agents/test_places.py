"""Where paths lead."""

from pathlib import Path

import pytest

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from tables import each_row


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    return Places(roots=(str(tmp_path / "root"),), home=str(tmp_path / "home"))


def root_of(places: Places) -> Path:
    return Path(places.roots[0])


@each_row(
    ("spelled", "shown", "inside"),
    [
        ("sub/a.py", "sub/a.py", True),
        ("./sub/../a.py", "a.py", True),
        (".", ".", True),
        ("not/there/yet", "not/there/yet", True),
        ("not/there/../../a", "a", True),
        ("~/a", "~/a", False),
        ("~", "~", False),
        ("/etc/hostname", "/etc/hostname", False),
        ("A.PY", "A.PY", True),
    ],
)
def test_a_path_is_shown_as_one_would_write_it(
    places: Places, spelled: str, shown: str, inside: bool
) -> None:
    target = places.locate(spelled, places.roots[0])
    assert (target.spelled, target.shown, target.inside) == (spelled, shown, inside)


def test_dots_lead_out_of_the_workspace(places: Places) -> None:
    target = places.locate("../root-not/a", places.roots[0])
    assert not target.inside


def test_a_neighbour_with_the_same_beginning_is_outside(places: Places) -> None:
    assert not places.locate(places.roots[0] + "er/a", "/").inside


def test_a_link_leads_where_it_leads(places: Places, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (root_of(places) / "link").symlink_to(tmp_path / "away")
    target = places.locate("link/new/file", places.roots[0])
    assert target.resolved == str(tmp_path / "away" / "new" / "file")
    assert not target.inside


def test_a_link_to_what_is_not_there_leads_there_all_the_same(
    places: Places, tmp_path: Path
) -> None:
    (root_of(places) / "dangling").symlink_to(tmp_path / "nowhere")
    assert places.locate("dangling", places.roots[0]).resolved == str(tmp_path / "nowhere")


def test_dots_behind_a_link_start_from_where_it_leads(places: Places, tmp_path: Path) -> None:
    (tmp_path / "away" / "deep").mkdir(parents=True)
    (root_of(places) / "link").symlink_to(tmp_path / "away" / "deep")
    target = places.locate("link/../x", places.roots[0])
    assert target.resolved == str(tmp_path / "away" / "x")


def test_a_workspace_reached_by_a_link_is_the_workspace(places: Places, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(places.roots[0])
    aliased = Places(roots=(str(tmp_path / "alias"),), home=places.home)
    assert aliased.locate("a", str(tmp_path / "alias")).shown == "a"
    assert aliased.locate(places.roots[0] + "/a", "/").inside


def test_a_file_address_is_its_path(places: Places) -> None:
    assert places.locate("file:///etc/host%6eame", places.roots[0]).resolved == "/etc/hostname"


def test_with_several_roots_a_path_says_in_which(places: Places, tmp_path: Path) -> None:
    two = Places(roots=(places.roots[0], str(tmp_path / "other")), home=places.home)
    assert two.locate("sub/a", places.roots[0]).shown == "root/sub/a"


@each_row(
    "spelled",
    [
        "",
        "a\0b",
        "file:///a%00b",
        "https://example.com/a",
        "file://elsewhere/a",
        "a" * 5_000,
        "\ud800",
    ],
)
def test_what_leads_nowhere_is_unreadable(places: Places, spelled: str) -> None:
    with pytest.raises(CallUnreadable, match=r"\.$"):
        places.locate(spelled, places.roots[0])


@pytest.mark.parametrize("spelled", ["loop", "loop/a"])
def test_a_loop_of_links_is_unreadable(places: Places, spelled: str) -> None:
    (root_of(places) / "loop").symlink_to(root_of(places) / "pool")
    (root_of(places) / "pool").symlink_to(root_of(places) / "loop")
    with pytest.raises(CallUnreadable, match="symbolic links"):
        places.locate(spelled, places.roots[0])
