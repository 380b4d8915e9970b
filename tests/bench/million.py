"""Measures a journal of a million rows beside none: the start, the first card, two commands.

The peer is the same server, and the same command, where nothing was ever kept: what many rows
cost is the ratio.
"""

import hashlib
import hmac
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from assent.gate.journal import integrity
from assent.gate.journal.reader import reading
from assent.gate.journal.seal import FOLDER, Head, Seal
from assent.gate.settings.keys import key_from_secret
from bench.window import Talker, allowing, talker, window
from cli.month import Month, fill

__all__ = ["measure"]

_ROWS: Final = int(os.environ.get("ROWS", "1000000"))
_RUNS: Final = 5
_COMMANDS: Final = ("history --last 5", "verify")
_MOST: Final = {
    "`history --last 5`, ms": 100,
    "`history --last 5`, MB": 50,
    "`verify`, MB": 50,
}
_VERIFY, _VERIFIED = "`verify`, ms", 100_000
"""So many rows in a second."""
_BESIDE: Final = 1.15
"""A start is as with none where it is not more than this."""
_SLACK_MS: Final = 30

Figures = dict[str, float]


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as name, talker() as model:
        many, none = Path(name) / "many", Path(name) / "none"
        secrets: dict[str, str] = {}
        with window(model, many, secrets=secrets) as opened:
            opened.chat()
        rows = _seal(many, secrets)
        print(f"{rows:,} rows")
        turns = [(_turn(model, many, secrets), _turn(model, none, {})) for _ in range(_RUNS)]
        ours, peers = (
            {name: _of(name)(turn[side][name] for turn in turns) for name in turns[0][0]}
            for side in (0, 1)
        )
    return _print(ours, peers, {**_MOST, _VERIFY: rows / _VERIFIED * 1_000})


def _of(name: str) -> Callable[[Iterable[float]], float]:
    """A command has a bar of its own, so the run counts that was disturbed the least."""
    return min if name in {*_MOST, _VERIFY} else statistics.median


def _seal(home: Path, secrets: dict[str, str]) -> int:
    """Make the rows, and seal the last as the server would."""
    state = home / "state"
    for it in state.glob("journal.db*"):
        it.unlink()
    count = fill(state / "journal.db", Month(calls=_ROWS * 10 // 21))
    key = key_from_secret(secrets["attestationKey"])
    seal = Seal(state / FOLDER, hmac.new(key, b"journal", hashlib.sha256).digest())
    with reading(state / "journal.db") as reader:
        newest = next(reader.newest())
        journal = integrity.first_hash(reader.database)
    seal.put(Head(journal=journal, seq=newest["seq"], hash=newest["hash"]))
    return count


def _turn(model: Talker, home: Path, secrets: dict[str, str]) -> Figures:
    began = time.perf_counter()
    with window(model, home, secrets=secrets) as opened:
        stood = time.perf_counter()
        chat = opened.chat()
        opened.done(opened.say(chat, "say"))
        key = opened.say(chat, 'call run_command {"command": "touch made"}')
        card = opened.card(chat)
        shown = time.perf_counter()
        opened.answer(opened.ask("tool/approvalResponse", allowing(card)))
        decided = time.perf_counter()
        opened.done(key)
    return {
        "start, ms": (stood - began) * 1_000,
        "start to the first card, ms": (shown - began) * 1_000,
        "answer to its receipt, ms": (decided - shown) * 1_000,
        **{
            f"`{command}`, {unit}": figure
            for command in _COMMANDS
            for unit, figure in zip(("ms", "MB"), _ran(command, home / "state"), strict=True)
        },
    }


def _ran(command: str, state: Path) -> tuple[float, float]:
    """How long a command takes, and how much memory."""
    measured = (
        "import resource, subprocess, sys, time; began = time.perf_counter();"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "took = time.perf_counter() - began;"
        "print(took * 1000, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured, sys.executable, "-m", "assent", *command.split()],
        env={**os.environ, "ASSENT_STATE_DIR": str(state)},
        stdout=subprocess.PIPE,
        check=True,
    )
    took, size = map(float, done.stdout.split())
    return took, size


def _print(ours: Figures, peers: Figures, bars: Figures) -> bool:
    print(f"{'':36}{'assent':>12}{'none':>12}{'ratio':>8}  bar")
    met = True
    for name, mine in ours.items():
        theirs = peers[name]
        most = bars.get(name, theirs * _BESIDE + _SLACK_MS)
        good = mine <= most
        met = met and good
        says = f"at most {most:,.0f}: {'met' if good else 'MISSED'}"
        print(f"{name:36}{mine:12,.1f}{theirs:12,.1f}{mine / theirs:8.2f}  {says}")
    return met


if __name__ == "__main__":
    measure()
