"""opencode: our hook is a one-file plugin, named in a configuration of its own.

It runs each tool behind its plugins, those of sub-agents as well, and ours stands behind all that
the person has. Beside that it is told to ask about everything, so that a plugin which was not
loaded lets nothing run unasked; nothing of a repository is read.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import orjson

from assent.hosting.hooks.hook_words import OPENCODE, Hooked, diff
from assent.hosting.permission.patches import trimmed_patch_in
from assent.hosting.permission.toolcall import Asking
from assent.hosting.recipes.opencode_plugin import plugin
from assent.hosting.recipes.recipe import Hooking, LogInCommand, Recipe
from assent.hosting.repositories.sources import Source, Taken

__all__ = ["RECIPE"]

_PLUGIN: Final = "assent.js"
_PLUGINS: Final = ("plugin", "plugins")
_ASKING: Final = {
    "*": "ask",
    # What is outside is asked about by the tool that goes there.
    "external_directory": "allow",
}


def _variables(folder: str) -> dict[str, str]:
    config = {"plugin": [f"file://{folder}/{_PLUGIN}"]}
    return {"OPENCODE_CONFIG_CONTENT": orjson.dumps(config).decode(), "OPENCODE_PURE": "0"}


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("filePath")
    if tool == "write":
        return [diff(path, None, given.get("content"))]
    return [diff(path, given.get("oldString"), given.get("newString"))] if tool == "edit" else []


def _patch(hooked: Hooked) -> str | None:
    text = hooked.input.get("patchText") if hooked.tool == "apply_patch" else None
    return text if isinstance(text, str) and len(hooked.input) == 1 else None


_NOTHING: Final = Taken(rows=())
_MAIN: Final = tuple(
    f"{folder}opencode.{ending}" for folder in ("", ".opencode/") for ending in ("json", "jsonc")
)
_read: Final = partial(Source, takes=lambda _: _NOTHING, is_to_root=True)
_SOURCES: Final = (
    # A plugin rewrites what was ruled on; those of a repository it loads also where it is told to
    # read no configuration of that, up to the root of all folders where no repository begins on
    # the way. The rest it leaves out then.
    *(_read(pattern=pattern, unheld="plugin") for pattern in _MAIN),
    *(
        _read(pattern=f".opencode/{folder}/**", unheld="plugin", is_whole=True)
        for folder in _PLUGINS
    ),
    *(_read(pattern=pattern, is_switched=True) for pattern in _MAIN),
    # The program of a tool is loaded into opencode itself, as a plugin is.
    *(
        _read(pattern=f".opencode/{folder}/**", unheld="tool", is_whole=True, is_switched=True)
        for folder in ("tool", "tools")
    ),
    # A command and a skill run their lines of shell when they are read, an agent and a mode have
    # permissions of their own.
    *(
        _read(pattern=f".opencode/{folder}{s}/**", is_switched=True)
        for folder in ("command", "agent", "mode", "skill")
        for s in ("", "s")
    ),
    *(
        _read(pattern=f"{folder}/skills/**/SKILL.md", is_switched=True)
        for folder in (".agents", ".claude")
    ),
)

RECIPE: Final = Recipe(
    id="opencode",
    packages=("opencode-ai",),
    log_in=LogInCommand(program="opencode", words=("auth", "login")),
    own_files=lambda home, _: (f"{home}/.local/share/opencode/plans/*.md",),
    hooking=Hooking(
        words=OPENCODE, files=lambda line: {_PLUGIN: plugin(line)}, variables=_variables
    ),
    env={
        "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
        # Its slash commands are skills as well, and run the lines of shell in these unasked.
        "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
        "OPENCODE_PERMISSION": orjson.dumps(_ASKING).decode(),
    },
    kinds={
        "bash": "execute",
        "edit": "edit",
        "glob": "search",
        "grep": "search",
        "list": "read",
        "read": "read",
        "webfetch": "fetch",
        "websearch": "fetch",
        "write": "edit",
    },
    notes=frozenset({"todoread", "todowrite"}),
    changes=_changes,
    patch=_patch,
    reads_patch=trimmed_patch_in,
    joint="_",
    # It tells of each call when its hook has refused it already.
    idle=frozenset({Asking.REFUSED}),
    is_terse=True,
    sources=_SOURCES,
)
