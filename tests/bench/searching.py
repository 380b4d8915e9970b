"""A search through many files, beside ripgrep by itself in the same folder, in turns."""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from bench.window import Talker, Window, window

__all__ = ["AGAIN", "NEXT", "RATIO", "SEARCH", "missing", "searched"]

SEARCH: Final = "search_text in 20,000 files"
RATIO: Final = "- beside ripgrep's own time"
NEXT: Final = "a result to the next request"
AGAIN: Final = "ripgrep in 20,000 files"
_FOLDERS: Final = 200
_FILES: Final = 100
_EACH: Final = 500
"""One file in so many has a hit."""
_TIMES: Final = 7
_HIT: Final = " ".join(f"needle{it}" for it in range(_TIMES)) + "\n"
_LINE: Final = "A line of no interest, as most lines are.\n"


def missing() -> str:
    """What is not here."""
    return "" if shutil.which("rg") else "ripgrep is not installed, so no search is measured."


def searched(model: Talker, home: Path) -> dict[str, list[float]]:
    """All in ms, but for the ratio."""
    with window(model, home) as opened:
        _fill(opened.folder)
        chat = opened.chat()
        peers, ours, later = [], [], []
        for number in range(_TIMES):
            peers.append(_ripgrep(opened.folder, number))
            took, after = _search(model, opened, chat, number)
            ours.append(took)
            later.append(after)
    middle = sorted(peers)[_TIMES // 2]
    return {SEARCH: ours, AGAIN: peers, RATIO: [it / middle for it in ours], NEXT: later}


def _fill(folder: Path) -> None:
    for at in range(_FOLDERS):
        inner = folder / f"part{at:03}"
        inner.mkdir()
        for number in range(_FILES):
            found = (at * _FILES + number) % _EACH == 0
            text = _LINE * 20 + _HIT * found
            (inner / f"file{number:03}.txt").write_text(text, "utf-8")


def _ripgrep(folder: Path, number: int) -> float:
    words = ["rg", "--json", "--sort", "path", _pattern(number), "."]
    began = time.monotonic_ns()
    subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, check=True)
    return (time.monotonic_ns() - began) / 1e6


def _search(model: Talker, opened: Window, chat: str, number: int) -> tuple[float, float]:
    """From the call's last byte to its end, and from there to the next request at the model."""
    given = json.dumps({"pattern": _pattern(number)})
    key = opened.say(chat, f"call search_text {given}")
    ended = opened.until(lambda it: it.event.get("call", {}).get("state") == "succeeded")
    opened.done(key)
    notes = model.notes()
    took = (ended.at - notes["called"][-1]) / 1e6
    return took, (notes["asked"][-1] - ended.at) / 1e6


def _pattern(number: int) -> str:
    """Another one each time: the same call again and again is asked about."""
    return f"needle{number}"
