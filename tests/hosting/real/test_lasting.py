"""Real agents after the server is gone: a chat goes on, and nothing runs twice."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from editor.wire.scene import Stage
from host.waiting import until
from hosting.real.hosted import BOUND, Hosted, opened
from hosting.real.known import KNOWN, Known
from hosting.real.model import Model

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600), pytest.mark.requirement("N-12")]

GO_ON = [KNOWN[it] for it in ("claude", "codex", "copilot")]
EACH = pytest.mark.parametrize("known", GO_ON, ids=[it.id for it in GO_ON])

TELLS_AGAIN = {"copilot"}
"""Those that load a session and tell it again; the others resume one and tell nothing of it."""
NOT_SEEN = " tells of one call of before that Assent has not seen: it ran without being ruled on"
FIRST = "The till is called Quokka."


def one_more_line(known: Known, it: Hosted, model: Model) -> tuple[str, dict[str, Any]]:
    """A command that shows how often it ran."""
    tool, given = known.uses(it.scene.folder, model)["shell"]
    (name,) = [each for each in given if each in {"command", "cmd"}]
    return tool, {**given, name: f"echo ran >> {it.scene.folder}/ran"}


async def killed(it: Hosted) -> None:
    """End the server as nothing can prepare for, with its agents."""
    family = it.scene.client.family()
    it.scene.client.process.kill()
    await it.scene.client.ended()
    gone = lambda: not any(each.is_running() for each in family)  # noqa: E731
    await asyncio.to_thread(until, gone, within=BOUND, what="its agents are gone")


async def anew(stage: Stage, it: Hosted, home: Path) -> Hosted:
    """A new server for the same folder, in the same editor."""
    env = {"HOME": str(home)}
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder, env=env)
    found = (await scene.client.request("agent/subscribe", {"viewId": "v"}, within=BOUND)).snapshot
    assert [chat.chat_id for chat in found.chats] == [it.chat]
    return Hosted(scene=scene, agent=it.agent, chat=it.chat)


async def is_kept(it: Hosted, words: str, turns: int = 1) -> None:
    """Wait until something that was said in so many turns is on the disk."""

    def there() -> bool:
        with closing(sqlite3.connect(it.scene.state / "chats.db")) as database:
            found = database.execute("select body from items where chat = ?", (it.chat,))
            return sum(words in str(body) for (body,) in found) >= turns

    await asyncio.to_thread(until, there, within=BOUND, what="it is kept")


def lines(it: Hosted) -> int:
    path = it.scene.folder / "ran"
    return len(path.read_text().splitlines()) if path.exists() else 0


@EACH
async def test_a_chat_goes_on_with_its_own_history_after_the_server_was_killed(
    stage: Stage, model: Model, known: Known, home: Path
) -> None:
    it = await opened(stage, model, known, home)
    async with it.person():
        await it.scene.say(it.chat, FIRST)
        await it.use(*one_more_line(known, it, model))
    # The words with which the second turn ends, so that all before them is kept as well.
    await is_kept(it, "Done.", turns=2)
    await killed(it)
    before = len(model.asked)
    later = await anew(stage, it, home)
    async with later.person():
        await later.use(*one_more_line(known, later, model))
    assert lines(later) == 2, "the one of before did not run again"
    told = json.dumps(model.asked[before:])
    assert FIRST in told
    assert "Done." in told
    assert later.notices("error") == []
    assert later.gate()[0] == "verified"


@EACH
async def test_a_call_that_was_not_kept_is_told_of_and_never_runs_again(
    stage: Stage, model: Model, known: Known, home: Path
) -> None:
    it = await opened(stage, model, known, home)
    async with it.person():
        await it.scene.say(it.chat, FIRST)
        await is_kept(it, "Done.")
        with closing(sqlite3.connect(it.scene.state / "chats.db")) as database:
            # Nothing that happens from here on is kept.
            database.execute("begin exclusive")
            await it.use(*one_more_line(known, it, model))
            await killed(it)
    assert lines(it) == 1
    decided = len(it.scene.rows("decided"))
    later = await anew(stage, it, home)
    async with later.person():
        await later.scene.say(it.chat, "Go on.")
    assert lines(later) == 1
    assert len(later.scene.rows("decided")) == decided
    told = [known.name + NOT_SEEN] if known.id in TELLS_AGAIN else []
    assert [notice[: len(known.name + NOT_SEEN)] for notice in later.notices("error")] == told
