"""What a repository's settings have for an agent: as a person reads it, and as it runs.

An agent that can be kept from a repository's files is handed what a person agreed to in their
place, so that a file which changes meanwhile changes nothing. Whatever could go around the gate is
left out of that, and the card says so.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assent.gate.values import evolve
from assent.hosting.repositories.repository import Configuring
from assent.hosting.repositories.sources import Taken

__all__ = [
    "as_it_stands",
    "claudes_servers",
    "claudes_settings",
    "hooks_of",
    "nearest",
    "servers_of",
]

_MAX_VALUE_LETTERS: Final = 500
"""In characters: of a value so much stands in a row; the whole text stands below."""
_HAPPENINGS: Final = frozenset(
    """SessionStart SessionEnd UserPromptSubmit PostToolUse PostToolUseFailure Notification Stop
    SubagentStart SubagentStop PreCompact""".split()
)
"""What Claude Code runs hooks at that have no say in whether or how a call is made."""
_HOOK: Final = frozenset({"type", "command", "timeout", "statusMessage"})
_OF_HOOKS: Final = frozenset({"matcher", "hooks"})
_STDIO: Final = frozenset({"type", "command", "args", "env"})
_REMOTE: Final = frozenset({"type", "url", "headers"})
_SERVERS: Final = frozenset({"mcpServers", "mcp_servers"})
_LEFT: Final = "Left out"
_VARIABLE: Final = "${"


def as_it_stands(said: Mapping[str, Any]) -> Taken:
    """What an agent goes by that reads the file itself."""
    return Taken(rows=tuple(row for name, value in said.items() for row in _rows(name, value)))


def claudes_settings(said: Mapping[str, Any]) -> Taken:
    """The hooks that Claude Code is handed; a file without any has no part in what it does."""
    given = said.get("hooks")
    given = given if isinstance(given, dict) else {}
    hooks = {event: known for event in sorted(given) if (known := _groups(event, given[event]))}
    rows = [
        (f"Runs at {event}", hook["command"])
        for event, groups in hooks.items()
        for group in groups
        for hook in group["hooks"]
    ]
    left = [
        *(f"`{name}`" for name in said if name not in {"hooks", "$schema"}),
        *(f"hooks at {event}" for event in given if hooks.get(event) != given[event]),
    ]
    return Taken(rows=_with_left(rows, left), hooks=hooks, leaves_out=bool(left))


def claudes_servers(said: Mapping[str, Any]) -> Taken:
    """The servers that Claude Code is handed."""
    given = said.get("mcpServers")
    given = given if isinstance(given, dict) else {}
    made = {name: _server(name, server) for name, server in given.items()}
    servers = tuple(server for server in made.values() if server is not None)
    rows = [
        (_starts(name), _words(given[name])) for name, server in made.items() if server is not None
    ]
    left = [f"the server {name}" for name, server in made.items() if server is None]
    return Taken(rows=_with_left(rows, left), servers=servers, leaves_out=bool(left))


def nearest(files: Sequence[Configuring]) -> tuple[Configuring, ...]:
    """Files whose servers are handed on, as they are: of one name only that which lies nearest.

    The farther ones say on their card whose place was taken, and by which file.
    """
    nearer: dict[str, str] = {}
    visible: list[Configuring] = []
    for file in reversed(files):
        visible.append(evolve(file, taken=_unshadowed(file.taken, nearer)))
        nearer |= {
            server["name"]: file.path
            for server in file.taken.servers
            if server["name"] not in nearer
        }
    return tuple(reversed(visible))


def _unshadowed(taken: Taken, nearer: Mapping[str, str]) -> Taken:
    kept = tuple(server for server in taken.servers if server["name"] not in nearer)
    gone = {
        server["name"]: nearer[server["name"]]
        for server in taken.servers
        if server["name"] in nearer
    }
    rows = [row for row in taken.rows if row[0] not in map(_starts, gone)]
    shadowed = [
        (f"Does not start {server}", f"`{by}` names its own, and is nearer")
        for server, by in gone.items()
    ]
    return evolve(taken, servers=kept, rows=(*rows, *shadowed))


def hooks_of(taken: Sequence[Taken]) -> dict[str, list[Mapping[str, Any]]]:
    """The hooks of several files together."""
    hooks: dict[str, list[Mapping[str, Any]]] = {}
    for part in taken:
        for event, groups in part.hooks.items():
            hooks.setdefault(event, []).extend(groups)
    return hooks


def servers_of(taken: Sequence[Taken]) -> list[Mapping[str, Any]]:
    """The servers of several files together; of one name the last, as it lies the nearest."""
    return [*{server["name"]: server for part in taken for server in part.servers}.values()]


def _with_left(rows: list[tuple[str, str]], left: list[str]) -> tuple[tuple[str, str], ...]:
    """What is run, and behind it what is not; where nothing is run, there is nothing to say."""
    return (*rows, *([(_LEFT, ", ".join(left))] if left else [])) if rows else ()


def _groups(event: str, given: Any) -> list[Mapping[str, Any]]:
    """The hooks at one happening of which each member is known."""
    if event not in _HAPPENINGS or not isinstance(given, list):
        return []
    return [group for group in given if _is_group(group)]


def _is_group(group: Any) -> bool:
    if not isinstance(group, dict) or not group.keys() <= _OF_HOOKS:
        return False
    hooks = group.get("hooks")
    matcher = group.get("matcher", "")
    return (
        isinstance(matcher, str)
        and isinstance(hooks, list)
        and bool(hooks)
        and all(map(_is_hook, hooks))
    )


def _is_hook(hook: Any) -> bool:
    return (
        isinstance(hook, dict)
        and hook.keys() <= _HOOK
        and hook.get("type") == "command"
        and isinstance(hook.get("command"), str)
        and isinstance(hook.get("timeout", 0), int | float)
    )


def _server(name: str, given: Any) -> Mapping[str, Any] | None:
    """A server as the Agent Client Protocol names it; None where it is not wholly known.

    What a variable stands for is the person's, and no repository says where it goes.
    """
    if not isinstance(given, dict) or _VARIABLE in json.dumps(given):
        return None
    kind = given.get("type", "stdio")
    if kind == "stdio" and given.keys() <= _STDIO and isinstance(given.get("command"), str):
        args, env = given.get("args", []), given.get("env", {})
        if not _are_texts(args) or not _is_table(env):
            return None
        return {"name": name, "command": given["command"], "args": args, "env": _pairs(env)}
    if kind in {"http", "sse"} and given.keys() <= _REMOTE and isinstance(given.get("url"), str):
        headers = given.get("headers", {})
        if not _is_table(headers):
            return None
        return {"type": kind, "name": name, "url": given["url"], "headers": _pairs(headers)}
    return None


def _pairs(table: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in table.items()]


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(text, str) for text in given)


def _is_table(given: Any) -> bool:
    return isinstance(given, dict) and _are_texts(list(given.values()))


def _rows(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """What one member says."""
    if name in _SERVERS and isinstance(value, dict):
        yield from ((_starts(server), _words(of)) for server, of in value.items())
    else:
        yield f"Sets {name}", _brief(value)


def _starts(server: str) -> str:
    return f"Starts the MCP server {server}"


def _words(server: Any) -> str:
    """What a server is started with, or where it is."""
    given = server if isinstance(server, dict) else {}
    command, args = given.get("command"), given.get("args", [])
    if isinstance(command, str) and _are_texts(args):
        more = {
            key: value for key, value in given.items() if key not in {"command", "args", "type"}
        }
        return " ".join([shlex.join([command, *args]), *([_brief(more)] if more else [])])
    return _brief(server)


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_VALUE_LETTERS else f"{text[:_MAX_VALUE_LETTERS]}…"
