"""Words that are said while the agent works, in a real editor."""

import os

from playwright.sync_api import expect

from models.script import call, text
from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture

__all__ = ["at_work", "models", "own_editor", "picture"]


def test_words_in_mid_run_reach_the_model_after_the_running_tool(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    person = at_work()
    go = person.folder / "go"
    os.mkfifo(go)
    models.reply(call("run_command", {"command": "read line < go; echo gone on"}))
    models.reply(text("In French, then."))
    person.say("Write the greeting.")
    expect(person.record("read line")).to_have_attribute("data-state", "running")
    person.say("And write it in French.")
    expect(person.see("message-user").last).to_contain_text("And write it in French.")
    picture(person, "1-said-while-it-works")
    go.write_text("on\n", encoding="utf-8")
    person.wait_for_turn()
    expect(person.answer).to_contain_text("In French, then.")
    first, second = (models.asked(number)["body"]["messages"] for number in (1, 2))
    assert "in French" not in str(first)
    assert second[: len(first)] == first
    assert [it["role"] for it in second[len(first) :]] == ["assistant", "tool", "user"]
    assert "gone on" in str(second[-2])
    assert "And write it in French." in str(second[-1])
    picture(person, "2-and-heard")
