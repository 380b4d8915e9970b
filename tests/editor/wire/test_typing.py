"""What is typed and not saved, over a real server: the model reads it, and changes it there."""

import pytest

from editor.wire.own import OwnStage, model, own
from editor.wire.typing import Typist
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement
SAVED, TYPED = "a = 1\n", "a = 1\nb = 'ä😀'\nc = 3\n"


def edit(path: str, old: str, new: str) -> object:
    return call("edit_file", {"path": path, "edits": [{"old": old, "new": new}]})


@requirement("M-04")
async def test_what_is_typed_is_read_and_changed_in_the_editor(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    file = it.scene.folder / "till.py"
    file.write_text(SAVED)
    person = Typist(it.scene.client)
    person.open(file, TYPED)
    # Two units of UTF-16 stand before it that are one letter.
    person.type(file, " # here", (1, 9), (1, 9))
    it.model.reply(call("read_file", {"path": "till.py"}))
    it.model.reply(edit("till.py", "c = 3", "c = 4"))
    it.model.reply(text("Done."))
    assert (await it.turn()).reason == "done"
    assert "b = 'ä😀' # here" in it.model.requests[1].last
    assert person.text(file) == "a = 1\nb = 'ä😀' # here\nc = 4\n"
    assert file.read_text() == SAVED
    (asked,) = person.asked
    (change,) = asked["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": file.as_uri(), "version": 2}
    assert [it["newText"] for it in change["edits"]] == ["4"]
    assert "not saved" in it.model.requests[2].last


@requirement("M-04")
async def test_what_is_typed_while_the_card_is_open_is_asked_about_anew(own: OwnStage) -> None:
    it = await own()
    file = it.scene.folder / "till.py"
    file.write_text(SAVED)
    person = Typist(it.scene.client)
    person.open(file, TYPED)
    it.model.reply(edit("till.py", "c = 3", "c = 4"))
    it.model.reply(text("Done."))
    turn = it.say()
    card = await it.scene.card()
    (touch,) = card.card.touches
    assert touch.text[-1].text.endswith("in the editor, where it is not saved")
    person.type(file, "2", (0, 4), (0, 5))
    await it.scene.answer(card, "once")
    again = await it.scene.card(lambda told: told.approval_id == card.approval_id)
    assert again.digest != card.digest
    assert person.asked == []
    await it.scene.answer(again, "once")
    assert (await turn).reason == "done"
    assert person.text(file) == "a = 2\nb = 'ä😀'\nc = 4\n"
    assert file.read_text() == SAVED


@requirement("M-04")
@pytest.mark.parametrize(
    "change",
    [
        {"range": {"start": {"line": 0}}, "text": "x"},
        {"range": {"start": {"line": 900, "character": 0}, "end": {"line": 901, "character": 0}}},
        {"text": 5},
        "x",
    ],
    ids=["half a place", "no text", "no text but a number", "no change"],
)
async def test_a_change_that_was_missed_makes_the_text_one_that_nobody_knows(
    own: OwnStage, change: object
) -> None:
    it = await own(mode="acceptEdits")
    file = it.scene.folder / "till.py"
    file.write_text(SAVED)
    person = Typist(it.scene.client)
    person.open(file, TYPED)
    document = {"uri": file.as_uri(), "version": 2}
    missed = {"textDocument": document, "contentChanges": [change]}
    it.scene.client.notify("textDocument/didChange", missed)
    it.model.reply(call("read_file", {"path": "till.py"}), edit("till.py", "a = 1", "a = 2"))
    it.model.reply(text("Well."))
    assert (await it.turn()).reason == "done"
    told = [each["content"] for each in it.model.requests[1].body["messages"][-2:]]
    assert len([each for each in told if "could not be followed" in each]) == 2
    assert (person.asked, file.read_text()) == ([], SAVED)
    # Once it is saved, the disk says what stands there.
    person.save(file)
    it.model.reply(call("read_file", {"path": "till.py"}))
    it.model.reply(text("Done."))
    assert (await it.turn()).reason == "done"
    assert "c = 3" in it.model.requests[3].last


async def test_once_it_is_saved_the_disk_is_read_and_changed(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    file = it.scene.folder / "till.py"
    file.write_text(SAVED)
    person = Typist(it.scene.client)
    person.open(file, TYPED)
    person.save(file)
    it.model.reply(edit("till.py", "c = 3", "c = 4"))
    it.model.reply(text("Done."))
    await it.turn()
    assert file.read_text() == TYPED.replace("c = 3", "c = 4")
    assert person.asked == []


async def test_of_a_file_elsewhere_nothing_is_kept(own: OwnStage) -> None:
    it = await own(mode="auto", rules={"allow": ["read(/**)"]})
    outside = it.scene.folder.parent / "outside.txt"
    outside.write_text("on the disk\n")
    person = Typist(it.scene.client)
    person.open(outside, "typed elsewhere\n")
    person.client.notify(
        "textDocument/didOpen",
        {
            "textDocument": {
                "uri": "untitled:Untitled-1",
                "languageId": "plaintext",
                "version": 1,
                "text": "typed nowhere",
            }
        },
    )
    it.model.reply(call("read_file", {"path": str(outside)}))
    it.model.reply(text("Done."))
    await it.turn()
    assert "on the disk" in it.model.requests[1].last
    assert "typed" not in it.model.requests[1].last


async def test_what_is_denied_is_not_read_when_it_is_typed(own: OwnStage) -> None:
    it = await own(mode="auto", rules={"deny": ["read(./.env)"]})
    file = it.scene.folder / ".env"
    Typist(it.scene.client).open(file, "KEY=typed-and-secret\n")
    it.model.reply(call("read_file", {"path": ".env"}), edit(".env", "KEY", "NO"))
    it.model.reply(call("search_text", {"pattern": "KEY"}))
    it.model.reply(text("Done."))
    await it.turn()
    assert all("typed-and-secret" not in str(told.body) for told in it.model.requests)
