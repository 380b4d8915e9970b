"""What the model that is played is to do, as it stands in a prompt."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Use", "next_step", "result", "script"]

_MARK: Final = "SCRIPT:"
_RESULT: Final = "RESULT:"


@dataclass(frozen=True)
class Use:
    """One call of a tool, the nth of its script."""

    number: int
    tool: str
    input: dict[str, Any]


def script(*calls: tuple[str, dict[str, Any]]) -> str:
    """A prompt that has these tools called, one after the other."""
    return _MARK + json.dumps([{"tool": tool, "input": given} for tool, given in calls])


def result(pattern: str) -> str:
    """An input that is found in the newest result in which the pattern occurs: its one group."""
    return _RESULT + pattern


def next_step(conversation: Iterable[tuple[str, str]]) -> Use | str:
    """The next call, or what is said behind the last.

    A conversation is what the `user` said and what came of each `tool`, in order.
    """
    calls: list[dict[str, Any]] = []
    results: list[str] = []
    done = 0
    for who, text in conversation:
        at = text.find(_MARK) if who == "user" else -1
        if at >= 0:
            calls, done = json.JSONDecoder().raw_decode(text, at + len(_MARK))[0], 0
        done += who == "tool"
        results += [text] if who == "tool" else []
    if done >= len(calls):
        return "Done."
    given = {name: _filled(it, results) for name, it in calls[done]["input"].items()}
    return Use(number=done, tool=calls[done]["tool"], input=given)


def _filled(value: Any, results: list[str]) -> Any:
    """A value with what the results say in place of what is to be found in them."""
    if isinstance(value, dict):
        return {name: _filled(inner, results) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, results) for inner in value]
    if not (isinstance(value, str) and value.startswith(_RESULT)):
        return value
    found = (re.search(value.removeprefix(_RESULT), text) for text in reversed(results))
    text = next((str(it[1]) for it in found if it), "none")
    return int(text) if text.isdecimal() else text
