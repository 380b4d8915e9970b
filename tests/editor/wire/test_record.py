"""A journal or a state folder that fails: the server starts, refuses, says why, and recovers."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

pytestmark = pytest.mark.requirement("T-01")


def _agreeing() -> Editor:
    return Editor(choose=lambda asked: asked.actions[0])


def _banners(scene: Scene) -> list[str]:
    told = [it.event for it in scene.client.told("agent/event") if it.event.kind == "workspace"]
    return list(told[-1].banners) if told else []


async def _told(scene: Scene, words: str) -> str:
    """The banner with these words, once it is there."""
    await scene.client.until(lambda: any(words in it for it in _banners(scene)), within=20)
    return next(it for it in _banners(scene) if words in it)


async def _untold(scene: Scene) -> None:
    await scene.client.until(lambda: _banners(scene) == [], within=20)


async def _refused(scene: Scene) -> str:
    """Let the agent try something that needs no card; why it was refused."""
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    record = scene.record(chat)
    assert record is not None
    assert record.state == "refused", record
    return str(record.because)


async def _runs(scene: Scene) -> None:
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    record = scene.record(chat)
    assert record is not None
    assert record.state == "succeeded", record


@contextmanager
def _a_file_in_its_place(state: Path) -> Iterator[None]:
    state.rmdir()
    state.write_text("not a folder")
    yield
    state.unlink()


@contextmanager
def _a_file_in_place_of_its_parent(state: Path) -> Iterator[None]:
    state.rmdir()
    state.symlink_to(state.with_name("README") / "deeper")
    state.with_name("README").write_text("a file")
    yield
    state.unlink()


@contextmanager
def _a_link_to_nowhere(state: Path) -> Iterator[None]:
    state.rmdir()
    state.symlink_to("/proc/nowhere/at/all")
    yield
    state.unlink()


@contextmanager
def _missing(state: Path) -> Iterator[None]:
    state.rmdir()
    state.symlink_to("/dev/null/x")
    yield
    state.unlink()


@contextmanager
def _read_only(state: Path) -> Iterator[None]:
    """A real read-only file system: root is held up by no mode."""
    words = ["mount", "-t", "tmpfs", "-o", "ro", "none", str(state)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(state)], check=True)


@contextmanager
def _no_space(state: Path) -> Iterator[None]:
    words = ["mount", "-t", "tmpfs", "-o", "size=8k", "none", str(state)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    (state / "full").write_bytes(b"x" * 4096)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(state)], check=True)


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize(
    "fault",
    [
        _a_file_in_its_place,
        _a_file_in_place_of_its_parent,
        _a_link_to_nowhere,
        _missing,
        _read_only,
        _no_space,
    ],
)
@pytest.mark.parametrize("secrets", [True, False], ids=["secrets", "a key file"])
async def test_a_state_folder_that_fails_is_told_of_and_used_once_it_is_mended(
    stage: Stage,
    state_dir: Path,
    fault: Callable[[Path], Any],
    *,
    secrets: bool,
) -> None:
    editor = Editor(refuses=frozenset() if secrets else frozenset({"secret/get", "secret/set"}))
    with fault(state_dir):
        scene = await stage(editor)
        # Whether there is room shows only by trying.
        because = "" if fault is not _no_space else await _refused(scene)
        told = await _told(scene, "Nothing runs")
        assert str(state_dir) in told
        because = because or await _refused(scene)
        assert because.startswith("Nothing ran, because the journal could not be written (")
        assert because.endswith(".")
    await _runs(scene)
    assert not any("Nothing runs" in it for it in _banners(scene))
    assert [row["kind"] for row in scene.rows()] != []


def _bad_header(path: Path) -> None:
    path.write_bytes(b"not SQLite at all" + path.read_bytes()[17:])


def _cut(path: Path) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("delete from entries where seq > 1")
    database.close()


def _bad_middle_page(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


def _gone(path: Path) -> None:
    for each in path.parent.glob("journal.db*"):
        each.unlink()


async def _window(stage: Stage, editor: Editor, rows: int = 0) -> Scene:
    """A window in which something was done, closed in order."""
    scene = await stage(editor)
    await _runs(scene)
    await scene.client.leave()
    if rows:
        database = sqlite3.connect(scene.state / "journal.db")
        database.execute("pragma wal_checkpoint(truncate)")
        database.close()
    return scene


@pytest.mark.parametrize("harm", [_bad_header, _cut, _gone])
async def test_a_broken_journal_is_told_of_and_set_aside_on_a_persons_gesture_alone(
    stage: Stage, harm: Callable[[Path], None]
) -> None:
    editor = Editor()
    before = await _window(stage, editor, 1)
    path = before.state / "journal.db"
    harm(path)
    broken = path.read_bytes() if path.exists() else None
    scene = await stage(editor)
    assert "Start a New Journal" in await _told(scene, "Nothing runs")
    assert "Start a New Journal" in await _refused(scene)
    # The dialog is drawn back from: nothing changes.
    await scene.client.request("journal/startNew")
    assert len(editor.confirmed) == 1
    assert (path.read_bytes() if path.exists() else None) == broken
    editor.choose = lambda asked: asked.actions[0]
    await scene.client.request("journal/startNew")
    await _untold(scene)
    await _runs(scene)
    first, *_ = scene.rows()
    if broken is not None:
        assert (scene.state / first["body"]["setAside"]).read_bytes() == broken
    await scene.client.leave()
    again = await stage(editor)
    await _runs(again)
    assert _banners(again) == []
    with pytest.raises(Refusal, match="as it was written"):
        await again.client.request("journal/startNew")


async def test_a_bad_page_in_the_middle_is_noticed_after_the_start(stage: Stage) -> None:
    editor = _agreeing()
    scene = await stage(editor)
    chat = await scene.chat()
    for _ in range(12):
        await scene.turn(chat, "read README.md")
    await scene.client.leave()
    database = sqlite3.connect(scene.state / "journal.db")
    database.execute("pragma wal_checkpoint(truncate)")
    database.close()
    _bad_middle_page(scene.state / "journal.db")
    again = await stage(editor)
    assert "is damaged" in await _told(again, "Nothing runs")
    assert "is damaged" in await _refused(again)
    await again.client.request("journal/startNew")
    await _runs(again)


async def test_what_is_begun_anew_by_one_gesture_is_not_set_aside_by_the_next(
    stage: Stage,
) -> None:
    """The button pressed twice, and in a second window whose dialog was open as well."""
    editor = _agreeing()
    one, two = (
        await stage(editor),
        await stage(Editor(choose=editor.choose, secrets=editor.secrets)),
    )
    for scene in (one, two):
        await _runs(scene)
    database = sqlite3.connect(one.state / "journal.db")
    database.execute("create table more (text)")
    database.close()
    for scene in (one, two):
        assert "holds more" in await _refused(scene)
    await asyncio.gather(
        *(each.client.request("journal/startNew") for each in (one, one)), return_exceptions=True
    )
    await two.client.request("journal/startNew")
    for scene in (one, two):
        await _runs(scene)
        await _untold(scene)
    assert len(list(one.state.glob("journal-*.db"))) == 1


def _mark(editor: Editor) -> int:
    kept = [text for name, text in editor.secrets.items() if name.startswith("journalMark.")]
    return int(kept[0].split()[1]) if kept else 0


async def test_a_folder_put_back_as_a_whole_is_noticed_by_what_the_editor_keeps(
    stage: Stage, tmp_path: Path
) -> None:
    editor = Editor()
    for turn in range(2):
        scene = await stage(editor)
        await _runs(scene)
        last = scene.rows()[-1]["seq"]
        await scene.client.until(lambda last=last: _mark(editor) >= last, within=20)  # type: ignore[misc]
        await scene.client.leave()
        if turn == 0:
            shutil.copytree(scene.state, tmp_path / "copy")
    shutil.rmtree(scene.state)
    shutil.copytree(tmp_path / "copy", scene.state)
    again = await stage(editor)
    assert "older copy" in await _told(again, "Nothing runs")
    await _refused(again)


async def test_what_the_editor_keeps_follows_the_journal_for_as_long_as_the_window_is_open(
    stage: Stage,
) -> None:
    editor = Editor()
    scene = await stage(editor)
    for _ in range(3):
        await _runs(scene)
        last = scene.rows()[-1]["seq"]
        await scene.client.until(lambda last=last: _mark(editor) >= last, within=10)  # type: ignore[misc]


@pytest.mark.process
async def test_a_server_that_is_killed_raises_no_alarm(stage: Stage) -> None:
    editor = Editor()
    for _ in range(3):
        scene = await stage(editor)
        await _runs(scene)
        scene.client.process.send_signal(signal.SIGKILL)
        await scene.client.ended()
    last = await stage(editor)
    await _runs(last)
    assert not any("Nothing runs" in it for it in _banners(last))


async def test_what_an_older_store_grants_is_granted_no_more_and_that_is_told(
    stage: Stage, tmp_path: Path
) -> None:
    editor = Editor(choose=lambda asked: asked.actions[0])
    scene = await stage(editor)
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    copy = tmp_path / "copy"
    shutil.copytree(scene.state / "attestations", copy)
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": False})
    name = next(it for it in editor.secrets if it.startswith("attestationMark."))
    await scene.client.until(lambda: int(editor.secrets[name]) > 1)
    await scene.client.leave()
    shutil.rmtree(scene.state / "attestations")
    shutil.copytree(copy, scene.state / "attestations")
    editor.layers["workspace"] = {"bypassPermissions": {"eliza": True}}
    again = await stage(editor)
    assert "older state" in await _told(again, "asked again")
    chat = await again.chat()
    turn = again.say(chat, "run touch made")
    ticket = await again.card(lambda it: it.chat_id == chat)
    await again.answer(ticket, "deny")
    await turn
    assert not (again.folder / "made").exists()


@pytest.mark.parametrize("answer", ["refused", "nonsense"])
async def test_an_editor_whose_secrets_fail_grants_nothing_and_lets_calls_be_asked_about(
    stage: Stage, answer: str
) -> None:
    editor = Editor()
    if answer == "nonsense":
        editor.secrets["attestationKey"] = "no key"
    else:
        editor.refuses = frozenset({"secret/set"})
    scene = await stage(editor)
    await _runs(scene)


def _verified(path: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "assent", "verify", os.fspath(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


async def test_verify_tells_whole_cut_changed_damaged_and_what_it_cannot_tell(
    stage: Stage,
) -> None:
    scene = await _window(stage, Editor(), 1)
    path = scene.state / "journal.db"
    whole = path.read_bytes()
    assert _verified(path).returncode == 0
    assert "fit the seal" in _verified(path).stdout
    _cut(path)
    cut = _verified(path)
    assert (cut.returncode, cut.stdout.partition(":")[0]) == (1, "Cut off")
    path.write_bytes(whole)
    for each in (*scene.state.glob("journal.db-*"),):
        each.unlink()
    database = sqlite3.connect(path)
    with database:
        database.execute("update entries set body = '{}' where seq = 1")
    database.close()
    changed = _verified(path)
    told = changed.stdout.splitlines()[0]
    assert (changed.returncode, told) == (1, "Row 1 was changed, moved or taken out.")
    path.write_bytes(whole)
    _bad_header(path)
    damaged = _verified(path)
    assert damaged.returncode == 1
    assert "damaged" in damaged.stdout
    path.write_bytes(whole)
    shutil.rmtree(scene.state / "seals")
    unknown = _verified(path)
    assert unknown.returncode == 2
    assert "cannot be told without the seal" in unknown.stdout
