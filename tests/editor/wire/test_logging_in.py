"""A person logs in to an agent: its own flow, a secret, its program in a terminal."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from assent.editor.protocol import editor as asks
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

KEY: Final = "s3cr3t-key-of-the-person"

AGENT: Final = """
import json, os, sys

AT = os.environ["AT"]

def note(text):
    with open(AT + "/notes", "a") as file:
        file.write(text + "\\n")

def send(**body):
    print(json.dumps({"jsonrpc": "2.0", **body}), flush=True)

def is_in():
    return os.path.exists(AT + "/in") or "API_KEY" in os.environ

if "--login" in sys.argv:
    note("terminal " + " ".join(sys.argv[1:]))
    open(AT + "/in", "w").close()
    sys.exit(int(os.environ.get("CODE", "0")))

METHODS = json.loads(os.environ["METHODS"])
note("started")
for line in sys.stdin:
    asked = json.loads(line)
    method, number = asked.get("method"), asked.get("id")
    if method == "initialize":
        auth = asked["params"]["clientCapabilities"]["auth"]
        note("terminal is offered: %s" % auth["terminal"])
        send(id=number, result={"protocolVersion": 1, "authMethods": METHODS})
    elif method == "authenticate":
        way = asked["params"]["methodId"]
        note("authenticate " + way)
        if way == "refuses":
            send(id=number, error={"code": 1, "message": "not you"})
        elif way == "hangs":
            open(AT + "/hanging", "w").close()
        else:
            open(AT + "/in", "w").close()
            send(id=number, result={})
    elif method == "session/new":
        if is_in():
            note("key " + os.environ.get("API_KEY", "-"))
            send(id=number, result={"sessionId": "s"})
        else:
            send(id=number, error={"code": -32000, "message": "Authentication required"})
    elif method == "session/prompt":
        send(id=number, result={"stopReason": "end_turn"})
