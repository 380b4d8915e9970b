"""A command is changed in its document before it is allowed, in a real editor."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from models.script import text
from vscode.test_own_agent import AtWork, Models, Picture, at_work, models, own_editor, picture, run

__all__ = ["at_work", "models", "own_editor", "picture"]


@pytest.mark.requirement("S-06")
def test_a_command_is_changed_in_its_document_and_what_its_card_shows_then_runs(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    models.reply(run("touch one two"))
    models.reply(text("Done."))
    person.say("Make it.")
    person.wait_for_card("touch one two")
    person.see("allow-menu").click()
    person.see("edit-text").click()
    page = person.window.page
    document = page.locator(".monaco-editor[data-uri^='assent-text:']")
    expect(document).to_contain_text("touch")
    document.click()
    page.keyboard.press("Control+A")
    page.keyboard.type("touch one")
    expect(person.card).not_to_contain_text("two")
    # The last revision says all that was typed.
    person.wait_for_card("touch one")
    expect(person.record("touch one")).to_contain_text("You have changed")
    picture(person, "edit-1-the-card-shows-what-was-typed")
    person.allow()
    person.wait_for_turn()
    # The document goes with its question, and nobody is asked to save it.
    expect(page.locator(".tabs-container .tab")).to_have_count(0)
    picture(person, "edit-2-what-ran")
    made = {it.name for it in Path(person.folder).iterdir()}
    assert "one" in made
    assert "two" not in made
