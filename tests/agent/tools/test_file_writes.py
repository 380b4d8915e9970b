"""What was judged is written, where it was judged, or nothing is."""

import ctypes
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.tools.workbench import Workbench, names
from assent.agent.tools import file_swap
from assent.agent.tools.arguments import ArgumentsWrong
from assent.agent.tools.file_writes import write
from assent.agent.tools.tool import ToolFailed
from assent.gate.call.calls import Edit, Effect

requirement = pytest.mark.requirement


@pytest.mark.requirement("T-15", "N-07")
async def test_a_new_file_is_written_with_the_folders_on_its_way(work: Workbench) -> None:
    told = await work.use("write_file", path="src/deep/till.py", content="one\ntwo\n")
    assert told == "Created src/deep/till.py (2 lines)."
    assert (work.root / "src/deep/till.py").read_text() == "one\ntwo\n"


async def test_a_file_is_written_anew_and_keeps_its_mode(work: Workbench) -> None:
    script = work.file("run.sh", "old")
    script.chmod(0o755)
    assert await work.use("write_file", path="run.sh", content="new") == "Wrote run.sh (1 line)."
    assert script.read_text() == "new"
    assert script.stat().st_mode & 0o7777 == 0o755
    assert names(work.root) == ["run.sh"]


def test_a_write_is_judged_with_all_that_it_changes(work: Workbench) -> None:
    work.file("a", "old")
    call = work.wants("write_file", path="a", content="new").call
    assert (call.tool, call.effect, call.action) == ("write", Effect.WRITE, "write")
    assert call.edits == (Edit(path=str(work.root / "a"), old="old", new="new"),)


async def test_the_old_line_breaks_and_mark_stay(work: Workbench) -> None:
    work.file("dos", "\ufeffone\r\ntwo\r\n")
    made = work.wants("write_file", path="dos", content="one\n2\n")
    assert made.call.edits[0].new == "\ufeffone\r\n2\r\n"
    await work.does(made)
    assert (work.root / "dos").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n"


async def test_line_breaks_that_are_meant_are_written(work: Workbench) -> None:
    work.file("mixed", "one\r\ntwo\n")
    await work.use("write_file", path="mixed", content="1\n2\n")
    assert (work.root / "mixed").read_bytes() == b"1\n2\n"
    work.file("dos", "one\r\n")
    await work.use("write_file", path="dos", content="1\r\n2\n")
    assert (work.root / "dos").read_bytes() == b"1\r\n2\n"


def test_what_cannot_be_shown_is_not_written(work: Workbench) -> None:
    work.file("image", b"\x89PNG\xff")
    (work.root / "folder").mkdir()
    os.mkfifo(work.root / "pipe")
    for name in ("image", "folder", "pipe"):
        with pytest.raises(ArgumentsWrong, match=f"write_file was not called: {name} is"):
            work.wants("write_file", path=name, content="x")


async def test_a_file_that_was_changed_since_is_left_alone(work: Workbench) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    file.write_text("somebody else's")
    with pytest.raises(ToolFailed, match="a has changed since this was judged"):
        await work.does(made)
    assert file.read_text() == "somebody else's"
    assert names(work.root) == ["a"]


async def test_a_file_that_somebody_made_meanwhile_is_left_alone(work: Workbench) -> None:
    made = work.wants("write_file", path="a", content="new")
    work.file("a", "somebody else's")
    with pytest.raises(ToolFailed, match="somebody else has made it meanwhile"):
        await work.does(made)
    assert (work.root / "a").read_text() == "somebody else's"


@pytest.mark.parametrize("name", ["new", "old"])
async def test_a_folder_that_became_a_link_is_not_written_through(
    work: Workbench, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "old").write_text("same")
    work.file("src/old", "same")
    made = work.wants("write_file", path=f"src/{name}", content="new")
    (work.root / "src").rename(work.root / "kept")
    (work.root / "src").symlink_to(outside)
    with pytest.raises(ToolFailed, match="no folder any more"):
        await work.does(made)
    assert names(outside) == ["old"]
    assert (outside / "old").read_text() == "same"


@pytest.mark.parametrize("old", [None, "same"])
async def test_a_file_that_became_a_link_is_not_written_through(
    work: Workbench, tmp_path: Path, old: str | None
) -> None:
    outside = tmp_path / "outside"
    if old is not None:
        outside.write_text(old)
        work.file("a", old)
    made = work.wants("write_file", path="a", content="new")
    (work.root / "a").unlink(missing_ok=True)
    (work.root / "a").symlink_to(outside)
    with pytest.raises(ToolFailed):
        await work.does(made)
    assert not outside.exists() or outside.read_text() == old


async def test_a_missing_folder_that_became_a_link_is_not_written_through(
    work: Workbench, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    made = work.wants("write_file", path="src/deep/new", content="new")
    (work.root / "src").symlink_to(outside)
    with pytest.raises(ToolFailed):
        await work.does(made)
    assert names(outside) == []


async def test_a_file_that_became_a_pipe_is_left_alone_without_waiting(work: Workbench) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ToolFailed, match="has changed"):
        await work.does(made)


async def test_other_names_of_the_same_file_keep_what_they_had(
    work: Workbench, tmp_path: Path
) -> None:
    (tmp_path / "outside").write_text("old")
    os.link(tmp_path / "outside", work.root / "a")
    await work.use("write_file", path="a", content="new")
    assert (tmp_path / "outside").read_text() == "old"
    assert (work.root / "a").read_text() == "new"


