"""Codex: configured to run our hook, and to trust it."""

from typing import Final

import orjson

from assent.hosting.hooks.hook_words import CODEX, Hooked
from assent.hosting.recipes.recipe import HOUR_S, Hooking, LogInCommand, Recipe
from assent.hosting.repositories.configuration import as_it_stands
from assent.hosting.repositories.sources import Source

__all__ = ["RECIPE"]


def _patch(hooked: Hooked) -> str | None:
    """It takes a command that only applies a patch out of the shell's hands."""
    text = hooked.input.get("command")
    if not isinstance(text, str) or len(hooked.input) > 1:
        return None
    # A shell that is given the bare text runs whatever file its stars stand for.
    is_own = hooked.tool == "apply_patch" or text.lstrip().startswith("apply")
    return text if is_own and hooked.tool in {"Bash", "apply_patch"} else None


def _env(line: str) -> dict[str, str]:
    hook = {"type": "command", "command": line, "timeout": HOUR_S}
    hooks = {
        "PreToolUse": [{"matcher": ".*", "hooks": [hook]}],
        "SessionStart": [{"hooks": [hook]}],
    }
    config = {"hooks": hooks, "bypass_hook_trust": True, "features": {"hooks": True}}
    return {"CODEX_CONFIG": orjson.dumps(config).decode()}


RECIPE: Final = Recipe(
    id="codex",
    packages=("@agentclientprotocol/codex-acp", "@zed-industries/codex-acp"),
    log_in=LogInCommand(program="codex", words=("login",)),
    hooking=Hooking(words=CODEX, env=_env),
    kinds={"Bash": "execute"},
    patch=_patch,
    types_later=True,
    # To trust our own hook, it has to trust those of a repository as well.
    sources=(
        Source(pattern=".codex/hooks.json", takes=as_it_stands, unheld="hooks", is_whole=True),
        Source(pattern=".codex/config.toml", takes=as_it_stands, unheld="hooks"),
        # Its sub-agents, each with settings of its own.
        Source(pattern=".codex/agents/**/*.toml", takes=as_it_stands, unheld="hooks"),
        # What it lets run by itself.
        Source(pattern=".codex/rules/*", takes=as_it_stands),
    ),
)
