"""How a text that is no rule would be written, where that can be guessed."""

import re
from collections.abc import Iterable
from typing import Final

from assent.errors import AssentError

__all__ = ["EXAMPLES", "OTHERS", "RuleRefused", "brief", "listed", "meant_by"]

LONGEST_SHOWN: Final = 80


class RuleRefused(AssentError):
    """A rule could not be read; the message says why, and how to write it."""


EXAMPLES: Final = {
    "shell": "`shell(git status:*)`, or `shell(*)`",
    "read": "`read(./src/**)`, or `read(*)`",
    "write": "`write(./docs/*.md)`, or `write(*)`",
    "fetch": "`fetch(domain:example.org)`, or `fetch(*)`",
    "mcp": "`mcp(server:tool)`",
    "run": "`run(node:NAME)`",
    "agent": "`agent(NAME)`",
    "effect": "`effect(write:outside)`",
}

OTHERS: Final = {
    "bash": "shell",
    "sh": "shell",
    "exec": "shell",
    "terminal": "shell",
    "execute": "shell",
    "command": "shell",
    "run_shell_command": "shell",
    "shelltool": "shell",
    "powershell": "shell",
    "readfile": "read",
    "read_file": "read",
    "glob": "read",
    "grep": "read",
    "ls": "read",
    "edit": "write",
    "multiedit": "write",
    "notebookedit": "write",
    "write_file": "write",
    "webfetch": "fetch",
    "web_fetch": "fetch",
    "url": "fetch",
    "task": "agent",
    "subagent": "agent",
}
"""What people know from other tools."""


def meant_by(text: str) -> str:
    """How a text that is no rule would be written, where that can be guessed."""
    tool, bracket, rest = text.partition("(")
    about = rest.rstrip(")").strip()
    folded = tool.strip().casefold()
    meant = OTHERS.get(folded, folded)
    if folded.startswith("mcp__"):
        server, _, name = folded.removeprefix("mcp__").partition("__")
        return f"Write `mcp({brief(server)}:{brief(name or '*')})`."
    if meant not in EXAMPLES:
        return (
            f"It names no tool that there is ({listed(EXAMPLES)}): write, for example,"
            " `shell(git status:*)`."
        )
    if not bracket:
        return f"It does not say what it is about: write {EXAMPLES[meant]}."
    if not rest.endswith(")"):
        return "Its bracket is never closed."
    if meant == "shell" and about:
        words = re.sub(r"[:\s]*\*$", ":*", about) if about != "*" else about
        return f"Write `shell({brief(words)})`."
    if meant in {"read", "write"} and about:
        anchored = about.startswith(("./", "~/", "/")) or about == "*"
        return f"Write `{meant}({brief(about if anchored else './' + about)})`."
    return f"Write {EXAMPLES[meant]}."


def brief(text: str) -> str:
    """A part of a rule, short enough for a sentence."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def listed(names: Iterable[str]) -> str:
    """Names for a sentence, in the order of the alphabet."""
    return ", ".join(f"`{name}`" for name in sorted(names))
