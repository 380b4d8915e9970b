"""Real agents as a person runs them in a terminal, with a model that is played."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from editor.wire.client import BESIDE
from hosting.real.fetch import fetched
from hosting.real.known import KNOWN, Use
from hosting.real.model import Model
from hosting.real.script import script

__all__ = ["REAL", "Real", "Session"]

BOUND: Final = 120.0
"""In seconds: how long one session of a real agent may take on a busy machine."""
_CLAUDE: Final = "node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude"


@frozen(kw_only=True)
class Real:
    """One agent, and how a person has it do one thing and end."""

    id: str
    program: str
    """Below the folder that it is fetched to."""
    words: Callable[[str, str], tuple[str, ...]]
    """What it is started with for a prompt: where nobody is asked, and with no bounds of its own
    beside `loose`."""
    settings: Mapping[str, str] = field(factory=dict, hash=False)
    """Files of the person's that it does not run without."""

    def environment(self, home: Path, model: Model) -> dict[str, str]:
        """Variables with which it speaks with the model."""
        entry = KNOWN[self.id].entry(home, model)
        return dict(entry["env"])

    def uses(self, here: Path, model: Model) -> Mapping[str, Use]:
        """Its tools by kind; none asks to be let out of a box, where nobody could say yes."""
        found = KNOWN[self.id].uses(here, model)
        box = ("sandbox_permissions", "justification")
        return {
            kind: (tool, {name: it for name, it in given.items() if name not in box})
            for kind, (tool, given) in found.items()
        }


def _claudes(prompt: str, loose: str) -> tuple[str, ...]:
    way = "bypassPermissions" if loose else "default"
    return "-p", prompt, "--permission-mode", way


def _codexes(prompt: str, loose: str) -> tuple[str, ...]:
    way = ("--dangerously-bypass-approvals-and-sandbox",) if loose else ("-s", "workspace-write")
    return "exec", "--skip-git-repo-check", *way, prompt


def _copilots(prompt: str, loose: str) -> tuple[str, ...]:
    return "-p", prompt, *(("--allow-all",) if loose else ())


def _qwens(prompt: str, loose: str) -> tuple[str, ...]:
    return "-p", prompt, "--approval-mode", "yolo" if loose else "default"


def _geminis(prompt: str, loose: str) -> tuple[str, ...]:
    return "-p", prompt, "--approval-mode", "yolo" if loose else "default"


def _opencodes(prompt: str, loose: str) -> tuple[str, ...]:
    # It puts quotes around a word with blanks in it, and a stroke before each quote inside.
    mark, _, calls = prompt.partition(":")
    told = json.dumps(json.loads(calls), separators=(",", ":")).replace(" ", "\\u0020")
    return "run", f"{mark}:{told}"


_GEMINIS: Final = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
}
REAL: Final = {
    it.id: it
    for it in (
        Real(id="claude", program=_CLAUDE, words=_claudes),
        Real(id="codex", program="node_modules/.bin/codex", words=_codexes),
        Real(id="copilot", program="node_modules/.bin/copilot", words=_copilots),
        Real(id="qwen", program="node_modules/.bin/qwen", words=_qwens),
        Real(
            id="gemini",
            program="node_modules/.bin/gemini",
            words=_geminis,
            settings={".gemini/settings.json": json.dumps(_GEMINIS)},
        ),
        Real(id="opencode", program="node_modules/.bin/opencode", words=_opencodes),
    )
}


@define(kw_only=True)
class Session:
    """One agent in one folder, connected."""

    real: Real
    home: Path
    folder: Path
    state: Path
    model: Model
    within: tuple[str, ...] = ()
    """The program that runs it, with its words, where something is to look otherwise to it."""
    said: str = ""
    """All that it printed last."""
    env: dict[str, str] = field(init=False)
    """As the person's shell has it."""

    def __attrs_post_init__(self) -> None:
        program = fetched(self.real.id) / self.real.program
        for name, text in self.real.settings.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(text, "utf-8")
        self.env = {
            **os.environ,
            **self.real.environment(self.home, self.model),
            "HOME": str(self.home),
            "ASSENT_STATE_DIR": str(self.state),
            "PYTHONPATH": BESIDE,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "IS_SANDBOX": "1",
            # By this opencode knows where it is.
            "PWD": str(self.folder),
        }

    async def assent(self, *words: str) -> str:
        """Run a command of Assent's; what it printed."""
        return await self.run(sys.executable, "-m", "assent", *words)

    async def do(self, *kinds: str, loose: bool = True) -> None:
        """Have the model make these calls, where nobody sits at the terminal."""
        uses = self.real.uses(self.folder, self.model)
        await self.use(*(uses[kind] for kind in kinds), loose=loose)

    async def use(self, *calls: Use, loose: bool = True) -> None:
        """Have the model call these tools."""
        program = str(fetched(self.real.id) / self.real.program)
        words = self.real.words(script(*calls), "yes" if loose else "")
        self.said = await self.run(program, *words)

    def made(self) -> set[str]:
        """What lies in its folder that was not there before."""
        return {it.name for it in self.folder.iterdir()} - {"README.md", "a.txt"}

    async def run(self, *words: str) -> str:
        """Run a program as the person would; all that it printed."""
        process = await asyncio.create_subprocess_exec(
            *self.within,
            *words,
            cwd=self.folder,
            env=self.env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(BOUND):
                printed, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        return printed.decode("utf-8", "replace")
