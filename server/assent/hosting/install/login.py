"""The ways to log in to an agent, as the agent lists them, within bounds.

Its words are its own. What nobody knows how to do, or what could be another thing than it is
called, is no way.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import LogInWay
from assent.gate.settings.references import NAME
from assent.hosting.connection.shapes import Greeting

__all__ = ["LogInNeeded", "ways_in"]

_MAX_WAYS: Final = 8
_MAX_ID_LETTERS: Final = 128
_MAX_ARGUMENTS_LETTERS: Final = 200
"""In characters: of all words that a program is started with; a person reads them whole."""
_VARIABLE: Final = re.compile(NAME)
_STEERING: Final = re.compile(r"PATH|HOME|SHELL|ENV|IFS|LD_.*|DYLD_.*|BASH.*|.*_OPTIONS|.*PATH")
"""What would change how the agent itself is started."""


class LogInNeeded(AgentFailed):
    """An agent opens no session before somebody has logged in."""


def ways_in(greeting: Greeting) -> tuple[LogInWay, ...]:
    """The ways that an agent offers, each id once."""
    log_in_ways = [
        log_in_way
        for log_in_way in map(_way_in, greeting.auth_methods[:_MAX_WAYS])
        if log_in_way is not None
    ]
    return tuple({log_in_way.id: log_in_way for log_in_way in reversed(log_in_ways)}.values())[::-1]


def _way_in(method: dict[str, Any]) -> LogInWay | None:
    way_id, kind = method.get("id"), method.get("type") or "agent"
    read = _KINDS.get(kind) if isinstance(kind, str) else None
    if not isinstance(way_id, str) or not 0 < len(way_id) <= _MAX_ID_LETTERS or read is None:
        return None
    if not way_id.isprintable():
        return None
    more = read(method)
    if more is None:
        return None
    return LogInWay(
        id=way_id, kind=kind, name=_text(method, "name"), says=_text(method, "description"), **more
    )


def _variables(method: dict[str, Any]) -> dict[str, Any] | None:
    given = method.get("vars")
    if not isinstance(given, list) or not 0 < len(given) <= _MAX_WAYS:
        return None
    needed = [
        variable
        for variable in given
        if not (isinstance(variable, dict) and variable.get("optional") is True)
    ]
    names = [
        variable.get("name") if isinstance(variable, dict) else None for variable in needed or given
    ]
    wanted = tuple(name for name in names if isinstance(name, str) and _is_plain(name))
    return {"variables": wanted} if len(set(wanted)) == len(names) else None


def _is_plain(name: str) -> bool:
    return bool(_VARIABLE.fullmatch(name)) and not _STEERING.fullmatch(name.upper())


def _words(method: dict[str, Any]) -> dict[str, Any] | None:
    args, env = method.get("args") or [], method.get("env") or {}
    if env or not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
        return None  # Variables could have another program run in the agent's place.
    if sum(map(len, args)) > _MAX_ARGUMENTS_LETTERS or any("\0" in arg for arg in args):
        return None
    return {"args": tuple(args)}


_KINDS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]]] = {
    "agent": lambda _: {},
    "env_var": _variables,
    "terminal": _words,
}


def _text(method: dict[str, Any], name: str) -> str:
    text = method.get(name)
    return text if isinstance(text, str) else ""
