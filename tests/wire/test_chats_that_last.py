"""Chats outlive their window and their server, and nothing is wider for it."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from host.waiting import until
from models.script import text
from wire.own import OwnStage, model, own
from wire.scene import IN_TIME, Scene, Stage

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


async def subscribe(scene: Scene) -> Any:
    """All that a view is told when it comes."""
    return (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot


async def kill(scene: Scene) -> None:
    """End the server as nothing can prepare for."""
    scene.client.process.kill()
    await scene.client.ended()


async def again(stage: Stage, scene: Scene) -> Scene:
    """Another window on the same folder, in the same editor."""
    return await stage(editor=scene.editor, folder=scene.folder)


async def kept(scene: Scene, chat: str, count: int) -> None:
    """Wait until so many entries of a chat are on the disk."""

    def is_there() -> bool:
        return len(entries(scene.state, chat)) >= count

    await asyncio.to_thread(until, is_there, within=IN_TIME, what="it is kept")


def entries(state: Path, chat: str) -> list[Any]:
    """The entries of a chat, read from the disk by somebody else."""
    path = state / "chats.db"
    if not path.exists():
        return []
    with sqlite3.connect(path) as database:
        wanted = "select body from items where chat = ? order by number"
        found = [body for (body,) in database.execute(wanted, (chat,))]
    database.close()
    return found


def said(chat: Any) -> list[tuple[str, str]]:
    """Who said what in a chat, as it is shown."""
    return [(it.kind, it.text) for it in chat.items if it.kind in {"user", "agent"}]


@requirement("N-12")
async def test_a_chat_is_there_again_after_the_server_was_killed(
    own: OwnStage, stage: Stage
) -> None:
    it = await own()
    it.model.reply(text("Twelve, I think."))
    await it.turn("How much is it?")
    await kept(it.scene, it.chat, 2)
    await kill(it.scene)
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert chat.chat_id == it.chat
    assert chat.title == "How much is it?"
    assert said(chat) == [("user", "How much is it?"), ("agent", "Twelve, I think.")]
    assert not chat.running
    it.model.reply(text("As I said."))
    await scene.turn(it.chat, "Are you sure?")
    told = str(it.model.requests[-1].body)
    assert "How much is it?" in told
    assert "Twelve, I think." in told


@requirement("N-12")
async def test_a_chat_is_there_again_after_the_window_was_closed(
    own: OwnStage, stage: Stage
) -> None:
    it = await own()
    it.model.reply(text("Twelve."))
    await it.turn("How much is it?")
    assert await it.scene.client.leave() == 0
    scene = await again(stage, it.scene)
    (chat,) = (await subscribe(scene)).chats
    assert said(chat) == [("user", "How much is it?"), ("agent", "Twelve.")]
