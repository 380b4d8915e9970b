"""Chats outlive the window and the server, in a real editor."""

import os
import signal
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from host.processes import living
from host.waiting import until
from models.script import text
from vscode.person import Person
from vscode.test_beginning import click
from vscode.test_own_agent import AtWork, Models, Picture, at_work, models, own_editor, picture, run
from vscode.test_tabs import tab

__all__ = ["at_work", "models", "own_editor", "picture"]

requirement = pytest.mark.requirement

_SOON: Final = 30.0
_LONG: Final = _SOON * 1000


def rows_of(person: Person) -> Locator:
    """The lines of the list that is open in the editor."""
    return person.window.page.locator(".quick-input-list .monaco-list-row")


def begin_chats(person: Person, models: Models, count: int) -> None:
    """Have a short talk in each of so many chats."""
    for number in range(count):
        if number:
            person.new_chat()
        models.reply(text(f"The answer is {number}."))
        person.say(f"Question {number}")
        expect(person.answer).to_contain_text(f"The answer is {number}.", timeout=_LONG)
        person.wait_for_turn()


def agree(person: Person, mode: str) -> None:
    """Say once more, to the editor itself, that a looser mode is meant."""
    person.window.dialog().get_by_role("button", name=mode).first.click()


def titles(person: Person) -> list[str]:
    """The chats that can be shown."""
    return [it.strip() for it in person.see("chat-select").locator("option").all_inner_texts()]


