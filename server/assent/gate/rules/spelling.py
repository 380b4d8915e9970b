"""Guesses the rule that a faulty text means, to show how it is written."""

import re
from collections.abc import Iterable
from typing import Final

from assent.gate.call.errors import AssentError

__all__ = [
    "EXAMPLES",
    "OTHERS",
    "RuleRefused",
    "brief",
    "listed",
    "meant_by",
    "with_host",
    "without_stars",
    "without_wildcard",
]

MAX_SHOWN_LETTERS: Final = 80


class RuleRefused(AssentError):
    """A rule could not be read; the message says why, and how to write it."""


EXAMPLES: Final = {
    "shell": "`shell(git status:*)`, or `shell(*)`",
    "read": "`read(./src/**)`, or `read(*)`",
    "write": "`write(./docs/*.md)`, or `write(*)`",
    "fetch": "`fetch(domain:example.org)`, or `fetch(*)`",
    "network": "`network(example.org:443)`, or `network(*)`",
    "mcp": "`mcp(server:tool)`",
    "run": "`run(workflow:NAME)`",
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
    """How a text that is no rule would be written, where that can be guessed.

    >>> meant_by("Bash(npm test *)")
    'Write `shell(npm test:*)`.'
    >>> meant_by("mcp__github__get_issue")
    'Write `mcp(github:get_issue)`.'
    """
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
        anchored = about.startswith(("./", "~/", "/", "**/")) or about == "*"
        return f"Write `{meant}({brief(about if anchored else './' + about)})`."
    if meant == "fetch" and about.startswith("domain:"):
        return f"Write `fetch({brief(about)})`."
    return f"Write {EXAMPLES[meant]}."


def without_wildcard(words: tuple[str, ...]) -> str:
    """How a rule is written that has a `*` among its words, without covering more.

    >>> without_wildcard(("git", "log", "*"))
    'A `*` stands for further words at the end only, after a colon: write `shell(git log:*)`, or
    quote it where the letter itself is meant.'
    """
    at = next((place for place, word in enumerate(words) if "*" in word), 0)
    begun = words[at].rstrip("*").rstrip(":")
    named = (*words[:at], *([begun] if begun else []))
    if at == 0 and not words[0].endswith(":*"):
        return "A program is named in full, as in `shell(git status:*)`."
    if at < len(words) - 1 or "*" in begun:
        return (
            "A `*` stands for further words at the end only, after a colon, as in"
            " `shell(git status:*)`: quote it where the letter itself is meant."
        )
    whole = " Words are named in full: each other one needs a rule of its own." if begun else ""
    return (
        "A `*` stands for further words at the end only, after a colon: write"
        f" `shell({brief(' '.join(named))}:*)`, or quote it where the letter itself is"
        f" meant.{whole}"
    )


def without_stars(name: str, *, widens: bool) -> str:
    """How a rule is written that has two stars in a name.

    What it allows is no more than it would be to a shell, where two stars are one.

    >>> without_stars("test**", widens=False)
    'A `**` stands alone between two slashes: write `test*`.'
    """
    below = "**/" if widens else ""
    short = brief(re.sub(r"[*]+", "*", name))
    return f"A `**` stands alone between two slashes: write `{below}{short}`."


def with_host(about: str) -> str:
    """How a rule is written that has an address, or a host alone.

    >>> with_host("https://example.org/")
    'A host is named so: write `fetch(domain:example.org)`.'
    """
    host, _, path = re.sub(r"^[a-z]+://", "", about).partition("/")
    if path not in {"", "*", "**"}:
        return (
            "A rule is about all of a host, and about no address on it alone: a host is named so:"
            " `fetch(domain:example.org)`."
        )
    return f"A host is named so: write `fetch(domain:{brief(host)})`."


def brief(text: str) -> str:
    """A part of a rule, short enough for a sentence.

    >>> brief("shell(make)"), len(brief("x" * 500))
    ('shell(make)', 81)
    """
    return text if len(text) <= MAX_SHOWN_LETTERS else f"{text[:MAX_SHOWN_LETTERS]}…"


def listed(names: Iterable[str]) -> str:
    """Names for a sentence, in the order of the alphabet.

    >>> listed({"write", "read"})
    '`read`, `write`'
    """
    return ", ".join(f"`{name}`" for name in sorted(names))
