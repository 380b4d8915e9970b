"""A newcomer who has nothing: a model is added in three clicks, and what fails has its button."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from host.profile import Setup
from host.sample import make_sample
from host.waiting import until
from models.script import text
from vscode.conftest import OpenWindow, StartEditor
from vscode.modelhost import Models, hosted
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
HIDDEN = {"workbench.secondarySideBar.defaultVisibility": "hidden"}
_STARTED_WITHIN = 60_000
NOBODY = {"OLLAMA_HOST": "http://127.0.0.1:1"}


@pytest.fixture
def models() -> Iterator[Models]:
    with hosted() as models:
        yield models


@pytest.fixture
def newcomer(start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path) -> Person:
    """Somebody whose machine has no model and no agent."""
    return enter(workspace, start_editor(Setup(vsix=vsix, environment=NOBODY)))


def click(person: Person, label: str) -> None:
    """Click a line of a list until it is taken: a list takes none in its first moments."""
    line = person.window.page.locator(".quick-input-list .monaco-list-row").filter(has_text=label)
    line.first.wait_for()
    for _ in range(30):
        with suppress(PlaywrightTimeout):
            line.first.click(timeout=500)
        with suppress(PlaywrightTimeout):
            line.first.wait_for(state="hidden", timeout=500)
            return
    raise AssertionError(f"the list took no {label}")


@requirement("T-01")
@requirement("M-04")
def test_a_model_is_added_from_nothing_in_three_clicks(
    newcomer: Person, models: Models, tmp_path: Path
) -> None:
    models.reply(text("Here."))
    models.reply(text("It is a till."))
    person = newcomer
    expect(person.see("start-lacking")).to_contain_text("Ollama does not run on this machine.")
    person.window.screenshot(tmp_path / "pictures" / "start-1-nothing-is-there.png")
    person.see("start-add-model").get_by_role("button").click()
    click(person, "Another address")
    box = person.window.page.locator(".quick-input-widget input")
    box.fill(f"{models.url}/v1")
    box.press("Enter")
    click(person, "tiny")
    expect(person.partner).to_have_text(f"Assent · tiny ({models.address})")
    expect(person.see("composer")).to_be_focused()
    person.window.screenshot(tmp_path / "pictures" / "start-2-added.png")

    person.window.page.keyboard.type("What is this?")
    person.window.page.keyboard.press("Enter")
    expect(person.answer).to_contain_text("It is a till.")
    person.window.screenshot(tmp_path / "pictures" / "start-3-answered.png")
    settings = person.editor.machine_settings.read_text(encoding="utf-8")
    assert f"{models.url}/v1" in settings


def test_nobody_at_an_address_is_a_sentence_with_a_button_and_adds_nothing(
    newcomer: Person,
) -> None:
    person = newcomer
    person.see("start-add-model").get_by_role("button").click()
    click(person, "Another address")
    box = person.window.page.locator(".quick-input-widget input")
    box.fill("http://127.0.0.1:1/v1")
    box.press("Enter")
    told = person.window.page.locator(".notification-toast").filter(has_text="Nobody answers at")
    expect(told.get_by_role("button", name="Try Again")).to_be_visible()
    assert person.setting("assent.models") is None
    expect(person.see("start-add-model")).to_be_visible()


def test_the_view_is_shown_once_after_assent_was_installed(
    start_editor: StartEditor, window: OpenWindow, vsix: Path, tmp_path: Path
) -> None:
    editor = start_editor(Setup(vsix=vsix, settings=HIDDEN))
    # Nobody opens it, and the extension starts behind the window.
    first = window(make_sample(tmp_path / "first"), editor)
    first.view.get_by_test_id("composer").wait_for(timeout=_STARTED_WITHIN)
    first.wait_until_kept("viewShown", key="assent.assent")
    before = Person(window=first, editor=editor).server()
    second = Person(window=window(make_sample(tmp_path / "second"), editor), editor=editor)
    until(lambda: second.server() != before, within=60, what="Assent starts in the second window")
    # What this opens comes behind all that Assent did when it started.
    second.window.command("Assent: Show the Log")
    expect(second.window.page.locator(".part.panel")).to_be_visible()
    assert not second.window.shows_view
