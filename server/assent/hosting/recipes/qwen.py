"""Qwen Code: our hook is in settings above the person's and a repository's.

It trusts no folder, so it takes no settings of a repository; commands, skills and sub-agents of one
it reads all the same, and so is not started there without leave. In its asking mode it asks by
itself before a change, and the hook asks before everything.
"""

import hashlib
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from assent.hosting.hooks.hook_words import QWEN, diff
from assent.hosting.recipes.own_servers import names_servers
from assent.hosting.recipes.recipe import (
    HOUR_S,
    Hooking,
    LogInCommand,
    OwnSettings,
    Recipe,
    letters_of,
)
from assent.hosting.repositories.sources import Source, Taken

__all__ = ["HOOK_TIMEOUT_S", "RECIPE", "REFUSAL"]

_SETTINGS: Final = "settings.json"
_TRUSTED: Final = "trusted.json"
HOOK_TIMEOUT_S: Final = 45
"""Whatever time a hook is given: a call goes on once its hook has taken a minute (0.24.4)."""
_READ: Final = Taken(rows=(("Reaches its model", "as it stands, files that it names included"),))
_HIRED: Final = Taken(rows=(("Makes a sub-agent", "and starts the MCP servers that it names"),))
_UNRULED: Final = (
    f"Nobody answered within {HOOK_TIMEOUT_S} seconds, or Assent could not rule on this call;"
    " so it was not run."
)


REFUSAL: Final = QWEN.refusal(_UNRULED)
"""What a hook prints that failed, so that no other hook takes it back, as one could an exit code.
"""


def _refusing(line: str) -> str:
    """The hook's line, which refuses so where it fails."""
    refused = f"printf %s {shlex.quote(REFUSAL)} >&2; exit 2"
    return f"/bin/sh -c {shlex.quote(line)} 2>/dev/null || /bin/sh -c {shlex.quote(refused)}"


def _files(line: str) -> dict[str, str]:
    hook = {"type": "command", "command": _refusing(line), "timeout": HOUR_S * 1_000}
    each = [{"matcher": "*", "hooks": [hook]}]
    settings = {
        "hooks": {
            "PreToolUse": each,
            # What a sub-agent in the background may do it asks nobody else.
            "PermissionRequest": each,
            "SessionStart": [{"hooks": [hook]}],
        },
        "disableAllHooks": False,
        "security": {"folderTrust": {"enabled": True}},
    }
    return {_SETTINGS: orjson.dumps(settings).decode(), _TRUSTED: "{}"}


def _variables(folder: str) -> dict[str, str]:
    return {
        "QWEN_CODE_SYSTEM_SETTINGS_PATH": f"{folder}/{_SETTINGS}",
        "QWEN_CODE_TRUSTED_FOLDERS_PATH": f"{folder}/{_TRUSTED}",
    }


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    if tool == "write_file":
        return [diff(path, None, given.get("content"))]
    return [diff(path, given.get("old_string"), given.get("new_string"))] if tool == "edit" else []


def _own_files(home: str, folder: str) -> tuple[str, ...]:
    """Its plans, its memory of this project, and what tools printed that was too long for it.

    >>> _own_files("/home/ada", "/code/my.app")[1]
    '/home/ada/.qwen/projects/-code-my-app/memory/*.md'
    """
    project = hashlib.sha256(folder.encode()).hexdigest()
    return (
        f"{home}/.qwen/plans/*.md",
        f"{home}/.qwen/projects/{letters_of(folder)}/memory/*.md",
        f"{home}/.qwen/tmp/{project}/tool-results/**",
    )


def _own_settings(env: Mapping[str, str]) -> OwnSettings:
    """In a folder that it does not trust it starts no servers, not even the person's."""
    home = env.get("QWEN_HOME") or f"{env.get('HOME', '')}/.qwen"
    return OwnSettings(lost="servers" if names_servers(Path(home, _SETTINGS)) else "")


RECIPE: Final = Recipe(
    id="qwen",
    packages=("@qwen-code/qwen-code",),
    log_in=LogInCommand(program="qwen"),
    hooking=Hooking(
        words=QWEN, seconds=HOOK_TIMEOUT_S, holds=False, files=_files, variables=_variables
    ),
    kinds={
        "edit": "edit",
        "glob": "search",
        "grep_search": "search",
        "list_directory": "read",
        "read_file": "read",
        "run_shell_command": "execute",
        "web_fetch": "fetch",
        "write_file": "edit",
    },
    own_files=_own_files,
    own_settings=_own_settings,
    guides=("QWEN.md", "AGENTS.md"),
    hears_guides=True,
    notes=frozenset({"todo_write", "get_goal", "list_agents", "tool_search"}),
    changes=_changes,
    # A command reads any file into the model that it names, and no hook is asked about that; nor
    # is one about the servers of a sub-agent, which it starts also in a folder that it does not
    # trust.
    sources=(
        Source(pattern=".qwen/settings.json", takes=lambda _: Taken(rows=()), is_switched=True),
        Source(pattern=".qwen/agents/**", takes=lambda _: _HIRED, is_text=True),
        *(
            Source(pattern=pattern, takes=lambda _: _READ, is_text=True)
            for pattern in (
                ".qwen/commands/**",
                ".qwen/skills/**/SKILL.md",
                ".agents/skills/**/SKILL.md",
                ".qwen/output-language.md",
            )
        ),
    ),
)
