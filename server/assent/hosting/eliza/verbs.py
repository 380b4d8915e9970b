"""The verbs that Eliza understands."""

import json
import re
from typing import Any

__all__ = ["HELP", "tool_in", "verb_in"]

HELP = """\
I am Eliza. I have no model; I do what you say to the letter, and I ask before each thing:

- `read PATH` shows a file
- `write PATH TEXT` writes a file (`\\n` is a new line)
- `run COMMAND` runs a command
- `slow COMMAND` runs one and reports slowly, so that there is time to press Stop
- `fetch URL` gets a page
- `list tools from SERVER` starts a server of tools and shows what it has; `toolbox` is mine
- `use tool SERVER::TOOL with {"a": 1}` uses one of them, with these arguments
- `two calls` asks for two things at once
- `many N` asks for N things at once

Two show what the gate is for:

- `spoof COMMAND` asks to run a command and claims that it only reads a file
- `cheat COMMAND` runs a command without asking

Anything else is conversation."""

_WITH_REST = re.compile(
    r"(read|write|run|slow|fetch|many|spoof|cheat|list tools from|use tool)\s+(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_TOOL = re.compile(
    r"(?P<server>[^\s:]+)::(?P<tool>\S+)(?:\s+with\s+(?P<arguments>\{.*\}))?", re.DOTALL
)
_ALONE = re.compile(r"(help|two calls)[.!]?", re.IGNORECASE)


def verb_in(text: str) -> tuple[str, str]:
    """The verb of a line and the rest; no verb where it is conversation."""
    text = text.strip()
    alone = _ALONE.fullmatch(text)
    if alone:
        return alone.group(1).lower(), ""
    match = _WITH_REST.fullmatch(text)
    if not match or _is_incomplete(match.group(1).lower(), match.group(2)):
        return "", text
    return match.group(1).lower(), match.group(2).strip()


def tool_in(rest: str) -> tuple[str, str, dict[str, Any]] | None:
    """The server, the tool and the arguments that it is to be used with; None where unclear.

    >>> tool_in('toolbox::add with {"numbers": [1]}')
    ('toolbox', 'add', {'numbers': [1]})
    >>> tool_in("toolbox::add with 1")
    """
    match = _TOOL.fullmatch(rest.strip())
    if match is None:
        return None
    try:
        arguments = json.loads(match["arguments"] or "{}")
    except ValueError:
        return None
    return (match["server"], match["tool"], arguments) if isinstance(arguments, dict) else None


def _is_incomplete(verb: str, rest: str) -> bool:
    if verb == "many":
        return not rest.strip().isascii() or not rest.strip().isdigit()
    return verb == "write" and len(rest.split(None, 1)) < 2  # noqa: PLR2004 -- a path and a text
