"""Servers of tools in a real editor: what a repository asks for, a call's card, how each is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from editor.conftest import StartEditor
from editor.modelhost import Models, hosted
from editor.person import Person
from editor.test_calls import choose_in_list
from host.profile import Setup
from models.script import call, text
from servers.served import setting

requirement = pytest.mark.requirement
_ISSUE: Final = {"title": "It breaks", "owner": "acme"}


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


@pytest.fixture
def opened(
    start_editor: StartEditor, enter: Callable[..., Person], workspace: Path, vsix: Path
) -> Callable[..., Person]:
    """Opens the workspace in an editor with these settings."""
    return lambda machine: enter(workspace, start_editor(Setup(vsix=vsix, machine=machine)))


@requirement("N-08")
@requirement("N-10")
def test_a_person_sees_what_a_repository_would_start_what_a_tool_is_given_and_how_each_server_is(
    models: Models, opened: Callable[..., Person], workspace: Path, tmp_path: Path
) -> None:
    (workspace / ".vscode").mkdir(exist_ok=True)
    wished = {"servers": {"theirs": {"command": "sh", "args": ["-c", "touch started"]}}}
    (workspace / ".vscode" / "mcp.json").write_text(json.dumps(wished))
    machine = {
        "assent.models": [models.setting("tiny")],
        "assent.mcpServers": {"mine": setting("helpful"), "over": setting("ends-at-once")},
    }
    person = opened(machine)
    models.reply(text("Good day."))
    models.reply(call("list_nodes", {"words": "report a bug"}))
    models.reply(call("run_node", {"name": "mine:create_issue", "arguments": _ISSUE}))
    models.reply(text("It was not reported."))
    person.say("Good day.")
    person.wait_for_card("This repository asks to start servers of tools")
    expect(person.card).to_contain_text("Starts theirs (as workspace-theirs)")
    person.window.screenshot(tmp_path / "pictures" / "wish.png")
    person.see("option-keepOff").click()
    expect(person.card).to_have_count(0)
    person.say("Report that it breaks.")
    person.wait_for_card("create_issue")
    expect(person.card).to_contain_text("acme")
    person.window.screenshot(tmp_path / "pictures" / "call.png")
    person.deny()
    person.wait_for_turn()
    person.window.command("Assent: MCP Servers…")
    widget = person.window.page.locator(".quick-input-widget")
    expect(widget).to_contain_text("running, 3 tools")
    expect(widget).to_contain_text("no key is set")
    expect(widget).not_to_contain_text("theirs")
    person.window.screenshot(tmp_path / "pictures" / "servers.png")
    choose_in_list(person, "MCP servers", "mine")
    person.window.page.keyboard.press("Enter")
    choose_in_list(person, "mine", "Stop")
    person.window.page.keyboard.press("Enter")
    toast = person.window.page.locator(".notification-toast")
    expect(toast.first).to_contain_text("mine: ended by you.")
    assert not list(workspace.rglob("started"))
