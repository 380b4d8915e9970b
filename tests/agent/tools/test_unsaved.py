"""What the person has typed and not saved is what is read, judged and changed, in the editor."""

from pathlib import Path

import pytest
from attrs import evolve

from agent.tools.workbench import Workbench
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.undo import undo
from assent.gate.call.calls import Call
from assent.gate.disk.freshness import changed_since
from assent.gate.text.positions import Change

requirement = pytest.mark.requirement
EDIT = [{"old": "two", "new": "2"}]


def stale(work: Workbench, call: Call) -> str | None:
    """What is no longer as it was judged."""
    return changed_since(call, work.places(), work.buffers)


def now(work: Workbench, path: str = "a") -> str:
    """What stands in the editor."""
    buffer = work.buffers.at(str(work.root / path))
    assert buffer is not None
    return buffer.text


@requirement("M-04")
async def test_what_is_typed_is_what_is_read(work: Workbench) -> None:
    work.file("a", "saved")
    work.types("a", "one\ntwo\n")
    told = await work.use("read_file", path="a")
    assert "     1\tone\n     2\ttwo\n" in told
    assert "saved" not in told.replace("is not saved", "")
    assert told.endswith("(this is what stands in the editor, and is not saved)")


async def test_a_file_that_is_only_in_the_editor_is_read_too(work: Workbench) -> None:
    work.types("new", "typed")
    assert "     1\ttyped" in await work.use("read_file", path="new")


async def test_once_it_is_saved_the_disk_is_read(work: Workbench) -> None:
    work.file("a", "saved")
    work.buffers.close(work.types("a", "typed"))
    assert "saved" in await work.use("read_file", path="a")


@requirement("M-04")
async def test_what_is_typed_is_changed_in_the_editor_and_stays_unsaved(work: Workbench) -> None:
    file = work.file("a", "one two\n")
    work.types("a", "typed\r\ntwo\r\n", version=7)
    made = work.wants("edit_file", path="a", edits=EDIT)
    (edit,) = made.call.edits
    assert (edit.old, edit.new, edit.version) == ("typed\r\ntwo\r\n", "typed\r\n2\r\n", 7)
    done = await work.does(made)
    assert now(work) == "typed\r\n2\r\n"
    assert file.read_text() == "one two\n"
    assert "commands see the file without it until the person saves it" in done.text


async def test_a_whole_file_is_written_in_the_editor_where_it_is_unsaved(work: Workbench) -> None:
    file = work.file("a", "saved")
    work.types("a", "typed")
    await work.use("write_file", path="a", content="all of it")
    assert now(work) == "all of it"
    assert file.read_text() == "saved"


@pytest.mark.parametrize("typed", ["one two", "one two and more"])
def test_a_version_that_is_another_is_a_change(work: Workbench, typed: str) -> None:
    work.types("a", "one two", version=3)
    call = work.wants("edit_file", path="a", edits=EDIT).call
    assert stale(work, call) is None
    work.types("a", typed, version=4)
    assert stale(work, call) == "a has changed since this was shown."


def test_beginning_to_type_and_saving_are_changes(work: Workbench) -> None:
    work.file("a", "one two")
    call = work.wants("edit_file", path="a", edits=EDIT).call
    assert stale(work, call) is None
    uri = work.types("a", "one two")
    assert stale(work, call) == "a has changed since this was shown."
    call = work.wants("edit_file", path="a", edits=EDIT).call
    work.buffers.close(uri)
    assert stale(work, call) == "a has changed since this was shown."


async def test_what_was_typed_after_the_judgement_is_not_overwritten(work: Workbench) -> None:
    work.types("a", "one two", version=3)
    made = work.wants("edit_file", path="a", edits=EDIT)
    work.types("a", "one two three", version=4)
    with pytest.raises(ToolFailed, match="a has changed since this was judged"):
        await work.does(made)
    assert now(work) == "one two three"


async def test_what_is_typed_while_the_editor_is_asked_is_not_overwritten(work: Workbench) -> None:
    work.types("a", "one two", version=3)
    work.meanwhile.append("one two three")
    with pytest.raises(ToolFailed, match="a has changed since this was judged"):
        await work.use("edit_file", path="a", edits=EDIT)
    assert now(work) == "one two three"


async def test_what_was_judged_on_the_disk_is_not_done_beside_what_is_typed(
    work: Workbench,
) -> None:
    file = work.file("a", "one two")
    made = work.wants("edit_file", path="a", edits=EDIT)
    work.types("a", "one two")
    with pytest.raises(ToolFailed, match="a has changed since this was judged"):
        await work.does(made)
    assert file.read_text() == "one two"


