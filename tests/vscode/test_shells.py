"""The list of shells in a real editor: what runs, whose it is, and its end."""

import pytest
from playwright.sync_api import expect

from models.script import text
from vscode.modelhost import Models
from vscode.test_own_agent import (
    AtWork,
    Picture,
    at_work,
    models,
    own_editor,
    picture,
    run,
    started,
    wait_for_end,
)
from vscode.test_rules import ask_for_list

__all__ = ["at_work", "models", "own_editor", "picture"]

requirement = pytest.mark.requirement


@requirement("C-04")
@requirement("S-08")
def test_what_runs_is_listed_from_the_first_look_and_ended_from_there(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    models.reply(run("echo begun; exec sleep 1012"))
    models.reply(text("It goes on without me."))
    person = at_work()
    person.say("Take your time.")
    expect(person.see("record-tail")).to_contain_text("begun")
    process = started(person, "sleep", "1012")
    person.press("record-background")
    person.wait_for_turn()

    row = ask_for_list(person, "Shells").filter(has_text="sleep 1012")
    expect(row).to_contain_text("in the background")
    picture(person, "shells")
    row.hover()
    row.get_by_role("button", name="Kill the Shell").click()
    wait_for_end(process)
    expect(row).to_have_count(0)
