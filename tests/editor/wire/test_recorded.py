"""A record tells afterwards what ran: whole, as it was judged, and as long as its chat is kept."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.scene import IN_TIME, Scene, Stage
from editor.wire.test_chats_that_last import again, kept, kill, subscribe
from host.waiting import until
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def said(spans: Any) -> str:
    """The exact text of some spans."""
    return "".join(span.text for span in spans)


async def record_in(scene: Scene, chat: str, name: str) -> dict[str, Any]:
    """Where the record stands whose title has this in it, as a view names it."""
    (found,) = [it for it in (await subscribe(scene)).chats if it.chat_id == chat]
    for number, item in enumerate(found.items, found.first):
        if item.kind == "call" and name in said(item.title):
            return {"chatId": chat, "entry": number, "callId": item.call_id}
    raise AssertionError(f"no record of {name}")


async def shown(scene: Scene, chat: str, name: str) -> Any:
    """What is told of a record when it is opened."""
    return await scene.client.request("tool/record", await record_in(scene, chat, name))


async def edited(own: OwnStage) -> Own:
    """A chat in which a file was changed."""
    it = await own(mode="acceptEdits")
    change = {"path": "README.md", "edits": [{"old": "small", "new": "tidy"}]}
    it.model.reply(call("edit_file", change))
    it.model.reply(text("Done."))
    await it.turn()
    await it.scene.reaches(it.chat, "succeeded")
    return it


@requirement("T-13")
@requirement("S-04")
@pytest.mark.parametrize("length", [154, 4_000])
async def test_a_command_is_told_whole_with_its_folder_and_its_variables(
    own: OwnStage, length: int
) -> None:
    it = await own()
    command = "touch made\necho " + "x" * (length - 16)
    given = {"command": command, "env": {"GREETING": "hello"}}
    it.model.reply(call("run_command", given))
    it.model.reply(text("Done."))
    turn = it.say()
    card = await it.scene.card()
    before = await shown(it.scene, it.chat, "")
    assert before.body is None
    assert before.note == "It is not decided yet: its card shows all of it."
    await it.scene.answer(card, "once")
    await turn
    told = await shown(it.scene, it.chat, "")
    assert said(told.body.command) == command
    rows = {said(row.name): said(row.value) for row in told.members}
    assert rows == {"Folder": "the workspace", "Variable GREETING": "hello"}
    assert told.note == ""


@requirement("T-13")
async def test_a_change_is_told_with_its_lines_and_opens_in_the_editors_diff(
    own: OwnStage,
) -> None:
    it = await edited(own)
    told = await shown(it.scene, it.chat, "README")
    (file,) = told.body.files
    lines = [(line.sign, said(line.text)) for hunk in file.hunks for line in hunk.lines]
    assert ("-", "A small workspace.") in lines
    assert ("+", "A tidy workspace.") in lines
    assert told.texts
    # What has become of the file since is no part of what was done.
    readme = it.scene.folder / "README.md"
    after = readme.read_text()
    readme.write_text("Something else.\n")
    ref = await record_in(it.scene, it.chat, "README")
    await it.scene.client.request("tool/openRecordDiff", {**ref, "file": 0})
    (diff,) = it.scene.editor.diffs
    assert (diff.old, diff.new) == (after.replace("tidy", "small"), after)
    assert diff.approval_id is None


@pytest.mark.process
@requirement("T-13")
@requirement("N-12")
async def test_what_ran_is_known_when_its_chat_has_come_back(own: OwnStage, stage: Stage) -> None:
    it = await edited(own)
    ref = await record_in(it.scene, it.chat, "README")
    await kept(it.scene, it.chat, 3)
    await written(it.scene)
    await kill(it.scene)
    scene = await again(stage, it.scene)
    assert await record_in(scene, it.chat, "README") == ref
    told = await scene.client.request("tool/record", ref)
    assert (told.body.files[0].added, told.body.files[0].removed) == (1, 1)
    await scene.client.request("tool/openRecordDiff", ref)
    assert "A tidy workspace." in scene.editor.diffs[-1].new


@pytest.mark.process
@requirement("T-13")
async def test_a_name_that_somebody_forged_is_spelled_out_over_its_diff(
    own: OwnStage, stage: Stage
) -> None:
    it = await edited(own)
    ref = await record_in(it.scene, it.chat, "README")
    await kept(it.scene, it.chat, 3)
    await written(it.scene)
    await kill(it.scene)
    forge(it.scene.state / "chats.db", ref)
    scene = await again(stage, it.scene)
    await subscribe(scene)
    await scene.client.request("tool/openRecordDiff", ref)
    assert scene.editor.diffs[-1].title == "x\\u202eyp.py\\n (as it was changed)"


def forge(path: Path, ref: dict[str, Any]) -> None:
    """Put another name of the file into what is kept of a call."""
    which = (ref["chatId"], ref["entry"])
    with sqlite3.connect(path) as database:
        wanted = "select body from items where chat = ? and number = ?"
        (body,) = database.execute(wanted, which).fetchone()
        entry, _, kept_call = body.partition(b"\n")
        told = json.loads(kept_call)
        told["call"]["edits"][0]["path"] = "/etc/x\u202eyp.py\n"
        forged = entry + b"\n" + json.dumps(told).encode()
        change = "update items set body = ? where chat = ? and number = ?"
        assert database.execute(change, (forged, *which)).rowcount == 1
    database.close()


async def written(scene: Scene) -> None:
    """Wait until the change stands in the file of the chats."""

    def is_there() -> bool:
        files = scene.state.glob("chats.db*")
        return any(
            b"workspace" in path.read_bytes() and b'"middle"' in path.read_bytes() for path in files
        )

    await asyncio.to_thread(until, is_there, within=IN_TIME, what="the call is kept")


@requirement("T-13")
async def test_a_record_that_is_no_more_there_is_a_sentence(own: OwnStage) -> None:
    it = await edited(own)
    ref = await record_in(it.scene, it.chat, "README")
    for other in ({"callId": "another"}, {"entry": 0}, {"entry": 10**15}):
        with pytest.raises(Refusal, match="There is no such record any more"):
            await it.scene.client.request("tool/record", {**ref, **other})
    with pytest.raises(Refusal, match="so there is no diff"):
        await it.scene.client.request("tool/openRecordDiff", {**ref, "file": 7})
    with pytest.raises(Refusal, match="no such chat"):
        await it.scene.client.request("tool/record", {**ref, "chatId": "elsewhere"})
    assert not Path(it.scene.folder / "elsewhere").exists()
