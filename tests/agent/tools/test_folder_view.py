"""Folders are looked through without leaving them, and what a rule denies is left out."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.workbench import Workbench
from assent.agent.tools.arguments import ArgumentsWrong
from assent.agent.tools.folder_walk import walk
from assent.agent.tools.gitignore import is_ignored, read_ignoring
from assent.agent.tools.patterns import fits, pattern_of, spelled_out
from assent.agent.tools.tool import ToolFailed
from assent.gate.call.calls import Effect
from steps import steps_of
from tables import each_row


@pytest.mark.requirement("N-07")
async def test_a_folder_is_listed_as_a_tree(work: Workbench, tmp_path: Path) -> None:
    work.file("src/deep/c.py", "x" * 1_500)
    work.file("src/b.py", "x")
    work.file("a.txt")
    work.file("node_modules/x/index.js")
    (work.root / "away").symlink_to(tmp_path)
    assert await work.use("list_files", depth=2) == (
        "node_modules/ (not looked into)\n"
        "src/\n"
        "  deep/\n"
        "  b.py (1 byte)\n"
        "a.txt (0 bytes)\n"
        "away (link)"
    )
    assert await work.use("list_files", path="src/deep") == "c.py (1.5 kB)"
    assert await work.use("list_files", path="node_modules") == "x/"


async def test_a_long_list_is_cut_and_says_so(work: Workbench) -> None:
    for number in range(1_005):
        work.file(f"{number:04}")
    told = (await work.use("list_files")).splitlines()
    assert told[999].startswith("0999 ")
    assert told[1_000].startswith("(the first 1,000 of more")
    for number in range(300):
        work.file(f"wide/{'x' * 150}{number:04}")
    for work.most in (30_000, 8_192, 2_000):
        told = await work.use("list_files", path="wide")
        assert told.splitlines()[-1].startswith("(more than can be shown:")
        assert work.most - 300 < len(told) <= work.most


async def test_what_is_found_has_room_with_all_that_is_said_about_it(work: Workbench) -> None:
    work.denied.add("key")
    for number in range(600):
        work.file(f"{'x' * 50}{number:04}", "needle\n")
        work.file(f"{number}/key")
    for work.most in (30_000, 8_192, 2_000):
        for name, pattern in (("find_files", "*"), ("search_text", "needle")):
            told = await work.use(name, pattern=pattern)
            assert len(told) <= work.most
            assert re.search(r"files (left out, which|that) a rule denies", told)


async def test_a_name_cannot_write_lines_of_its_own(work: Workbench) -> None:
    work.file("a\nb\x1b[31m", "x")
    work.file(os.fsdecode(b"\xff"), "x")
    assert await work.use("list_files") == "a\\nb\\x1b[31m (1 byte)\n\\udcff (1 byte)"


async def test_what_is_no_folder_cannot_be_listed(work: Workbench) -> None:
    work.file("a")
    os.mkfifo(work.root / "pipe")
    assert await work.fails("list_files", path="a") == "a is not a folder."
    assert await work.fails("list_files", path="pipe") == "pipe is not a folder."
    assert await work.fails("list_files", path="none") == "none does not exist."


async def test_an_empty_folder_is_said_to_be_empty(work: Workbench) -> None:
    assert await work.use("list_files") == ". is empty."


async def test_files_are_found_by_their_names_the_newest_first(work: Workbench) -> None:
    for age, path in enumerate(["b.py", "src/a.py", "src/deep/c.py", "src/d.js"]):
        os.utime(work.file(path), (1_000 - age, 1_000 - age))
    assert await work.use("find_files", pattern="*.py") == "b.py\nsrc/a.py\nsrc/deep/c.py"
    assert await work.use("find_files", pattern="src/*.{py,js}") == "src/a.py\nsrc/d.js"
    assert await work.use("find_files", pattern="deep/**", path="src") == "src/deep/c.py"
    assert await work.use("find_files", pattern="*.rs") == "No files."


@each_row(
    ("pattern", "path", "does"),
    [
        ("*.py", "deep/a.py", True),
        ("**/*.py", "a.py", True),
        ("src/**", "src/a/b", True),
        ("src/*", "src/a/b", False),
        ("./src/*", "src/a", True),
        ("a?.[ch]", "ab.c", True),
        ("a?.[ch]", "ab.o", False),
        ("[a-c].x", "z.x", True),
        ("{a,b{1,2}}.x", "b2.x", True),
        ("A.py", "a.py", False),
        ("a[", "a[", True),
        ("{a", "{a", True),
    ],
)
def test_a_pattern_fits_paths(pattern: str, path: str, *, does: bool) -> None:
    assert fits(pattern_of(pattern), path) is does


def test_a_pattern_of_many_alternatives_is_cut_short() -> None:
    assert len(pattern_of("{a,b,c}" * 60)) == 64


@each_row(
    ("text", "alternatives"),
    [
        ("{a,b{1,2}}.x", ["a.x", "b1.x", "b2.x"]),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("{a,[b,c]}", ["a", "b", ",", "c"]),
        ("{a,}b", ["ab", "b"]),
        ("{{a,b}", ["{a", "{b"]),
        ("{a,b}}", ["a}", "b}"]),
        ("a,b[", ["a,b["]),
        ("{}", [""]),
    ],
)
def test_a_pattern_is_spelled_out(text: str, alternatives: list[str]) -> None:
    assert spelled_out(text, 16) == alternatives


@given(
    st.lists(st.sampled_from(["{a,b}", "{", "}", ",", "[ab]", "[", "]", "x"])), st.integers(1, 9)
)
def test_a_pattern_that_is_cut_short_has_the_first_of_its_alternatives(
    parts: list[str], most: int
) -> None:
    text = "".join(parts[:10])
    assert spelled_out(text, most) == spelled_out(text, 100_000)[:most]


@each_row(
    "line",
    [
        *("{a,b}" * 200, "{a}" * 333, "{" * 500 + "a,b" + "}" * 490, "[ab]" * 250, "[" * 1_000),
        *("{a,b}" * 30 + "x" * 800, "{a,b}" * 30 + "x" * 3_000, "{a}" * 2_000, "{" * 60_000),
    ],
)
def test_no_line_of_gitignore_takes_long(tmp_path: Path, line: str) -> None:
    (tmp_path / ".gitignore").write_text(f"kept\n{line}\n{line}")
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        (found,) = read_ignoring(folder, 0)
        assert steps_of(lambda: read_ignoring(folder, 0)) < 100_000
    finally:
        os.close(folder)
    assert len(found.rules) <= 2 * 16 + 1
    assert is_ignored([found], ["kept"], is_folder=False)


def test_only_so_many_rules_are_asked_about_one_path(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("".join(f"{at}\n" for at in range(2_000)))
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        carried = [read_ignoring(folder, 0)[0] for _ in range(60)]
    finally:
        os.close(folder)
    assert is_ignored(carried, ["999"], is_folder=False)
    assert steps_of(lambda: is_ignored(carried, ["none"], is_folder=False)) < 20_000


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "~/*", "a/../../b"])
def test_no_pattern_leads_out_of_the_folder(work: Workbench, pattern: str) -> None:
    with pytest.raises(ArgumentsWrong, match="below the folder"):
        work.wants("find_files", pattern=pattern)
    with pytest.raises(ArgumentsWrong, match="below the folder"):
        work.wants("search_text", pattern="x", glob=pattern)


async def test_what_gitignore_names_is_left_out(work: Workbench) -> None:
    work.file(".gitignore", "# build\n/dist\n*.log\n!keep.log\nout/\n*.py[co]\n")
    work.file("src/.gitignore", "local.*\n")
    for path in ("dist/a", "x.log", "keep.log", "src/out/b", "src/dist/c", "src/local.py", "d.pyc"):
        work.file(path, "needle")
    work.file("local.py", "needle")
    left = {".gitignore", "src/.gitignore", "keep.log", "src/dist/c", "local.py"}
    assert set((await work.use("find_files", pattern="**")).splitlines()) == left
    told = await work.use("search_text", pattern="needle")
    assert {line for line in told.splitlines() if not line.startswith(" ")} == left - {
        ".gitignore",
        "src/.gitignore",
    }
    assert await work.use("find_files", pattern="**", path="dist") == "dist/a"
    assert await work.use("find_files", pattern="*.py", path="src") == "No files."


async def test_a_file_that_a_rule_denies_is_left_out_and_counted(work: Workbench) -> None:
    work.denied |= {"key", "token"}
    for path in ("key", "a/token", "b"):
        work.file(path, "needle\n")
    note = "(2 files left out, which a rule denies)"
    assert await work.use("find_files", pattern="*") == f"b\n{note}"
    assert await work.use("search_text", pattern="needle") == f"b\n  1: needle\n{note}"


async def test_how_many_are_left_out_tells_nothing_of_what_is_in_them(work: Workbench) -> None:
    work.denied.add("key")
    work.file("key", "secret\n")
    right = await work.use("search_text", pattern="secret")
    assert right == await work.use("search_text", pattern="wrong")


async def test_no_link_is_followed_out_of_the_folder(work: Workbench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("needle")
    (work.root / "away").symlink_to(outside)
    (work.root / "b.py").symlink_to(outside / "a.py")
    assert await work.use("find_files", pattern="a.py") == "No files."
    assert await work.use("search_text", pattern="needle") == "No hits."


@pytest.mark.parametrize("name", ["list_files", "find_files", "search_text"])
async def test_a_folder_that_became_a_link_is_not_looked_through(
    work: Workbench, tmp_path: Path, name: str
) -> None:
    (tmp_path / "outside").mkdir()
    work.file("src/a", "needle")
    more = {} if name == "list_files" else {"pattern": "*" if name == "find_files" else "needle"}
    made = work.wants(name, path="src", **more)
    (work.root / "src").rename(work.root / "kept")
    (work.root / "src").symlink_to(tmp_path / "outside")
    with pytest.raises(ToolFailed):
        await work.does(made)


@pytest.mark.parametrize(
    ("name", "action", "given"),
    [
        ("list_files", "list", {}),
        ("find_files", "find", {"pattern": "*.py"}),
        ("search_text", "search", {"pattern": "x"}),
    ],
)
def test_looking_is_judged_as_reading_the_folder(
    work: Workbench, name: str, action: str, given: dict[str, str]
) -> None:
    call = work.wants(name, path="..", **given).call
    assert (call.tool, call.effect, call.action) == ("read", Effect.READ, action)
    assert [(it.resolved, it.inside) for it in call.targets] == [(str(work.root.parent), False)]
    assert call.input == {"path": "..", **given}


async def test_what_is_ignored_above_a_folder_is_ignored_in_it(work: Workbench) -> None:
    work.file(".gitignore", "*.log\n/src/deep/own\n")
    for path in ("src/deep/x.log", "src/deep/own", "src/deep/a"):
        work.file(path)
    assert await work.use("find_files", pattern="**", path="src/deep") == "src/deep/a"


def test_a_folder_that_becomes_a_link_on_the_way_is_not_entered(
    work: Workbench, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "key").write_text("secret")
    work.file("src/a")
    found = []
    for entry in walk(os.open(work.root, os.O_RDONLY)):
        found.append(entry.path)
        if entry.path == "src":
            (work.root / "src").rename(tmp_path / "kept")
            (work.root / "src").symlink_to(outside)
    assert found == ["src"]
