"""A person starts VS Code from a shell that has keys: models get them, our processes do not."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import expect

from catalogue.mcp.served import setting
from host.processes import Process
from host.profile import Setup
from models.script import call, text
from vscode.conftest import StartEditor
from vscode.modelhost import hosted
from vscode.person import Person

KEYS: Final = {
    "OPENAI_API_KEY": "sk-planted-by-a-well-known-name",
    "OUR_GATEWAY": "planted-by-a-name-that-says-nothing",
}


def shows_keys(process: Process) -> bool:
    """Whether whoever may look at a process reads one of the keys."""
    with suppress(PermissionError, FileNotFoundError):
        started = Path(f"/proc/{process.pid}/environ").read_bytes().decode()
        return any(key in started for key in KEYS.values())
    return False


def test_no_process_below_the_extension_host_is_started_with_a_key_of_the_editors(
    start_editor: StartEditor, enter: Callable[..., Person], workspace: Path, vsix: Path
) -> None:
    with hosted() as models:
        machine: dict[str, Any] = {
            "assent.models": [models.setting("tiny", key="OUR_GATEWAY")],
            "assent.mcpServers": {"helpful": setting("helpful")},
            "assent.rules": {"allow": ["shell(sleep:*)"]},
        }
        editor = start_editor(Setup(vsix=vsix, environment=KEYS, machine=machine))
        person = enter(workspace, editor)
        expect(person.partner).to_have_text("Assent · tiny")
        models.reply(call("list_nodes", {"words": "report"}))
        models.reply(call("run_command", {"command": "sleep 1005", "background": True}))
        models.reply(text("It runs."))
        person.say("Work.")
        expect(person.answer).to_contain_text("It runs.")
        assert models.asked(1)["headers"]["authorization"] == f"Bearer {KEYS['OUR_GATEWAY']}"
        person.new_chat()
        person.see("agent-select").select_option(label="Eliza")
        # Until its chat is there, what is said goes to the agent of the empty one.
        expect(person.see("composer")).to_have_attribute("placeholder", "Message Eliza…")
        person.say("hello")
        person.wait_for_turn()
        server, running = person.server(), editor.processes()
        below = {server.pid}
        while more := {it.pid for it in running if it.parent in below} - below:
            below |= more
        ours = [it for it in running if it.pid in below]
        for part in ("start.py serve", "keeper", "rogue", "sleep 1005", "eliza"):
            assert any(part in it.command for it in ours), part
        assert [it.command for it in ours if shows_keys(it)] == []
        assert any(map(shows_keys, running)), "the editor itself has them"
        assert not any(key in editor.log() for key in KEYS.values())
