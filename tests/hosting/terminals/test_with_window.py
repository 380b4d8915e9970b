"""An agent in a terminal, while a window is open: the window's gate, and its cards."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Final

import pytest

from assent.editor.protocol.editor import Confirm
from assent.hosting.terminals.launcher import launcher
from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Stage
from hosting.terminals.terminal import BOUND, Terminal


def title_of(ticket: object) -> str:
    return "".join(span.text for span in ticket.card.title)  # type: ignore[attr-defined]


async def test_what_must_be_asked_is_asked_in_the_window_that_has_its_folder_open(
    stage: Stage, terminal: Terminal
) -> None:
    it = await stage()
    async with terminal.asks("Bash", command="touch made") as asking:
        card = await it.card()
        assert "touch made" in title_of(card)
        await it.answer(card, "once")
    decision, printed = asking.result()
    assert decision == "allow"
    assert json.loads(printed)["hookSpecificOutput"]["updatedInput"] == {"command": "touch made"}
    rows = it.rows("decided")
    assert [(row["agent"], row["body"]["outcome"]) for row in rows] == [
        ("connected:claude", "allowed")
    ]


@pytest.mark.parametrize("answer", ["once", "deny"])
async def test_a_task_of_the_project_is_let_run_where_its_card_is_allowed(
    stage: Stage, terminal: Terminal, answer: str
) -> None:
    it = await stage()
    (it.folder / "Makefile").write_text("test:\n\t@echo tested\n", "utf-8")
    async with terminal.asks("Bash", command="make test") as asking:
        card = await it.card()
        assert "echo tested" in title_of(card)
        await it.answer(card, answer)
    assert asking.result()[0] == ("allow" if answer == "once" else "deny")


@pytest.mark.requirement("S-03")
@pytest.mark.parametrize("agrees", [True, False])
async def test_auto_of_the_settings_holds_for_a_session_once_the_editor_asked_about_it(
    stage: Stage, terminal: Terminal, *, agrees: bool
) -> None:
    answered = asyncio.Event()
    asked: list[str] = []

    def choose(confirm: Confirm) -> str | None:
        asked.append(confirm.title)
        answered.set()
        return "Turn on Auto" if agrees else None

    it = await stage(Editor(layers={"user": {"mode": "auto"}}, choose=choose))
    assert (await terminal.use("Bash", command="ls"))[0] == "allow"
    await answered.wait()
    if agrees:
        told = it.client.told
        await it.client.until(lambda: any(it.event.kind == "mode" for it in told("agent/event")))
        assert (await terminal.use("Bash", command="touch made"))[0] == "allow"
    else:
        async with terminal.asks("Bash", command="touch made") as asking:
            await it.answer(await it.card(), "deny")
        assert asking.result()[0] == "deny"
    assert asked == ["Run everything unasked in this chat?"]


async def test_what_needs_no_question_passes_and_is_in_the_journal(
    stage: Stage, terminal: Terminal
) -> None:
    it = await stage()
    assert (await terminal.use("Bash", command="ls"))[0] == "allow"
    assert (await terminal.use("Read", file_path=str(it.folder / "README.md")))[0] == "allow"
    assert [row["body"]["outcome"] for row in it.rows("decided")] == ["allowed", "allowed"]
    assert not it.client.told("tool/approvalRequest")


async def test_what_is_denied_is_told_to_the_model_with_the_persons_words(
    stage: Stage, terminal: Terminal
) -> None:
    it = await stage()
    async with terminal.asks("Bash", command="touch made") as asking:
        await it.answer(await it.card(), "tell", feedback="use make instead")
    decision, printed = asking.result()
    assert decision == "deny"
    assert "use make instead" in printed


async def test_what_a_rule_denies_is_denied_without_a_card(
    stage: Stage, terminal: Terminal
) -> None:
    it = await stage(Editor(layers={"user": {"rules": {"deny": ["shell(touch:*)"]}}}))
    assert (await terminal.use("Bash", command="touch made"))[0] == "deny"
    assert not it.client.told("tool/approvalRequest")


async def test_a_folder_that_no_window_has_open_gets_its_cards_and_nothing_of_the_workspace(
    stage: Stage, elsewhere: Terminal
) -> None:
    allowing = {"allow": ["shell(touch:*)"]}
    it = await stage(Editor(layers={"user": {"mode": "auto"}, "workspace": {"rules": allowing}}))
    async with elsewhere.asks("Bash", command="touch made") as asking:
        card = await it.card(lambda told: told.chat_id is not None)
        assert {option.id for option in card.card.options} == {"once", "deny", "tell"}
        await it.answer(card, "deny")
    assert asking.result()[0] == "deny"
    assert (await elsewhere.use("Bash", command="ls"))[0] == "allow"


async def test_a_folder_that_no_window_has_open_is_tightened_by_its_own_settings(
    stage: Stage, elsewhere: Terminal
) -> None:
    await stage(Editor(layers={"user": {"rules": {"allow": ["shell(make:*)"]}}}))
    assert (await elsewhere.use("Bash", command="make"))[0] == "allow"
    settings = elsewhere.folder / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"assent.rules": {"deny": ["shell(make:*)"]}}', "utf-8")
    assert (await elsewhere.use("Bash", command="make"))[0] == "deny"


async def test_an_agent_that_gives_up_takes_its_card_back(stage: Stage, terminal: Terminal) -> None:
    it = await stage()
    process = await terminal.start(terminal.uses("Bash", command="touch made"))
    card = await it.card()
    process.send_signal(signal.SIGTERM)
    assert (await it.settled(card)).approval_id == card.approval_id
    await process.wait()


_ENDS_EARLY: Final = """
import os
seen, see = os.pipe()
if os.fork():
    os.read(seen, 1)
    os._exit(0)
