"""The walkthrough in a real editor: its steps, their pictures, and what their buttons do."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import FrameLocator, Locator, expect

from vscode.person import Person

requirement = pytest.mark.requirement

_TITLE: Final = "Get started with Assent"


def opened(person: Person) -> Locator:
    """The steps of the walkthrough, which is shown in a tab."""
    page = person.window.page
    person.window.command("Welcome: Open Walkthrough...")
    page.locator(".quick-input-widget input").fill(_TITLE)
    page.get_by_role("option", name=_TITLE).first.click()
    return page.locator(".getting-started-step")


def chat_of(person: Person) -> FrameLocator:
    """The page of the view; a step's picture is another."""
    page = person.window.page
    outer = page.frame_locator("iframe.webview.ready:not(.getting-started-media iframe)")
    return outer.frame_locator("iframe#active-frame")


def begins_to_write(person: Person) -> None:
    expect(chat_of(person).get_by_test_id("composer")).to_be_focused()


def list_called(title: str) -> Callable[[Person], None]:
    """What a button leads to: a list of the editor, which Esc closes again."""

    def is_open(person: Person) -> None:
        widget = person.window.page.locator(".quick-input-widget")
        expect(widget).to_contain_text(title)
        person.window.page.keyboard.press("Escape")
        expect(widget).to_be_hidden()

    return is_open


def says(text: str) -> Callable[[Person], None]:
    return lambda person: expect(person.window.notification(text)).to_be_visible()


def shows_the_settings(person: Person) -> None:
    expect(person.window.page.locator(".settings-editor")).to_contain_text("Assent")


STEPS: Final = (
    ("agent", {"New chat": begins_to_write, "Add a model": list_called("Add a model")}),
    ("card", {"Review what waits": says("Nothing waits for an answer.")}),
    ("mode", {"Set the mode": list_called("Set the mode")}),
    ("changes", {"Open the chat": begins_to_write}),
    ("bypass", {"Open the settings": shows_the_settings}),
)


@requirement("T-01")
def test_each_step_has_its_picture_and_each_button_does_what_it_says(
    person: Person, tmp_path: Path
) -> None:
    person.say("hello")
    person.wait_for_turn()
    page = person.window.page
    # In a narrow window the editor leaves the pictures out.
    page.set_viewport_size({"width": 2000, "height": 900})
    steps = opened(person)
    expect(steps).to_have_count(len(STEPS))
    for name, buttons in STEPS:
        step = page.locator(f'.getting-started-step[data-step-id$="#{name}"]')
        for label, does in buttons.items():
            if "expanded" not in (step.get_attribute("class") or ""):
                step.click(position={"x": 20, "y": 10})
            button = step.get_by_role("button", name=label, exact=True)
            expect(button).to_be_visible()
            picture = page.frame_locator(".getting-started-media iframe").frame_locator(
                "iframe#active-frame"
            )
            expect(picture.locator("svg").first).to_be_visible()
            person.window.screenshot(tmp_path / f"walkthrough-{name}.png")
            button.click()
            does(person)
