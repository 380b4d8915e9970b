"""A file of more than 4 MiB is changed by the size of the change, and bound to all it holds."""

from pathlib import Path

import pytest
from attrs import evolve

from agent.tools.workbench import Workbench, names
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.undo import undo
from assent.editor.cards.hunks import Room, changes_of
from assent.editor.cards.spans import text_of
from assent.gate.call.calls import Call
from assent.gate.disk.freshness import changed_since

COUNT = 300_000
AT = 200_000


def line(number: int, end: str = "\n") -> str:
    """One line; a few have letters that take several bytes."""
    return f"line {number} {'größer' if number % 1_000 == 0 else 'is plain'}{end}"


def text(end: str = "\n") -> str:
    return "".join(line(number, end) for number in range(1, COUNT + 1))


@pytest.fixture
def large(work: Workbench) -> Path:
    """A file of more than 4 MiB."""
    file = work.file("large.csv", text())
    assert file.stat().st_size > 4 * 1024 * 1024
    return file


def one(old: str, new: str, *, everywhere: bool = False) -> dict[str, object]:
    return {"path": "large.csv", "edits": [{"old": old, "new": new, "all": everywhere}]}


def as_before(call: Call, work: Workbench) -> bool:
    """Whether nobody changed anything since it was judged."""
    return changed_since(call, work.places(), work.buffers) is None


async def test_the_edit_is_of_a_few_lines_and_the_file_of_all_the_others_as_they_were(
    work: Workbench, large: Path
) -> None:
    made = work.wants("edit_file", **one(f"line {AT} größer", "and — this"))
    (edit,) = made.call.edits
    assert made.call.tool == "write"
    assert edit.old == "".join(line(AT + it) for it in range(-3, 4))
    assert edit.new == edit.old.replace(f"line {AT} größer", "and — this")
    assert as_before(made.call, work)
    done = await work.does(made)
    assert done.text == f"Changed large.csv: now line {AT}."
    assert large.read_text("utf-8") == text().replace(f"line {AT} größer", "and — this")
    assert names(work.root) == ["large.csv"]


async def test_the_card_shows_its_lines_with_their_own_numbers(
    work: Workbench, large: Path
) -> None:
    made = work.wants("edit_file", **one(f"line {AT} größer\n", "new\n"))
    room = Room()
    changes = changes_of(made.call.edits[0], room)
    (hunk,) = changes.hunks
    assert (changes.added, changes.removed, room.whole) == (1, 1, True)
    assert (hunk.old_start, hunk.new_start) == (AT - 3, AT - 3)
    shown = [(it.sign, text_of(it.text)) for it in hunk.lines]
    around = [(" ", line(AT + it, "")) for it in range(-3, 4)]
    assert shown == [*around[:3], ("-", line(AT, "")), ("+", "new"), *around[4:]]


@pytest.mark.parametrize("place", [1, 2, 4, 5, COUNT - 3, COUNT - 1, COUNT])
async def test_it_may_be_at_any_place_of_the_file(work: Workbench, large: Path, place: int) -> None:
    old, new = f"line {place} ", f"LINE {place}\nand "
    # The last number of a line may begin another's, so its blank belongs to it.
    made = work.wants(
        "edit_file",
        **one(
            line(place - 1) + old if place > 1 else old, line(place - 1) + new if place > 1 else new
        ),
    )
    room = Room()
    (hunk,) = changes_of(made.call.edits[0], room).hunks
    assert hunk.old_start == max(1, place - 3)
    await work.does(made)
    lines = [line(number) for number in range(1, COUNT + 1)]
    lines[place - 1] = lines[place - 1].replace(old, new)
    assert large.read_text("utf-8") == "".join(lines)


async def test_it_keeps_its_line_breaks_whichever_the_edit_is_written_with(
    work: Workbench, large: Path
) -> None:
    large.write_bytes(text("\r\n").encode())
    old = line(AT) + line(AT + 1)
    done = await work.use("edit_file", **one(old, "one\ntwo\nthree\n"))
    assert done == f"Changed large.csv: now lines {AT}–{AT + 2}."
    whole = text("\r\n").replace(old.replace("\n", "\r\n"), "one\r\ntwo\r\nthree\r\n")
    assert large.read_bytes() == whole.encode()


async def test_a_mark_at_its_beginning_stays(work: Workbench, large: Path) -> None:
    large.write_bytes(b"\xef\xbb\xbf" + text().encode())
    await work.use("edit_file", **one("line 1 is plain\nline 2 is", "first\nline 2 is"))
    assert large.read_bytes().startswith(b"\xef\xbb\xbffirst\nline 2 is plain\n")


async def test_several_edits_are_made_one_after_the_other(work: Workbench, large: Path) -> None:
    edits = [
        {"old": f"line {AT} größer", "new": "this"},
        {"old": "this\n", "new": "that\n"},
        {"old": f"line {AT + 9} is", "new": "is"},
    ]
    made = work.wants("edit_file", path="large.csv", edits=edits)
    assert len(made.call.edits[0].new) < 1_000
    await work.does(made)
    lines = large.read_text("utf-8").split("\n")
    assert (lines[AT - 1], lines[AT + 8]) == ("that", "is plain")
    assert len(lines) == COUNT + 1


