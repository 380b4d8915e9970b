"""A person has keys in their environment: the model gets its key, and no process shows one."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import Any, Final

import psutil
import pytest

from catalogue.mcp.served import setting
from editor.wire.editor import Editor
from editor.wire.own import model
from editor.wire.scene import Scene
from editor.wire.side import Start
from models.script import call, text
from models.server import ModelServer

__all__ = ["model"]

KEYS: Final = {
    "OPENAI_API_KEY": "sk-planted-by-a-well-known-name",
    "OUR_GATEWAY": "planted-by-a-name-that-says-nothing",
    "DATABASE_URL": "postgres://me:planted-in-an-address@db/x",
}
"""What the person has in the environment of their shell."""
A_SERVER: Final = (sys.executable, "-u", "-m", "assent", "serve")
"""A Python of its own and no fork of another, whose variables the system would not know."""


def shown(processes: Iterable[psutil.Process]) -> list[str]:
    """The keys that whoever may look at these processes reads in `/proc/PID/environ`."""
    found = []
    for process in processes:
        with suppress(PermissionError, FileNotFoundError):
            started = Path(f"/proc/{process.pid}/environ").read_bytes().decode()
            held = [name for name, value in KEYS.items() if value in started]
            found += [f"{name}: {' '.join(process.cmdline())[-60:]}" for name in held]
    return found


async def opened(
    start: Start, tmp_path: Path, editor: Editor, env: dict[str, str], command: Any = A_SERVER
) -> Scene:
    """A window of a real server that was started with these variables."""
    folder = tmp_path / "workspace"
    folder.mkdir(exist_ok=True)
    (folder / "README.md").write_text("A small workspace.\n", encoding="utf-8")
    client = await start(*command, editor=editor, cwd=folder, env=env)
    await client.open(folders=[folder.as_uri()], options={"clientFeatures": []})
    await client.expect("agent/event", lambda told: told.event.kind == "agents", timeout=30)
    return Scene(client=client, folder=folder, state=tmp_path / "state")


def person(model: ModelServer, key: str = "OUR_GATEWAY", **more: Any) -> Editor:
    """An editor whose person has one model, with a key of this name."""
    given = {"provider": "openai", "model": "tiny", "url": model.url_for("openai"), "key": key}
    layers = {"user": {"models": [given], **more}}
    return Editor(layers=layers, choose=lambda confirm: confirm.actions[0])


def bearer(model: ModelServer) -> str | None:
    """The key with which the model was asked last."""
    return model.requests[-1].headers.get("authorization")


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc here")
async def test_no_process_is_started_with_a_key_while_everything_runs(
    start: Start, tmp_path: Path, model: ModelServer
) -> None:
    editor = person(model, mcpServers={"helpful": setting("helpful")})
    scene = await opened(start, tmp_path, editor, {**KEYS, "OLLAMA_HOST": model.url})
    chat = await scene.chat("assent", "auto")
    model.reply(call("list_nodes", {"words": "report"}))
    model.reply(call("run_command", {"command": "env; exec sleep 600", "background": True}))
    model.reply(text("It runs."))
    assert (await scene.turn(chat, "Work.")).reason == "done"
    assert (await scene.turn(await scene.chat("eliza"), "hello")).reason == "done"
    server = psutil.Process(scene.client.process.pid)
    below = server.children(recursive=True)
    lines = [" ".join(process.cmdline()) for process in below]
    for part in ("rogue", "eliza", "sleep 600", "keeper"):
        assert any(part in line for line in lines), (part, lines)
    assert shown([server, *below]) == []
    assert bearer(model) == f"Bearer {KEYS['OUR_GATEWAY']}"


@pytest.mark.process
async def test_a_command_of_an_agent_prints_no_key_whatever_it_looks_at(
    start: Start, tmp_path: Path, model: ModelServer
) -> None:
    scene = await opened(start, tmp_path, person(model), {**KEYS, "OLLAMA_HOST": model.url})
    chat = await scene.chat("assent", "auto")
    looks = f"env; printenv; set; cat /proc/{scene.client.process.pid}/environ"
    model.reply(call("run_command", {"command": looks}))
    model.reply(text("Done."))
    turn = scene.say(chat, "Look.")
    await scene.answer(await scene.card(), "once")
    assert (await turn).reason == "done"
    assert "PATH=" in model.requests[-1].last
    assert not [key for key in KEYS.values() if key in model.requests[-1].last]


async def test_the_editor_sends_a_variable_when_a_model_wants_it_and_it_is_forgotten_with_it(
    start: Start, tmp_path: Path, model: ModelServer
) -> None:
    """As with our extension, which starts the server without."""
    editor = person(model)
    where = {"OLLAMA_HOST": model.url}
    for _ in ("a first server", "the next one"):
        editor.secrets = {"variable.OUR_GATEWAY": KEYS["OUR_GATEWAY"]}
        scene = await opened(start, tmp_path, editor, where, command=())
        chat = await scene.chat("assent")
        model.reply(text("I am asked."))
        await scene.turn(chat, "hello")
        assert bearer(model) == f"Bearer {KEYS['OUR_GATEWAY']}"
        editor.secrets["modelKey.OUR_GATEWAY"] = "kept by the editor"
        model.reply(text("I am asked."))
        await scene.turn(chat, "hello")
        assert bearer(model) == "Bearer kept by the editor"
        editor.secrets.clear()
        model.reply(text("I am asked."))
        await scene.turn(chat, "hello")
        assert bearer(model) is None
        said = [scene.client.log, *map(repr, scene.client.told("agent/event"))]
        assert not any(KEYS["OUR_GATEWAY"] in it for it in said)
        await scene.client.dispose()


def test_whoever_runs_the_tests_may_look_at_processes() -> None:
    """Else the first test would find nothing, whatever there is."""
    key = {"LOOKED_FOR": KEYS["OUR_GATEWAY"]}
    waits = ["sh", "-c", "echo started; read -r _"]
    with psutil.Popen(waits, stdin=PIPE, stdout=PIPE, env={**os.environ, **key}) as process:
        # Until a program has said something, the kernel may still show nothing of its environment.
        assert process.stdout.readline() == b"started\n"
        assert shown([process]) == [f"OUR_GATEWAY: {' '.join(waits)}"]
        process.kill()
