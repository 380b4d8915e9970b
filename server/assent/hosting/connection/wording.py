"""Sentences for the person when an agent does not start, does not answer, or ends.

And what its calls are called in sentences, which are ours and no agent's.
"""

from typing import Any, Final

from assent.gate.call.errors import CallUnreadable
from assent.hosting.connection.peer import ErrorAnswer
from assent.hosting.connection.shapes import Greeting
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.install.login import ways_in
from assent.hosting.permission import arguments

__all__ = [
    "AUTH_REQUIRED",
    "PROTOCOL_VERSION",
    "ended",
    "label_of",
    "last",
    "log_in_first",
    "no_answer",
    "no_session",
    "other_version",
    "quoted",
]

PROTOCOL_VERSION: Final = 1
"""The version of the Agent Client Protocol that Assent speaks."""

AUTH_REQUIRED: Final = -32000
_MAX_LABEL_LETTERS: Final = 200
_QUOTES: Final = str.maketrans("“”", '""')


def no_answer(spec: AgentSpec, to: str, seconds: float) -> str:
    """It was asked, and said nothing."""
    return f"{spec.name} did not answer to {to} within {seconds:g} seconds."


def other_version(spec: AgentSpec, version: int) -> str:
    """It speaks, but not as we do."""
    return (
        f"{spec.name} speaks version {version} of the Agent Client Protocol,"
        f" and Assent speaks version {PROTOCOL_VERSION}."
    )


def no_session(spec: AgentSpec, error: ErrorAnswer) -> str:
    """It did not open a session, and says why."""
    return f"{spec.name} could not open a session: {error.message}"


def log_in_first(spec: AgentSpec, greeting: Greeting | None, command: str) -> str:
    """It did not open a session, since nobody has logged in; a command may be known for that."""
    first = f"{spec.name} wants you to log in first"
    methods = greeting.auth_methods if greeting else []
    ways = ", ".join(quoted(str(way["name"])) for way in methods if way.get("name"))
    if greeting is not None and ways_in(greeting):
        return f"{first}, in one of its own ways: {ways}."
    how = (
        f"Run `{command}` in a terminal, log in there"
        if command
        else "Assent does not know the command for that: log in as its documentation says"
    )
    return f"{first}{f' ({ways})' if ways else ''}. {how}, and try again."


def ended(spec: AgentSpec, code: int, broken: str, *, greeted: bool) -> str:
    """It ended without being told to, or since it broke off."""
    if broken:
        return f"{spec.name} was ended, because {broken}."
    when = "" if greeted else " before it was ready"
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{spec.name} ended{when} ({how})."


def last(words: str) -> str:
    """What it said last, if it did."""
    return f" Its last words were:\n{words}" if words else ""


def label_of(whole: dict[str, Any]) -> str:
    """What to call a tool call in a sentence: its command, else its title."""
    raw = whole.get("rawInput")
    try:
        command = arguments.command_in(raw) if isinstance(raw, dict) else None
    except CallUnreadable:
        command = None
    return _in_a_line(command or str(whole.get("title") or whole.get("toolCallId") or ""))


def quoted(name: str) -> str:
    """A name that is an agent's own, between quotes in a sentence of ours.

    >>> quoted("Plan” is safe")
    '“Plan" is safe”'
    """
    return f"“{_in_a_line(name)}”"


def _in_a_line(text: str) -> str:
    """A text between quotes, which it cannot end, and of which nothing stays unseen."""
    line = " ".join(text.translate(_QUOTES).split()[:_MAX_LABEL_LETTERS]) or "a call"
    cut = line[:_MAX_LABEL_LETTERS] + ("…" if len(line) > _MAX_LABEL_LETTERS else "")
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in cut)
