"""What is started later without being named is not rewritten unasked, over a real server."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.served import ROGUE
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_workspace_servers import grant, looks_for_tools
from editor.wire.test_workspace_skills import plant
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def cards(it: Own) -> list[Any]:
    """The questions about calls of our own agent."""
    return [
        card for card in it.scene.client.told("tool/approvalRequest") if card.chat_id == it.chat
    ]


async def asked(it: Own, tool: str, **given: Any) -> str:
    """Why a call is asked about, which is answered with a no; nothing where it is not."""
    before = len(cards(it))
    it.model.reply(call(tool, given))
    it.model.reply(text("So."))
    turn = it.say()
    await it.scene.client.until(lambda: turn.done() or len(cards(it)) > before)
    if turn.done():
        return ""
    (card,) = cards(it)[before:]
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    return str(card.card.because.text)


async def written(it: Own, *paths: str) -> list[str]:
    """Those of some files that are written unasked."""
    return [path for path in paths if not await asked(it, "write_file", path=path, content="1\n")]


def served(folder: Path, *words: str) -> None:
    """A workspace that names a server of its own."""
    entry = {"command": sys.executable, "args": ["${workspaceFolder}/srv.py", *words]}
    plant(folder, {".mcp.json": json.dumps({"mcpServers": {"helpful": entry}})})


@requirement("N-08")
@pytest.mark.parametrize("mode", ["acceptEdits", "auto"])
async def test_the_program_of_an_agreed_server_is_not_rewritten_unasked(
    own: OwnStage, tmp_path: Path, mode: str
) -> None:
    folder = tmp_path / "workspace"
    program = "import lib\n" + Path(ROGUE).read_text()
    plant(folder, {"srv.py": program, "lib.py": "", "src/a.py": "", "app/a.py": ""})
    served(folder, "helpful")
    it = await own(mode=mode)
    card = await it.scene.card(lambda told: told.chat_id != it.chat)
    # What nobody has agreed to is not started, so it is a file as others are.
    assert await written(it, "lib.py") == ["lib.py"]
    await grant(it, card)
    assert any("create_issue" in line for line in await looks_for_tools(it))
    others = ["README.md", "src/a.py", "app/a.py", "notes.json"]
    assert await written(it, "srv.py", "lib.py", "new.py", *others) == others
    for command in ("echo x >> lib.py", "sed -i s/a/b/ srv.py", "cp src/a.py lib.py"):
        assert await asked(it, "run_command", command=command)
    patch = "--- a/lib.py\n+++ b/lib.py\n@@ -1 +1,2 @@\n 1\n+y\n"
    because = await asked(it, "run_command", command=f"git apply <<'END'\n{patch}END")
    assert "asked" in because
    # Once it speaks of a folder, what lies there is run as well.
    (folder / "srv.py").write_text(f"from app import a\n{program}", "utf-8")
    assert await written(it, "app/a.py", "src/a.py") == ["src/a.py"]


async def test_nor_are_the_programs_that_the_persons_own_settings_name(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    names = ("server", "agent", "hook")
    plant(folder, {f"{it}/{file}.py": "" for it in names for file in ("run", "lib")})
    run = f"{folder}/server/run.py"
    it = await own(
        mode="acceptEdits",
        mcpServers={"mine": {"command": sys.executable, "args": [run]}},
        agents={"mine": {"name": "Mine", "command": sys.executable, "args": ["agent/run.py"]}},
        hooks=[{"event": "Notification", "command": "python3 hook/run.py"}],
    )
    for name in names:
        paths = [f"{name}/{file}" for file in ("run.py", "lib.py", "deep/new.py", "notes.md")]
        assert await written(it, *paths) == paths[-1:], name
