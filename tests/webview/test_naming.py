"""Files and what the editor shows are named with an `@`, by keyboard, and go as names alone."""

from pathlib import Path
from typing import Any

import pytest

from assent.editor.protocol import chats, happenings
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

TILL = {"reference": {"kind": "file", "path": "/w/src/till.py"}, "name": "src/till.py", "says": ""}
ODD = {
    "reference": {"kind": "file", "path": "/w/a <b>x.py"},
    "name": "a <b>x\\u202e.py",
    "says": "",
}
SELECTION = {"reference": {"kind": "selection"}, "name": "selection", "says": "What is selected"}
REFUSED = "Reading src/till.py is not allowed unasked here, so nothing was sent."


def play(stage: Stage, *items: chats.Item) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[*scenes.TALK, *items])]))


def offer(stage: Stage, *found: dict[str, Any]) -> None:
    """The server says what could be meant by what was written last."""
    last = stage.requests("agent/references")[-1]
    stage.answer(last["id"], {"found": list(found)})


def write(stage: Stage, words: str) -> None:
    stage.at("composer").press_sequentially(words)
    stage.let_pass(20)


def press(stage: Stage, key: str) -> None:
    stage.at("composer").press(key)
    stage.let_pass(20)


def chips(stage: Stage) -> list[str]:
    return stage.at("references").get_by_role("button").all_text_contents()


@pytest.mark.requirement("N-05")
@pytest.mark.requirement("T-01")
def test_a_file_is_named_by_keyboard_and_goes_with_the_words(stage: Stage) -> None:
    play(stage)
    write(stage, "Mend @t")
    asked = [it["params"] for it in stage.requests("agent/references")]
    assert asked == [{"chatId": "chat-1", "word": word} for word in ("", "t")]
    offer(stage, SELECTION, TILL)
    options = stage.at("mentions").get_by_role("option")
    assert options.all_text_contents() == ["selection What is selected", "src/till.py"]
    press(stage, "ArrowDown")
    active = stage.at("composer").get_attribute("aria-activedescendant")
    assert stage.page.locator(f"#{active}").get_attribute("aria-label") == "src/till.py"
    assert stage.page.locator("[aria-selected=true]").text_content() == "src/till.py"
    assert stage.faults() == []
    press(stage, "Enter")
    assert stage.requests("agent/prompt") == [], "Enter took the entry"
    assert stage.at("mentions").count() == 0
    assert stage.at("composer").input_value() == "Mend "
    assert chips(stage) == ["src/till.py"]
    write(stage, "it")
    press(stage, "Enter")
    [prompt] = stage.requests("agent/prompt")
    named = [TILL["reference"]]
    assert prompt["params"] == {"chatId": "chat-1", "text": "Mend it", "references": named}
    assert stage.at("references").count() == 0
    stage.answer(stage.asked("agent/prompt"), error=REFUSED)
    assert stage.at("note").inner_text().startswith(REFUSED)
    assert stage.at("composer").input_value() == "Mend it"
    assert chips(stage) == ["src/till.py"]


def test_a_chip_is_taken_off_by_its_button_or_before_the_first_letter(stage: Stage) -> None:
    play(stage)
    for found in (TILL, SELECTION, TILL):
        write(stage, "@")
        offer(stage, found)
        press(stage, "Tab")
    assert chips(stage) == ["src/till.py", "selection"], "nothing is named twice"
    write(stage, "x")
    press(stage, "Backspace")
    assert len(chips(stage)) == 2
    press(stage, "Backspace")
    assert chips(stage) == ["src/till.py"]
    stage.at("references").get_by_role("button", name="Take off src/till.py").press("Enter")
    stage.let_pass(20)
    assert stage.at("references").count() == 0
    assert stage.at("composer").evaluate("(each) => each === document.activeElement")


def test_escape_closes_the_list_and_an_old_answer_opens_none(stage: Stage) -> None:
    play(stage)
    write(stage, "@t")
    first = stage.requests("agent/references")[0]["id"]
    stage.answer(first, {"found": [SELECTION]})
    assert stage.at("mentions").count() == 0, "it was asked for less"
    offer(stage, TILL)
    assert stage.at("mentions").count() == 1
    press(stage, "Escape")
    assert stage.at("mentions").count() == 0
    assert stage.at("composer").input_value() == "@t"
    press(stage, "Enter")
    assert stage.requests("agent/prompt")[0]["params"]["text"] == "@t"


@pytest.mark.parametrize("words", ["me@example.org", "git@", "a @ b", "@a@b"])
def test_an_address_is_no_name(stage: Stage, words: str) -> None:
    play(stage)
    stage.at("composer").fill(words)
    stage.let_pass(20)
    assert stage.requests("agent/references") == []


