"""What is selected in a real editor's terminal is added to the words being written."""

import re
from typing import Final

from playwright.sync_api import expect

from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture

_ADDED: Final = re.compile(r"Why does this fail\?\n\nFrom the terminal:\n```\n[^`]*4722[^`]*\n```")

__all__ = ["at_work", "models", "own_editor", "picture"]


def test_what_is_selected_in_the_terminal_stands_behind_what_is_written(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    person = at_work()
    page, window = person.window.page, person.window
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.see("composer").fill("Why does this fail?")
    window.command("Terminal: Create New Terminal")
    screen = page.locator(".terminal-wrapper.active .xterm-screen")
    expect(screen).to_be_visible()
    screen.click()
    page.keyboard.type("echo 4711 | tr 1 2; sleep 1; touch printed\n")
    person.wait_for_file("printed")
    window.command("Terminal: Select All")
    window.command("Assent: Add Terminal Selection")
    picture(person, "1-added")
    expect(person.see("composer")).to_have_value(_ADDED)
    # Nothing is sent by that.
    expect(person.see("message-user")).to_have_count(0)
