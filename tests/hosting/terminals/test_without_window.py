"""An agent in a terminal while no window is open: the same rulings, and nobody to ask."""

import json
import os
import shutil
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from assent.gate.settings.left_settings import leave_settings
from assent.gate.settings.without_window import OwnSettings
from editor.wire.editor import Editor
from editor.wire.scene import Stage
from hosting.eliza.hooked import ODD
from hosting.terminals.terminal import Terminal


def leave(terminal: Terminal, **keys: Any) -> None:
    """Be a server that was here, in whose editor these were set."""
    leave_settings(OwnSettings(keys=keys, is_known=True), terminal.state)


async def test_what_a_server_left_is_what_is_ruled_by(stage: Stage, terminal: Terminal) -> None:
    it = await stage(Editor(layers={"user": {"rules": {"deny": ["shell(touch:*)"]}}}))

    await it.client.dispose()
    assert (await terminal.use("Bash", command="ls"))[0] == "allow"
    assert (await terminal.use("Bash", command="touch made"))[0] == "deny"
    assert (await terminal.use("Bash", command="make"))[0] == "ask"
    outcomes = [row["body"]["outcome"] for row in it.rows("decided")]
    assert outcomes == ["allowed", "refused", "withdrawn"]


async def test_what_is_allowed_says_the_ruled_input_again(terminal: Terminal) -> None:
    leave(terminal, rules={"allow": ["shell(make:*)"]})
    decision, printed = await terminal.use("Bash", command="make", description="build")
    assert decision == "allow"
    again = json.loads(printed)["hookSpecificOutput"]["updatedInput"]
    assert again == {"command": "make", "description": "build"}


async def test_half_of_a_character_in_a_rule_takes_away_no_other_rule(terminal: Terminal) -> None:
    leave(terminal, rules={"deny": ["shell(touch:*)", "shell(\ud83d:*)"]})
    assert (await terminal.use("Bash", command="touch made"))[0] == "deny"


async def test_a_question_is_refused_where_the_person_chose_so(terminal: Terminal) -> None:
    leave(terminal, hookWithoutEditor="deny")
    assert (await terminal.use("Bash", command="make"))[0] == "deny"
    leave(terminal, hookWithoutEditor="whatever")
    assert (await terminal.use("Bash", command="make"))[0] == "deny"
    leave(terminal, hookWithoutEditor="leave")
    assert (await terminal.use("Bash", command="make"))[0] == "ask"


async def test_what_is_asked_in_every_mode_is_refused_where_the_agent_would_run_it_unasked(
    terminal: Terminal,
) -> None:
    leave(terminal)
    (terminal.folder / ".git" / "hooks").mkdir(parents=True)
    for mode, planted, built in [("default", "ask", "ask"), ("bypassPermissions", "deny", "ask")]:
        terminal.mode = mode
        hook = await terminal.use("Bash", command="echo x > .git/hooks/pre-commit")
        make = await terminal.use("Bash", command="make")
        assert (mode, hook[0], make[0]) == (mode, planted, built)


async def test_the_persons_own_hooks_are_heard_before_a_call(
    terminal: Terminal, tmp_path: Path
) -> None:
    after = tmp_path / "after"
    hooks = [
        {"event": "PreToolUse", "tools": ["shell"], "command": "echo 'not today' >&2; exit 2"},
        {"event": "PostToolUse", "command": f"touch {after}"},
    ]
    leave(terminal, rules={"allow": ["shell(make:*)"]}, hooks=hooks)
    decision, printed = await terminal.use("Bash", command="make")
    assert decision == "deny"
    assert "not today" in printed
    assert (await terminal.use("Read", file_path=str(terminal.folder / "a.txt")))[0] == "allow"
    # What runs behind a call would run before it here.
    assert not after.exists()


def forget(terminal: Terminal) -> None:
    (terminal.state / "connected" / "settings.json").unlink()


def damage(terminal: Terminal) -> None:
    (terminal.state / "connected" / "settings.json").write_text("[1]", "utf-8")


def forge(terminal: Terminal) -> None:
    path = terminal.state / "connected" / "settings.json"
    path.write_text(path.read_text("utf-8").replace("make", "mike"), "utf-8")