def test_no_more_than_twenty_are_named(stage: Stage) -> None:
    play(stage)
    for number in range(21):
        write(stage, "@")
        offer(stage, {**TILL, "reference": {"kind": "file", "path": f"/w/{number}"}})
        press(stage, "Enter")
    assert len(chips(stage)) == 20
    assert stage.at("note").inner_text().startswith("No more than 20 things are named")
    stage.draw()
    box = stage.at("send").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900


def test_no_list_opens_while_a_card_is_open(stage: Stage) -> None:
    play(stage)
    stage.ask(1, tickets.CARDS["shell"])
    stage.at("composer").fill("@t")
    stage.let_pass(20)
    assert stage.requests("agent/references") == []


@pytest.mark.parametrize("stage", [{"width": 300, "height": 320}], indirect=True)
def test_many_names_leave_a_card_its_buttons(stage: Stage) -> None:
    play(stage)
    for number in range(20):
        write(stage, "@")
        offer(stage, {**TILL, "reference": {"kind": "file", "path": f"/w/{number}"}})
        press(stage, "Enter")
    stage.ask(1, tickets.CARDS["shell"])
    stage.draw()
    for name in ("deny", "allow-once"):
        box = stage.at(name).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 320


@pytest.mark.parametrize("stage", [{"width": 300, "height": 700}], indirect=True)
@pytest.mark.parametrize("theme", ["dark-2026", "light-2026", "hc-dark", "hc-light"])
def test_names_are_text_that_stays_in_the_view(stage: Stage, theme: str, tmp_path: Path) -> None:
    long = {**TILL, "name": "src/" + "very-long-folder/" * 20 + "till.py"}
    said = chats.Said(
        kind="user", message_id="m9", text="Mend it", references=[ODD["name"], long["name"]]
    )
    play(stage)
    stage.dress(theme)
    event = happenings.SaidMore(
        who="user", message_id="m9", append=said.text, references=said.references
    )
    stage.tell("agent/event", scenes.event(1, "chat-1", event))
    for found in (ODD, long):
        write(stage, "@")
        offer(stage, found)
        press(stage, "Enter")
    write(stage, "@")
    offer(stage, SELECTION, ODD, long)
    assert stage.at("named").get_by_role("listitem").first.text_content() == ODD["name"]
    assert chips(stage)[0] == ODD["name"]
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert stage.page.evaluate(wide)
    # What tells files apart is the end of their names.
    for end in stage.page.locator(".whole > bdi:last-child").all():
        assert end.evaluate("(each) => each.scrollWidth <= each.clientWidth + 1")
    for name in ("mentions", "references", "named"):
        box = stage.at(name).last.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 300
    assert stage.faults() == []
    assert stage.violations() == []
    stage.page.screenshot(path=str(tmp_path / "names.png"))


@pytest.mark.requirement("T-01")
def test_the_last_words_come_back_into_an_empty_composer(stage: Stage) -> None:
    said = chats.Said(kind="user", message_id="m9", text="Mend it\nplease")
    play(stage, said)
    press(stage, "ArrowUp")
    assert stage.at("composer").input_value() == "Mend it\nplease"
    press(stage, "Escape")
    assert stage.at("composer").input_value() == ""
    press(stage, "ArrowUp")
    write(stage, "!")
    press(stage, "Escape")
    assert stage.at("composer").input_value() == "Mend it\nplease!", "it is a draft by now"
    stage.at("composer").fill("other")
    press(stage, "ArrowUp")
    assert stage.at("composer").input_value() == "other"


def test_long_last_words_come_back_whole_and_what_went_with_them_is_said(stage: Stage) -> None:
    play(
        stage,
        chats.Said(kind="user", message_id="m9", text="Do not ", references=["till.py"]),
        chats.Said(kind="user", message_id="m9+4", text="delete "),
        chats.Said(kind="user", message_id="m9+5", text="it."),
        chats.Said(kind="agent", message_id="m10", text="As you wish."),
    )
    press(stage, "ArrowUp")
    assert stage.at("composer").input_value() == "Do not delete it."
    note = stage.at("note").inner_text()
    assert note.startswith("What was named beside it is not said again: till.py.")
    press(stage, "Escape")
    assert stage.at("composer").input_value() == ""
    assert stage.at("note").count() == 0


def test_last_words_whose_beginning_is_not_there_do_not_come_back(stage: Stage) -> None:
    tail = chats.Said(kind="user", message_id="m9+4", text="delete it.")
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[tail])]))
    press(stage, "ArrowUp")
    assert stage.at("composer").input_value() == ""
    assert (
        stage.at("note").inner_text().startswith("The beginning of your last words is further up")
    )
