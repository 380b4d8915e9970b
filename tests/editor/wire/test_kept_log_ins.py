"""What is kept of log-ins at servers of tools: forgotten where their server left, else kept."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict, evolve

from assent.editor.window.servers.kept_logins import KeptLogIn, KeptLogIns
from catalogue.mcp.authority import Authority, authority
from editor.wire.editor import Editor
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import IN_TIME, Scene, Stage
from editor.wire.test_server_log_in import LOCKED, browse
from editor.wire.test_workspace_servers import grant, repository
from host.waiting import until
from tables import each_row

__all__ = ["model", "own"]

pytestmark = pytest.mark.long
requirement = pytest.mark.requirement


@pytest.fixture
def at() -> Iterator[Authority]:
    with authority() as it:
        yield it


def an_editor(tmp_path: Path, at: Authority) -> Editor:
    """An editor with one server that one logs in to."""
    return Editor(
        layers={"user": {"mcpServers": {"locked": {"url": f"{at.url}/mcp"}}}},
        files={"user": tmp_path / "user" / "settings.json"},
        browses=browse,
    )


async def logged_in(stage: Stage, editor: Editor) -> Scene:
    editor.save()
    scene = await stage(editor)
    assert (await scene.client.request("source/logIn", LOCKED)).account == "in"
    assert names(editor)
    return scene


def names(editor: Editor) -> list[str]:
    return [it for it in editor.secrets if it.startswith("serverLogIn.")]


def forgotten(scene: Scene) -> list[dict[str, Any]]:
    return [it["body"] for it in scene.rows("noted") if it["body"].get("outcome") == "out"]


async def is_noted(scene: Scene) -> None:
    """Wait until the journal has the row, of which no message tells."""
    what = "the journal says what was forgotten"
    await asyncio.to_thread(until, lambda: bool(forgotten(scene)), within=IN_TIME, what=what)


async def nothing_is_kept(scene: Scene) -> None:
    """Wait until no file names a log-in; the row is written before its file goes."""
    folder = scene.state / "logins"

    def is_empty() -> bool:
        return list(folder.iterdir()) == []

    await asyncio.to_thread(until, is_empty, within=IN_TIME, what="nothing is kept")


@requirement("N-08")
@pytest.mark.parametrize("servers", [{}, None, {"locked": {"url": "https://example.com/mcp"}}])
async def test_what_is_kept_of_a_server_that_leaves_the_settings_is_forgotten(
    stage: Stage, tmp_path: Path, at: Authority, servers: dict[str, Any] | None
) -> None:
    scene = await logged_in(stage, an_editor(tmp_path, at))
    await scene.change_settings(user={"mcpServers": servers})
    await scene.client.until(lambda: not names(scene.editor))
    await is_noted(scene)
    (row,) = forgotten(scene)
    assert (
        row["because"] == "The server locked left the settings, so your log-in there was forgotten."
    )
    await nothing_is_kept(scene)


async def test_what_left_while_no_window_was_open_is_forgotten_at_the_next_start(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    editor = an_editor(tmp_path, at)
    scene = await logged_in(stage, editor)
    await scene.client.leave()
    editor.layers["user"] = {}
    editor.save()
    scene = await stage(evolve(editor, browses=browse))
    await scene.client.until(lambda: not names(scene.editor))


@pytest.mark.parametrize("broken", ['{"assent.mcpServers": {', "[1]", "nothing", None])
async def test_nothing_is_forgotten_because_the_settings_could_not_be_read(
    stage: Stage, tmp_path: Path, at: Authority, broken: str | None
) -> None:
    scene = await logged_in(stage, an_editor(tmp_path, at))
    file = scene.editor.files["user"]
    # The editor takes such a file for an empty one.
    scene.editor.layers["user"] = {}
    file.unlink()
    if broken is not None:
        file.write_text(broken, encoding="utf-8")
    await told(scene)
    assert names(scene.editor)


async def test_nor_because_another_profile_has_other_settings(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    scene = await logged_in(stage, an_editor(tmp_path, at))
    scene.editor.files["user"] = tmp_path / "other" / "settings.json"
    scene.editor.layers["user"] = {}
    scene.editor.save()
    await told(scene)
    assert names(scene.editor)


async def test_nor_because_an_entry_is_not_understood(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    scene = await logged_in(stage, an_editor(tmp_path, at))
    await scene.change_settings(user={"mcpServers": {"locked": "soon"}})
    await told(scene)
    assert names(scene.editor)


OLDER = "serverLogIn.locked"
"""As versions before called it."""


def older(at: Authority) -> str:
    return json.dumps({"url": f"{at.url}/mcp", "token": {"access_token": "kept"}})


@requirement("N-08")
async def test_what_a_version_before_kept_goes_when_the_same_log_in_is_kept_now(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    editor = an_editor(tmp_path, at)
    editor.secrets[OLDER] = older(at)
    editor.save()
    scene = await stage(editor)
    await told(scene)
    assert names(editor) == [OLDER], "nobody logged in since"
    assert (await scene.client.request("source/logIn", LOCKED)).account == "in"
    (kept,) = names(editor)
    assert kept.startswith(f"{OLDER}.")
    assert len(list((scene.state / "logins").iterdir())) == 1


async def test_or_at_the_next_start_where_that_is_kept_already(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    editor = an_editor(tmp_path, at)
    scene = await logged_in(stage, editor)
    await scene.client.leave()
    editor.secrets[OLDER] = older(at)
    scene = await stage(evolve(editor, browses=browse))
    await scene.client.until(lambda: OLDER not in scene.editor.secrets)
    assert len(names(scene.editor)) == 1
    assert forgotten(scene) == []


@requirement("N-08")
async def test_or_when_its_server_leaves_the_settings(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    editor = an_editor(tmp_path, at)
    editor.secrets[OLDER] = older(at)
    editor.save()
    scene = await stage(editor)
    await told(scene)
    await scene.change_settings(user={"mcpServers": {}})
    await scene.client.until(lambda: not names(editor))
    await is_noted(scene)
    await nothing_is_kept(scene)


@pytest.mark.parametrize("text", ['{"url": "https://example.com/mcp"}', "{", "[]", '{"url": 1}'])
async def test_what_nobody_knows_to_be_of_that_server_stays(
    stage: Stage, tmp_path: Path, at: Authority, text: str
) -> None:
    editor = an_editor(tmp_path, at)
    editor.secrets[OLDER] = text
    scene = await logged_in(stage, editor)
    await told(scene)
    await scene.change_settings(user={"mcpServers": {}})
    await told(scene)
    assert editor.secrets[OLDER] == text


async def test_nor_does_what_became_another_servers_meanwhile(
    stage: Stage, tmp_path: Path, at: Authority
) -> None:
    editor = an_editor(tmp_path, at)
    editor.secrets[OLDER] = older(at)
    editor.save()
    scene = await stage(editor)
    await told(scene)
    editor.secrets[OLDER] = '{"url": "https://example.com/mcp"}'
    await scene.change_settings(user={"mcpServers": {}})
    await told(scene)
    assert OLDER in editor.secrets


PROFILES = json.loads(
    (Path(__file__).parents[2] / "gate" / "settings" / "profiles.json").read_text()
)
"""The extension's tests hold its own reading against the same ones."""


