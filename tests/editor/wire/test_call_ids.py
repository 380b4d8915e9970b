"""Each call is told as its agent made it, by the id that its agent knows; no such id is a key."""

from pathlib import Path
from typing import Any, Final

import pytest

from editor.wire.editor import Editor
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import Stage
from hosting.eliza.odd import maker
from models.script import call, text

__all__ = ["model", "own"]

pytestmark = [pytest.mark.requirement("P-01"), pytest.mark.requirement("T-06")]

TWICE: Final = """
def wanting(command):
    return {"toolCallId": "tc-42", "kind": "execute", "title": "Harmless",
            "rawInput": {"command": command}}

number = begin()
for at, command in enumerate(["touch one", "touch two"]):
    ask(at, wanting(command))
    say(answer_to(at)["result"]["outcome"]["optionId"])
end(number)
until("never")
"""


async def test_an_agents_id_stands_beside_ours_and_two_calls_of_one_id_are_two(
    stage: Stage, tmp_path: Path
) -> None:
    spec = maker(tmp_path)(TWICE)
    entry = {"name": "One", "command": spec.command, "args": [*spec.args]}
    scene = await stage(editor=Editor(layers={"user": {"agents": {"one": entry}}}))
    chat = await scene.chat("one")
    turn = scene.say(chat, "go")
    first = await scene.card()
    assert first.call.tool_call_id == "tc-42"
    await scene.answer(first, "once")
    second = await scene.card(lambda ticket: ticket.call_id != first.call_id)
    assert (second.call.tool_call_id, second.call.input) == ("tc-42", {"command": "touch two"})
    # What was answered for the first is no answer to the second.
    assert (await scene.answer(second, "deny", digest=first.digest)).kind == "stale"
    await scene.answer(second, "deny")
    await turn
    assert scene.heard(chat) == "yesno"
    assert "tc-42" not in "".join(span.text for span in first.card.title)
    told = await scene.client.request("agent/subscribe", {"viewId": "again", "have": None})
    calls = [item for item in told.snapshot.chats[0].items if item.kind == "call"]
    assert [(item.call_id, item.call.tool_call_id) for item in calls] == [
        (first.call_id, "tc-42"),
        (second.call_id, "tc-42"),
    ]
    assert calls[1].success is False


async def test_a_call_that_nobody_is_asked_about_is_told_with_its_arguments_and_its_result(
    own: OwnStage,
) -> None:
    it = await own()
    path = it.scene.folder / "notes.txt"
    path.write_text("milk\n")
    given: dict[str, Any] = {"path": "notes.txt"}
    it.model.reply(call("read_file", given, id="toolu_42"))
    it.model.reply(text("Done."))
    await it.turn()
    record = await it.scene.reaches(it.chat, "succeeded")
    assert record.call.model_dump(by_alias=True) == {
        "tool": "read",
        "effect": "read",
        "input": given,
        "toolCallId": "toolu_42",
    }
    assert (record.success, record.path) == (True, str(path))
    assert record.output
    assert record.call_id != record.call.tool_call_id
