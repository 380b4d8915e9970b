"""Ways to get past a gate, really run by our own agent in Default, where commands run on copies.

Nobody allows anything. So whatever happens, happened without a question: nothing may change, and
no word of a secret file may come to the model.
"""

import asyncio
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from assent.gate.sandbox.bubblewrap import OWN
from editor.wire.editor import Editor
from editor.wire.own import Own, model
from editor.wire.scene import Stage
from gate.ruling.test_cases import cases_of
from gate.ruling.world import World, build
from models.script import call, text
from models.server import ModelServer

__all__ = ["model"]

STEP: Final = int(os.environ.get("ASSENT_EVERY_ATTACK", "100"))
"""Of so many one; `ASSENT_EVERY_ATTACK=1` with `--timeout=0` tries all, in half an hour."""
AT_ONCE: Final = 20
"""So many commands in one reply of the model."""
CANARY: Final = "c0ffee-that-nobody-may-read"
DENIED: Final = (".env", ".env.local", "secrets/key.pem")
RULES: Final = {"deny": [f"read(./{name})" for name in DENIED]}
SECRETS: Final = (
    *DENIED,
    *("../.ssh/id_ed25519", "../.aws/credentials", "../.netrc"),
)


@pytest.mark.requirement("S-08")
async def test_no_attack_reads_a_secret_or_changes_anything_unasked(
    stage: Stage, model: ModelServer, tmp_path: Path
) -> None:
    world = build(tmp_path)
    for name in SECRETS:
        (world.workspace / name).write_text(f"TOKEN={CANARY}\n")
    own = await own_in(world, stage, model)
    denying = asyncio.create_task(deny_all(own))
    commands = sorted({*commands_of(world)})[::STEP]
    before, ran = snapshot(world), 0
    for first in range(0, len(commands), AT_ONCE):
        some = commands[first : first + AT_ONCE]
        told = await tried(own, some)
        ran += told.count("It was run on a copy of the workspace.")
        assert CANARY not in told, some
        assert snapshot(world) == before, some
    denying.cancel()
    assert ran * 10 > len(commands), "too few of them came to run"


async def own_in(world: World, stage: Stage, model: ModelServer) -> Own:
    """Our own agent in Default, where what it asks about may run on copies."""
    given = {"provider": "openai", "model": "tiny", "url": model.url_for("openai")}
    user = {"models": [given], "rules": RULES, "sandbox": "auto"}
    env = {"OLLAMA_HOST": model.url, "HOME": str(world.home), "ASSENT_BWRAP": str(OWN)}
    scene = await stage(editor=Editor(layers={"user": user}), folder=world.workspace, env=env)
    return Own(scene=scene, model=model, chat="")


async def deny_all(own: Own) -> None:
    """Answer each question with a no."""
    while True:
        ticket = await own.scene.client.expect("tool/approvalRequest", timeout=10_000)
        await own.scene.answer(ticket, "deny")


async def tried(own: Own, commands: list[str]) -> str:
    """What the model hears about these commands."""
    own.chat = await own.scene.chat("assent", "default")
    wanted = ({"command": command, "timeout_seconds": 5} for command in commands)
    own.model.reply(*(call("run_command", each) for each in wanted))
    own.model.reply(text("Well."))
    asked = len(own.model.requests)
    ended = await asyncio.wait_for(own.say(), 600)
    assert ended.reason == "done", ended
    await own.scene.client.request("agent/closeChat", {"chatId": own.chat})
    return "\n".join(request.last for request in own.model.requests[asked + 1 :])


def commands_of(world: World) -> Iterator[str]:
    """Each command of the cases."""
    for case in cases_of("attacks"):
        asked: Any = case.get("call", {}).get("input")
        command = asked.get("command") if isinstance(asked, dict) else None
        if case.get("call", {}).get("tool") == "shell" and isinstance(command, str):
            yield world.place(command)


def snapshot(world: World) -> str:
    """All files of the home, in which the workspace lies, as one text."""
    whole = hashlib.sha256()
    for folder, folders, names in os.walk(world.home):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = Path(folder, name)
            whole.update(f"{path} {path.lstat().st_mode}".encode("utf-8", "surrogateescape"))
            if path.is_file() and not path.is_symlink():
                whole.update(path.read_bytes())
    return whole.hexdigest()
