"""Logging in to an agent in a real VS Code, by each of the three kinds of ways."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from editor.wire.test_logging_in import BROWSER, BY_KEY, KEY, REFUSES, TERMINAL, entry, notes
from host.profile import Setup
from vscode.conftest import StartEditor
from vscode.person import Person


@pytest.fixture
def wanted(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    vsix: Path,
    tmp_path: Path,
) -> Person:
    """Somebody whom an agent wants to log in, in front of its card."""
    agents = {"one": entry(tmp_path, REFUSES, BROWSER, BY_KEY, TERMINAL)}
    person = enter(workspace, start_editor(Setup(vsix=vsix, machine={"assent.agents": agents})))
    person.see("agent-select").select_option(label="One")
    person.say("hello")
    expect(person.see("log-in")).to_contain_text("One’s own words", timeout=60_000)
    person.window.page.screenshot(path=tmp_path / "log-in.png")
    return person


def choose(person: Person, way: str) -> None:
    """Choose a way by its name."""
    person.see("log-in-by").filter(has_text=way).click()


def goes_on(person: Person) -> str:
    """The chat goes on, and what is written in the person's settings then."""
    expect(person.see("log-in")).to_have_count(0, timeout=60_000)
    person.say("hello again")
    person.wait_for_turn()
    assert person.see("log-in").count() == 0
    settings = person.editor.machine_settings.read_text("utf-8")
    assert KEY not in settings
    return settings


def test_a_person_logs_in_by_the_agents_own_flow(wanted: Person, tmp_path: Path) -> None:
    choose(wanted, "Refuses")
    expect(wanted.see("log-in-because")).to_have_text("One could not log you in: not you")
    choose(wanted, "My site")
    goes_on(wanted)
    assert "authenticate browser" in notes(tmp_path)


def test_a_person_types_a_key_that_is_hidden_and_kept_by_the_editor(
    wanted: Person, tmp_path: Path
) -> None:
    choose(wanted, "Key")
    box = wanted.window.page.locator(".quick-input-widget input")
    expect(box).to_have_attribute("type", "password")
    wanted.window.page.screenshot(path=tmp_path / "key.png")
    box.fill(KEY)
    box.press("Enter")
    assert "${secret:API_KEY_of_one_" in goes_on(wanted)
    assert f"key {KEY}" in notes(tmp_path)


def test_a_person_sees_what_is_run_in_a_terminal_and_logs_in_there(
    wanted: Person, tmp_path: Path
) -> None:
    choose(wanted, "Console")
    expect(wanted.window.dialog()).to_contain_text("agent.py --login 'a b'")
    wanted.window.page.screenshot(path=tmp_path / "terminal.png")
    wanted.window.answer_dialog("Open the terminal")
    goes_on(wanted)
    assert "terminal --login a b" in notes(tmp_path)
