"""What is said when an agent does not start, does not answer, or ends: for the person to act on."""

from typing import Final

from assent.acp.peer import ErrorAnswer
from assent.acp.shapes import Greeting
from assent.acp.spec import AgentSpec

__all__ = ["VERSION", "ended", "no_answer", "no_session", "other_version"]

VERSION: Final = 1
"""The version of the Agent Client Protocol that Assent speaks."""

_AUTH_REQUIRED: Final = -32000


def no_answer(spec: AgentSpec, to: str, seconds: float) -> str:
    """It was asked, and said nothing."""
    return f"{spec.name} did not answer to {to} within {seconds:g} seconds."


def other_version(spec: AgentSpec, version: int) -> str:
    """It speaks, but not as we do."""
    return (
        f"{spec.name} speaks version {version} of the Agent Client Protocol,"
        f" and Assent speaks version {VERSION}."
    )


def no_session(spec: AgentSpec, greeting: Greeting | None, error: ErrorAnswer) -> str:
    """It did not open a session; mostly because nobody has logged in."""
    if error.code != _AUTH_REQUIRED:
        return f"{spec.name} could not open a session: {error.message}"
    methods = greeting.auth_methods if greeting else []
    ways = ", ".join(str(way["name"]) for way in methods if way.get("name"))
    return (
        f"{spec.name} wants you to log in first{f' ({ways})' if ways else ''}."
        f" Run `{spec.command}` in a terminal, log in there, and try again."
    )


def ended(spec: AgentSpec, code: int, *, greeted: bool) -> str:
    """It ended without being told to."""
    when = "" if greeted else " before it was ready"
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{spec.name} ended{when} ({how})."
