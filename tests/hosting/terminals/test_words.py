"""Gemini, opencode and Cursor as their hooks speak: each is ruled on, and answered as it reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from hosting.terminals.terminal import Terminal
from hosting.terminals.test_without_window import leave


@frozen
class Tongue:
    """How one of them asks, and what it takes for yes and no."""

    asks: Callable[[str, str, dict[str, Any]], dict[str, Any]]
    shell: str
    yes: Callable[[dict[str, Any]], bool]
    no: Callable[[dict[str, Any]], bool]


def _geminis(folder: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    told = {"hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": given}
    return {**told, "session_id": "s", "cwd": folder, "timestamp": "now"}


def _opencodes(folder: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    told = {"event": "tool", "tool": tool, "input": given, "call": "c"}
    return {**told, "session": "s", "parent": "", "cwd": folder}


def _cursors(folder: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    told = {"hook_event_name": "preToolUse", "tool_name": tool, "tool_input": given}
    roots = {"workspace_roots": [folder], "cwd": folder}
    return {**told, "conversation_id": "s", "tool_use_id": "t", **roots}


SPOKEN = {
    "gemini": Tongue(
        _geminis,
        "run_shell_command",
        lambda told: told == {"decision": "allow"},
        lambda told: told["decision"] == "deny" and bool(told["reason"]),
    ),
    "opencode": Tongue(
        _opencodes,
        "bash",
        lambda told: told == {"decision": "allow", "input": {"command": "ls"}},
        lambda told: told["decision"] == "deny" and bool(told["reason"]),
    ),
    "cursor": Tongue(
        _cursors,
        "Shell",
        lambda told: told == {"permission": "allow", "updated_input": {"command": "ls"}},
        lambda told: told["permission"] == "deny" and bool(told["agent_message"]),
    ),
}


@pytest.fixture(params=SPOKEN)
def spoken(
    request: pytest.FixtureRequest, state_dir: Path, tmp_path: Path
) -> tuple[Terminal, Tongue]:
    name: str = request.param
    folder = tmp_path / "workspace"
    return Terminal(state=state_dir, folder=folder, agent=name), SPOKEN[name]


async def said(terminal: Terminal, tongue: Tongue, tool: str, **given: Any) -> dict[str, Any]:
    """What its agent reads of the answer to a call."""
    code, printed, error = await terminal.ask(tongue.asks(str(terminal.folder), tool, given))
    assert code == 0, error
    told: dict[str, Any] = json.loads(printed)
    return told


async def test_each_is_answered_in_its_own_words(spoken: tuple[Terminal, Tongue]) -> None:
    terminal, tongue = spoken
    leave(terminal, rules={"deny": ["shell(touch:*)"]})
    assert tongue.yes(await said(terminal, tongue, tongue.shell, command="ls"))
    assert tongue.no(await said(terminal, tongue, tongue.shell, command="touch made"))
    # None of them can be made to ask where nobody may sit, so what is asked is refused.
    assert tongue.no(await said(terminal, tongue, tongue.shell, command="make"))


async def test_its_session_is_in_the_folder_that_it_names(
    spoken: tuple[Terminal, Tongue], tmp_path: Path
) -> None:
    terminal, tongue = spoken
    leave(terminal, rules={"allow": ["shell(make:*)"]})
    settings = tmp_path / "tight" / ".vscode" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"assent.rules": {"deny": ["shell(make:*)"]}}', "utf-8")
    asked = tongue.asks(str(tmp_path / "tight"), tongue.shell, {"command": "make"})
    _, printed, _ = await terminal.ask(asked)
    assert tongue.no(json.loads(printed))


@pytest.mark.parametrize("gone", ["tool", "tool_name", "tool_input", "input", "hook_event_name"])
async def test_what_is_handed_in_another_form_is_a_no(
    spoken: tuple[Terminal, Tongue], gone: str
) -> None:
    terminal, tongue = spoken
    leave(terminal, rules={"allow": ["shell(*)"]})
    asked = tongue.asks(str(terminal.folder), tongue.shell, {"command": "ls"})
    if gone not in asked:
        return
    del asked[gone]
    code, printed, _ = await terminal.ask(asked)
    assert code == 2 or tongue.no(json.loads(printed))


THEIRS = {
    "gemini": (".gemini/settings.json", '{"hooks": {"BeforeTool": []}} // more'),
    "gemini in other letters": (".gemini/settings.json", '{"hooks": {"\\u0042eforeTool": []}}'),
    "opencode": (".opencode/plugin/theirs.js", "export const X = async () => ({})"),
    "opencode in its settings": ("opencode.json", '{"plugin": ["./theirs.js"]}'),
}


@pytest.mark.parametrize("case", THEIRS)
async def test_where_a_repositorys_hooks_have_the_last_word_nothing_is_run(
    case: str, state_dir: Path, tmp_path: Path
) -> None:
    name, (file, text) = case.split(maxsplit=1)[0], THEIRS[case]
    terminal, tongue = Terminal(state=state_dir, folder=tmp_path / "w", agent=name), SPOKEN[name]
    leave(terminal)
    assert tongue.yes(await said(terminal, tongue, tongue.shell, command="ls"))
    (terminal.folder / file).parent.mkdir(parents=True, exist_ok=True)
    (terminal.folder / file).write_text(text, "utf-8")
    told = await said(terminal, tongue, tongue.shell, command="ls")
    assert tongue.no(told)
    assert file in told["reason"]


async def test_a_tool_of_a_server_is_judged_by_its_server(state_dir: Path, tmp_path: Path) -> None:
    terminal = Terminal(state=state_dir, folder=tmp_path / "w", agent="gemini")
    leave(terminal, rules={"allow": ["mcp(files:look)"]})
    for context, is_let in (
        ({"server_name": "files", "tool_name": "look"}, True),
        ({"server_name": "files", "tool_name": "wipe"}, False),
        ({"server_name": 7, "tool_name": "look"}, False),
    ):
        asked = _geminis(str(terminal.folder), "mcp_files_look", {"a": "b"})
        _, printed, _ = await terminal.ask({**asked, "mcp_context": context})
        assert (json.loads(printed)["decision"] == "allow") is is_let


async def test_what_gemini_notes_for_itself_is_asked_by_nobody_unless_a_server_calls_its_tool_so(
    state_dir: Path, tmp_path: Path
) -> None:
    terminal = Terminal(state=state_dir, folder=tmp_path / "w", agent="gemini")
    leave(terminal)
    notes = {
        "write_todos": {"todos": [{"description": "first", "status": "pending"}]},
        "update_topic": {"title": "t", "summary": "s", "strategic_intent": "look"},
    }
    for name, given in notes.items():
        asked = _geminis(str(terminal.folder), name, given)
        served = {**asked, "mcp_context": {"server_name": "mine", "tool_name": name}}
        fit = [asked, served, {**asked, "tool_name": f"mcp_mine_{name}"}]
        decisions = [json.loads((await terminal.ask(each))[1])["decision"] for each in fit]
        assert decisions == ["allow", "deny", "deny"], name


@pytest.mark.parametrize("agent", ["opencode", "cursor"])
async def test_another_agents_tool_of_such_a_name_is_no_note(
    state_dir: Path, tmp_path: Path, agent: str
) -> None:
    terminal = Terminal(state=state_dir, folder=tmp_path / "w", agent=agent)
    leave(terminal)
    assert SPOKEN[agent].no(await said(terminal, SPOKEN[agent], "update_topic", title="t"))


async def test_a_command_of_gemini_is_read_in_the_folder_that_it_names(
    state_dir: Path, tmp_path: Path
) -> None:
    terminal, tongue = Terminal(state=state_dir, folder=tmp_path / "w", agent="gemini"), SPOKEN
    leave(terminal, rules={"deny": ["read(**/secret)"]})
    (terminal.folder / "inner").mkdir()
    for name, is_let in (("plain", True), ("secret", False)):
        (terminal.folder / "inner" / name).write_text("", "utf-8")
        given = {"command": f"cat {name}", "dir_path": "inner", "is_background": False}
        told = await said(terminal, tongue["gemini"], "run_shell_command", **given)
        assert (told["decision"] == "allow") is is_let


async def test_a_change_by_gemini_is_shown_as_the_change_that_it_is(
    state_dir: Path, tmp_path: Path
) -> None:
    terminal, tongue = Terminal(state=state_dir, folder=tmp_path / "w", agent="gemini"), SPOKEN
    leave(terminal, rules={"allow": ["write(/**)"]})
    (terminal.folder / "a.txt").write_text("one\n", "utf-8")
    change = {"file_path": "a.txt", "old_string": "one", "new_string": "two", "instruction": "x"}
    told = await said(terminal, tongue["gemini"], "replace", **change)
    assert told == {"decision": "allow"}
    wrong = {**change, "old_string": "three"}
    assert (await said(terminal, tongue["gemini"], "replace", **wrong))["decision"] == "deny"


TYPED = {"python3": True, "python3 -i": True, "cd . && python3": True, "python3 run.py": False}


@pytest.mark.parametrize(("command", "is_asked"), TYPED.items(), ids=TYPED)
async def test_what_codex_could_type_into_is_asked_about_whatever_the_rules_say(
    command: str, is_asked: bool, state_dir: Path, tmp_path: Path
) -> None:
    told = {}
    for agent in ("codex", "claude"):
        terminal = Terminal(state=state_dir, folder=tmp_path / "w", agent=agent)
        (terminal.folder / "run.py").write_text("", "utf-8")
        leave(terminal, rules={"allow": ["shell(*)"]})
        told[agent] = (await terminal.use("Bash", command=command))[0]
    # Nobody is there who could be asked, so it is denied.
    assert told == {"codex": "deny" if is_asked else "allow", "claude": "allow"}
