"""An agent in a terminal that is played: it runs the hook that its settings name, and obeys it."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from assent.hosting.hooks.hook_places import HookLine, InList
from assent.hosting.terminals.launcher import line_of, write_launcher
from assent.hosting.terminals.terminals import TERMINALS

__all__ = ["BOUND", "Terminal", "decision_in", "started"]

BOUND: Final = 60.0
"""In seconds: how long a hook may take on a busy machine, a person's answer included."""


def decision_in(printed: str) -> str:
    """What Claude Code would take a hook's answer for; nothing where it would not."""
    if not printed:
        return ""
    told: dict[str, Any] = json.loads(printed)["hookSpecificOutput"]
    assert told["hookEventName"] == "PreToolUse"
    return str(told["permissionDecision"])


def started(
    agent: str, line: HookLine, shell: tuple[str, ...] = ("sh", "-c")
) -> tuple[tuple[str, ...], dict[str, str]]:
    """What an agent runs as its hook, by what its settings say, and its variables for that."""
    place = TERMINALS[agent].place
    if not isinstance(place, InList):
        return line.spawned, {}
    element = next(iter(place.hooks.values()))(line)
    hook = element["hooks"][0] if "hooks" in element else element
    if "args" in hook:
        return (hook["command"], *hook["args"]), {}
    return (*shell, hook["bash"] if "bash" in hook else hook["command"]), hook.get("env", {})


@define(kw_only=True)
class Terminal:
    """One session in a folder."""

    state: Path
    folder: Path
    agent: str = "claude"
    session: str = "s"
    mode: str = "default"
    env: dict[str, str] = field(factory=dict)
    words: tuple[str, ...] = ()
    """What it runs as its hook."""

    def __attrs_post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.state.mkdir(mode=0o700, exist_ok=True)
        write_launcher(self.state)
        line = line_of(self.agent, self.state)
        self.words, _ = started(self.agent, line)

    async def start(self, call: dict[str, Any]) -> asyncio.subprocess.Process:
        """Run the hook, as the agent does."""
        process = await asyncio.create_subprocess_exec(
            *self.words,
            cwd=self.folder,
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(self.folder), **self.env},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(call).encode())
        process.stdin.write_eof()
        return process

    async def ask(self, call: dict[str, Any]) -> tuple[int, str, str]:
        """How the hook ended, and what it printed and complained of."""
        process = await self.start(call)
        try:
            async with asyncio.timeout(BOUND):
                printed, error = await process.communicate()
        finally:
            # Also where the test is over: then nobody waits for it any more.
            if process.returncode is None:
                process.terminate()
                await process.communicate()
        return process.returncode or 0, printed.decode(), error.decode()

    def uses(self, tool: str, **given: Any) -> dict[str, Any]:
        """What the hook is handed about one call."""
        return {
            "hook_event_name": "PreToolUse",
            "session_id": self.session,
            "cwd": str(self.folder),
            "permission_mode": self.mode,
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": "t",
        }

    @asynccontextmanager
    async def asks(self, tool: str, **given: Any) -> AsyncIterator["asyncio.Task[tuple[str, str]]"]:
        """The same, while something else is done."""
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            yield group.create_task(self.use(tool, **given))

    async def use(self, tool: str, **given: Any) -> tuple[str, str]:
        """What the agent is told to do with a call, and all that it was told."""
        code, printed, error = await self.ask(self.uses(tool, **given))
        assert code == 0, error
        return decision_in(printed), printed
