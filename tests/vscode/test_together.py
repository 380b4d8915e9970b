"""Like calls of one agent in a real editor: one press, and an answer of its own for each."""

import pytest
from playwright.sync_api import expect

from host.waiting import until
from models.script import call, text
from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture

__all__ = ["at_work", "models", "own_editor", "picture"]

requirement = pytest.mark.requirement


@requirement("T-02")
@requirement("T-07")
@requirement("S-11")
def test_six_files_are_written_or_not_by_one_press(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    names = ["one", "two", "three", "four", "five", "six"]
    models.reply(
        *(
            call("write_file", {"path": f"{name}.txt", "content": f"This is {name}.\n"})
            for name in names
        )
    )
    models.reply(text("Five of six, then."))
    person = at_work()
    person.say("Write six files.")
    expect(person.see("waiting-count")).to_contain_text("6")
    person.see("together").click()
    expect(person.see("batch-row")).to_have_count(6)
    person.wait_for_card()
    person.see("tick").nth(2).click()
    expect(person.see("allow-once")).to_have_text("Allow 5, deny 1")
    picture(person, "six-in-one-list")
    # In a window of this height the last rows are below the first.
    below = person.see("below")
    while said := below.all_inner_texts():
        below.click()
        # What it leads to counts as seen a few frames later; the button may go then.
        until(lambda: below.all_inner_texts() != said, within=30, what="more of it is seen")
        person.wait_for_card()
    person.allow()
    expect(person.answer).to_contain_text("Five of six, then.")

    written = {name for name in names if (person.folder / f"{name}.txt").exists()}
    assert written == set(names) - {"three"}
    rows = person.rows("decided")
    assert [row["body"]["outcome"] for row in rows].count("allowed") == 5
    assert len({row["call"] for row in rows}) == 6
