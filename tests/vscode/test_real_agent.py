"""The real Claude Code in a real VS Code, with a model that is played."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from host.profile import Setup
from hosting.real.fetch import Absent
from hosting.real.known import KNOWN
from hosting.real.model import Model, played
from hosting.real.script import script
from vscode.conftest import StartEditor
from vscode.person import Person


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on loopback that does what prompts say."""
    with played() as model:
        yield model


@pytest.fixture
def entry(model: Model, tmp_path: Path) -> dict[str, Any]:
    """What a person writes in their settings for Claude Code."""
    home = tmp_path / "claude"
    home.mkdir()
    try:
        return KNOWN["claude"].entry(home, model)
    except Absent as absence:
        pytest.skip(str(absence))


@pytest.fixture
def person(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    entry: dict[str, Any],
    workspace: Path,
    vsix: Path,
) -> Person:
    """Somebody who has it in a file of theirs."""
    setup = Setup(vsix=vsix, machine={"assent.agents": {"claude": entry}})
    return enter(workspace, start_editor(setup))


def test_an_edit_of_claude_code_is_shown_denied_with_words_and_made_otherwise(
    person: Person, model: Model, tmp_path: Path
) -> None:
    file = person.folder / "a.txt"
    file.write_text("hello\nthere\n", "utf-8")
    person.see("agent-select").select_option(label="Claude Code")

    def change(new: str) -> tuple[str, dict[str, str]]:
        return "Edit", {"file_path": str(file), "old_string": "hello", "new_string": new}

    person.say(script(change("changed"), change("mended")))
    person.wait_for_card("a.txt")
    expect(person.card).to_contain_text("hello")
    expect(person.card).to_contain_text("changed")
    person.window.page.screenshot(path=tmp_path / "edit.png")
    person.choose("denyTell")
    person.see("deny-words").fill("say mended, please")
    # The box for words is a new layout, so the card takes nothing for a moment.
    person.wait_for_card()
    person.see("deny-words-send").click()
    person.wait_for_card("mended")
    assert file.read_text("utf-8") == "hello\nthere\n"
    assert "say mended, please" in str(model.asked)
    person.allow()
    expect(person.answer).to_contain_text("Done.", timeout=60_000)
    person.wait_for_turn()
    assert file.read_text("utf-8") == "mended\nthere\n"
    assert person.outcomes() == ["refused", "allowed"]
    expect(person.view.locator("body")).to_contain_text("Gate verified")
    person.window.page.screenshot(path=tmp_path / "done.png")