def lose_key(terminal: Terminal) -> None:
    (terminal.state / "sockets" / "settings.key").unlink()


def open_to_others(terminal: Terminal) -> None:
    (terminal.state / "connected" / "settings.json").chmod(0o644)


@pytest.mark.parametrize("harm", [forget, damage, forge, lose_key, open_to_others])
async def test_where_nobody_knows_what_holds_everything_is_asked(
    terminal: Terminal, harm: Callable[[Terminal], None]
) -> None:
    leave(terminal, rules={"allow": ["shell(make:*)"]})
    harm(terminal)
    assert (await terminal.use("Bash", command="make"))[0] == "ask"
    assert (await terminal.use("Bash", command="ls"))[0] == "ask"


async def test_a_repository_widens_nothing_by_its_settings_and_its_variables(
    terminal: Terminal, tmp_path: Path
) -> None:
    leave(terminal, rules={"deny": ["shell(touch:*)"]})
    theirs = Terminal(state=tmp_path / "theirs", folder=terminal.folder)
    leave(theirs, rules={"allow": ["shell(*)"]})
    settings = terminal.folder / ".vscode" / "settings.json"
    settings.parent.mkdir()
    allowing = {"assent.mode": "auto", "assent.rules": {"allow": ["shell(*)"]}}
    settings.write_text(json.dumps(allowing), "utf-8")
    terminal.env = {
        "ASSENT_STATE_DIR": str(theirs.state),
        "XDG_STATE_HOME": str(theirs.state),
        "HOME": str(theirs.state),
        "PYTHONPATH": str(terminal.folder),
        "CLAUDE_PROJECT_DIR": "/",
    }
    (terminal.folder / "json.py").write_text("raise SystemExit(0)", "utf-8")
    assert (await terminal.use("Bash", command="touch made"))[0] == "deny"
    assert (await terminal.use("Bash", command="make"))[0] == "ask"


async def test_a_program_that_the_session_would_find_in_its_folder_is_not_the_systems(
    terminal: Terminal,
) -> None:
    leave(terminal)
    ours = terminal.folder / "ls"
    ours.write_text("#!/bin/sh\n", "utf-8")
    ours.chmod(0o755)
    terminal.env = {"PATH": f".:{os.environ['PATH']}"}
    assert (await terminal.use("Bash", command="ls"))[0] == "ask"


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_what_is_handed_in_another_form_is_refused(
    terminal: Terminal, odd: dict[str, Any]
) -> None:
    leave(terminal, rules={"allow": ["shell(*)"]})
    asked = {**terminal.uses("Bash", command="ls"), **odd}
    code, printed, _ = await terminal.ask(asked)
    assert code == 2 or json.loads(printed)["hookSpecificOutput"]["permissionDecision"] == "deny"


def unlisted(terminal: Terminal) -> None:
    terminal.words = (*terminal.words[:-1], "nobody")


def broken_package(terminal: Terminal) -> None:
    _relaunch(terminal, lambda text: text.replace("s=3540", "s=soon"))


def no_packages(terminal: Terminal) -> None:
    _relaunch(terminal, lambda text: text.replace("-I -S", "-I -S -c 'raise SystemExit(1)'"))


def killed(terminal: Terminal) -> None:
    kill = "-I -S -c 'import os; os.kill(os.getpid(), 9)'"
    _relaunch(terminal, lambda text: text.replace("-I -S", kill))


def no_python(terminal: Terminal) -> None:
    _relaunch(terminal, lambda text: text.replace("py=", "py=/nowhere", 1))


def no_copy(terminal: Terminal) -> None:
    (terminal.state / "connected" / "hook.py").unlink()


def unwritable(terminal: Terminal) -> None:
    (terminal.state / "journal.db").mkdir()


def open_sockets(terminal: Terminal) -> None:
    (terminal.state / "sockets").chmod(0o755)


def linked_sockets(terminal: Terminal) -> None:
    sockets = terminal.state / "sockets"
    sockets.rename(terminal.state / "real")
    sockets.symlink_to(terminal.state / "real")


