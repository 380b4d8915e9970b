"""Measures decisions beside gemini-cli's engine and cedarpy, in turns, and prints two tables.

Each engine is a process of its own, gets the same rules and calls, and must say the same of them
as ours does: an engine that answers something else would not be measured by its speed. What is
compared is the decision alone, in a loop over the calls and with all facts given, since the others
look nothing up. What a call takes with us from the text to the ruling stands beside, without a bar.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.material import SIZES, calls_for, rules_of

__all__ = ["measure"]

_HERE: Final = Path(__file__).resolve().parent
_TURNS: Final = 5
_SECONDS: Final = "0.6"
"""The most for an engine, a number of rules, a turn, and a kind of calls."""

_NODE: Final = shutil.which("node") or "node"
_ENGINES: Final[Mapping[str, tuple[str, ...]]] = {
    "assent": (sys.executable, "-m", "bench.ours"),
    "gemini-cli": (_NODE, str(_HERE / "peer" / "gemini.mjs")),
    "cedarpy": (sys.executable, "-m", "bench.peer.cedar"),
}

_KINDS: Final[Mapping[str, str]] = {
    "plain": "no command",
    "path": "- a file",
    "mcp": "- a tool",
    "fetch": "- a host",
    "shell": "a command",
    "list": "three commands",
}
_PLAIN: Final = frozenset({"path", "mcp", "fetch"})
"""What is no command, each in its share of the calls."""

_ONCE: Final = {
    "once path": "a file",
    "once mcp": "a tool",
    "once fetch": "a host",
    "once shell": "a command",
    "once list": "three commands",
    "once locate": "where a file is",
}
_SAMPLES: Final = 1_000

Figures = dict[tuple[str, int, str], tuple[float, float]]
"""By engine, number of rules and kind: p50 and p99, in µs."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What is asked of the median for calls of some kinds."""

    text: str
    kinds: frozenset[str]
    meets: Callable[[Figures, int, str], bool]
    least: int = 0
    """From how many rules on it is asked."""


BARS: Final = (
    Bar(
        text="at most 8",
        kinds=_PLAIN,
        meets=lambda it, size, kind: _ours(it, size, kind) <= 8,
    ),
    Bar(
        text="at most 1.6 of ten rules'",
        kinds=_PLAIN,
        meets=lambda it, size, kind: _ours(it, size, kind) <= 1.6 * _ours(it, SIZES[0], kind),
    ),
    Bar(
        text="at most 200",
        kinds=frozenset({"shell"}),
        meets=lambda it, size, kind: _ours(it, size, kind) <= 200,
    ),
    # At ten rules what is left is reading the call, which the others are spared.
    Bar(
        text="ahead",
        kinds=frozenset(_KINDS),
        meets=lambda it, size, kind: _ours(it, size, kind) < _fastest_peer(it, size, kind),
        least=SIZES[1],
    ),
)


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as home:
        figures = _measured(_a_workspace(Path(home)))
    return _print(figures)


def _a_workspace(home: Path) -> Path:
    """A small real folder, in which some of what is named is there."""
    folder = (home / "shop").resolve()
    for call in calls_for(rules_of(SIZES[0])):
        if call["kind"] == "path":
            path = folder / call["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("a few words\n")
    return folder


def _measured(folder: Path) -> Figures:
    turns: dict[tuple[str, int, str], list[tuple[float, float]]] = {}
    for size in SIZES:
        rules = rules_of(size)
        calls = calls_for(rules)
        cases = folder.parent / f"{size}.json"
        cases.write_text(json.dumps({"folder": str(folder), "rules": rules, "calls": calls}))
        for number in range(_TURNS):
            told = {name: _run(command, cases) for name, command in _ENGINES.items()}
            _agree(calls, {name: it["verdicts"] for name, it in told.items()})
            shares = Counter(call["kind"] for call in calls if call["kind"] in _PLAIN)
            for name, it in told.items():
                mixed = {"plain": _mixed(it["took"], shares)}
                for kind, took in (it["took"] | mixed).items():
                    turns.setdefault((name, size, kind), []).append(_told(took))
            print(f"turn {number + 1} of {_TURNS} with {size:,} rules", file=sys.stderr)
    return {key: _median(of_turns) for key, of_turns in turns.items()}


def _run(command: tuple[str, ...], cases: Path) -> dict[str, Any]:
    env = {**os.environ, "PYTHONPATH": str(_HERE.parent)}
    done = subprocess.run(
        [*command, str(cases), _SECONDS], env=env, stdout=subprocess.PIPE, check=True
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _agree(calls: list[dict[str, Any]], verdicts: Mapping[str, list[str]]) -> None:
    """Raise where an engine says something else than ours; nothing said is no difference."""
    for call, *said in zip(calls, *verdicts.values(), strict=False):
        if len({it for it in said if it}) > 1:
            told = dict(zip(verdicts, said, strict=True))
            raise AssertionError(f"they do not agree about {call}: {told}")


def _told(took: list[float]) -> tuple[float, float]:
    took = sorted(took)
    return took[len(took) // 2], took[len(took) * 99 // 100]


def _mixed(took: Mapping[str, list[float]], shares: Mapping[str, int]) -> list[float]:
    """What calls of several kinds took together, however many of each there was time for."""
    mixed = []
    for kind, share in shares.items():
        sorted_, count = sorted(took[kind]), _SAMPLES * share // sum(shares.values())
        mixed += [sorted_[len(sorted_) * at // count] for at in range(count)]
    return mixed


def _median(turns: list[tuple[float, float]]) -> tuple[float, float]:
    middle, late = zip(*turns, strict=True)
    return statistics.median(middle), statistics.median(late)


def _ours(figures: Figures, size: int, kind: str) -> float:
    return figures["assent", size, kind][0]


def _fastest_peer(figures: Figures, size: int, kind: str) -> float:
    peers = [figures.get((name, size, kind)) for name in _ENGINES if name != "assent"]
    return min(it[0] for it in peers if it is not None)


def _print(figures: Figures) -> bool:
    """Print the tables; whether all bars are met."""
    print("The decision alone, in a loop, all facts given:")
    print(f"{'':36}{''.join(f'{name:>12}' for name in _ENGINES)}{'ratio':>8}  bar")
    met = True
    for kind, about in _KINDS.items():
        for size in SIZES:
            bars = [bar for bar in BARS if kind in bar.kinds and size >= bar.least]
            good = {bar.text: bar.meets(figures, size, kind) for bar in bars}
            met = met and all(good.values())
            name = f"{about}, {size:,} rules"
            marks = "; ".join(f"{text}: {'met' if it else 'MISSED'}" for text, it in good.items())
            print(f"{f'{name}, p50, us':36}{_row(figures, size, kind, 0)}  {marks}".rstrip())
            print(f"{f'{name}, p99, us':36}{_row(figures, size, kind, 1)}")
    print("\nEach call once, from its text to its ruling, paths followed on the disk:")
    for kind, about in _ONCE.items():
        for size in SIZES:
            name = f"{about}, {size:,} rules"
            print(f"{f'{name}, p50, us':36}{_row(figures, size, kind, 0)}")
            print(f"{f'{name}, p99, us':36}{_row(figures, size, kind, 1)}")
    return met


def _row(figures: Figures, size: int, kind: str, which: int) -> str:
    told = [figures.get((name, size, kind)) for name in _ENGINES]
    cells = "".join(f"{it[which]:12,.1f}" if it else f"{'':12}" for it in told)
    peers = [it[which] for it in told[1:] if it]
    ratio = f"{told[0][which] / min(peers):8.3f}" if told[0] and peers else ""
    return (cells + ratio).rstrip()