@each_row("case", PROFILES, ids=lambda each: each["settings"])
def test_all_profiles_of_an_editor_have_one_store(tmp_path: Path, case: dict[str, str]) -> None:
    at = "locked.00000000000000000000000000000000"
    ours, other = f"file://{case['own']}", f"file:///another{case['own']}"
    kept = KeptLogIns(tmp_path)
    named = {"secret": at, "name": "locked", "url": "", "workspace": "", "file": ""}
    it = KeptLogIn(**named, settings=f"file://{case['settings']}")
    kept.add(it)
    assert kept.of(at, ours) == [it]
    assert kept.of(at, other) == []


async def told(scene: Scene) -> None:
    """The settings were read anew, and all was forgotten that is to be: the last of it is gone."""
    last = "zz.00000000000000000000000000000000"
    it = KeptLogIn(
        secret=last,
        name="zz",
        url="https://example.com/mcp",
        workspace=str(scene.folder.resolve()),
        file=".mcp.json",
        settings=scene.editor.files["user"].as_uri(),
    )
    file = scene.state / "logins" / it.called
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_text(json.dumps(asdict(it)))
    file.chmod(0o600)
    (scene.folder / ".mcp.json").write_text("{}")
    scene.editor.secrets[f"serverLogIn.{last}"] = "kept"
    scene.client.notify("workspace/didChangeConfiguration", {"settings": None})
    await scene.client.until(lambda: f"serverLogIn.{last}" not in scene.editor.secrets)


@requirement("N-08")
async def test_a_repositorys_server_has_a_log_in_of_its_own_that_leaves_with_its_name(
    own: OwnStage, tmp_path: Path, at: Authority
) -> None:
    folder = repository(tmp_path / "workspace", locked={"url": f"{at.url}/mcp"})
    it = await own()
    await grant(it)
    client, window = it.scene.client, it.scene.editor
    window.browses = browse
    ref = {"name": "workspace-locked"}
    assert (await client.request("source/logIn", ref)).account == "in"
    (kept,) = names(window)
    # The same file in another folder is another server.
    (file,) = (it.scene.state / "logins").iterdir()
    assert json.loads(file.read_text())["workspace"] == str(folder)
    names_it = folder / ".vscode" / "mcp.json"
    names_it.write_text("{")
    for _ in range(2):
        await it.scene.change_settings(user={"mcpServers": {}})
    names_it.unlink()
    for _ in range(2):
        await it.scene.change_settings(user={"mcpServers": {}})
    assert names(window) == [kept]
    names_it.write_text('{"servers": {}}')
    await it.scene.change_settings(user={"mcpServers": {}})
    await client.until(lambda: not names(window))