async def test_what_cannot_be_written_whole_leaves_nothing_behind(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("assent.agent.tools.file_swap.exchanged", full)
    with pytest.raises(ToolFailed, match="a could not be written: No space left on device"):
        await work.does(made)
    assert names(work.root) == ["a"]
    assert (work.root / "a").read_text() == "old"


async def test_a_file_whose_folder_takes_no_new_files_is_written_in_its_place(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = work.file("a", "a longer old text")
    made = work.wants("write_file", path="a", content="new")
    before, real = file.stat().st_ino, os.open

    def locked(path: str, flags: int, *rest: int, **more: int) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(13, os.strerror(13))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr("assent.agent.tools.file_swap.os.open", locked)
    await work.does(made)
    assert file.read_text() == "new"
    assert file.stat().st_ino == before


def meanwhile(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Have somebody do this when a file was looked at and is not replaced yet."""
    real = os.fchmod

    def last(*of: int) -> None:
        real(*of)
        do()

    monkeypatch.setattr("assent.agent.tools.file_swap.os.fchmod", last)


def other_file(file: Path) -> None:
    beside = file.with_name("theirs")
    beside.write_text("theirs")
    beside.rename(file)


def link(file: Path) -> None:
    file.unlink()
    file.symlink_to("elsewhere")


@requirement("N-07")
@pytest.mark.parametrize("do", [lambda file: file.write_text("theirs"), other_file])
async def test_what_somebody_writes_in_the_last_moment_is_not_written_over(
    work: Workbench, monkeypatch: pytest.MonkeyPatch, do: Callable[[Path], object]
) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    meanwhile(monkeypatch, lambda: do(file))
    with pytest.raises(ToolFailed, match="a has changed since this was judged"):
        await work.does(made)
    assert file.read_text() == "theirs"
    assert names(work.root) == ["a"]


async def test_nor_is_a_link_or_made_anew_what_is_gone(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    with monkeypatch.context() as patched:
        meanwhile(patched, lambda: link(file))
        with pytest.raises(ToolFailed, match="a has changed since this was judged"):
            await work.does(made)
    assert file.readlink() == Path("elsewhere")
    file.unlink()
    work.file("a", "old")
    meanwhile(monkeypatch, file.unlink)
    with pytest.raises(ToolFailed, match="it is no longer there"):
        await work.does(made)
    assert names(work.root) == []


def again(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Have somebody do this when what stood there is about to be put back."""
    real = file_swap._put_back

    def last(*of: Any) -> bool:
        do()
        return real(*of)

    monkeypatch.setattr("assent.agent.tools.file_swap._put_back", last)


def append(file: Path) -> None:
    with file.open("a") as lines:
        lines.write(" and more")


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@requirement("N-07")
@pytest.mark.parametrize("do", [append, other_file, folder])
async def test_what_comes_there_a_second_time_is_kept_beside_it_and_named(
    work: Workbench, monkeypatch: pytest.MonkeyPatch, do: Callable[[Path], object]
) -> None:
    file = work.file("a", "old")
    made = work.wants("write_file", path="a", content="new")
    meanwhile(monkeypatch, lambda: file.write_text("first"))
    again(monkeypatch, lambda: do(file))
    with pytest.raises(ToolFailed, match="What stood there is kept beside it, in") as failed:
        await work.does(made)
    [kept] = [it for it in names(work.root) if it.startswith(".assent-")]
    assert f"in {kept}." in str(failed.value)
    assert file.read_text() == "first"
    second = work.root / kept
    assert second.is_dir() or second.read_text() in {"theirs", "new and more"}


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel of Linux")
async def test_who_watches_a_folder_hears_last_that_the_file_is_there(work: Workbench) -> None:
    work.file("a", "old")
    with watched(work.root) as heard:
        await work.use("write_file", path="a", content="new")
        told = [what for what, name in heard() if name == "a"]
    assert told[-1:] == ["moved to"]


@contextmanager
def watched(folder: Path) -> Iterator[Callable[[], list[tuple[str, str]]]]:
    """What the kernel tells of a folder's names: moved away, moved there, made, removed."""
    kinds = {0x40: "moved from", 0x80: "moved to", 0x100: "made", 0x200: "removed"}
    kernel = ctypes.CDLL(None, use_errno=True)
    reader = kernel.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert kernel.inotify_add_watch(reader, os.fsencode(folder), sum(kinds)) > 0

    def heard() -> list[tuple[str, str]]:
        data, found = os.read(reader, 65_536), []
        while data:
            _, what, _, size = struct.unpack_from("iIII", data)
            found.append((kinds[what & sum(kinds)], data[16 : 16 + size].rstrip(b"\0").decode()))
            data = data[16 + size :]
        return found

    try:
        yield heard
    finally:
        os.close(reader)


async def test_where_the_file_system_exchanges_nothing_a_file_is_replaced_all_the_same(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.agent.tools.file_swap.exchanged", lambda *_: False)
    file = work.file("a", "old")
    await work.use("write_file", path="a", content="new")
    assert file.read_text() == "new"
    assert names(work.root) == ["a"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is locked for root")
async def test_a_file_that_may_only_be_read_stays_as_it_is(work: Workbench) -> None:
    file = work.file("a", "old")
    file.chmod(0o444)
    assert "Permission denied" in await work.fails("write_file", path="a", content="new")
    assert file.read_text() == "old"


def test_a_name_that_is_too_long_is_told(work: Workbench) -> None:
    path = str(work.root / ("x" * 300))
    with pytest.raises(ToolFailed, match="could not be written"):
        write(Edit(path=path, old=None, new=""), "it")