@requirement("N-12")
def test_nine_chats_outlive_a_reload_and_a_killed_server(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    begin_chats(person, models, 9)
    wanted = [f"Question {number}" for number in range(9)]
    assert titles(person) == wanted
    models.reply(run("touch made"))
    person.say("Make it.")
    person.wait_for_card("touch made")
    picture(person, "chats-1-a-question-is-open")

    os.kill(person.server().pid, signal.SIGKILL)
    expect(person.card).to_have_count(0, timeout=_LONG)
    expect(person.see("offer")).to_have_text("Ask again", timeout=_LONG)
    assert sorted(titles(person)) == wanted
    expect(person.see("message-user").last).to_contain_text("Make it.")
    expect(person.record("touch made")).to_have_attribute("data-state", "refused")
    picture(person, "chats-2-after-the-kill")

    models.reply(text("Then not."))
    person.press("offer")
    expect(person.answer).to_contain_text("Then not.")
    person.wait_for_turn()
    expect(person.see("offer")).to_have_count(0)
    assert not (person.folder / "made").exists()

    old = person.server()
    person.window.reload()
    until(lambda: not living(frozenset({old})), within=_SOON, what="the old server is gone")
    person.open_view()
    # Which of them is shown first depends on how soon the old server let go of each.
    expect(person.see("chat-select").locator("option")).to_have_count(9, timeout=_LONG)
    person.see("chat-select").select_option(label="Question 8")
    expect(person.answer).to_contain_text("Then not.", timeout=_LONG)
    assert sorted(titles(person)) == wanted
    picture(person, "chats-3-after-the-reload")
    models.reply(text("I remember."))
    person.say("Do you remember?")
    expect(person.answer).to_contain_text("I remember.")
    assert "Question 8" in str(models.asked(12)["body"])


@requirement("M-03")
@requirement("N-12")
def test_a_chat_in_a_tab_comes_back_there_with_the_window(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    begin_chats(person, models, 3)
    page = person.window.page
    person.window.command("Assent: Open a Chat in a Tab")
    click(person, "Question 0")
    expect(tab(page).get_by_test_id("message-agent")).to_contain_text("The answer is 0.")
    chat = tab(page).get_by_test_id("chat-select").input_value()
    person.window.wait_until_kept("assent.chatTab", chat)
    person.window.reload()
    # The other chats are there as soon as this one, or sooner; the newest is what is shown else.
    expect(page.locator(".tab.active", has_text="Question 0")).to_be_visible()
    expect(tab(page).get_by_test_id("message-agent")).to_contain_text(
        "The answer is 0.", timeout=_LONG
    )
    picture(person, "chats-7-a-tab-after-the-reload")
    models.reply(text("Still here."))
    tab(page).get_by_test_id("composer").fill("Are you?")
    tab(page).get_by_test_id("composer").press("Enter")
    expect(tab(page).get_by_test_id("message-agent").last).to_contain_text("Still here.")
    assert "Question 0" in str(models.asked(4)["body"])


@requirement("N-12")
def test_a_chat_in_auto_comes_back_in_default_with_one_click_to_auto(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    begin_chats(person, models, 1)
    person.see("mode-select").select_option("auto")
    agree(person, "Auto")
    expect(person.see("mode-select")).to_have_value("auto")
    # What is kept a moment later is waited for by saying something more.
    models.reply(text("In Auto."))
    person.say("And now?")
    expect(person.answer).to_contain_text("In Auto.")
    person.wait_for_turn()
    person.window.reload()
    person.open_view()
    expect(person.see("offer")).to_have_text("Back to Auto", timeout=_LONG)
    expect(person.see("mode-select")).to_have_value("default")
    picture(person, "chats-4-default-again")
    person.press("offer")
    agree(person, "Auto")
    expect(person.see("mode-select")).to_have_value("auto")
    expect(person.see("offer")).to_have_count(0)


@requirement("N-12")
def test_an_earlier_chat_is_found_renamed_and_deleted_by_the_keyboard(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    begin_chats(person, models, 2)
    person.press("close-chat")
    expect(person.see("message-user")).to_contain_text("Question 0")
    person.window.command("Assent: Earlier Chats…")
    keyboard = person.window.page.keyboard
    expect(rows_of(person)).to_have_count(2, timeout=_LONG)
    picture(person, "chats-5-the-list")
    keyboard.type("answer is 1")
    expect(rows_of(person)).to_have_count(1)
    picture(person, "chats-6-searched")
    keyboard.press("Enter")
    expect(person.answer).to_contain_text("The answer is 1.", timeout=_LONG)

    person.window.command("Assent: Rename a Chat…")
    expect(rows_of(person)).to_have_count(2)
    keyboard.press("Enter")
    box = person.window.page.locator(".quick-input-widget input")
    expect(box).to_have_value("Question 1")
    keyboard.type("The second")
    keyboard.press("Enter")
    expect(person.see("chat-select").locator("option", has_text="The second")).to_have_count(1)

    person.window.command("Assent: Delete a Chat…")
    expect(rows_of(person)).to_have_count(2)
    keyboard.type("second")
    expect(rows_of(person)).to_have_count(1)
    keyboard.press("Enter")
    person.window.answer_dialog("Delete the Chat")
    expect(person.see("message-user")).to_contain_text("Question 0")
    person.window.command("Assent: Earlier Chats…")
    expect(rows_of(person)).to_have_count(1)
    picture(person, "chats-7-deleted")


@requirement("N-12")
def test_a_chat_is_read_in_a_second_window_and_gone_on_with_once_the_first_is_closed(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    first = at_work()
    begin_chats(first, models, 1)
    server = first.server()
    second = at_work()
    second.window.command("Assent: Earlier Chats…")
    expect(rows_of(second)).to_contain_text(["open in another window"], timeout=_LONG)
    second.window.page.keyboard.press("Enter")
    expect(second.answer).to_contain_text("The answer is 0.", timeout=_LONG)
    expect(second.see("elsewhere")).to_contain_text("here it can be read")
    picture(second, "chats-8-read-in-a-second-window")
    second.see("continue").click()
    expect(second.see("note")).to_contain_text("Close it there, then go on with it here")

    first.window.close()
    until(lambda: not living(frozenset({server})), within=_SOON, what="the first server is gone")
    second.see("continue").click()
    expect(second.see("elsewhere")).to_have_count(0)
    models.reply(text("Still here."))
    second.say("And now?")
    expect(second.answer).to_contain_text("Still here.")
    assert "Question 0" in str(models.asked(1)["body"])
    picture(second, "chats-9-gone-on-with-there")
