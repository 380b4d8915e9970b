"""What the model that is played is to do, as it stands in a prompt."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Use", "next_step", "script"]

_MARK: Final = "SCRIPT:"


@dataclass(frozen=True)
class Use:
    """One call of a tool, the nth of its script."""

    number: int
    tool: str
    input: dict[str, Any]


def script(*calls: tuple[str, dict[str, Any]]) -> str:
    """A prompt that has these tools called, one after the other."""
    return _MARK + json.dumps([{"tool": tool, "input": given} for tool, given in calls])


def next_step(conversation: Iterable[tuple[str, str]]) -> Use | str:
    """The next call, or what is said behind the last.

    A conversation is what the `user` said and what came of each `tool`, in order.
    """
    calls: list[dict[str, Any]] = []
    done = 0
    for who, text in conversation:
        at = text.find(_MARK) if who == "user" else -1
        if at >= 0:
            calls, done = json.JSONDecoder().raw_decode(text, at + len(_MARK))[0], 0
        done += who == "tool"
    if done >= len(calls):
        return "Done."
    return Use(number=done, tool=calls[done]["tool"], input=calls[done]["input"])
