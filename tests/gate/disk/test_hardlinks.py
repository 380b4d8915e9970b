"""The other names of a file are those that it has, as long as they lie where names are guarded."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.disk import hardlinks
from assent.gate.disk.hardlinks import HardLinks

_WALKED: Final = (
    *"w/a w/b w/docs/a w/docs/deep/er/b w/.git/hooks/a w/.git/objects.txt".split(),
    *"home/.bashrc home/.ssh/id home/.config/git/config notes/deep/er/still/a one.txt".split(),
)
_NOT_WALKED: Final = (
    *"w/node_modules/x/a w/docs/.venv/b w/.git/objects/ab/cd store/a".split(),
    *"home/visible home/.cache/a/b/c/d".split(),
)
_MOST_FILES: Final = 4
_NAMES: Final = st.lists(st.sampled_from((*_WALKED, *_NOT_WALKED)), unique=True, max_size=8)


def make(below: Path, *names: str) -> None:
    """One file of all these names."""
    for name in names:
        (below / name).parent.mkdir(parents=True, exist_ok=True)
        if name is names[0]:
            (below / name).write_text("x\n")
        else:
            os.link(below / names[0], below / name)


def others(links: HardLinks, below: Path, name: str) -> set[str]:
    outside = (str(below / "notes"), str(below / "one.txt"))
    found = links.others(str(below / name), (str(below / "w"),), outside, home=str(below / "home"))
    assert len(set(found)) == len(found)
    return {str(Path(it).relative_to(below)) for it in found}


@given(st.lists(_NAMES, min_size=1, max_size=_MOST_FILES))
def test_of_each_file_the_other_names_are_found_and_no_name_of_another_file(
    sets: list[list[str]],
) -> None:
    below = Path(tempfile.mkdtemp()).resolve()
    try:
        links, taken = HardLinks(), set[str]()
        for names in sets:
            make(below, *(free := [it for it in names if it not in taken]))
            taken.update(free)
            for name in free:
                there = set(free).intersection(_WALKED) - {name}
                assert others(links, below, name) == there, f"{name} of {free}"
    finally:
        shutil.rmtree(below)


def test_a_folder_a_link_and_what_is_not_there_have_no_other_names(tmp_path: Path) -> None:
    make(tmp_path, "w/a", "w/b")
    (tmp_path / "w" / "led").symlink_to("a")
    for name in ("w", "w/led", "w/none", "w/a/b", "w/\0"):
        assert others(HardLinks(), tmp_path, name) == set(), name


def test_the_folders_are_walked_once_as_long_as_nobody_gives_the_file_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every file is as one that has not changed for long.
    monkeypatch.setattr(hardlinks, "_SLACK_NS", -(10**15))
    walks: list[str] = []
    entries_in = hardlinks._entries
    monkeypatch.setattr(hardlinks, "_entries", lambda it: walks.append(it) or entries_in(it))
    make(tmp_path, "w/a", "w/b", "store/a")
    links = HardLinks()
    assert others(links, tmp_path, "w/a") == {"w/b"}
    once = len(walks)
    assert others(links, tmp_path, "w/a") == {"w/b"}
    assert others(links, tmp_path, "w/b") == {"w/a"}
    make(tmp_path, "w/alone")
    assert others(links, tmp_path, "w/alone") == set()
    assert len(walks) == once
    (tmp_path / "w" / "b").rename(tmp_path / "w" / "c")
    assert others(links, tmp_path, "w/a") == {"w/c"}, "what was found is no more, so it is walked"
    monkeypatch.setattr(hardlinks, "_SLACK_NS", 10**15)
    os.link(tmp_path / "w" / "a", tmp_path / "w" / "d")
    assert others(links, tmp_path, "w/a") == {"w/c", "w/d"}, "the file has changed, so it is walked"


def test_of_too_many_files_the_nearest_are_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "w/docs/deep/er/a", "w/a")
    make(tmp_path, "w/docs/deep/er/b", "w/docs/b")
    monkeypatch.setattr(hardlinks, "_MAX_ENTRIES_INSIDE", 2)
    assert others(HardLinks(), tmp_path, "w/docs/deep/er/a") == {"w/a"}
    assert others(HardLinks(), tmp_path, "w/docs/deep/er/b") == set()
