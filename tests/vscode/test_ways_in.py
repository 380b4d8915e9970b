"""Keys, words behind a slash, and a picture that comes back, in a real editor."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from host.page import edit_settings, workspace_settings
from vscode.person import Person
from vscode.test_typing import open_file
from webview.test_agents_own import PASTE, PIXEL

RULES = {"assent.rules": {"deny": ["read(./.env)"]}}


def chord(person: Person, key: str) -> None:
    """Press a chord of the editor."""
    person.window.page.keyboard.press("Control+K")
    person.window.page.keyboard.press(key)


def test_keys_lead_to_the_message_box_and_to_a_new_chat_and_bring_what_is_selected(
    person: Person,
) -> None:
    person.see("agent-select").select_option(label="Eliza")
    person.say("hello")
    person.wait_for_turn()
    person.hide_view()
    chord(person, "a")
    expect(person.see("composer")).to_be_focused()
    chord(person, "Alt+n")
    expect(person.see("message-user")).to_have_count(0)
    expect(person.see("composer")).to_be_focused()
    expect(person.see("composer")).to_have_value("")
    (person.folder / "rates.py").write_text("VAT = 19\nLOW = 7\n", encoding="utf-8")
    open_file(person, "rates.py")
    person.window.page.locator(".editor-instance .view-lines").last.click()
    person.window.page.keyboard.press("Control+A")
    chord(person, "Shift+A")
    expect(person.see("composer")).to_be_focused()
    expect(person.see("composer")).to_have_value(
        "From `rates.py`, lines 1 to 2:\n```\nVAT = 19\nLOW = 7\n```\n"
    )


def test_words_behind_a_slash_open_the_rules_and_the_help(
    enter: Callable[..., Person], workspace: Path
) -> None:
    edit_settings(workspace_settings(workspace), RULES)
    person = enter(workspace)
    page = person.window.page
    person.see("agent-select").select_option(label="Eliza")
    person.say("hello")
    person.wait_for_turn()
    person.see("composer").press_sequentially("/")
    expect(person.see("commands")).to_be_visible()
    person.see("composer").fill("")
    person.say("/rules")
    expect(page.get_by_role("treeitem", name="read(./.env)")).to_be_visible()
    person.say("/help")
    expect(page.locator(".getting-started")).to_contain_text("Get started with Assent")


def test_a_picture_that_an_agent_cannot_read_is_in_the_box_again(person: Person) -> None:
    person.see("agent-select").select_option(label="Eliza")
    person.say("hello")
    person.wait_for_turn()
    person.see("composer").evaluate(PASTE, [PIXEL, "image/png"])
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    # It may be back in the box before anybody could see it empty.
    person.see("composer").fill("What is this?")
    person.see("composer").press("Enter")
    expect(person.see("note")).to_contain_text("Eliza cannot read pictures.")
    expect(person.see("composer")).to_have_value("What is this?")
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    expect(person.see("message-user")).to_have_count(1)
