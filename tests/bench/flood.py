"""A command that prints as fast as it can, and a person who answers cards meanwhile."""

import json
import time
from pathlib import Path
from typing import Final

from bench.window import Talker, Window, allowing, window

__all__ = ["CARDS", "GREW", "QUIET", "TOOK", "answered", "flooded"]

TOOK: Final = "10 GiB through a command"
GREW: Final = "memory while it prints"
CARDS: Final = "a card's answer meanwhile"
QUIET: Final = "a card's answer without it"

_FLOOD: Final = "yes | head -c 10G"
_SIZE: Final = 10 * 1024**3
_END: Final = b"y\ny\ny\ny\n"
_CARDS: Final = 20
_BETWEEN: Final = 0.25
"""In seconds, so that the answers are spread over the flood."""
_MOST: Final = 300.0
"""In seconds, where all else fails."""


def flooded(model: Talker, home: Path) -> dict[str, list[float]]:
    """In s how long it took, in MiB how much the server grew, in ms how long each answer took."""
    with window(model, home) as opened:
        other, chat = opened.chat("eliza"), opened.chat(mode="auto")
        quiet = [answered(opened, other, f"quiet-{number}") for number in range(_CARDS)]
        held = opened.pipe.begin_peak()
        began = time.monotonic()
        flood = opened.say(chat, f"call run_command {json.dumps({'command': _FLOOD})}")
        opened.until(lambda it: it.event.get("call", {}).get("state") == "running")
        answers: list[float] = []
        while flood not in opened.answers:
            answers.append(answered(opened, other, f"note-{len(answers)}"))
            opened.pass_by(_BETWEEN)
        ended = opened.done(flood, _MOST)
        grew = opened.pipe.peak() - held
        _see_that_all_came(opened, chat)
    if len(answers) < _CARDS:
        raise AssertionError(f"the flood was over after {len(answers)} answers")
    return {TOOK: [ended.at / 1e9 - began], GREW: [grew], CARDS: answers, QUIET: quiet}


def answered(opened: Window, chat: str, name: str) -> float:
    """From an answer to its receipt."""
    turn = opened.say(chat, f"write {name}.txt hello")
    card = opened.card(chat)
    key = opened.ask("tool/approvalResponse", allowing(card))
    said_at = opened.said_at
    receipt = opened.answer(key)
    opened.done(turn)
    if receipt.message["result"]["kind"] != "applied":
        raise AssertionError(f"an answer was not taken: {receipt.message}")
    return (receipt.at - said_at) / 1e6


def _see_that_all_came(opened: Window, chat: str) -> None:
    """Its end must stand where it belongs."""
    asked = {"chatId": chat, "shellId": "1", "since": _SIZE - len(_END)}
    told = opened.answer(opened.ask("shell/output", asked)).message["result"]
    if (told["text"].encode(), told["next"]) != (_END, _SIZE):
        raise AssertionError(f"not all that was printed came: {told}")
