"""A call from its proposal to its end, as a person lives it, and what is then on the disk."""

import os
import re
import signal
import string
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import expect

from host.page import edit_settings, workspace_settings
from host.processes import living
from host.waiting import press_until, until
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
_SOON: Final = 30.0
# An agent that ends takes back what it asked, unless its window came first and refused it.
UNDONE: Final = {"refused", "withdrawn"}


@requirement("T-01")
@requirement("T-02")
@requirement("M-03")
@pytest.mark.walk
def test_nothing_runs_before_the_click_and_allow_once_runs_it(person: Person) -> None:
    person.say("run touch made")
    person.wait_for_card("touch made")
    assert not (person.folder / "made").exists()
    person.allow()
    person.wait_for_file("made")
    expect(person.record("Allowed")).to_be_visible()
    assert person.outcomes() == ["allowed"]


@requirement("T-05")
@pytest.mark.walk
def test_a_denied_call_leaves_no_trace_and_the_words_reach_the_agent(person: Person) -> None:
    person.say("run touch made")
    person.choose("denyTell")
    person.see("deny-words").fill("use the docs instead")
    person.wait_for_card()
    person.see("deny-words-send").click()
    person.wait_for_turn()
    expect(person.see("message-agent").last).to_contain_text("use the docs instead")
    expect(person.record("use the docs instead")).to_be_visible()
    assert not (person.folder / "made").exists()
    assert person.outcomes() == ["refused"]


@requirement("N-04")
@requirement("S-09")
def test_for_this_chat_asks_no_second_time_there_and_asks_in_the_next(person: Person) -> None:
    person.say("run touch made")
    person.choose("allowChat")
    person.wait_for_file("made").unlink()
    person.wait_for_turn()
    person.say("run touch made")
    person.wait_for_file("made").unlink()
    person.wait_for_turn()
    person.new_chat()
    person.say("run touch made")
    person.deny()
    person.wait_for_turn()
    assert not (person.folder / "made").exists()
    assert person.outcomes() == ["allowed", "allowed", "refused"]


@requirement("T-07")
def test_two_cards_are_answered_in_opposite_ways(person: Person) -> None:
    person.say("two calls")
    expect(person.see("waiting-count")).to_contain_text("2")
    first = person.see("card-title").inner_text()
    person.allow()
    expect(person.see("card-title")).not_to_have_text(first)
    person.deny()
    person.wait_for_turn()
    assert sorted(person.outcomes()) == ["allowed", "refused"]


@requirement("T-08")
@requirement("T-13")
def test_stop_denies_all_that_waits_and_the_cards_fold(person: Person) -> None:
    person.say("two calls")
    expect(person.see("waiting-count")).to_contain_text("2")
    person.press("stop")
    expect(person.card).to_have_count(0)
    person.wait_for_turn()
    assert person.outcomes() == ["refused", "refused"]
    assert {row["body"]["by"] for row in person.rows("decided")} == {"stop"}


@requirement("T-09")
def test_nobody_answers_in_time_and_the_record_says_so(enter: Enter, workspace: Path) -> None:
    edit_settings(workspace_settings(workspace), {"assent.approvalTimeout": 1})
    person = enter(workspace)
    person.say("run touch made")
    expect(person.record("Nobody answered")).to_be_visible()
    expect(person.card).to_have_count(0)
    assert not (workspace / "made").exists()
    assert person.rows("decided")[-1]["body"]["by"] == "timeout"


def test_a_card_outlives_its_view(person: Person) -> None:
    person.say("run touch made")
    person.wait_for_card("touch made")
    ticket = person.card.get_attribute("data-approval-id")
    person.hide_view()
    person.open_view()
    person.wait_for_card("touch made")
    assert person.card.get_attribute("data-approval-id") == ticket
    person.allow()
    person.wait_for_file("made")
    assert person.outcomes() == ["allowed"]


