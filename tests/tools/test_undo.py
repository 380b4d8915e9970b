"""A change is taken back where nobody has changed its files since."""

from pathlib import Path

import pytest

from assent.tools.tool import ToolFailed
from assent.tools.undo import undo
from tools.workbench import Workbench, names


async def test_an_edit_is_taken_back(work: Workbench) -> None:
    file = work.file("a", "one\r\ntwo\r\n")
    made = work.wants("edit_file", path="a", edits=[{"old": "two\n", "new": "2\n"}])
    await work.does(made)
    assert file.read_bytes() == b"one\r\n2\r\n"
    assert await undo(made.call, work.buffers) == "a is as it was."
    assert file.read_bytes() == b"one\r\ntwo\r\n"


async def test_a_file_that_was_made_is_gone_again(work: Workbench) -> None:
    made = work.wants("write_file", path="src/a", content="new")
    await work.does(made)
    assert await undo(made.call, work.buffers) == "src/a is gone again."
    assert names(work.root / "src") == []


async def test_a_file_that_was_changed_since_stays(work: Workbench) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    await work.does(made)
    file.write_text("newer")
    with pytest.raises(ToolFailed, match="a has changed since, so this cannot be undone"):
        await undo(made.call, work.buffers)
    assert file.read_text() == "newer"


async def test_what_is_undone_cannot_be_undone_again(work: Workbench) -> None:
    work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    await work.does(made)
    await undo(made.call, work.buffers)
    with pytest.raises(ToolFailed):
        await undo(made.call, work.buffers)


async def test_nothing_is_undone_through_a_link(work: Workbench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("new")
    work.file("src/a", "old")
    made = work.wants("write_file", path="src/a", content="new")
    await work.does(made)
    (work.root / "src").rename(work.root / "kept")
    (work.root / "src").symlink_to(outside)
    with pytest.raises(ToolFailed):
        await undo(made.call, work.buffers)
    assert (outside / "a").read_text() == "new"


async def test_a_call_that_changed_nothing_cannot_be_undone(work: Workbench) -> None:
    with pytest.raises(ToolFailed, match="changed no file"):
        await undo(work.wants("read_file", path="a").call, work.buffers)