def _relaunch(terminal: Terminal, change: Callable[[str], str]) -> None:
    path = terminal.state / "connected" / "hook"
    text = path.read_text("utf-8")
    assert change(text) != text
    path.write_text(change(text), "utf-8")


@pytest.mark.parametrize(
    "harm",
    [
        unlisted,
        broken_package,
        no_packages,
        killed,
        no_python,
        no_copy,
        unwritable,
        open_sockets,
        linked_sockets,
    ],
)
async def test_whatever_breaks_lets_nothing_run(
    terminal: Terminal, harm: Callable[[Terminal], None]
) -> None:
    leave(terminal, rules={"allow": ["shell(*)"]})
    harm(terminal)
    code, printed, error = await terminal.ask(terminal.uses("Bash", command="ls"))
    if code == 0:
        assert json.loads(printed)["hookSpecificOutput"]["permissionDecision"] != "allow"
    else:
        assert (code, printed) == (2, "")
        assert "not run" in error


ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
SAID: dict[str, bytes] = {
    "an allowance": json.dumps(ALLOW).encode() + b"\n",
    "an allowance in our own words": json.dumps({"nonce": "0" * 32, "proof": "0" * 64}).encode()
    + b"\n"
    + json.dumps({"answer": json.dumps(ALLOW), "proof": "0" * 64}).encode()
    + b"\n",
    "garbage": bytes(range(256)) * 10 + b"\n",
    "nothing": b"",
}


@pytest.mark.parametrize("key", [b"", b"k" * 32])
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
async def test_a_planted_socket_allows_nothing(terminal: Terminal, said: bytes, key: bytes) -> None:
    leave(terminal)
    window = terminal.state / "sockets" / "planted"
    window.mkdir(mode=0o700)
    (window / "connected.key").write_bytes(key)
    (window / "connected.key").chmod(0o600)
    planted = socket.socket(socket.AF_UNIX)
    here = os.open(window, os.O_RDONLY)
    planted.bind(f"/proc/self/fd/{here}/gate")
    planted.listen()

    def answer() -> None:
        # Who finds the key empty never comes, and then the socket is shut down.
        with suppress(OSError):
            one, _ = planted.accept()
            one.recv(65536)
            one.sendall(said * 2)
            one.close()

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    with closing(planted):
        code, printed, _ = await terminal.ask(terminal.uses("Bash", command="touch made"))
        with suppress(OSError):
            planted.shutdown(socket.SHUT_RDWR)
        thread.join()
    os.close(here)
    assert (code, printed) == (2, "")


async def test_a_window_that_was_killed_is_passed_by(terminal: Terminal) -> None:
    leave(terminal)
    window = terminal.state / "sockets" / "dead"
    window.mkdir(mode=0o700)
    (window / "connected.key").write_bytes(b"k" * 32)
    (window / "connected.key").chmod(0o600)
    with socket.socket(socket.AF_UNIX) as dead:
        here = os.open(window, os.O_RDONLY)
        dead.bind(f"/proc/self/fd/{here}/gate")
        os.close(here)
    assert (await terminal.use("Bash", command="ls"))[0] == "allow"


GONE: dict[str, Callable[[Terminal], None]] = {
    "its launcher": lambda it: (it.state / "connected" / "hook").unlink(),
    "its package": lambda it: _relaunch(it, lambda text: text.replace("own=", "own=/nowhere", 1)),
    "its state": lambda it: shutil.rmtree(it.state),
}


@pytest.mark.parametrize("gone", GONE.values(), ids=GONE)
async def test_an_assent_that_was_removed_locks_nobody_out_and_says_so(
    terminal: Terminal, gone: Callable[[Terminal], None]
) -> None:
    leave(terminal)
    gone(terminal)
    code, printed, error = await terminal.ask(terminal.uses("Bash", command="ls"))
    assert (code, printed) == (0, "")
    assert "not installed" in error


async def test_it_is_noted_that_the_hook_runs_at_all(terminal: Terminal) -> None:
    leave(terminal)
    await terminal.use("Bash", command="ls")
    assert (terminal.state / "connected" / "claude.seen").exists()