def test_two_windows_on_one_folder_have_a_card_each_and_one_journal(
    enter: Enter, workspace: Path
) -> None:
    one, other = enter(workspace), enter(workspace)
    one.say("run touch first")
    other.say("run touch second")
    one.wait_for_card("touch first")
    other.wait_for_card("touch second")
    one.allow()
    one.wait_for_file("first")
    other.wait_for_card("touch second")
    other.deny()
    other.wait_for_turn()
    assert not (workspace / "second").exists()
    assert one.outcomes() == ["allowed", "refused"]
    assert len({row["epoch"] for row in one.rows("decided")}) == 2


@requirement("C-07")
@pytest.mark.walk
def test_a_killed_server_runs_nothing_and_says_what_became_of_the_card(person: Person) -> None:
    person.say("run touch made")
    person.wait_for_card("touch made")
    server = person.server()
    agents = person.agents_of(server)
    assert agents
    os.kill(server.pid, signal.SIGKILL)
    # It says so once the next server has started.
    expect(person.window.notification("stopped")).to_be_visible(timeout=_SOON * 1000)
    expect(person.see("banner")).to_contain_text("nothing of it ran", timeout=_SOON * 1000)
    expect(person.card).to_have_count(0)
    until(lambda: not living(agents), within=_SOON, what="the agent's process is gone")
    assert not (person.folder / "made").exists()
    (decided,) = person.rows("decided")
    assert (decided["body"]["outcome"], decided["body"]["by"]) == ("refused", "error")
    assert decided["epoch"] != person.rows("asked")[0]["epoch"]
    expect(person.see("composer")).to_be_editable()
    person.say("run touch after")
    person.allow()
    person.wait_for_file("after")


@requirement("S-04")
def test_a_lying_title_changes_nothing_on_the_card(person: Person) -> None:
    person.say("spoof touch made")
    person.wait_for_card()
    expect(person.see("card-title")).to_contain_text("touch made")
    expect(person.see("card-title")).not_to_contain_text("README")
    assert person.see("card").inner_text().count("touch made") == 1
    person.deny()
    person.wait_for_turn()
    assert not (person.folder / "made").exists()


@requirement("T-02")
def test_two_hundred_keys_pressed_while_cards_arrive_answer_none(person: Person) -> None:
    person.say("hello")
    expect(person.see("message-agent")).to_be_visible()
    person.wait_for_turn()
    (agent,) = person.agents_of(person.server())
    keys = [*string.ascii_lowercase, *string.digits, "Enter", "Space", "Backspace"]
    dice = Random(20)  # noqa: S311 -- any keys will do, the same each time
    all_twelve = person.see("waiting-count").filter(has_text="12")

    def press_twenty_and_look() -> bool:
        for key in dice.choices(keys, k=20):
            person.window.page.keyboard.press(key)
        return all_twelve.count() > 0

    # The agent is held until keys are under way, so that its cards come in the midst of them.
    os.kill(agent.pid, signal.SIGSTOP)
    try:
        person.say("many 12")
        expect(person.see("message-user").last).to_contain_text("many 12")
        assert not any(press_twenty_and_look() for _ in range(5))
    finally:
        os.kill(agent.pid, signal.SIGCONT)
    until(press_twenty_and_look, within=_SOON, what="twelve cards are there")
    # Before they are, it stops the agent.
    keys.append("Escape")
    for _ in range(5):
        press_twenty_and_look()
    expect(all_twelve).to_be_visible()
    assert person.rows("decided") == []
    person.press("stop")
    person.wait_for_turn()
    assert person.outcomes() == ["refused"] * 12


def test_an_edit_shows_its_hunks_and_is_written_when_allowed(person: Person) -> None:
    person.say("write README.md Something else")
    person.wait_for_card("README.md")
    expect(person.see("card-body")).to_contain_text("Something else")
    person.allow()
    expect(person.record("Allowed")).to_be_visible()
    person.wait_for_turn()
    assert "Something else" in (person.folder / "README.md").read_text(encoding="utf-8")


