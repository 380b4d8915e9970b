"""Servers of tools in a real editor: what a repository asks for, a call's card, how each is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from catalogue.mcp.served import setting
from host.profile import Setup
from models.script import call, text
from vscode.conftest import StartEditor
from vscode.modelhost import Models, hosted
from vscode.person import Person
from vscode.test_calls import choose_in_list

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
    choose_in_list(person, "mine", "Stop")
    toast = person.window.page.locator(".notification-toast")
    expect(toast.first).to_contain_text("mine: ended by you.")
    assert not list(workspace.rglob("started"))


@requirement("N-08")
def test_a_person_fills_in_what_a_server_asks_by_the_keyboard_alone(
    models: Models, opened: Callable[..., Person], tmp_path: Path
) -> None:
    machine = {
        "assent.models": [models.setting("tiny")],
        "assent.mcpServers": {"elicits": setting("elicits", "form")},
    }
    person = opened(machine)
    models.reply(call("run_node", {"name": "elicits:t0", "arguments": {}}))
    models.reply(text("So."))
    person.say("Run it.")
    person.wait_for_card("t0")
    person.allow()
    person.wait_for_card("elicits asks you something")
    keys = person.window.page.keyboard
    person.window.command("Assent: Review What Waits")
    # Before the card has the focus, Tab goes round in the editor.
    expect(person.card).to_be_focused()
    expect(person.view.locator("input[name=name]")).to_be_visible()
    for _ in range(20):
        if person.view.locator("input[name=name]:focus").count():
            break
        keys.press("Tab")
    keys.press("ControlOrMeta+A")
    keys.type("Bo")
    keys.press("Tab")
    keys.press("Tab")
    keys.type("20")
    for name in ("share", "news", "size", "colors"):
        keys.press("Tab")
        expect(person.view.locator(f"input[name={name}]:focus")).to_have_count(1)
        if name in {"news", "size", "colors"}:
            keys.press("Space")
    person.window.screenshot(tmp_path / "pictures" / "form.png")
    person.wait_for_card()
    for _ in range(5):
        if person.view.locator("[data-testid=option-answerForm]:focus").count():
            break
        keys.press("Tab")
    keys.press("Enter")
    person.wait_for_turn()
    given = '{"age":20,"colors":["r"],"name":"Bo","news":false,"size":"s"}'
    (row,) = [it for it in person.rows("decided") if it["body"]["tool"] == "form"]
    assert row["body"]["because"] == f"You answered the server: {given}"
