"""Real agents whose command runs elsewhere than their chat: what is ruled on is what runs there."""

from pathlib import Path
from typing import Any

import pytest

from editor.wire.scene import Stage
from hosting.real.hosted import opened
from hosting.real.known import KNOWN
from hosting.real.model import Model

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

MODES = pytest.mark.parametrize("mode", ["default", "auto"])
WRITTEN = "what stands in the key"


def body_of(card: Any) -> tuple[str, str]:
    """The command that a card shows, and the folder in which it would run."""
    body = card.card.body
    return tuple("".join(span.text for span in spans) for spans in (body.command, body.cwd))  # type: ignore[return-value]


# Auto asks about no reading, so there it is a rule of the person's that forbids it.
FORBIDDEN = {"default": (), "auto": ("read(~/.ssh/**)",)}


@MODES
async def test_a_command_of_codex_is_ruled_on_in_the_folder_that_it_names(
    stage: Stage, model: Model, home: Path, mode: str
) -> None:
    keys = home / ".ssh"
    keys.mkdir()
    (keys / "id_rsa").write_text(WRITTEN, "utf-8")
    rules = {"deny": list(FORBIDDEN[mode])}
    it = await opened(stage, model, KNOWN["codex"], home, mode, rules=rules)
    async with it.person("deny"):
        rows = await it.use("exec_command", {"cmd": "cat id_rsa", "workdir": str(keys)})
    assert WRITTEN not in repr(model.asked)
    shown = [("cat id_rsa", "~/.ssh")] if mode == "default" else []
    assert [body_of(card) for card in it.cards] == shown
    (decided,) = [row["body"] for row in rows if row["kind"] == "decided"]
    assert decided["outcome"] == "refused"
    assert it.gate()[0] == "verified"
    assert it.notices("error") == []


@MODES
async def test_a_command_of_claude_is_ruled_on_where_its_last_cd_led(
    stage: Stage, model: Model, home: Path, mode: str
) -> None:
    it = await opened(stage, model, KNOWN["claude"], home, mode)
    hooks = it.scene.folder / ".git" / "hooks"
    hooks.mkdir(parents=True)
    async with it.person("deny"):
        await it.use("Bash", {"command": "cd .git/hooks", "description": "d"})
        assert it.cards == []
        await it.use("Bash", {"command": "echo x > pre-commit", "description": "d"})
    assert not (hooks / "pre-commit").exists()
    assert [body_of(card) for card in it.cards] == [("echo x > pre-commit", ".git/hooks")]
    assert it.gate()[0] == "verified"
    assert it.notices("error") == []


NAMED = {
    "qwen": lambda here: {"directory": str(here / ".git/hooks"), "is_background": False},
    "opencode": lambda _: {"workdir": ".git/hooks", "description": "d"},
}
"""How the agents name a folder among the arguments of a command."""


@MODES
@pytest.mark.parametrize("agent", NAMED)
async def test_a_command_is_ruled_on_in_the_folder_that_stands_among_its_arguments(
    stage: Stage, model: Model, home: Path, mode: str, agent: str
) -> None:
    it = await opened(stage, model, KNOWN[agent], home, mode)
    hooks = it.scene.folder / ".git" / "hooks"
    hooks.mkdir(parents=True)
    tool, _ = KNOWN[agent].uses(it.scene.folder, model)["shell"]
    more = NAMED[agent](it.scene.folder)
    async with it.person("deny"):
        await it.use(tool, {"command": "echo x > pre-commit", **more})
    assert not (hooks / "pre-commit").exists()
    assert [body_of(card) for card in it.cards] == [("echo x > pre-commit", ".git/hooks")]
    assert it.notices("error") == []


@MODES
async def test_gemini_runs_no_command_in_a_folder_of_which_it_would_tell_nothing(
    stage: Stage, model: Model, home: Path, mode: str
) -> None:
    it = await opened(stage, model, KNOWN["gemini"], home, mode)
    (it.scene.folder / ".vscode").mkdir()
    given = {"command": "echo x > tasks.json", "description": "d"}
    async with it.person():
        await it.use("run_shell_command", {**given, "dir_path": ".vscode"})
        assert it.cards == []
        # The name alone, in a command, is no such folder.
        given["command"] = """echo '"dir_path":"x"' > made"""
        await it.use("run_shell_command", given)
    assert it.made() == {".vscode", "made"}
    assert [*(it.scene.folder / ".vscode").iterdir()] == []
    assert it.notices("error") == []