def choose_in_list(person: Person, heading: str, wanted: str) -> None:
    """Go down the list with this heading to the first line with this text, and press Enter."""
    widget = person.window.page.locator(".quick-input-widget")
    title = widget.locator(".quick-input-title")
    rows = widget.locator(".monaco-list-row")
    expect(title).to_contain_text(heading)
    asked = title.inner_text()

    def is_reached() -> bool:
        focused = rows.and_(person.window.page.locator(".focused")).filter(has_text=wanted).count()
        if not focused:
            person.window.page.keyboard.press("ArrowDown")
        return focused > 0

    until(is_reached, within=_SOON, what=f"“{wanted}” can be chosen by keyboard")

    # A list that has just come up takes no answer yet; what comes after it would take the second.
    press_until(
        lambda: person.window.page.keyboard.press("Enter"),
        lambda: not widget.is_visible() or title.inner_text() != asked,
        what=f"“{wanted}” is chosen",
    )


@requirement("S-04")
@pytest.mark.walk
def test_cards_are_read_and_answered_by_keyboard_without_the_view(person: Person) -> None:
    page = person.window.page.locator("iframe.webview.ready")
    person.say("two calls")
    expect(person.see("waiting-count")).to_contain_text("2")
    person.hide_view()
    expect(person.window.status("2 waiting")).to_be_visible()
    person.window.command("Assent: Allow Once")
    choose_in_list(person, "2 cards wait", "eliza-was-here.txt")
    choose_in_list(person, "Eliza: ", "Allow once")
    person.wait_for_file("eliza-was-here.txt")
    expect(page).to_have_count(0)
    expect(person.window.status("1 waiting")).to_be_visible()
    person.window.command("Assent: Deny")
    choose_in_list(person, "Eliza: ", "Deny")
    until(lambda: len(person.outcomes()) == 2, within=_SOON, what="both calls are decided")
    expect(page).to_have_count(0)
    assert person.outcomes() == ["allowed", "refused"]


def test_a_card_outlives_the_reload_of_its_page(person: Person) -> None:
    person.say("run touch made")
    person.wait_for_card("touch made")
    ticket = person.card.get_attribute("data-approval-id")
    person.see("card").evaluate("card => card.setAttribute('data-of-the-old-page', '')")
    person.window.command("Developer: Reload Webviews")
    expect(person.view.locator("[data-of-the-old-page]")).to_have_count(0)
    person.wait_for_card("touch made")
    assert person.card.get_attribute("data-approval-id") == ticket
    person.allow()
    person.wait_for_file("made")
    assert person.outcomes() == ["allowed"]


@requirement("C-07")
@requirement("T-13")
def test_the_reload_of_a_whole_window_refuses_what_waited_there(person: Person) -> None:
    person.say("run touch made")
    person.wait_for_card("touch made")
    server = person.server()
    person.window.reload()
    until(lambda: not living(frozenset({server})), within=_SOON, what="the old server is gone")
    (closed,) = person.outcomes()
    assert closed in UNDONE
    assert not (person.folder / "made").exists()
    person.open_view()
    expect(person.card).to_have_count(0)
    person.say("run touch after")
    person.wait_for_card("touch after")
    person.allow()
    person.wait_for_file("after")
    person.wait_for_turn()
    assert not (person.folder / "made").exists()
    assert person.outcomes() == [closed, "allowed"]


@requirement("S-01")
def test_a_call_that_nobody_was_asked_about_stays_in_sight_until_it_is_seen(
    person: Person, tmp_path: Path
) -> None:
    said = "Eliza ran “touch cheated” without asking."
    person.say("cheat touch cheated")
    person.wait_for_turn()
    expect(person.window.notification(said)).to_be_visible()
    item = person.window.status("1 alarm")
    expect(item).to_have_class(re.compile(r"\berror-kind\b"))
    person.window.screenshot(tmp_path / "pictures" / "alarm.png")
    person.say("cheat touch again")
    person.wait_for_turn()
    item = person.window.status("2 alarms")
    expect(item).to_be_visible()
    strip = person.see("alarms")
    expect(strip).to_contain_text("2 alarms")
    person.window.screenshot(tmp_path / "pictures" / "alarms-counted.png")
    strip.get_by_role("button", name="Show").click()
    expect(item).to_have_count(0)
    expect(strip).to_have_count(0)
    expect(person.see("notice").filter(has_text=said)).to_be_visible()
