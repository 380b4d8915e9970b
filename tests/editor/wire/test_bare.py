"""An editor that serves nothing of ours is asked in dialogs, and anything but a yes is a no."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.editor.protocol.methods import METHODS
from editor.wire.client import STANDS_WITHIN, Client
from editor.wire.editor import Editor
from editor.wire.scene import Scene
from editor.wire.side import Start

OURS = frozenset(method.name for method in METHODS if method.sender == "server")

Bare = Callable[..., Any]


def _titles(asked: dict[str, Any]) -> list[str]:
    return [it["title"] for it in asked["actions"]]


@pytest.fixture
def bare(start: Start, state_dir: Path, tmp_path: Path) -> Bare:
    """Opens windows of editors that never heard of us; they press what they are told to."""

    async def begin(press: Callable[[dict[str, Any]], object] | None) -> Scene:
        folder = tmp_path / "workspace"
        folder.mkdir()
        editor = Editor(refuses=OURS, dialog=press)
        client: Client = await start(editor=editor, cwd=folder)
        await client.request(
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}},
            within=STANDS_WITHIN,
        )
        client.notify("initialized", {})
        await client.request("agent/list", within=STANDS_WITHIN)
        return Scene(client=client, folder=folder, state=state_dir)

    return begin


async def _tried(scene: Scene, command: str) -> list[dict[str, Any]]:
    """Let an agent try to run something, to its end; what was written down of it."""
    chat = await scene.chat()
    await scene.turn(chat, f"run {command}")
    return [row["body"] for row in scene.rows("decided")]


def _press(title: str) -> Callable[[dict[str, Any]], object]:
    return lambda _: {"title": title}


async def test_a_short_question_is_asked_whole_and_can_be_allowed_once(bare: Bare) -> None:
    scene = await bare(_press("Allow once"))
    (row,) = await _tried(scene, "touch made")
    assert (row["outcome"], row["by"], row["option"]) == ("allowed", "user", "allowOnce")
    assert (scene.folder / "made").exists()
    (asked,) = scene.editor.dialogs
    assert _titles(asked) == ["Allow once", "Deny"]
    assert len(asked["message"]) <= 300
    for said in ("Eliza: ", "\n$ touch made\n", "\nin "):
        assert said in asked["message"]


async def test_the_file_that_a_link_leads_to_is_named_before_it_can_be_allowed(
    bare: Bare, tmp_path: Path
) -> None:
    scene = await bare(_press("Deny"))
    (tmp_path / "key").write_text("secret", "utf-8")
    (scene.folder / "id").symlink_to(tmp_path / "key")
    await _tried(scene, "cat id")
    (asked,) = scene.editor.dialogs
    assert _titles(asked) == ["Allow once", "Deny"]
    assert f"\nReads outside the workspace: {tmp_path / 'key'}\n" in asked["message"]
    assert "\nRuns in: your shell, no sandbox\n" in asked["message"]


@pytest.mark.parametrize(
    "answer",
    [
        {"title": "Deny"},
        {"title": "allow once"},
        {"title": "Allow once "},
        {"title": ""},
        {"title": 1},
        {"title": ["Allow once"]},
        {},
        "Allow once",
        True,
        ["Allow once"],
        None,
    ],
    ids=repr,
)
async def test_whatever_else_comes_back_is_a_no(bare: Bare, answer: object) -> None:
    scene = await bare(lambda _: answer)
    (row,) = await _tried(scene, "touch made")
    assert row["outcome"] == "refused"
    assert not (scene.folder / "made").exists()


async def test_an_editor_without_dialogs_is_a_no_that_says_why(bare: Bare) -> None:
    scene = await bare(None)
    (row,) = await _tried(scene, "touch made")
    assert (row["outcome"], row["by"]) == ("refused", "error")
    assert "window/showMessageRequest" in row["because"]
    assert not (scene.folder / "made").exists()


@pytest.mark.parametrize(
    "command",
    [f"touch {'m' * 300}", "git push --force", "touch made \u202e"],
    ids=["long", "lost", "hidden"],
)
async def test_what_is_long_or_high_can_only_be_denied(bare: Bare, command: str) -> None:
    scene = await bare(_press("Allow once"))
    (row,) = await _tried(scene, command)
    assert row["outcome"] == "refused"
    (asked,) = scene.editor.dialogs
    assert _titles(asked) == ["Deny"]
    assert len(asked["message"]) <= 300
    assert "can only be denied" in asked["message"]
    assert list(scene.folder.iterdir()) == []


async def test_a_dialog_that_nobody_answers_holds_the_call_and_goes_when_that_is_stopped(
    bare: Bare,
) -> None:
    scene = await bare(lambda _: ...)
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    await scene.client.until(lambda: bool(scene.editor.dialogs), within=20)
    await scene.client.request("agent/stop", {"chatId": chat})
    await asyncio.wait_for(turn, 20)
    assert scene.client.told("$/cancelRequest")
    assert scene.rows("decided")[-1]["body"]["outcome"] == "refused"
    assert not (scene.folder / "made").exists()


async def test_a_line_break_in_a_command_makes_no_line_of_the_dialog(bare: Bare) -> None:
    scene = await bare(_press("Deny"))
    await _tried(scene, "touch 'a\nEliza: Read b'")
    (asked,) = scene.editor.dialogs
    assert "\nEliza: Read b" not in asked["message"]


async def test_an_editor_that_draws_cards_is_asked_in_no_dialog(stage: Any) -> None:
    scene = await stage(Editor(dialog=_press("Allow once")))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(), "deny")
    await asyncio.wait_for(turn, 20)
    assert scene.editor.dialogs == []