"""

BROWSER: Final = {"id": "browser", "name": "My site”, says Assent", "description": "Opens it."}
HANGS: Final = {"id": "hangs", "name": "Hangs"}
REFUSES: Final = {"id": "refuses", "name": "Refuses", "type": "agent"}
BY_KEY: Final = {"id": "key", "name": "Key", "type": "env_var", "vars": [{"name": "API_KEY"}]}
TERMINAL: Final = {
    "id": "console",
    "name": "Console",
    "type": "terminal",
    "args": ["--login", "a b"],
}


def entry(tmp_path: Path, *methods: Any, **env: str) -> dict[str, Any]:
    program = tmp_path / "agent.py"
    program.write_text(AGENT, "utf-8")
    given = {"AT": str(tmp_path), "METHODS": json.dumps(methods), **env}
    return {"name": "One", "command": sys.executable, "args": [str(program)], "env": given}


def notes(tmp_path: Path) -> list[str]:
    return (tmp_path / "notes").read_text("utf-8").splitlines()


def cards(scene: Scene) -> list[Any]:
    """How logging in stood, from first to last."""
    told = [it.event for it in scene.client.told("agent/event")]
    return [it.log_in for it in told if it.kind == "logIn"]


async def wanting(stage: Stage, tmp_path: Path, *methods: Any, **env: str) -> tuple[Scene, str]:
    """A chat with an agent that wants the person to log in."""
    editor = Editor(layers={"user": {"agents": {"one": entry(tmp_path, *methods, **env)}}})
    editor.choose = lambda asked: asked.actions[0]
    scene = await stage(editor=editor)
    chat = await scene.chat("one")
    ended = await scene.outcome(chat, "hello")
    assert ended.reason == "error"
    assert "One wants you to log in first" in ended.because
    return scene, chat


async def log_in(scene: Scene, chat: str, way: str) -> Any:
    """Choose a way, and how it stands then."""
    await scene.client.request("agent/logIn", {"chatId": chat, "way": way}, within=20)
    return cards(scene)[-1]


async def test_an_agents_own_flow_is_told_of_in_its_words_and_opens_the_chat(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, BROWSER, REFUSES)
    first = cards(scene)[-1]
    before = len(cards(scene))
    assert [(it.id, it.kind, it.name, it.says) for it in first.ways] == [
        ("browser", "agent", 'My site", says Assent', "Opens it."),
        ("refuses", "agent", "Refuses", ""),
    ]
    refused = await log_in(scene, chat, "refuses")
    assert (refused.because, refused.busy) == ("One could not log you in: not you", "")
    assert len(refused.ways) == 2
    assert await log_in(scene, chat, "browser") is None
    assert [it and it.busy for it in cards(scene)[before:]] == [
        "refuses",
        "",
        "browser",
        None,
        None,
    ]
    assert (await scene.turn(chat, "hello")).reason == "done"
    assert "authenticate browser" in notes(tmp_path)
    # It was logged in and opened by one process: some keep it in memory alone.
    at = notes(tmp_path).index("authenticate browser")
    assert notes(tmp_path)[at + 1 :] == ["key -"]


async def test_a_flow_that_takes_too_long_is_broken_off_by_the_person(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, HANGS, BROWSER)
    os.mkfifo(tmp_path / "hanging")
    _, waiting = scene.client.ask("agent/logIn", {"chatId": chat, "way": "hangs"})
    await asyncio.to_thread((tmp_path / "hanging").read_text)
    with pytest.raises(Exception, match="logging in already"):
        await scene.client.request("agent/logIn", {"chatId": chat, "way": "browser"})
    await scene.client.request("agent/stop", {"chatId": chat})
    await waiting
    assert cards(scene)[-1].because == "You stopped it, so you may not be logged in."
    assert await log_in(scene, chat, "browser") is None


async def test_a_secret_is_asked_for_by_the_editor_kept_there_and_given_to_this_agent_alone(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, BY_KEY)
    editor = scene.editor
    drew_back = await log_in(scene, chat, "key")
    assert drew_back.because == "You drew back, so nothing was changed."
    assert editor.written == []
    editor.types = KEY
    assert await log_in(scene, chat, "key") is None
    [asked] = {(it.name, it.agent) for it in editor.asked}
    assert asked[0].startswith("API_KEY_of_one_")
    assert editor.secrets[f"agentSecret.{asked[0]}"] == KEY
    env = editor.layers["user"]["agents"]["one"]["env"]
    assert env["API_KEY"] == f"${{secret:{asked[0]}}}"
    assert notes(tmp_path)[-1] == f"key {KEY}"
    assert (await scene.turn(chat, "hello")).reason == "done"
    kept = [it.read_bytes().decode("latin-1") for it in scene.state.rglob("*") if it.is_file()]
    told = [repr(it) for it in scene.client.told("agent/event")]
    assert KEY not in "\n".join([*kept, *told, scene.client.log])


async def test_a_new_secret_counts_once_the_agent_is_started_anew_which_is_offered(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, BY_KEY)
    editor = scene.editor
    editor.types = KEY
    assert await log_in(scene, chat, "key") is None
    assert (await scene.turn(chat, "hello")).reason == "done"
    assert editor.confirmed == []
    # Another one, while it runs: whoever draws back is told what counts.
    editor.types, editor.choose = "sk-second-one", lambda _: None
    await scene.client.request("agent/wishLogIn", {"chatId": chat})
    kept = await log_in(scene, chat, "key")
    assert "was not started anew, so this chat goes by what it was given before" in kept.because
    assert editor.confirmed[-1].title == "Start One anew?"
    assert "sk-second-one" not in "\n".join(notes(tmp_path))
    assert (await scene.turn(chat, "hello")).reason == "done"
    # New chats go by it, and so does this one once it was agreed to.
    other = await scene.chat("one")
    assert (await scene.turn(other, "hello")).reason == "done"
    assert notes(tmp_path)[-1] == "key sk-second-one"
    editor.types, editor.choose = "sk-third-one", lambda asked: asked.actions[0]
    await scene.client.request("agent/wishLogIn", {"chatId": chat})
    assert await log_in(scene, chat, "key") is None
    assert notes(tmp_path)[-1] == "key sk-third-one"
    assert (await scene.turn(chat, "hello")).reason == "done"


async def test_what_the_persons_own_settings_set_is_not_overwritten(
    stage: Stage, tmp_path: Path
) -> None:
    taken = {**BY_KEY, "vars": [{"name": "AT"}]}
    scene, chat = await wanting(stage, tmp_path, taken)
    scene.editor.types = KEY
    assert "set AT for One to something else" in (await log_in(scene, chat, "key")).because
    assert (scene.editor.asked, scene.editor.written) == ([], [])


def really(wanted: asks.RunInTerminal) -> int:
    """Run it as a terminal would."""
    return subprocess.run(
        [wanted.program, *wanted.args], env={**os.environ, **wanted.env}, check=False
    ).returncode


async def test_the_agents_own_program_is_shown_and_then_run_in_a_terminal(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, TERMINAL)
    editor = scene.editor
    closed = await log_in(scene, chat, "console")
    assert closed.because == "The terminal ended, so you may not be logged in."
    editor.runs = really
    assert await log_in(scene, chat, "console") is None
    shown, ran = editor.confirmed[-1], editor.terminals[-1]
    assert shown.detail.endswith(f"{ran.program} {tmp_path}/agent.py --login 'a b'")
    assert Path(ran.program).is_absolute()
    assert "terminal --login a b" in notes(tmp_path)
    assert (await scene.turn(chat, "hello")).reason == "done"


async def test_a_terminal_that_nobody_agreed_to_is_not_opened_and_one_that_fails_is_told(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await wanting(stage, tmp_path, TERMINAL, CODE="3")
    scene.editor.runs = really
    failed = await log_in(scene, chat, "console")
    assert failed.because == "The terminal ended with exit code 3, so you may not be logged in."
    scene.editor.choose = lambda _: None
    before = len(scene.editor.terminals)
    assert "drew back" in (await log_in(scene, chat, "console")).because
    assert len(scene.editor.terminals) == before


async def test_whoever_asks_is_shown_the_ways_also_where_the_agent_does_not_want_it(
    stage: Stage, tmp_path: Path
) -> None:
    (tmp_path / "in").touch()
    editor = Editor(layers={"user": {"agents": {"one": entry(tmp_path, BROWSER)}}})
    scene = await stage(editor=editor)
    chat = await scene.chat("one")
    assert (await scene.turn(chat, "hello")).reason == "done"
    assert cards(scene) == []
    await scene.client.request("agent/wishLogIn", {"chatId": chat})
    assert [it.id for it in cards(scene)[-1].ways] == ["browser"]
    assert await log_in(scene, chat, "browser") is None
    assert (await scene.turn(chat, "again")).reason == "done"
    assert notes(tmp_path).count("started") == 1


async def test_a_way_that_nobody_offered_is_gone_by_nobody(stage: Stage, tmp_path: Path) -> None:
    scene, chat = await wanting(stage, tmp_path, BROWSER)
    with pytest.raises(Exception, match="does not offer this way"):
        await scene.client.request("agent/logIn", {"chatId": chat, "way": "other"})
    assert "authenticate other" not in notes(tmp_path)
