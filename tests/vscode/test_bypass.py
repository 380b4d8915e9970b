"""Stop asking, by every way that it can come into the settings file of a real workspace."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.editor import Editor
from host.page import edit_settings, workspace_settings
from host.waiting import until
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
BYPASS = "assent.bypassPermissions"


def stop_asking(person: Person) -> None:
    """Choose it on the card, and say so once more to the editor."""
    person.say("run touch made")
    person.choose("bypassAgent")
    expect(person.window.dialog()).to_contain_text("Eliza")
    person.window.answer_dialog("Stop asking")
    person.wait_for_file("made")
    person.wait_for_turn()


@requirement("S-03")
@requirement("M-05")
@pytest.mark.walk
def test_stop_asking_is_written_by_the_editor_and_taken_back_by_hand(person: Person) -> None:
    stop_asking(person)
    expect(person.see("bypass-strip")).to_be_visible()
    assert person.setting(BYPASS) == {"eliza": True}
    person.say("run touch second")
    person.wait_for_file("second")
    person.wait_for_turn()
    assert person.rows("decided")[-1]["body"]["rule"] == BYPASS

    edit_settings(workspace_settings(person.folder), {BYPASS: {}})
    expect(person.see("bypass-strip")).to_have_count(0)
    person.say("run touch third")
    person.deny()
    person.wait_for_turn()
    assert not (person.folder / "third").exists()


def test_drawing_back_from_the_dialog_leaves_the_card_and_the_settings(person: Person) -> None:
    person.say("run touch made")
    person.choose("bypassAgent")
    person.window.answer_dialog("Cancel")
    # What the card says then moves its buttons.
    expect(person.card).to_contain_text("You drew back")
    assert person.setting(BYPASS) is None
    person.deny()
    person.wait_for_turn()
    assert not (person.folder / "made").exists()


def test_a_bypass_written_by_hand_asks_one_question_and_changes_nothing_until_then(
    person: Person,
) -> None:
    edit_settings(workspace_settings(person.folder), {BYPASS: {"eliza": True}})
    person.wait_for_card("asks to stop asking for Eliza")
    expect(person.see("bypass-strip")).to_have_count(0)
    person.say("run touch made")
    expect(person.see("waiting-count")).to_contain_text("2")
    assert not (person.folder / "made").exists()
    person.see("option-grantWish").click()
    person.window.answer_dialog("Allow this")
    person.wait_for_file("made")
    expect(person.see("bypass-strip")).to_be_visible()


@requirement("M-05")
def test_a_bypass_shipped_in_the_repository_asks_and_stays_declined(
    enter: Enter, workspace: Path
) -> None:
    edit_settings(workspace_settings(workspace), {BYPASS: {"eliza": True}})
    person = enter(workspace)
    person.wait_for_card("asks to stop asking for Eliza")
    person.see("option-keepAsking").click()
    expect(person.card).to_have_count(0)
    person.say("run touch made")
    person.deny()
    person.wait_for_turn()
    person.window.close()
    again = enter(workspace)
    again.say("run touch made")
    again.wait_for_card("touch made")
    expect(again.see("waiting-count")).to_contain_text("1")
    again.deny()


@requirement("S-03")
def test_in_an_untrusted_workspace_nothing_widens(
    enter: Enter, wary_editor: Editor, workspace: Path
) -> None:
    edit_settings(workspace_settings(workspace), {BYPASS: {"eliza": True}, "assent.mode": "auto"})
    person = enter(workspace, wary_editor)
    person.say("run touch made")
    person.wait_for_card("touch made")
    # Where nothing wider can be chosen there is no list at all, only once.
    expect(person.see("allow-once")).to_be_visible()
    expect(person.see("allow-menu")).to_have_count(0)
    person.see("deny-menu").click()
    expect(person.see("option-denyTell")).to_be_visible()
    expect(person.see("option-bypassAgent")).to_have_count(0)
    expect(person.see("option-allowChat")).to_have_count(0)
    assert not (workspace / "made").exists()
    person.window.grant_trust()
    person.open_view()
    expect(person.see("waiting-count")).to_contain_text("3")
    assert not (workspace / "made").exists()


def test_the_status_bar_stays_red_while_it_lasts_and_turns_it_off(person: Person) -> None:
    stop_asking(person)
    status = person.window.status("Eliza")
    expect(status).to_be_visible()
    status.click()
    until(lambda: not person.setting(BYPASS), within=20, what="the setting to be taken out")
    person.say("run touch again")
    person.deny()
