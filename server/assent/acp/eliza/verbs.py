"""The verbs that Eliza knows: what a line asks her to do."""

import re

__all__ = ["HELP", "verb_in"]

HELP = """\
I am Eliza. I have no model; I do what you say to the letter, and I ask before each thing:

- `read PATH` shows a file
- `write PATH TEXT` writes a file (`\\n` is a new line)
- `run COMMAND` runs a command
- `slow COMMAND` runs one and reports slowly, so that there is time to press Stop
- `fetch URL` gets a page
- `two calls` asks for two things at once
- `many N` asks for N things at once

Two show what the gate is for:

- `spoof COMMAND` asks to run a command and claims that it only reads a file
- `cheat COMMAND` runs a command without asking

Anything else is conversation."""

_WITH_REST = re.compile(
    r"(read|write|run|slow|fetch|many|spoof|cheat)\s+(\S.*)", re.IGNORECASE | re.DOTALL
)
_ALONE = re.compile(r"(help|two calls)[.!]?", re.IGNORECASE)


def verb_in(text: str) -> tuple[str, str]:
    """The verb of a line and the rest; no verb where it is conversation."""
    text = text.strip()
    alone = _ALONE.fullmatch(text)
    if alone:
        return alone.group(1).lower(), ""
    found = _WITH_REST.fullmatch(text)
    if not found or _is_incomplete(found.group(1).lower(), found.group(2)):
        return "", text
    return found.group(1).lower(), found.group(2).strip()


def _is_incomplete(verb: str, rest: str) -> bool:
    if verb == "many":
        return not rest.strip().isascii() or not rest.strip().isdigit()
    return verb == "write" and len(rest.split(None, 1)) < 2  # noqa: PLR2004 -- a path and a text
