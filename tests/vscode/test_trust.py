"""A hostile repository in a real VS Code: nothing of it runs before the person has let it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from editor.wire.repositories import HOSTILE, entry_of, plant
from host.profile import Setup
from host.waiting import press_until
from vscode.conftest import StartEditor
from vscode.person import Person

CLAUDE = HOSTILE["claude"]


def answers(person: Person) -> list[str]:
    """What was said of the repository, as the journal has it."""
    return [it["outcome"] for it in person.noted("repository")]


def choose_first(person: Person) -> None:
    """Press Enter until the list takes it: it takes none in its first moments."""
    option = person.window.page.get_by_role("option", name="Claude")
    expect(option).to_contain_text("you keep it off")

    press_until(
        lambda: person.window.page.keyboard.press("Enter"),
        lambda: "forgotten" in answers(person),
        what="the answer to be forgotten",
    )


@pytest.mark.walk
def test_nothing_of_a_hostile_repository_runs_before_its_card_is_answered_nor_when_it_is_kept_off(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    vsix: Path,
    tmp_path: Path,
) -> None:
    ran = tmp_path / "ran"
    plant(workspace, CLAUDE.files(f"printf x >> {ran}"))
    agents: dict[str, Any] = {CLAUDE.id: entry_of(CLAUDE, tmp_path / "agent")}
    person = enter(workspace, start_editor(Setup(vsix=vsix, machine={"assent.agents": agents})))
    person.see("agent-select").select_option(label="Claude")
    person.say("hello")
    person.wait_for_card("This repository configures Claude")
    for shown in (".claude/settings.json", ".mcp.json", "Starts the MCP server evil", str(ran)):
        expect(person.card).to_contain_text(shown)
    person.window.page.screenshot(path=tmp_path / "trust.png")
    person.wait_for_turn()
    assert not ran.exists(), "the agent works meanwhile, without these files"
    person.wait_for_card()
    person.see("option-keepOff").click()
    expect(person.card).to_have_count(0)
    person.new_chat()
    person.say("hello again")
    person.wait_for_turn()
    assert not ran.exists()
    assert answers(person) == ["refused"]
    person.window.command("Assent: Forget What I Said about This Repository…")
    choose_first(person)
    assert answers(person) == ["refused", "forgotten"]
    person.new_chat()
    person.wait_for_card("This repository configures Claude")
    assert not ran.exists()
