"""What stands in files is found the same way with ripgrep and without."""

import asyncio
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from agent.tools.workbench import Workbench
from assent.agent.tools import folder_view, search_text, text_matches
from assent.agent.tools.arguments import ArgumentsWrong
from assent.agent.tools.text_matches import Hit, ripgrep_for
from assent.agent.tools.tool import Bench
from assent.gate.disk.places import Places


@pytest.fixture(
    params=[
        "python",
        pytest.param(
            "ripgrep",
            marks=pytest.mark.skipif(not shutil.which("rg"), reason="ripgrep is not installed"),
        ),
    ],
    autouse=True,
)
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr(search_text, "ripgrep_for", lambda _: None)
    return str(request.param)


@pytest.mark.requirement("N-07")
async def test_hits_come_with_their_files_and_lines(work: Workbench) -> None:
    work.file("src/a.py", "import os\n\nos.getcwd()\n")
    work.file("b.py", "os.sep\r\n")
    assert await work.use("search_text", pattern=r"os\.\w+") == (
        "b.py\n  1: os.sep\nsrc/a.py\n  3: os.getcwd()"
    )
    assert await work.use("search_text", pattern="^import", path="src") == (
        "src/a.py\n  1: import os"
    )
    assert await work.use("search_text", pattern="os", path="b.py") == "b.py\n  1: os.sep"
    assert await work.use("search_text", pattern=r"sep$") == "b.py\n  1: os.sep"


async def test_a_search_is_narrowed_and_widened(work: Workbench) -> None:
    work.file("a.py", "one\ntwo\nONE.\nfour\nfive\nsix\none+\n")
    work.file("a.js", "one\n")
    assert await work.use("search_text", pattern="one", glob="*.js") == "a.js\n  1: one"
    assert await work.use("search_text", pattern="one+", literal=True) == "a.py\n  7: one+"
    assert await work.use(
        "search_text", pattern="one", ignore_case=True, context=1, path="a.py"
    ) == ("a.py\n  1: one\n  2- two\n  3: ONE.\n  4- four\n  --\n  6- six\n  7: one+\n  8- ")
    assert await work.use("search_text", pattern="one", most=1) == (
        "a.js\n  1: one\n(the first 1 hits; there are more)"
    )


@pytest.mark.parametrize("pattern", ["-rf", "--pre=sh", "-e", "--", "@file", "\\-x"])
async def test_a_pattern_is_never_taken_for_an_option(work: Workbench, pattern: str) -> None:
    work.file("a", "-rf --pre=sh -e -- @file -x\n")
    work.file("--pre=sh", "nothing\n")
    assert "-rf" in await work.use("search_text", pattern=pattern, path="a")


async def test_what_is_no_text_or_too_large_is_left_out(work: Workbench) -> None:
    work.file("image", b"\x89PNG\r\n\x1a\n needle\n")
    work.file("zero", b"needle\n\0")
    work.file("large", "needle\n" * 700_000)
    os.mkfifo(work.root / "pipe")
    assert await work.use("search_text", pattern="needle") == (
        "No hits.\n(1 file left out, larger than 4 MB)"
    )
    assert "larger than 4 MB" in await work.fails("search_text", pattern="needle", path="large")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
async def test_a_text_with_a_mark_of_its_encoding_is_searched_in_it(
    work: Workbench, encoding: str
) -> None:
    work.file("a", "\ufefffür\nfür alle\n".encode(encoding))
    assert await work.use("search_text", pattern="^für") == "a\n  1: für\n  2: für alle"


async def test_a_flood_of_hits_is_cut(work: Workbench) -> None:
    for number in range(40):
        work.file(f"{number:02}", "needle\n" * 2_000)
    told = await work.use("search_text", pattern="e")
    assert told.endswith("(the first 200 hits; there are more)")
    assert told.count("needle") == 200


async def test_a_wide_line_is_cut(work: Workbench) -> None:
    work.file("min.js", "x" * 1_000_000 + "needle\n")
    told = await work.use("search_text", pattern="needle")
    assert told == f"min.js\n  1: {'x' * 300}… (cut)"


