"""Measures collections: ten thousand papers indexed and asked, beside LanceDB and tantivy.

Each engine is a process of its own, gets the same papers and the same questions, of which each was
made of one paper; all are asked in turns. The recall is the part of the questions whose paper is
among the first ten. LanceDB compares all vectors exactly, tantivy knows words alone. Then the whole
server indexes the papers in its own way, while somebody asks it for something else.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from bench import collecting
from bench.corpus import FILES, KINDS, made

__all__ = ["measure"]

_TESTS: Final = Path(__file__).resolve().parents[1]
_TURNS: Final = 3
_ENGINES: Final = {
    "assent": "bench.indexed",
    "lancedb": "bench.peer.lance",
    "tantivy": "bench.peer.words",
}
_ABOUT: Final = {
    "words": "three words",
    "sentence": "a sentence",
    "meaning": "vectors",
    "both": "words and vectors",
}
_MOST_MS: Final = 10.0
"""For words, of which tantivy has the fastest index of all."""

Figures = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By engine and kind of question: `p50` in ms, `recall`, and `nearest` for vectors."""


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as home:
        figures = _measured(Path(home))
        met = _print(figures)
        return collecting.measure(Path(home)) and met


def _measured(home: Path) -> Figures:
    cases = home / "cases.json"
    cases.write_text(json.dumps(made(home / "papers")))
    _run("bench.peer.lance", cases, "vectors")
    turns: dict[str, list[Any]] = {it: [] for it in _ENGINES}
    for number in range(_TURNS):
        for name, program in _ENGINES.items():
            with tempfile.TemporaryDirectory(dir=home) as index:
                turns[name].append(json.loads(_run(program, cases, index)))
        print(f"turn {number + 1} of {_TURNS}", file=sys.stderr)
    return {name: _middle(told) for name, told in turns.items()}


def _run(program: str, *words: object) -> str:
    env = {**os.environ, "PYTHONPATH": str(_TESTS), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", program, *map(str, words)]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True, text=True).stdout


def _middle(turns: list[Any]) -> dict[str, dict[str, float]]:
    return {
        kind: {of: statistics.median(it[kind][of] for it in turns) for of in figures}
        for kind, figures in turns[0].items()
    }


def _print(figures: Figures) -> bool:
    """Print the table; whether all bars are met."""
    print(f"{FILES:,} papers{'':22}{''.join(f'{it:>10}' for it in _ENGINES)}  bar")
    met = True
    for kind in KINDS:
        for of, unit in (("p50", "ms"), ("recall", ""), ("nearest", "")):
            told = {name: it[kind][of] for name, it in figures.items() if of in it.get(kind, {})}
            if told:
                met = _print_row(f"{_ABOUT[kind]}, {_SAYS[of]}", unit, told, of) and met
    return met


def _print_row(name: str, unit: str, told: Mapping[str, float], of: str) -> bool:
    bars = {text: meets(told) for text, meets in _BARS.get(of, {}).items()}
    if "tantivy" in told and of == "p50":
        bars[f"under {_MOST_MS:g}"] = told["assent"] < _MOST_MS
    cells = "".join(f"{told[it]:10.3f}" if it in told else f"{'':10}" for it in _ENGINES)
    marks = "; ".join(f"{text}: {'met' if good else 'MISSED'}" for text, good in bars.items())
    print(f"{f'{name}, {unit}' if unit else name:34}{cells}  {marks}".rstrip())
    return all(bars.values())


_SAYS: Final = {
    "p50": "p50",
    "recall": "recall at 10",
    "nearest": "of the ten nearest",
}
_BARS: Final[Mapping[str, Mapping[str, Callable[[Mapping[str, float]], bool]]]] = {
    "p50": {"no more than LanceDB's": lambda told: told["assent"] <= told["lancedb"]},
    "recall": {"no less than any": lambda told: told["assent"] >= max(told.values())},
}
