"""Copilot: started with our plugin, so that nothing is written into the person's settings."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from assent.hosting.hooks.hook_words import COPILOT, diff
from assent.hosting.recipes.recipe import HOUR_S, Hooking, LogInCommand, Recipe
from assent.hosting.repositories.configuration import as_it_stands
from assent.hosting.repositories.sources import Source

__all__ = ["RECIPE"]


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("path")
    if tool == "create":
        return [diff(path, None, given.get("file_text"))]
    return [diff(path, given.get("old_str"), given.get("new_str"))] if tool == "edit" else []


def _files(line: str) -> dict[str, str]:
    """A plugin of its own, so that nothing of the person's is written."""
    hook = {"type": "command", "bash": line, "timeoutSec": HOUR_S}
    hooks = {"version": 1, "hooks": {"preToolUse": [hook], "sessionStart": [hook]}}
    manifest = {"name": "assent", "version": "1.0.0", "description": "Asks Assent"}
    return {
        "plugin.json": orjson.dumps({**manifest, "hooks": "hooks/hooks.json"}).decode(),
        "hooks/hooks.json": orjson.dumps(hooks).decode(),
    }


_KINDS: Final = {
    "bash": "execute",
    "create": "edit",
    "edit": "edit",
    "glob": "search",
    "grep": "search",
    "rg": "search",
    "view": "read",
    "web_fetch": "fetch",
}


RECIPE: Final = Recipe(
    id="copilot",
    packages=("@github/copilot",),
    log_in=LogInCommand(program="copilot", words=("login",)),
    hooking=Hooking(
        words=COPILOT,
        files=_files,
        args=lambda folder: ("--plugin-dir", folder),
    ),
    own_files=lambda home, _: (f"{home}/.copilot/session-state/*/plan.md",),
    kinds=_KINDS,
    notes=frozenset("update_todo report_intent read_bash list_bash read_agent list_agents".split()),
    changes=_changes,
    # Once these are through, it reads what they came to, and runs no hook for that.
    follow_ups={"shellId": frozenset({"delay"}), "agent_id": frozenset({"since_turn"})},
    # A hook rewrites what was ruled on, also in a folder that it does not trust itself, and
    # `disableAllHooks` switches ours off.
    sources=(
        Source(pattern=".github/hooks/**", takes=as_it_stands, unheld="hooks", is_whole=True),
        *(
            Source(pattern=pattern, takes=as_it_stands, unheld="hooks")
            for pattern in (
                ".github/copilot/settings*.json",
                ".claude/settings*.json",
            )
        ),
        *(
            Source(pattern=pattern, takes=as_it_stands)
            for pattern in (
                ".mcp.json",
                ".github/mcp.json",
                # The programs that it has read the code.
                ".github/lsp.json",
                # Sub-agents, which may start servers of their own.
                ".github/agents/**/*.md",
                ".claude/agents/**/*.md",
            )
        ),
    ),
)