async def test_a_pattern_that_is_none_is_told(work: Workbench) -> None:
    work.file("a", "x")
    told = await work.fails("search_text", pattern="((")
    assert told.startswith("The pattern is no regular expression: missing )")
    with pytest.raises(ArgumentsWrong, match="cannot reach over the end of a line"):
        work.wants("search_text", pattern="a\nb")


async def test_what_only_one_of_both_understands_is_found_all_the_same(work: Workbench) -> None:
    work.file("a", "one two\n")
    assert await work.use("search_text", pattern=r"(?<=one )two") == "a\n  1: one two"


async def test_many_files_are_searched_in_portions(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_matches, "_MAX_NAMES_BYTES", 500)
    for number in range(50):
        work.file(f"{number:02}.txt", f"needle {number}\n")
    told = await work.use("search_text", pattern=r"needle \d+")
    assert told.count("needle") == 50


async def test_a_pattern_that_never_comes_to_an_end_is_ended(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_matches, "_SEARCH_TIMEOUT_S", 0.5)
    work.file("a", "a" * 60 + "!\n")
    before = _children()
    told = await work.fails("search_text", pattern=r"(?=a)(a+)+\1$")
    assert "took longer than" in told
    assert _children() <= before


@pytest.mark.parametrize("program", ["python"], indirect=True)
async def test_a_search_that_nobody_waits_for_is_ended(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.file("a", "a" * 60 + "!\n")
    made = work.wants("search_text", pattern=r"(?=a)(a+)+\1$")
    began, start = asyncio.Event(), asyncio.create_subprocess_exec

    async def started(*args: Any, **more: Any) -> asyncio.subprocess.Process:
        process = await start(*args, **more)
        began.set()
        return process

    monkeypatch.setattr("assent.agent.tools.text_matches.asyncio.create_subprocess_exec", started)
    before = _children()
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        task = group.create_task(work.does(made))
        await began.wait()
        assert _children() - before
        task.cancel()
    assert _children() <= before


def test_a_ripgrep_that_lies_in_the_workspace_is_none(
    work: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def place(folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        program = folder / "rg"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return program

    def ripgrep() -> str | None:
        return ripgrep_for(Places(roots=(str(work.root),), home="/home/somebody"))

    own, theirs = place(tmp_path.resolve() / "bin"), place(work.root / "bin")
    monkeypatch.setenv("PATH", str(theirs.parent))
    assert ripgrep() is None
    monkeypatch.chdir(work.root)
    monkeypatch.setenv("PATH", "bin")
    assert ripgrep() is None
    monkeypatch.setenv("PATH", str(own.parent))
    assert ripgrep() == str(own)
    own.unlink()
    own.symlink_to(theirs)
    assert ripgrep() is None


def _children() -> set[psutil.Process]:
    """What tests of this process started and still runs."""
    return set(psutil.Process().children(recursive=True))


async def test_where_nothing_is_denied_only_files_with_hits_are_judged(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        work.file(f"f{number}", "needle\n" if number < 2 else "hay\n")
    work.denies_none = True
    judged: list[str] = []

    async def may_be_read(paths: Sequence[str], bench: Bench) -> list[bool]:
        judged.extend(Path(path).name for path in paths)
        return await folder_view.may_be_read(paths, bench)

    monkeypatch.setattr(search_text, "may_be_read", may_be_read)
    told = await work.use("search_text", pattern="needle")
    assert told == "f0\n  1: needle\nf1\n  1: needle"
    assert sorted(judged) == ["f0", "f1"]


async def test_no_pattern_is_tried_on_a_file_that_is_denied(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.file("a", "hay\n")
    work.file("secret", "needle\n")
    work.denied.add("secret")
    tried: list[str] = []

    async def hits_in(paths: Sequence[str], **more: Any) -> list[Hit]:
        tried.extend(Path(path).name for path in paths)
        return await text_matches.hits_in(paths, **more)

    monkeypatch.setattr(search_text, "hits_in", hits_in)
    told = await work.use("search_text", pattern="needle")
    assert told == "No hits.\n(1 file left out, which a rule denies)"
    assert tried == ["a"]
