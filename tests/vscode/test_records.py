"""What stands in the chat of a real editor before and after a command, and after a failure."""

import json

import pytest
from playwright.sync_api import expect

from models.script import status, text
from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture, run

__all__ = ["at_work", "models", "own_editor", "picture"]

requirement = pytest.mark.requirement


@requirement("T-02")
def test_a_common_command_takes_little_room_and_a_long_one_is_read_whole_afterwards(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    long = f"touch {'x' * 144}.txt"
    assert len(long) == 154
    # Else it would run on a copy, and have no card of its own.
    person = at_work(sandbox="offer")
    scripts = {"test": "vitest run"}
    (person.folder / "package.json").write_text(json.dumps({"scripts": scripts}))
    for command in ("npm test", long):
        models.reply(run(command))
    models.reply(text("Both ran."))
    person.say("Run both.")
    person.wait_for_card("npm test (vitest run)")
    picture(person, "records-1-a-common-command")
    box = person.card.bounding_box()
    assert box is not None
    assert box["height"] <= 110
    person.allow()
    person.wait_for_card("xxx")
    picture(person, "records-2-a-long-command")
    person.allow()
    person.wait_for_turn()
    record = person.record("xxx")
    record.locator("summary").first.click()
    expect(record.locator("pre.raw").first).to_have_text(long)
    picture(person, "records-3-read-whole-afterwards")


def test_a_reply_that_failed_is_asked_for_once_more_by_its_button(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    person = at_work()
    models.reply(status(400, "the request is odd"))
    models.reply(text("Now it went well."))
    person.say("Hello there.")
    expect(person.see("retry")).to_be_visible()
    picture(person, "retry-1-failed")
    person.press("retry")
    expect(person.answer).to_contain_text("Now it went well.")
    person.wait_for_turn()
    expect(person.see("retry")).to_have_count(0)
    picture(person, "retry-2-asked-again")
    first, second = (models.asked(number)["body"]["messages"] for number in (1, 2))
    assert first == second