async def test_what_lies_too_far_apart_is_refused_with_a_way_out(
    work: Workbench, large: Path
) -> None:
    before = large.read_bytes()
    told = await work.fails("edit_file", **one("größer", "small", everywhere=True))
    assert "lies too far apart to be shown at once" in told
    assert "in several calls" in told
    assert large.read_bytes() == before


async def test_what_does_not_fit_is_said_and_nothing_is_guessed(
    work: Workbench, large: Path
) -> None:
    told = await work.fails("edit_file", **one(f"line  {AT}  größer", "x"))
    assert "does not stand in the file" in told
    assert "has to fit exactly" in told
    told = await work.fails("edit_file", **one("größer\n", "x"))
    assert "stands more than 8 times" in told


@pytest.mark.parametrize("at", [0, -1], ids=["before", "behind"])
async def test_a_change_anywhere_else_in_the_file_makes_it_stale(
    work: Workbench, large: Path, at: int
) -> None:
    made = work.wants("edit_file", **one(f"line {AT} größer", "x"))
    data = bytearray(large.read_bytes())
    data[at] ^= 1
    large.write_bytes(data)
    assert "has changed since" in (changed_since(made.call, work.places(), work.buffers) or "")
    with pytest.raises(ToolFailed):
        await work.does(made)
    assert large.read_bytes() == data


async def test_what_is_typed_in_the_editor_makes_it_stale(work: Workbench, large: Path) -> None:
    made = work.wants("edit_file", **one(f"line {AT} größer", "x"))
    work.types("large.csv", "something else")
    assert not as_before(made.call, work)
    with pytest.raises(ToolFailed, match="has changed since"):
        await work.does(made)


async def test_its_digest_is_of_the_whole_file(work: Workbench, large: Path) -> None:
    call = work.wants("edit_file", **one(f"line {AT} größer", "x")).call
    data = bytearray(large.read_bytes())
    data[0] ^= 1
    large.write_bytes(data)
    other = work.wants("edit_file", **one(f"line {AT} größer", "x")).call
    assert call.edits[0].old == other.edits[0].old
    assert call.digest != other.digest
    (edit,) = call.edits
    assert edit.stretch is not None
    moved = evolve(edit, stretch=evolve(edit.stretch, start=edit.stretch.start + 1))
    assert evolve(call, edits=(moved,)).digest != call.digest


async def test_it_is_taken_back_where_nobody_changed_the_file_since(
    work: Workbench, large: Path
) -> None:
    before = large.read_bytes()
    made = work.wants("edit_file", **one(f"line {AT} größer", "x"))
    with pytest.raises(ToolFailed, match="has changed since, so this cannot be undone"):
        await undo(made.call, work.buffers)
    await work.does(made)
    assert await undo(made.call, work.buffers) == "large.csv is as it was."
    assert large.read_bytes() == before
    await work.does(made)
    with large.open("ab") as file:
        file.write(b"more")
    with pytest.raises(ToolFailed, match="has changed since, so this cannot be undone"):
        await undo(made.call, work.buffers)
    assert large.read_bytes().endswith(b"more")


async def test_one_that_is_not_in_utf_8_is_not_touched(work: Workbench, large: Path) -> None:
    large.write_bytes(text().encode("latin-1"))
    assert "not in UTF-8" in await work.fails("edit_file", **one(f"line {AT + 1} is", "x"))


async def test_one_of_more_than_64_mb_is_not_edited(work: Workbench, large: Path) -> None:
    with large.open("r+b") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    assert "larger than 64 MB" in await work.fails("edit_file", **one(f"line {AT} größer", "x"))


async def test_nothing_of_one_that_may_not_be_read_is_told_by_an_edit(
    work: Workbench, large: Path
) -> None:
    work.denied.add("large.csv")
    made = work.wants("edit_file", **one(f"line {AT} größer", "x"))
    assert (made.call.tool, made.call.edits) == ("read", ())


async def test_it_is_not_written_through_a_link(work: Workbench, tmp_path: Path) -> None:
    file = work.file("src/large.csv", text())
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "large.csv").write_text(text(), "utf-8")
    edits = [{"old": f"line {AT} größer", "new": "x"}]
    made = work.wants("edit_file", path="src/large.csv", edits=edits)
    file.parent.rename(work.root / "kept")
    (work.root / "src").symlink_to(outside)
    with pytest.raises(ToolFailed):
        await work.does(made)
    assert (outside / "large.csv").read_text("utf-8") == text()


async def test_a_large_notebook_is_edited_as_it_stands_and_not_by_its_cells(
    work: Workbench, large: Path
) -> None:
    large.rename(work.root / "a.ipynb")
    edits = [{"old": f"line {AT} größer", "new": "x"}]
    told = await work.fails("edit_file", path="a.ipynb", cell=1, edits=edits)
    assert "its cells cannot be edited by their numbers" in told
    assert "Changed a.ipynb" in await work.use("edit_file", path="a.ipynb", edits=edits)
