"""What version 0.1.0 left on the disk keeps its meaning: nothing is lost, and nothing is wider.

`written_by_0_1_0.tar.gz` holds a workspace, a state folder, a home with a connected Claude Code and
what the editor kept, as a window of that version left them. A journal is sealed with its place on
the disk, so the folder is unpacked where it was written.
"""

import asyncio
import fcntl
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from assent.cli.main import main
from assent.gate.settings.attestation import Attestations
from assent.gate.settings.keys import key_from_secret
from editor.wire.editor import Editor
from editor.wire.own import model
from editor.wire.scene import Scene, Stage
from editor.wire.test_changes import files
from hosting.terminals.terminal import decision_in
from models.script import call, text
from models.server import ModelServer

__all__ = ["model"]

_AT: Final = Path("/tmp/assent-0.1.0")
_ARCHIVE: Final = Path(__file__).with_name("written_by_0_1_0.tar.gz")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """The folder of 0.1.0, which one run of tests at a time has to itself."""
    with (tmp_path.parent.parent / "assent-0.1.0.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(_AT, ignore_errors=True)
        _AT.mkdir(mode=0o700)
        with tarfile.open(_ARCHIVE) as archive:
            archive.extractall(_AT, filter="data")
        yield _AT
        shutil.rmtree(_AT)


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def kept(tmp_path: Path, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the editor kept; the model has another port today."""
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    kept: dict[str, Any] = json.loads((tmp_path / "editor.json").read_text("utf-8"))
    kept["layers"]["user"]["models"][0]["url"] = model.url_for("openai")
    return kept


async def opened(stage: Stage, tmp_path: Path, kept: dict[str, Any], model: ModelServer) -> Scene:
    """A window of today on that workspace."""
    editor = Editor(layers=kept["layers"], secrets=kept["secrets"])
    env = {"HOME": str(tmp_path / "home"), "OLLAMA_HOST": model.url}
    return await stage(editor=editor, folder=tmp_path / "workspace", env=env)


@pytest.mark.requirement("T-01")
async def test_a_state_folder_of_version_0_1_0_is_read_as_it_was_meant(
    stage: Stage, tmp_path: Path, kept: dict[str, Any], model: ModelServer
) -> None:
    scene = await opened(stage, tmp_path, kept, model)
    (banner,) = banners_of(scene)
    assert banner.startswith("The hook of Claude Code was written by an earlier version of Assent")
    what_was_agreed_to_is_read(scene, kept)
    await the_journal_is_whole(scene)
    await the_chats_go_on(scene, kept, model)
    await an_edit_is_undone(scene, kept)
    await a_workflow_goes_on_where_it_failed(scene, kept, model)
    await a_connected_tool_is_ruled_on(scene, tmp_path)


def banners_of(scene: Scene) -> list[str]:
    told = [it.event for it in scene.client.told("agent/event") if it.event.kind == "workspace"]
    return list(told[-1].banners) if told else []


async def the_journal_is_whole(scene: Scene) -> None:
    rows = (await scene.client.request("history/list", {})).rows
    told = {("".join(it.text for it in row.title), row.outcome) for row in rows}
    assert {("Run touch made", "allowed"), ("Run touch denied", "refused")} <= told, told
    assert main(["verify"]) == 0


async def the_chats_go_on(scene: Scene, kept: dict[str, Any], model: ModelServer) -> None:
    listed = {it.chat_id: it.title for it in (await scene.client.request("chat/list", {})).chats}
    assert listed == {kept["eliza"]: "A chat of before", kept["ours"]: "Change the notes."}
    await scene.client.request("chat/open", {"chatId": kept["ours"]})
    model.reply(text("As I said."))
    await scene.turn(kept["ours"], "What did you do?")
    assert "It is changed." in json.dumps(model.requests[-1].body)


async def an_edit_is_undone(scene: Scene, kept: dict[str, Any]) -> None:
    (file,) = files(scene, kept["ours"])
    assert (scene.folder / "notes.txt").read_text() == "three\ntwo\n"
    at = {"fileId": file.file_id, "digest": file.digest}
    await scene.client.request("change/undo", {"chatId": kept["ours"], "files": [at]})
    assert (scene.folder / "notes.txt").read_text() == "one\ntwo\n"


def what_was_agreed_to_is_read(scene: Scene, kept: dict[str, Any]) -> None:
    """In the folder that it was for: unpacked, a folder is another, and asks anew."""
    (file,) = (scene.state / "attestations").glob("*.json")
    workspace = json.loads(file.read_text("utf-8"))["contents"]["workspace"]
    key = key_from_secret(kept["secrets"]["attestationKey"])
    store = Attestations(file.parent, workspace, key)
    assert [it.name for it in store.granted_of("bypassPermissions")] == ["eliza"]
    assert not store.problems


async def a_workflow_goes_on_where_it_failed(
    scene: Scene, kept: dict[str, Any], model: ModelServer
) -> None:
    (scene.folder / "one.txt").unlink()
    model.reply(call("run_workflow", {"name": "greet", "from_step": "two"}))
    model.reply(text("So."))
    await scene.turn(kept["ours"], "Go on with it.")
    assert "one: kept" in model.requests[-1].last
    assert not (scene.folder / "one.txt").exists(), "the step that went well runs no second time"


async def a_connected_tool_is_ruled_on(scene: Scene, tmp_path: Path) -> None:
    """The line that 0.1.0 wrote into the tool's settings finds the gate of today."""
    settings = json.loads((tmp_path / "home/.claude/settings.json").read_text("utf-8"))
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    asked = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_use_id": "toolu_1",
        "cwd": str(scene.folder),
        "tool_name": "Bash",
        "tool_input": {"command": "git push"},
    }
    hook = await asyncio.create_subprocess_exec(
        *("sh", "-c", line),
        cwd=scene.folder,
        env={**os.environ, "HOME": str(tmp_path / "home")},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    printing = asyncio.ensure_future(hook.communicate(json.dumps(asked).encode()))
    await scene.answer(await scene.card(lambda it: "git push" in repr(it.card)), "deny")
    printed, _ = await printing
    assert decision_in(printed.decode()) == "deny"
