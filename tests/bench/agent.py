"""Measures our own agent in the whole server, which thinks with a fake model, and prints a table.

Everything but the model is real: the server's process, its gate and journal, the commands that
run, the view in a browser. The figures are medians over several turns, each with a server of its
own; the bars are absolute, so the machine's load stands below them.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import beginning, deltas, flood, searching, talking, tickets, view
from bench.window import Talker, talker

__all__ = ["measure"]

Taken = Mapping[str, list[float]]
"""By row, all that was taken in one turn."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    name: str
    unit: str
    bar: str = ""
    at: str = "p50"
    """Which of the figures the bar is for. None is for the most of many, which is what else the
    machine does: another program's writing makes a row of the journal wait for the disk."""
    most: float = float("inf")


@dataclass(frozen=True, kw_only=True)
class Part:
    """What is measured in one go."""

    measure: Callable[[Talker, Path], Taken]
    turns: int
    missing: Callable[[], str] = lambda: ""
    """What it lacks on this machine, as a sentence."""


_PARTS: Final = (
    Part(measure=beginning.beginnings, turns=5),
    Part(measure=deltas.streamed, turns=3, missing=view.missing),
    Part(measure=flood.flooded, turns=3),
    Part(measure=talking.flooded_by_an_agent, turns=3),
    Part(measure=tickets.ticketed, turns=3),
    Part(measure=searching.searched, turns=3, missing=searching.missing),
)

ROWS: Final = (
    Row(name=beginning.FIRST, unit="ms"),
    Row(name=beginning.LATER, unit="ms"),
    Row(name=beginning.CALL, unit="ms"),
    Row(name=beginning.COMMAND, unit="ms"),
    Row(name=deltas.ARRIVED, unit="ms"),
    Row(name=deltas.DRAWN, unit="ms", bar="p95 at most 150", at="p95", most=150),
    Row(name=deltas.WORK, unit="us"),
    Row(name=flood.TOOK, unit="s", bar="at most 60", most=60),
    Row(name=flood.GREW, unit="MiB", bar="at most 64", most=64),
    Row(name=flood.QUIET, unit="ms"),
    Row(name=flood.CARDS, unit="ms", bar="p95 under 50", at="p95", most=50),
    Row(name=talking.TOLD, unit="messages"),
    Row(name=talking.CARDS, unit="ms", bar="p95 at most 50", at="p95", most=50),
    Row(name=tickets.TOLD, unit="ms"),
    Row(name=tickets.ONE, unit="ms"),
    Row(name=tickets.AT_ONCE, unit="ms"),
    Row(name=tickets.ALL, unit="ms"),
    Row(name=tickets.GREW, unit="MiB"),
    Row(name=searching.AGAIN, unit="ms"),
    Row(name=searching.SEARCH, unit="ms"),
    Row(name=searching.RATIO, unit="times", bar="at most 3", most=3),
    Row(name=searching.NEXT, unit="ms", bar="at most 15", most=15),
)

_FIGURES: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "p50": lambda taken: taken[len(taken) // 2],
    "p95": lambda taken: taken[len(taken) * 95 // 100],
    "most": lambda taken: taken[-1],
}


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    before = os.getloadavg()[0]
    turns: list[Taken] = []
    with talker() as model:
        for part in _PARTS:
            turns += _turns(part, model)
    met = _print(turns)
    load = f"{before:.1f} when it began, {os.getloadavg()[0]:.1f} when it ended"
    print(f"Processors: {os.cpu_count()}. Load: {load}.")
    return met


def _turns(part: Part, model: Talker) -> list[Taken]:
    missing = part.missing()
    if missing:
        print(f"Not all is measured. {missing}", file=sys.stderr)
        return []
    taken: list[Taken] = []
    for number in range(part.turns):
        with tempfile.TemporaryDirectory(prefix="assent-bench-") as home:
            taken.append(part.measure(model, Path(home)))
        print(f"{part.measure.__name__}, turn {number + 1} of {part.turns}", file=sys.stderr)
    return taken


def _print(turns: list[Taken]) -> bool:
    """Print the table; whether all bars are met, of which each must have been measured."""
    print(f"{'':36}{'p50':>12}{'p95':>12}{'most':>12}  bar")
    met = True
    for row in ROWS:
        taken = [sorted(turn[row.name]) for turn in turns if row.name in turn]
        if not taken:
            met = met and not row.bar
            print(f"{f'{row.name}, {row.unit}':36}{'-':>12}  {row.bar and 'not measured'}")
            continue
        figures = {name: statistics.median(map(figure, taken)) for name, figure in _FIGURES.items()}
        good = figures[row.at] <= row.most
        met = met and good
        _print_row(row, figures, met=good, alone=max(map(len, taken)) == 1)
    return met


def _print_row(row: Row, figures: Mapping[str, float], *, met: bool, alone: bool) -> None:
    shown = [figures["p50"]] if alone else list(figures.values())
    told = "".join(f"{it:12,.1f}" for it in shown).ljust(36)
    mark = f"  {row.bar}: {'met' if met else 'MISSED'}" if row.bar else ""
    print(f"{f'{row.name}, {row.unit}':36}{told}{mark}".rstrip())
