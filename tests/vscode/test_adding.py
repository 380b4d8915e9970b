"""Adding an agent in a real VS Code: from a list to a chat with it."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from editor.wire.packages import AGENT, packages
from host.page import Window
from host.profile import Setup
from host.waiting import press_until
from vscode.conftest import StartEditor
from vscode.person import Person


def choose(window: Window) -> None:
    """Press Enter until the list closes: it takes no key in its first moments."""
    options = window.page.get_by_role("option")
    # A key after that would answer the dialog that comes.
    press_until(
        lambda: window.page.keyboard.press("Enter"),
        lambda: options.count() == 0,
        what="the list closed",
    )
    window.dialog().wait_for()


def test_an_agent_is_chosen_from_the_list_installed_and_talked_to(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    vsix: Path,
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with packages() as served:
        served.publish("parrot", "1.2.3")
        served.offer("parrot", "1.2.3")
        (home / ".npmrc").write_text(f"registry={served.address}/\n", "utf-8")
        told = {"ASSENT_AGENT_REGISTRY": f"{served.address}/registry.json"}
        editor = start_editor(Setup(vsix=vsix, home=home, environment=told))
        person = enter(workspace, editor)
        window = person.window
        window.command("Assent: Add an Agent…")
        window.page.get_by_role("option", name="Parrot").wait_for()
        window.page.keyboard.type("parrot")
        expect(window.page.get_by_role("option")).to_have_count(1)
        choose(window)
        window.answer_dialog("Install")
        composer = person.see("composer")
        expect(composer).to_have_attribute("placeholder", "Message Parrot…", timeout=60_000)
        person.say("who are you?")
        expect(person.answer).to_contain_text("I am --acp now")


def test_an_agent_that_is_on_path_is_chosen_from_the_list_and_talked_to(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    vsix: Path,
    tmp_path: Path,
) -> None:
    package = tmp_path / "lib" / "node_modules" / "@qwen-code" / "qwen-code"
    package.mkdir(parents=True)
    (package / "cli.js").write_text(f"#!/usr/bin/env node\n{AGENT}", "utf-8")
    (package / "cli.js").chmod(0o755)
    told = {"name": "@qwen-code/qwen-code", "bin": {"qwen": "cli.js"}}
    (package / "package.json").write_text(json.dumps(told), "utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "qwen").symlink_to(package / "cli.js")
    home = tmp_path / "home"
    home.mkdir()
    # The editor takes the PATH of the person's login shell.
    (home / ".profile").write_text(f'export PATH="{programs}:$PATH"\n', "utf-8")
    environment = {"ASSENT_AGENT_REGISTRY": "http://127.0.0.1:9/registry.json"}
    editor = start_editor(Setup(vsix=vsix, home=home, environment=environment))
    person = enter(workspace, editor)
    window = person.window
    window.command("Assent: Add an Agent…")
    window.page.get_by_role("option", name="on your PATH").wait_for()
    # What is there already stands above what could be installed.
    window.page.keyboard.type("Qwen Code")
    expect(window.page.get_by_role("option")).to_have_count(2)
    choose(window)
    window.answer_dialog("Add")
    composer = person.see("composer")
    expect(composer).to_have_attribute("placeholder", "Message Qwen Code…", timeout=60_000)
    person.say("who are you?")
    expect(person.answer).to_contain_text("I am --acp")
