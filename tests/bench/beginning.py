"""What it costs to begin: from a prompt to its request, and from a call to its start."""

import json
from pathlib import Path
from typing import Final

from bench.window import Talker, Window, window

__all__ = ["CALL", "COMMAND", "FIRST", "LATER", "beginnings"]

FIRST: Final = "first prompt to its request"
LATER: Final = "later prompt to its request"
CALL: Final = "call whole to its start"
COMMAND: Final = "- to its command's start"
_PROMPTS: Final = 20
_CALLS: Final = 20


def beginnings(model: Talker, home: Path) -> dict[str, list[float]]:
    """All in ms; the first prompt is the one that loads what it takes to ask."""
    with window(model, home) as opened:
        chat = opened.chat(mode="auto")
        first, *later = (_prompt(model, opened, chat) for _ in range(_PROMPTS + 1))
        calls = [_call(model, opened, chat, number) for number in range(_CALLS)]
    started, ran = map(list, zip(*calls, strict=True))
    return {FIRST: [first], LATER: later, CALL: started, COMMAND: ran}


def _prompt(model: Talker, opened: Window, chat: str) -> float:
    """From the prompt's being said to the whole request at the model."""
    key = opened.say(chat, "say")
    said_at = opened.said_at
    opened.done(key)
    return (model.notes()["asked"][-1] - said_at) / 1e6


def _call(model: Talker, opened: Window, chat: str, number: int) -> tuple[float, float]:
    """From the call's last byte until it is told to run, and until its command runs."""
    # Each command is another, since the same one for the third time in a row is asked about.
    command = json.dumps({"command": f"echo $EPOCHREALTIME {number}"})
    key = opened.say(chat, f"call run_command {command}")
    runs = opened.until(lambda it: it.event.get("call", {}).get("state") == "running")
    said = opened.until(lambda it: it.event.get("kind") == "output")
    opened.done(key)
    notes = model.notes()
    # A shell tells the time by the wall clock alone.
    ran_at = float(said.event["append"].split()[0]) * 1000
    started = (runs.at - notes["called"][-1]) / 1e6
    return started, ran_at - notes["called_at"][-1] / 1e6
