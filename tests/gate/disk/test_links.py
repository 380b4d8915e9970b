"""The ways through links: what stands on them, and which lead out of a folder."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk import links
from assent.gate.disk.links import hops_of, links_below, protected_links
from assent.gate.disk.places import Places
from tables import each_row

REAL_SCANDIR = os.scandir


def test_each_link_on_the_way_is_told_with_what_follows_it(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(tmp_path / "three")
    found = hops_of(f"{tmp_path}/one/a/b")
    assert found == (f"{tmp_path}/two/a/b", f"{tmp_path}/three/a/b")


def test_what_is_above_a_link_is_above_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "one").symlink_to("deep/er")
    (tmp_path / "deep" / "two").symlink_to("three")
    assert hops_of(f"{tmp_path}/one/../two")[-1] == f"{tmp_path}/deep/three"


def test_a_path_without_a_link_has_none_on_its_way(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert hops_of(f"{tmp_path}/a/../b/./c") == ()


@each_row(
    "path",
    [
        "/proc/self/cwd/x",
        "/proc/thread-self/root",
        "/proc//self/./fd/3",
        "/proc/1/task/1/cwd/x",
        "/dev/fd/../cwd/x",
        "/dev/x/../fd/../cwd/x",
    ],
)
def test_what_leads_each_process_elsewhere_leads_nobody_knows_where(path: str) -> None:
    with pytest.raises(CallUnreadable):
        hops_of(path)


def test_a_link_to_such_a_place_is_no_better(tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to("/proc/self/cwd")
    with pytest.raises(CallUnreadable):
        hops_of(f"{tmp_path}/here/x")


def test_links_that_lead_to_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(CallUnreadable):
        hops_of(f"{tmp_path}/one")


def test_a_recursive_reader_reads_nothing_that_is_not_told(tmp_path: Path) -> None:
    inner, outer = tmp_path / "in", tmp_path / "out"
    for folder in (inner / "deep", outer / "far", tmp_path / "further"):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x\n")
    (inner / "deep" / "own").symlink_to("../deep/file")
    (inner / "deep" / "away").symlink_to("../../out/far")
    (outer / "far" / "on").symlink_to(tmp_path / "further")
    (inner / "one").symlink_to("../out/single")
    (outer / "single").write_text("x\n")
    command = ["grep", "-Rl", "x", str(inner)]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    told = [os.path.realpath(it) for it in links_below(str(inner)) or ()]
    outside = [it for it in map(os.path.realpath, read) if not it.startswith(f"{inner}/")]
    assert len(outside) == len(told)
    assert all(any(it == led or it.startswith(f"{led}/") for led in told) for it in outside)


def test_a_folder_that_is_not_there_has_no_links(tmp_path: Path) -> None:
    assert links_below(f"{tmp_path}/none") == ()


def test_of_too_many_files_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "_MAX_ENTRIES_FOLLOWED", 3)
    for name in "abcd":
        (tmp_path / name).touch()
    assert links_below(str(tmp_path)) is None


def test_links_that_are_protected_or_have_such_below_are_known_by_where_they_lead(
    tmp_path: Path,
) -> None:
    home, root = tmp_path / "home", tmp_path / "home" / "till"
    (root / ".git" / "hooks").mkdir(parents=True)
    (home / ".bashrc").symlink_to("dotfiles/bashrc")
    (home / ".wishes").symlink_to("dotfiles/wishes")
    (home / ".config").symlink_to("dotfiles/config")
    (home / ".claude" / "skills").mkdir(parents=True)
    (home / ".claude" / "settings.json").symlink_to(root / "claude.json")
    (home / ".claude" / "skills" / "mine").symlink_to(root / "mine")
    (root / ".git" / "hooks" / "pre-commit").symlink_to("../../checks/all")
    found = protected_links((str(root),), str(home))
    assert found == {
        f"{home}/dotfiles/bashrc": f"{home}/.bashrc",
        f"{home}/dotfiles/config": f"{home}/.config",
        f"{root}/claude.json": f"{home}/.claude/settings.json",
        f"{root}/mine": f"{home}/.claude/skills/mine",
        f"{root}/checks/all": f"{root}/.git/hooks/pre-commit",
    }


def test_what_a_protected_name_leads_to_is_as_protected(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "home" / "till"
    root.mkdir(parents=True)
    (home / ".config").symlink_to("dotfiles/config")
    (root / ".idea").symlink_to("ide")
    places = Places(roots=(str(root),), home=str(home))
    told = {
        path: places.alias(places.locate(path, str(root)))
        for path in ("ide/x.xml", "src/x", "~/dotfiles/config/fish/x", "~/dotfiles/config/x")
    }
    assert told == {
        "ide/x.xml": "~/till/.idea/x.xml",
        "src/x": None,
        "~/dotfiles/config/fish/x": "~/.config/fish/x",
        "~/dotfiles/config/x": None,
    }


def test_a_folder_can_be_entered_that_is_there_and_in_an_imagined_workspace_any(
    tmp_path: Path,
) -> None:
    there = tmp_path / "till"
    (there / "src").mkdir(parents=True)
    (there / "file").touch()
    places = Places(roots=(str(there),), home=str(tmp_path))
    assert places.enters(str(there / "src"))
    assert not places.enters(str(there / "file"))
    assert not places.enters(str(there / "missing"))
    imagined = Places(roots=(str(tmp_path / "nowhere"),), home=str(tmp_path))
    assert imagined.enters(str(tmp_path / "nowhere" / "src"))
    assert not imagined.enters(str(tmp_path / "elsewhere"))


def test_a_folder_is_listed_for_links_once_until_something_in_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, home = tmp_path / "ws", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / "conf").mkdir()
    (root / "list").write_text("", "utf-8")
    listed: list[str] = []

    def scandir(path: str) -> Any:
        listed.append(path.rstrip("/"))
        return REAL_SCANDIR(path)

    monkeypatch.setattr(os, "scandir", scandir)
    # A folder that has just changed is listed each time.
    for times in (1, 2):
        assert protected_links((str(root),), str(home)) == {}
        assert listed.count(str(root)) == times
    later = time.time_ns() + 60_000_000_000
    with monkeypatch.context() as afterwards:
        afterwards.setattr(time, "time_ns", lambda: later)
        for _ in range(3):
            assert protected_links((str(root),), str(home)) == {}
    assert listed.count(str(root)) == 3
    before = root.stat().st_mtime_ns
    (root / ".claude").symlink_to("conf")
    # The time when its names changed can be set back; that of any change cannot.
    os.utime(root, ns=(before, before))
    found = {str(root / "conf"): str(root / ".claude")}
    assert protected_links((str(root),), str(home)) == found
