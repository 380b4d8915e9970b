"""What `make run` shows to somebody who has no model: our own agent, by a script."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.demo import scripted_model
from host.profile import Setup
from vscode.conftest import StartEditor
from vscode.person import Person


@pytest.mark.requirement("M-04")
def test_the_scripted_demonstration_bears_any_answer_and_mends_the_sample(
    vsix: Path,
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    tmp_path: Path,
) -> None:
    models = scripted_model(tmp_path / "script.json")
    person = enter(workspace, start_editor(Setup(vsix=vsix, machine=models)))
    expect(person.partner).to_have_text("Assent · A scripted demonstration")
    person.say("Hello.")
    expect(person.answer).to_contain_text("not in my script")
    person.wait_for_turn()

    person.say("Fix the failing test")
    person.wait_for_card("till.py")
    expect(person.record("python3 -m unittest")).to_have_attribute("data-state", "failed")
    person.deny()
    expect(person.answer).to_contain_text("what you refuse is not done")
    person.wait_for_turn()

    person.say("Please fix the failing test!")
    person.wait_for_card("till.py")
    person.allow()
    expect(person.answer).to_contain_text("All tests pass.")
    person.wait_for_turn()
    assert "(100 - discount) // 100" in (workspace / "till.py").read_text(encoding="utf-8")
    ran = person.record("python3 -m unittest").first
    expect(ran.locator(".outcome")).to_contain_text("exit 1")
    expect(person.record("Edit").last.get_by_test_id("recorded")).to_contain_text(
        "(100 - discount)"
    )
    person.answer.get_by_role("link", name="till.py").click()
    expect(person.window.page.get_by_role("tab", name="till.py")).to_be_visible()

    person.say("Serve the folder")
    person.wait_for_card("http.server")
    person.allow()
    expect(person.answer).to_contain_text("in the background")
    person.wait_for_turn()
    expect(person.see("shells")).to_contain_text("1 running in the background")
