"""What was spoken is heard in a real editor, and a picture of a file is opened large and there."""

import shutil

import pytest
from playwright.sync_api import expect

from models.script import call, text
from pictures import png
from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture

__all__ = ["at_work", "models", "own_editor", "picture"]

requirement = pytest.mark.requirement


@requirement("N-11")
def test_what_was_spoken_is_heard_in_the_chat_and_not_before_it_is_asked_for(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    models.reply(call("speak", {"text": "A red kite flies over the hill.", "path": "kite.wav"}))
    models.reply(text("There it is."))
    person = at_work()
    person.say("Say it.")
    person.wait_for_card()
    person.allow()
    person.wait_for_turn()
    player = person.see("player")
    expect(player).to_have_attribute("data-playing", "false")
    expect(player).to_contain_text("kite.wav")
    picture(person, "sound-1")
    person.see("play").click()
    expect(person.see("time")).to_contain_text("/ 0:0")
    picture(person, "sound-2-played")
    expect(player).to_have_attribute("data-playing", "false", timeout=30_000)
    heard = "each => each.valueAsNumber > 0.5 || each.valueAsNumber === 0"
    assert person.see("position").evaluate(heard)
    expect(player).not_to_contain_text("cannot be played")


@requirement("N-11")
def test_a_picture_of_a_file_is_opened_large_and_from_there_in_the_editor(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    models.reply(call("read_file", {"path": "b.png"}))
    models.reply(text("It is grey."))
    person = at_work()
    (person.folder / "b.png").write_bytes(png(300, 600, shade=120))
    person.say("What is b.png?")
    expect(person.answer).to_contain_text("It is grey.")
    person.wait_for_turn()
    person.see("open-large").click()
    large = person.see("large")
    expect(large.locator("img")).to_have_attribute("alt", "Picture from a call of Assent")
    picture(person, "picture-1-large")
    person.see("close-large").press("Escape")
    expect(large).to_have_count(0)
    expect(person.see("open-large")).to_be_focused()
    person.see("open-large").click()
    person.see("open-file").click()
    expect(person.window.page.locator(".tab", has_text="b.png")).to_be_visible()
    picture(person, "picture-2-in-the-editor")
