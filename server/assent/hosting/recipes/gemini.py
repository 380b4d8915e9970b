"""Gemini: as hosted it runs no hook of ours; a policy above the person's makes it ask.

What it asks about says no more than a title and places, and a change where it is one; a command, a
search and a request have their title alone. A skill of its own it uses without asking, and lets no
sub-agent work.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.text.lazy_patterns import late
from assent.hosting.hooks.hook_words import Hooked, HookWords, cwd_in, diff
from assent.hosting.permission.arguments import only_read
from assent.hosting.permission.toolcall import Asking
from assent.hosting.recipes.own_servers import names_servers
from assent.hosting.recipes.recipe import LogInCommand, OwnSettings, Recipe
from assent.hosting.repositories.sources import Source, Taken

__all__ = ["GEMINI", "RECIPE"]

_PROJECT: Final = late(r"[A-Za-z0-9_-]+")
"""A name in its list of projects."""
_HERE: Final = Path(__file__).resolve().parent / "of_gemini"


def _geminis(payload: dict[str, Any]) -> Hooked:
    session, tool, given = (payload.get(key) for key in ("session_id", "tool_name", "tool_input"))
    is_call = payload.get("hook_event_name") == "BeforeTool"
    if not is_call or not (isinstance(session, str) and session and isinstance(given, dict)):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if not (isinstance(tool, str) and tool):
        raise CallUnreadable("Its hook was handed a call without a name.")
    served = payload.get("mcp_context")
    if served is not None:
        server, name = (_object(served).get(key) for key in ("server_name", "tool_name"))
        if not (isinstance(server, str) and server and isinstance(name, str) and name):
            raise CallUnreadable("Its hook was handed a call of a server without a name.")
        tool = f"mcp__{server}__{name}"
    elif tool == "run_shell_command" and "directory" not in given:
        # Its word for where a command runs is elsewhere one for what is looked at.
        given = {("directory" if key == "dir_path" else key): given[key] for key in given}
    return Hooked(session=session, tool=tool, input=given, cwd=cwd_in(payload))


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


GEMINI: Final = HookWords(
    read=_geminis,
    # It goes by its own policy all the same; no other input is said, since it tells its model of
    # each, and a later hook would have its way with it anyhow.
    allow=lambda *_: {"decision": "allow"},
    deny=lambda because: {"decision": "deny", "reason": because},
    # Where nobody sits before it, it would wait for ever for an answer to its own question.
    ask=None,
)


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    if tool == "write_file":
        return [diff(path, None, given.get("content"))]
    return (
        [diff(path, given.get("old_string"), given.get("new_string"))] if tool == "replace" else []
    )


def _own_files(home: str, folder: str) -> tuple[str, ...]:
    """Its plans, its memory of this project, and what tools printed that was too long for it.

    They lie in a folder whose name its list of projects tells.
    """
    listed = os.path.realpath(f"{home}/.gemini/projects.json")
    try:
        projects = _object(orjson.loads(text_of(listed, "its list of projects") or "{}"))
    except (AssentError, ValueError):
        return ()
    name = _object(projects.get("projects")).get(folder)
    if not isinstance(name, str) or not _PROJECT.fullmatch(name):
        return ()
    own = f"{home}/.gemini/tmp/{name}"
    return tuple(
        f"{own}/{within}"
        for within in ("plans/*.md", "*/plans/*.md", "memory/*.md", "tool-outputs/**")
    )


def _own_settings(env: Mapping[str, str]) -> OwnSettings:
    """In a folder that it does not trust it starts no servers; sub-agents it may not let work."""
    home = Path(env.get("GEMINI_CLI_HOME") or env.get("HOME", ""), ".gemini")
    has = names_servers(home / "settings.json") or any((home / "agents").glob("*.md"))
    return OwnSettings(lost="servers and sub-agents" if has else "")


_SEARCHED: Final = late(r"'([^']*)'(?: in ([^']*?))?(?: within ([^']+))?")
"""How it titles a search in files, for a pattern, in files of a form, within a folder."""
_LISTED: Final = late(r"[^\s']+")
_CUT: Final = "..."
"""What it puts for the middle of a long path, and for the end of a long text."""
_TITLES: Final = {
    "Searching the web for: ": "query",
    "Fetching content from: ": "url",
    "Processing URLs and instructions from prompt: ": "prompt",
}
"""How the titles of what reaches the web begin, and what follows."""


def _titled(kind: str, title: str) -> dict[str, Any] | None:
    """What a title tells of a command, a search or a request; the title itself where it is unclear.

    >>> _titled("search", "'to do' in *.py within src")
    {'pattern': 'to do', 'path': 'src', 'include': '*.py'}
    >>> _titled("search", "'to do' within src/a...b")
    {'title': "'to do' within src/a...b"}
    """
    if kind == "execute":
        return {"command": title}
    if kind not in {"search", "fetch", "read"}:
        return None
    begun = next((start for start in _TITLES if title.startswith(start)), None)
    if begun is not None:
        return {_TITLES[begun]: title.removeprefix(begun).removeprefix('"').removesuffix('"')}
    looks = _looked_for(title) if kind == "search" and title.isprintable() else None
    return looks or {"title": title}


def _looked_for(title: str) -> dict[str, Any] | None:
    """The pattern and the folder of a search, or the folder of a list, where that is clear."""
    if _CUT in title or title.count(" within ") > 1:
        return None
    searched = _SEARCHED.fullmatch(title)
    if searched is None:
        return {"path": title} if _LISTED.fullmatch(title) else None
    pattern, include, folder = searched.groups()
    looks = {"pattern": pattern, "path": folder or "."}
    looks |= {} if include is None else {"include": include}
    # A pattern may lead out of the folder.
    return looks if only_read(looks) else None


RECIPE: Final = Recipe(
    id="gemini",
    packages=("@google/gemini-cli",),
    log_in=LogInCommand(program="gemini"),
    # Of this only its hook tells, where a person runs it.
    notes=frozenset({"update_topic", "write_todos"}),
    own_files=_own_files,
    own_settings=_own_settings,
    guides=("GEMINI.md",),
    hears_guides=True,
    args=("--admin-policy", str(_HERE / "policy.toml")),
    env={
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(_HERE / "settings.json"),
        # It trusts no folder, so it reads nothing of a repository, and starts no server of it.
        "GEMINI_CLI_TRUSTED_FOLDERS_PATH": str(_HERE / "trusted.json"),
    },
    sources=(Source(pattern=".gemini/**", takes=lambda _: Taken(rows=()), is_switched=True),),
    titled=_titled,
    # It tells so of each call, looks whether that can be done, and only then asks.
    idle=frozenset({Asking.NOT_YET}),
    kinds={
        "glob": "search",
        "google_web_search": "fetch",
        "grep_search": "search",
        "list_directory": "read",
        "read_file": "read",
        "read_many_files": "read",
        "replace": "edit",
        "run_shell_command": "execute",
        "web_fetch": "fetch",
        "write_file": "edit",
    },
    changes=_changes,
)
