"""Recognizes calls of server tools among an agent's calls, as today's agents name them.

The Model Context Protocol passes Assent by: an agent speaks with its servers itself. What its
harness says outside the model's words (`rawInput` and `_meta`) names the tool. Where there are
only names that could be read in several ways, each reading counts for rules that deny or ask, and
none for rules that allow.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from assent.gate.call.calls import Call, canonical
from assent.gate.values import define, field, frozen

__all__ = ["ServerTool", "ToolArguments", "name_of", "names_in", "served_in"]

_MEMBERS: Final = frozenset(("server", "tool", "arguments"))
"""The arguments of such a call of Codex."""
_QUALIFIED: Final = re.compile(r"mcp__([^_](?:_?[^_])*)__([^_](?:_?[^_])*)")
"""A name with two parts that nobody reads otherwise: Claude Code's and Qwen Code's."""
_PREFIX: Final = re.compile(r"mcp(?:__|[_.:/-])", re.IGNORECASE)
_OF_SERVER: Final = re.compile(r"(?P<tool>.+) \((?P<server>.+) MCP Server\)")
"""As Gemini titles such a call."""
_ONE_WORD: Final = re.compile(r"[^\s`'\"$<>|&;()]+")
_BREAKS: Final = re.compile(r"__|[_.:/-]")
_SERVERS: Final = ("server", "serverName", "server_name")
_TOOLS: Final = ("tool", "toolName", "tool_name", "name")
_MAX_NAME_LETTERS: Final = 512
_MAX_NAMES: Final = 64
_MAX_WAITING: Final = 200


@frozen(kw_only=True)
class ServerTool:
    """A tool of a server, with what it is given."""

    server: str
    tool: str
    arguments: dict[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        """What rules know it by."""
        return f"{self.server}:{self.tool}"

    @property
    def whole(self) -> dict[str, Any]:
        """The tool call that is surely this one."""
        given = {"server": self.server, "tool": self.tool, "arguments": self.arguments}
        return {"_meta": {"is_mcp_tool_call": True}, "rawInput": given}

    def is_asked_by(self, call: Call) -> bool:
        """Whether a call is this one, letter by letter."""
        theirs = (call.input.get(key) for key in ("server", "tool", "arguments"))
        mine = (self.server, self.tool, self.arguments)
        return call.tool == "mcp" and canonical([*theirs]) == canonical([*mine])

    def is_told_by(self, whole: dict[str, Any]) -> bool:
        """Whether what an agent tells of a call may be of this one, as far as it tells it."""
        surely = served_in(whole)
        if surely is not None:
            return canonical(surely.whole) == canonical(self.whole)
        is_given = canonical(whole.get("rawInput") or {}) == canonical(self.arguments)
        return is_given and self.name in names_in(whole)


@define
class ToolArguments:
    """Calls that came to us as a server of tools, and their agent has told of by no id yet."""

    _waiting: list[ServerTool] = field(factory=list)

    def add(self, served: ServerTool) -> None:
        """One more came."""
        del self._waiting[: max(0, len(self._waiting) + 1 - _MAX_WAITING)]
        self._waiting.append(served)

    def claims(self, whole: dict[str, Any]) -> bool:
        """Whether one of them is the call that is told of; it is then no other one."""
        served = next((each for each in self._waiting if each.is_told_by(whole)), None)
        if served is not None:
            self._waiting.remove(served)
        return served is not None


def name_of(whole: dict[str, Any]) -> str:
    """What an agent's own program calls the tool, else of what kind it says that the call is."""
    surely = served_in(whole)
    if surely is not None:
        return f"{surely.server}:{surely.tool}"[:_MAX_NAME_LETTERS]
    return next(iter(_tool_names(whole)), str(whole.get("kind") or "other"))[:_MAX_NAME_LETTERS]


def served_in(whole: dict[str, Any]) -> ServerTool | None:
    """The tool of a server that a tool call surely is, by what its agent's harness says of it."""
    args = whole.get("rawInput")
    args = args if isinstance(args, dict) else {} if args is None else None
    if args is None:
        return None
    if _object(whole.get("_meta")).get("is_mcp_tool_call") is True:
        return _told_apart(args)
    server = _object(_claudes(whole).get("mcpServer")).get("name")
    for name in _tool_names(whole):
        if isinstance(server, str) and server:
            begin = f"mcp__{_plain(server)}__"
            if name.startswith(begin) and len(name) > len(begin):
                return ServerTool(server=server, tool=name[len(begin) :], arguments=args)
        elif match := _QUALIFIED.fullmatch(name):
            return ServerTool(server=match[1], tool=match[2], arguments=args)
    return None


def names_in(whole: dict[str, Any], *, only_marked: bool = False) -> tuple[str, ...]:
    """Each `server:tool` that a call may be by the names that come with it.

    With `only_marked`, a title counts only where it says that it is such a tool.
    """
    return tuple(dict.fromkeys(_names(whole, only_marked=only_marked)))[:_MAX_NAMES]


def _names(whole: dict[str, Any], *, only_marked: bool) -> Iterator[str]:
    surely = served_in(whole)
    if surely is not None:
        yield f"{surely.server}:{surely.tool}"
        return
    args = _object(whole.get("rawInput"))
    servers = [args[name] for name in _SERVERS if isinstance(args.get(name), str)]
    servers += [name for name in [_object(_claudes(whole).get("mcpServer")).get("name")] if name]
    tools = [args[name] for name in _TOOLS if isinstance(args.get(name), str)]
    yield from (f"{server}:{tool}" for server in servers for tool in tools or ["*"])
    for name in _tool_names(whole):
        yield from _readings(name)
    title = whole.get("title")
    if not isinstance(title, str) or len(title) > _MAX_NAME_LETTERS:
        return
    title = title.strip()
    if match := _OF_SERVER.fullmatch(title):
        yield f"{match['server']}:{match['tool']}"
    elif _ONE_WORD.fullmatch(title) and (_PREFIX.match(title) or not only_marked):
        yield from _readings(title)


def _readings(name: str) -> Iterator[str]:
    """Each way to part a name into a server and a tool."""
    if len(name) > _MAX_NAME_LETTERS:
        return
    for text in dict.fromkeys((_PREFIX.sub("", name, count=1), name)):
        for at in _BREAKS.finditer(text):
            if at.start() > 0 and at.end() < len(text):
                yield f"{text[: at.start()]}:{text[at.end() :]}"


def _told_apart(args: dict[str, Any]) -> ServerTool | None:
    server, tool, arguments = (args.get(name) for name in ("server", "tool", "arguments"))
    if not (isinstance(server, str) and server and isinstance(tool, str) and tool):
        return None
    if args.keys() - _MEMBERS or not isinstance(arguments, dict | None):
        return None
    return ServerTool(server=server, tool=tool, arguments=arguments or {})


def _tool_names(whole: dict[str, Any]) -> list[str]:
    """What an agent's harness calls the tool, apart from what a person is to read."""
    meta = _object(whole.get("_meta"))
    candidates = [_claudes(whole).get("toolName"), meta.get("toolName"), whole.get("name")]
    return [name for name in candidates if isinstance(name, str)]


def _claudes(whole: dict[str, Any]) -> dict[str, Any]:
    return _object(_object(whole.get("_meta")).get("claudeCode"))


def _plain(server: str) -> str:
    """A server's name as it stands in the names of its tools."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", server)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
