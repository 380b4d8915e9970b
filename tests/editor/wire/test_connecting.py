"""An agent in a terminal is connected from the editor: shown first, agreed to, taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

_BEFORE = '{\n  "model": "opus"\n}\n'


def agreeing() -> Editor:
    return Editor(choose=lambda asked: asked.actions[0])


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "home" / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(_BEFORE, "utf-8")
    return path


async def opened(stage: Stage, settings: Path, editor: Editor) -> Scene:
    return await stage(editor, env={"HOME": str(settings.parents[1])})


async def standing(scene: Scene) -> str:
    listed = await scene.client.request("terminal/list")
    return next(str(it.standing) for it in listed.agents if it.id == "claude")


async def change(scene: Scene, *, on: bool, agent: str = "claude") -> Any:
    return await scene.client.request("terminal/change", {"agentId": agent, "on": on})


async def test_it_is_connected_as_the_diff_shows_and_put_back_letter_by_letter(
    stage: Stage, settings: Path
) -> None:
    before = settings.read_text("utf-8")
    scene = await opened(stage, settings, agreeing())
    assert await standing(scene) == ""
    assert "asks Assent" in (await change(scene, on=True)).told
    [diff] = scene.editor.diffs
    assert (diff.old, diff.new) == (before, settings.read_text("utf-8"))
    assert "PreToolUse" in json.loads(diff.new)["hooks"]
    assert await standing(scene) == "connected"
    await change(scene, on=False)
    assert settings.read_text("utf-8") == before
    assert await standing(scene) == ""


async def test_drawing_back_changes_nothing(stage: Stage, settings: Path) -> None:
    before = settings.read_text("utf-8")
    scene = await opened(stage, settings, Editor())
    assert (await change(scene, on=True)).told == ""
    assert settings.read_text("utf-8") == before


async def test_what_cannot_be_read_is_left_as_it_is_and_said(stage: Stage, settings: Path) -> None:
    settings.write_text("{ no", "utf-8")
    scene = await opened(stage, settings, agreeing())
    with pytest.raises(Refusal, match="left as it is"):
        await change(scene, on=True)
    with pytest.raises(Refusal, match="no such agent"):
        await change(scene, on=True, agent="../claude")
    assert settings.read_text("utf-8") == "{ no"
