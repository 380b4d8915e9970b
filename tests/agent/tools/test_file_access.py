"""Files are read in stretches, with the numbers of their lines, and only what is text."""

import os
from pathlib import Path

import pytest

from agent.tools.workbench import Workbench
from assent.gate.call.calls import Effect


@pytest.mark.requirement("T-15", "N-07")
async def test_a_file_is_read_with_the_numbers_of_its_lines(work: Workbench) -> None:
    work.file("src/till.py", "one\ntwo\n\nfour")
    told = await work.use("read_file", path="src/till.py")
    assert told == "     1\tone\n     2\ttwo\n     3\t\n     4\tfour\n(lines 1–4 of 4; the end)"


def test_reading_is_judged_as_reading_that_file(work: Workbench) -> None:
    call = work.wants("read_file", path="./src/../till.py", limit=3).call
    assert (call.tool, call.effect) == ("read", Effect.READ)
    assert [target.resolved for target in call.targets] == [str(work.root / "till.py")]
    assert call.input == {"path": "./src/../till.py", "limit": 3}


async def test_a_stretch_says_how_to_go_on(work: Workbench) -> None:
    work.file("long", "".join(f"line {number}\n" for number in range(1, 5_321)))
    told = await work.use("read_file", path="long", limit=2)
    assert told.endswith("2\tline 2\n(lines 1–2 of 5,320; go on with offset 3)")
    told = await work.use("read_file", path="long", offset=5_320)
    assert told == "  5320\tline 5320\n(lines 5,320–5,320 of 5,320; the end)"
    assert "has no line 5,321: it has 5,320." in await work.fails(
        "read_file", path="long", offset=5_321
    )


@pytest.mark.parametrize("room", [30_000, 16_384, 8_192, 2_000])
async def test_each_line_is_reached_by_going_on_and_each_page_is_passed_on_whole(
    work: Workbench, room: int
) -> None:
    lines = [f"{number} " + "x" * (number % 700) for number in range(1, 1_001)]
    work.file("long", "\n".join(lines))
    work.most = room
    seen: list[str] = []
    while len(seen) < len(lines):
        told = await work.use("read_file", path="long", offset=len(seen) + 1)
        assert len(told) <= room
        seen += [line.partition("\t")[2] for line in told.splitlines()[:-1]]
        assert told.endswith(
            f"go on with offset {len(seen) + 1})" if len(seen) < len(lines) else "the end)"
        )
    assert seen == lines


async def test_a_page_of_long_lines_has_room_as_well(work: Workbench) -> None:
    work.file("wide", ("x" * 5_000 + "\n") * 30)
    for work.most in (30_000, 8_192, 2_000):
        told = await work.use("read_file", path="wide")
        assert told.startswith("     1\txxx")
        assert len(told) <= work.most


async def test_a_long_line_is_cut_and_says_so(work: Workbench) -> None:
    work.file("wide", "x" * 300_000 + "\nnext\n")
    told = await work.use("read_file", path="wide")
    assert "x… (cut; the line has 300,001 bytes)\n     2\tnext\n" in told
    assert len(told) < 3_000


async def test_what_is_not_quite_text_is_shown_as_well_as_it_can_be(work: Workbench) -> None:
    work.file("odd", b"\xef\xbb\xbfone\r\ncaf\xe9\n")
    assert await work.use("read_file", path="odd") == (
        "     1\tone\n     2\tcaf\ufffd\n(lines 1–2 of 2; the end;"
        " the file is not in UTF-8, so what is \ufffd here could not be read)"
    )


async def test_an_empty_file_is_said_to_be_empty(work: Workbench) -> None:
    work.file("none")
    assert await work.use("read_file", path="none") == "none is empty."


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "a PNG image"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a WebP image"),
        (b"PK\x03\x04", "a ZIP archive, or a document in one"),
        (b"\x7fELF\0", "a program"),
        (b"o\0n\0e\0", "a binary file"),
        (b"\xff\xfeo\0o", "text in UTF-16"),
        (b"MZ\0\0", "a Windows program"),
        (b"\0\0\0\x20ftypisom", "an MP4 video"),
    ],
)
async def test_what_is_no_text_is_named_and_not_shown(
    work: Workbench, head: bytes, kind: str
) -> None:
    work.file("it", head + b"x" * 2_000)
    told = await work.fails("read_file", path="it")
    assert told == f"it is {kind} (2.0 kB), which cannot be shown as text."


async def test_a_text_that_begins_like_something_else_is_text(work: Workbench) -> None:
    work.file("it", "MZ is a beginning\n")
    assert "MZ is a beginning" in await work.use("read_file", path="it")


async def test_what_is_no_ordinary_file_is_refused_without_waiting(work: Workbench) -> None:
    os.mkfifo(work.root / "pipe")
    (work.root / "folder").mkdir()
    assert await work.fails("read_file", path="pipe") == "pipe is not an ordinary file."
    assert "list_files shows" in await work.fails("read_file", path="folder")
    assert await work.fails("read_file", path="none") == "none does not exist."
    assert "not an ordinary file" in await work.fails("read_file", path="/dev/null")


async def test_a_folder_that_was_replaced_by_a_link_is_not_read_through(
    work: Workbench, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "key").write_text("secret")
    work.file("src/key", "mine")
    made = work.wants("read_file", path="src/key")
    (work.root / "src").rename(work.root / "kept")
    (work.root / "src").symlink_to(tmp_path / "outside")
    with pytest.raises(Exception, match="src/key cannot be opened"):
        await work.does(made)