from assent.hosting.terminals import connected_hook
parent = os.getppid()
os.write(see, b"x")
while os.getppid() == parent:
    pass
connected_hook._die_with_parent()
print("It goes on asking.")
"""


@pytest.mark.process
async def test_an_agent_that_gave_up_just_before_it_could_be_noticed_takes_its_card_back() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _ENDS_EARLY, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(BOUND):
        printed, _ = await process.communicate()
    assert (process.returncode, printed) == (0, b"")


@pytest.mark.process
async def test_a_server_that_is_killed_in_mid_wait_lets_nothing_run(
    stage: Stage, terminal: Terminal
) -> None:
    it = await stage()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        asking = group.create_task(terminal.ask(terminal.uses("Bash", command="touch made")))
        await it.card()
        it.client.process.kill()
    code, printed, error = asking.result()
    assert (code, printed) == (2, "")
    assert "was not run" in error


@pytest.mark.parametrize("said", ["prompt", "stop", "close"])
async def test_a_session_in_a_terminal_is_stopped_and_closed_but_not_spoken_to_from_its_chat(
    stage: Stage, terminal: Terminal, said: str
) -> None:
    it = await stage()
    async with terminal.asks("Bash", command="touch made") as asking:
        card = await it.card()
        if said == "prompt":
            with pytest.raises(Refusal, match="talk to it there"):
                await it.turn(card.chat_id, "hello")
            await it.answer(card, "deny")
        else:
            method = {"stop": "agent/stop", "close": "agent/closeChat"}[said]
            await it.client.request(method, {"chatId": card.chat_id})
    assert asking.result()[0] == "deny"


async def test_a_window_says_that_its_folder_may_switch_hooks_off(
    stage: Stage, terminal: Terminal
) -> None:
    off = terminal.folder / ".claude" / "settings.json"
    off.parent.mkdir()
    off.write_text('{"disableAllHooks": true}', "utf-8")
    (terminal.state / "connected" / "claude.json").write_text("{}", "utf-8")
    it = await stage()

    def is_told() -> bool:
        told = [each.event for each in it.client.told("agent/event")]
        banners = [text for each in told if each.kind == "workspace" for text in each.banners]
        return any("may switch the hooks of Claude Code off" in text for text in banners)

    await it.client.until(is_told)


async def test_a_window_says_that_an_agent_runs_the_hook_of_an_earlier_version(
    stage: Stage, terminal: Terminal, tmp_path: Path
) -> None:
    path = launcher(terminal.state)
    line = f'f={path}; exec /bin/sh "$f" claude'
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    hook = {"matcher": "*", "hooks": [{"type": "command", "command": line}]}
    settings.write_text(json.dumps({"hooks": {"PreToolUse": [hook]}}), "utf-8")
    path.unlink()
    it = await stage(env={"HOME": str(tmp_path / "home")})

    def is_told() -> bool:
        told = [each.event for each in it.client.told("agent/event")]
        banners = [text for each in told if each.kind == "workspace" for text in each.banners]
        return any("The hook of Claude Code was written by an earlier" in text for text in banners)

    await it.client.until(is_told)
    # What its settings name is there again.
    await it.client.until(path.is_file)


def codexes(terminal: Terminal, command: str, turn: str = "1") -> dict[str, object]:
    """A call as Codex hands it to its hook."""
    return {**terminal.uses("Bash", command=command), "turn_id": turn}


def codexes_question(terminal: Terminal, command: str, turn: str = "1") -> dict[str, object]:
    """The same once more, as Codex is about to ask the person itself."""
    told = {
        **codexes(terminal, command, turn),
        "hook_event_name": "PermissionRequest",
        "tool_input": {"command": command, "description": "Whatever its model says."},
    }
    del told["tool_use_id"]
    return told


@pytest.fixture
def codex(terminal: Terminal) -> Terminal:
    return Terminal(state=terminal.state, folder=terminal.folder, agent="codex")


ALLOWED = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}


async def test_what_codex_would_ask_again_is_answered_by_the_ruling_and_once(
    stage: Stage, codex: Terminal
) -> None:
    it = await stage()
    assert (await codex.ask(codexes(codex, "ls")))[0] == 0
    code, printed, _ = await codex.ask(codexes_question(codex, "ls"))
    assert (code, json.loads(printed)) == (0, {"hookSpecificOutput": ALLOWED})
    assert (await codex.ask(codexes_question(codex, "ls")))[:2] == (0, "")
    assert len(it.rows("decided")) == 1


@pytest.mark.parametrize(
    ("command", "turn"), [("ls -a", "1"), ("ls", "2")], ids=["other command", "other turn"]
)
async def test_what_codex_would_ask_that_was_not_let_is_left_to_the_person_at_the_terminal(
    stage: Stage, codex: Terminal, command: str, turn: str
) -> None:
    it = await stage()
    assert (await codex.ask(codexes_question(codex, "ls")))[:2] == (0, "")
    assert (await codex.ask(codexes(codex, "ls")))[0] == 0
    assert (await codex.ask(codexes_question(codex, command, turn)))[:2] == (0, "")
    other = Terminal(state=codex.state, folder=codex.folder, agent="codex", session="other")
    assert (await other.ask(codexes_question(other, "ls")))[:2] == (0, "")
    assert len(it.rows("decided")) == 1


async def test_what_codex_asks_of_a_host_is_not_answered_by_what_was_said_of_its_command(
    stage: Stage, codex: Terminal
) -> None:
    await stage()
    assert (await codex.ask(codexes(codex, "ls")))[0] == 0
    asked = codexes_question(codex, "ls")
    asked["tool_input"] = {"command": "ls", "description": "network-access https://evil.example"}
    assert (await codex.ask(asked))[:2] == (0, "")
    # The one about the command itself is still answered.
    assert (await codex.ask(codexes_question(codex, "ls")))[1] != ""


async def test_a_question_of_codex_about_a_denied_call_is_not_answered_for_it(
    stage: Stage, codex: Terminal
) -> None:
    await stage(Editor(layers={"user": {"rules": {"deny": ["shell(touch:*)"]}}}))
    assert '"deny"' in (await codex.ask(codexes(codex, "touch made")))[1]
    assert (await codex.ask(codexes_question(codex, "touch made")))[:2] == (0, "")


async def test_where_no_window_is_open_codex_asks_what_it_would_ask_itself(codex: Terminal) -> None:
    assert (await codex.ask(codexes_question(codex, "ls")))[:2] == (0, "")


async def test_a_question_of_codex_that_says_no_call_is_refused(
    stage: Stage, codex: Terminal
) -> None:
    await stage()
    assert '"deny"' in (await codex.ask({**codexes_question(codex, "ls"), "tool_input": "ls"}))[1]
