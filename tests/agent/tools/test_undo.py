"""A change is taken back where nobody has changed its files since."""

import hashlib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agent.tools.workbench import Workbench, names
from assent.agent.tools.tool import NewFile, ToolFailed
from assent.agent.tools.undo import undo


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


UNDONE = pytest.mark.parametrize("made_by", ["a tool", "a model"])


async def begun(work: Workbench, made_by: str) -> Callable[[], Awaitable[str]]:
    """Undoes what made the file `a`."""
    made = work.wants("write_file", path="a", content="ours")
    await work.does(made)
    new = None
    if made_by == "a model":
        digest = hashlib.sha256(b"ours").hexdigest()
        new = NewFile(path=str(work.root / "a"), shown="a", size=4, digest=digest)
    return lambda: undo(made.call, work.buffers, new)


def before(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], act: Callable[[], None]
) -> None:
    """Another program acts just before the first of these steps is taken."""
    to_do = [act]

    def meanwhile(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any, **named: Any) -> Any:
            while to_do:
                to_do.pop()()
            return real(*given, **named)

        return step

    for name in names:
        monkeypatch.setattr(os, name, meanwhile(getattr(os, name)))


def put_in_place(file: Path, text: str) -> None:
    other = file.with_name("other")
    other.write_text(text)
    other.replace(file)


@UNDONE
async def test_a_file_that_takes_its_place_at_the_last_moment_stays(
    work: Workbench, made_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undoing = await begun(work, made_by)
    file = work.root / "a"
    before(monkeypatch, ("rename", "unlink"), lambda: put_in_place(file, "mine"))
    with pytest.raises(ToolFailed, match="a has changed since, so this cannot be undone"):
        await undoing()
    assert file.read_text() == "mine"
    assert names(work.root) == ["a"]


@UNDONE
async def test_of_two_files_that_take_its_place_neither_is_lost(
    work: Workbench, made_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undoing = await begun(work, made_by)
    file = work.root / "a"
    before(monkeypatch, ("rename", "unlink"), lambda: put_in_place(file, "mine"))
    before(monkeypatch, ("link",), lambda: put_in_place(file, "mine too"))
    with pytest.raises(ToolFailed, match="is kept beside it, in") as failure:
        await undoing()
    assert file.read_text() == "mine too"
    (kept,) = [name for name in names(work.root) if name != "a"]
    assert (work.root / kept).read_text() == "mine"
    assert kept in str(failure.value)


@UNDONE
async def test_a_file_that_cannot_be_removed_gets_its_name_again(
    work: Workbench, made_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undoing = await begun(work, made_by)

    def refuse() -> None:
        raise PermissionError(13, "Permission denied")

    before(monkeypatch, ("unlink",), refuse)
    with pytest.raises(ToolFailed, match="a could not be removed: Permission denied"):
        await undoing()
    assert (work.root / "a").read_text() == "ours"
    assert names(work.root) == ["a"]


@UNDONE
async def test_of_a_file_that_is_gone_nothing_is_left(work: Workbench, made_by: str) -> None:
    undoing = await begun(work, made_by)
    assert await undoing() == "a is gone again."
    assert names(work.root) == []
