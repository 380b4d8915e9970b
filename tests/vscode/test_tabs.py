"""A chat in a tab of a real editor: a card for which the view has no room is answered there."""

from typing import Any, Final

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from host.waiting import until
from vscode.person import Person

requirement = pytest.mark.requirement

_WIDE: Final = 500
"""The view at the side is narrower than this, and a tab is wider."""


def tab(page: Page) -> FrameLocator:
    """The page in the tab, which stands beside that of the view."""
    frames = page.locator("iframe.webview.ready")

    def wide() -> Any:
        boxes = [frames.nth(at).bounding_box() for at in range(frames.count())]
        return next((at + 1 for at, box in enumerate(boxes) if box and box["width"] > _WIDE), None)

    at = until(wide, within=30, what="a wide page in a tab")
    return frames.nth(at - 1).content_frame.frame_locator("iframe#active-frame")


def side(page: Page) -> FrameLocator:
    """The page of the view."""
    frames = page.locator("iframe.webview.ready")

    def narrow() -> Any:
        boxes = [frames.nth(at).bounding_box() for at in range(frames.count())]
        return next((at + 1 for at, box in enumerate(boxes) if box and box["width"] < _WIDE), None)

    at = until(narrow, within=30, what="the view's page")
    return frames.nth(at - 1).content_frame.frame_locator("iframe#active-frame")


def narrowed(page: Page, width: int, height: int = 270) -> None:
    """Make the side bar as wide, in a window as low as the editor lets it be."""
    page.set_viewport_size({"width": 1280, "height": height})
    edge = page.locator(".part.auxiliarybar").bounding_box()
    assert edge is not None
    page.mouse.move(edge["x"] - 2, 150)
    page.mouse.down()
    page.mouse.move(1280 - width, 150, steps=5)
    page.mouse.up()


@requirement("T-02")
@requirement("M-03")
def test_a_card_for_which_there_is_no_room_is_answered_in_a_tab(
    person: Person, tmp_path: Any
) -> None:
    page = person.window.page
    person.say("run make it-so")
    person.wait_for_card("make it-so")
    # A list of the editor's and a message box that is written in take the room of the card.
    page.set_viewport_size({"width": 1280, "height": 1200})
    person.window.command("Assent: Focus on Waiting View")
    person.see("composer").click()
    narrowed(page, 170)
    line = person.see("in-tab")
    expect(line).to_be_visible()
    expect(person.card).to_be_hidden()
    person.window.screenshot(tmp_path / "cramped.png")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Backspace")
    line.click()
    expect(page.locator(".tab.active")).to_be_visible()
    narrowed(page, 300, 800)
    there = tab(page)
    card = there.get_by_test_id("card")
    expect(card).to_contain_text("make it-so")
    here = side(page).get_by_test_id("card")
    expect(here).to_be_visible()
    # One call, one desk: what is shown twice is the same revision of the same question.
    for name in ("data-approval-id", "data-digest"):
        assert card.get_attribute(name) == here.get_attribute(name)
    assert person.outcomes() == []
    expect(card).to_have_attribute("data-armed", "true")
    person.window.screenshot(tmp_path / "tab.png")
    there.get_by_test_id("allow-once").click()
    expect(card).to_have_count(0)
    expect(here).to_have_count(0)
    until(lambda: person.outcomes() == ["allowed"], within=30, what="one answer in the journal")


@requirement("M-03")
def test_a_chat_in_a_tab_is_the_chat_of_the_view(
    person: Person,
) -> None:
    page = person.window.page
    person.say("hello")
    person.wait_for_turn()
    person.window.command("Assent: Open a Chat in a Tab")
    there = tab(page)
    expect(there.get_by_test_id("message-user")).to_contain_text("hello")
    there.get_by_test_id("composer").fill("run make it-less")
    there.get_by_test_id("composer").press("Enter")
    card = there.get_by_test_id("card")
    expect(card).to_contain_text("make it-less")
    expect(card).to_have_attribute("data-armed", "true")
    # The key of the editor answers the card of the page that has the focus, and the call once.
    there.get_by_test_id("card").focus()
    page.keyboard.press("Control+Backspace")
    expect(card).to_have_count(0)
    until(lambda: person.outcomes() == ["refused"], within=30, what="one answer in the journal")
    expect(side(page).get_by_test_id("record")).to_have_count(1)


@requirement("M-03")
def test_the_editor_names_the_chat_and_opens_a_new_one_where_its_button_is_pressed(
    person: Person, tmp_path: Any
) -> None:
    page = person.window.page
    person.say("hello")
    person.wait_for_turn()
    row = page.locator(".auxiliarybar .composite.title")
    expect(row.locator("h2")).to_have_text("Assent: hello")
    person.window.command("Assent: Open a Chat in a Tab")
    expect(page.locator(".tab.active")).to_contain_text("hello")
    expect(tab(page).get_by_test_id("message-user")).to_contain_text("hello")
    tab(page).get_by_test_id("composer").focus()
    page.keyboard.press("Control+k")
    page.keyboard.press("Alt+n")
    expect(tab(page).get_by_test_id("message-user")).to_have_count(0)
    expect(side(page).get_by_test_id("message-user")).to_contain_text("hello")
    tab(page).get_by_test_id("chat-select").select_option(label="hello")
    expect(page.locator(".tab.active")).to_contain_text("hello")
    page.locator('.editor-actions a.action-label[aria-label^="New Chat"]').click()
    expect(tab(page).get_by_test_id("message-user")).to_have_count(0)
    expect(page.locator(".tab.active")).to_contain_text("New chat with Eliza")
    expect(side(page).get_by_test_id("message-user")).to_contain_text("hello")
    person.window.screenshot(tmp_path / "titles.png")
    row.locator('a.action-label[aria-label^="New Chat"]').click()
    expect(side(page).get_by_test_id("message-user")).to_have_count(0)
    expect(row.locator("h2")).to_have_text("Assent: New chat with Eliza")