async def test_a_change_in_the_editor_is_taken_back_there(work: Workbench) -> None:
    file = work.file("a", "saved")
    work.types("a", "one two")
    made = work.wants("edit_file", path="a", edits=EDIT)
    await work.does(made)
    told = await undo(made.call, work.buffers)
    assert told == "a is as it was, in the editor and not saved."
    assert (now(work), file.read_text()) == ("one two", "saved")


async def test_a_change_that_was_saved_meanwhile_is_taken_back_on_the_disk(work: Workbench) -> None:
    file = work.file("a", "saved")
    uri = work.types("a", "one two")
    made = work.wants("edit_file", path="a", edits=EDIT)
    await work.does(made)
    file.write_text(now(work))
    work.buffers.close(uri)
    assert await undo(made.call, work.buffers) == "a is as it was."
    assert file.read_text() == "one two"


async def test_what_was_typed_on_is_not_taken_back(work: Workbench) -> None:
    work.types("a", "one two")
    made = work.wants("edit_file", path="a", edits=EDIT)
    await work.does(made)
    work.types("a", "one 2 three", version=9)
    with pytest.raises(ToolFailed, match="has changed since"):
        await undo(made.call, work.buffers)


def test_the_version_is_part_of_what_is_answered(work: Workbench) -> None:
    work.types("a", "one two", version=3)
    call = work.wants("edit_file", path="a", edits=EDIT).call
    later = evolve(call, edits=(evolve(call.edits[0], version=4),))
    saved = evolve(call, edits=(evolve(call.edits[0], version=None),))
    assert len({call.digest, later.digest, saved.digest}) == 3


def test_of_files_elsewhere_nothing_is_kept(work: Workbench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("saved")
    (work.root / "link").symlink_to(outside)
    for path in (outside, work.root / "link"):
        work.buffers.open(path.as_uri(), str(path), 1, "typed elsewhere")
    assert work.buffers.at(str(outside)) is None
    assert work.buffers._by_uri == {}


async def test_a_text_is_not_taken_for_another_file_once_a_link_is_turned(work: Workbench) -> None:
    work.file("secret", "saved")
    work.file("plain", "harmless")
    (work.root / "name").symlink_to("secret")
    work.types("name", "typed secret")
    assert "typed secret" in await work.use("read_file", path="secret")
    (work.root / "name").unlink()
    (work.root / "name").symlink_to("plain")
    assert "harmless" in await work.use("read_file", path="name")
    assert "typed" not in await work.use("read_file", path="secret")


async def test_what_may_not_be_read_is_judged_as_reading_when_it_is_typed(work: Workbench) -> None:
    work.denied.add("a")
    work.types("a", "one two")
    made = work.wants("edit_file", path="a", edits=EDIT)
    assert (made.call.tool, made.call.edits) == ("read", ())


async def test_what_could_not_be_followed_is_neither_read_nor_changed(work: Workbench) -> None:
    work.file("a", "one\ntwo\n")
    uri = work.types("a", "one\ntwo\nthree\n")
    work.buffers.lose()
    assert "could not be followed" in await work.fails("read_file", path="a")
    assert "could not be followed" in await work.fails("edit_file", path="a", edits=EDIT)
    work.buffers.close(uri)
    assert "three" not in await work.use("read_file", path="a")


async def test_a_change_within_a_letter_is_one_that_could_not_be_followed(work: Workbench) -> None:
    uri = work.types("a", "x = '\U0001f600'\n")
    work.buffers.change(uri, 3, [Change(start=(0, 6), end=(0, 7), text="")])
    assert "could not be followed" in await work.fails("read_file", path="a")


async def test_a_file_with_two_texts_under_two_names_is_not_read(work: Workbench) -> None:
    work.file("a", "saved\n")
    (work.root / "link").symlink_to("a")
    work.types("a", "one\n")
    other = work.types("link", "two\n")
    assert "two names" in await work.fails("read_file", path="a")
    work.buffers.close(other)
    assert "one" in await work.use("read_file", path="a")


def test_line_breaks_of_a_change_are_those_that_the_editor_makes_of_them(work: Workbench) -> None:
    work.types("a", "one\ntwo\n")
    made = work.wants("edit_file", path="a", edits=[{"old": "two", "new": "# n\rrm x"}])
    assert made.call.edits[0].new == "one\n# n\nrm x\n"
