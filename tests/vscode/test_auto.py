"""Auto is as visible as a bypass: asked about by the editor, red where one looks, and off again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from vscode.person import Person

requirement = pytest.mark.requirement


@requirement("S-03")
@requirement("M-05")
@pytest.mark.walk
def test_auto_is_asked_about_shown_in_red_and_turned_off_by_a_click(
    person: Person, tmp_path: Path
) -> None:
    pictures = tmp_path / "pictures"
    person.say("help")
    person.wait_for_turn()
    mode = person.see("mode-select")
    mode.select_option("auto")
    dialog = person.window.dialog()
    expect(dialog).to_contain_text("Run everything unasked in this chat?")
    expect(dialog.get_by_role("button", name="Keep asking", exact=True)).to_be_focused()
    person.window.screenshot(pictures / "auto-1-asked.png")
    person.window.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(person.see("auto-strip")).to_have_count(0)
    person.say("run touch made")
    person.deny()
    person.wait_for_turn()

    mode.select_option("auto")
    person.window.answer_dialog("Turn on Auto")
    expect(person.see("auto-strip")).to_contain_text("Eliza runs most things here unasked")
    item = person.window.status("Auto: Eliza")
    expect(item).to_have_class(re.compile(r"\berror-kind\b"))
    person.say("run touch second")
    person.wait_for_file("second")
    person.wait_for_turn()
    assert not (person.folder / "made").exists()
    person.window.screenshot(pictures / "auto-2-on.png")

    item.click()
    expect(person.see("auto-strip")).to_have_count(0)
    expect(mode).to_have_value("default")
    person.say("run touch third")
    person.deny()
