"""Measures times that people feel, each beside plain work of the same kind in the same run.

The peer costs more, too, wherever the machine is slower or busier, so it is the ratio of the two
that is held. `make bench WHAT=felt` holds the bars that Assent has set itself; `bench.guard` holds
some of the same against getting worse.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.ruling.policy import Policy
from bench import crowds
from bench.hook import hook_with_window, hook_without_window
from bench.window import Talker, talker, window

__all__ = ["Ratio", "holds", "measure", "seconds", "start_to_first_card"]

_STARTS: Final = 5
_FEW_ENTRIES, _MANY_ENTRIES = 10, 50_000
_WRITES: Final = 200
_EARLY_CALL, _LATE_CALL, _CALLS_A_TURN = 200, 4_000, 40
_TURNS: Final = 7
"""So many turns from a call on; the middle one counts, since what happens now and then does not."""
_WANTS: Final = {
    "eliza": "run touch made",
    "assent": 'call run_command {"command": "touch made"}',
}
_LIBRARIES: Final = "import pygls.lsp.server, pydantic"


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """What people wait for, beside plain work of the same kind."""

    name: str
    peer: str
    most: float
    measure: Callable[[Path], tuple[float, float]]
    """Seconds of ours and of the peer."""


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    held = [holds(ratio) for ratio in FELT]
    return all(held)


def holds(ratio: Ratio) -> bool:
    """Measure and print; whether the ratio is small enough the first or the second time."""
    ratios: list[float] = []
    # What else a machine does may spoil one measurement, and seldom two.
    while len(ratios) < 2 and (not ratios or ratios[-1] > ratio.most):
        with tempfile.TemporaryDirectory(prefix="assent-bench-") as home:
            ours, peers = ratio.measure(Path(home))
        ratios.append(ours / peers)
        print(
            f"{ratio.name}: {ours * 1000:,.2f} ms, {ratios[-1]:.2f} times {ratio.peer}"
            f" (at most {ratio.most:.2f})",
            flush=True,
        )
    return ratios[-1] <= ratio.most


def start_to_first_card(home: Path, agent: str, libraries: str) -> tuple[float, float]:
    """From starting the server until the first card of an agent's can be drawn.

    Of each the least is taken, which is the least disturbed.
    """
    ours, peers = [], []
    for number in range(_STARTS):
        peers.append(seconds(lambda: _python(libraries)))
        with talker() as model:
            ours.append(_first_card(model, home / str(number), agent))
    return min(ours), min(peers)


def _first_card(model: Talker, home: Path, agent: str) -> float:
    began = time.perf_counter()
    with window(model, home) as opened:
        chat = opened.chat(agent, mode="ask")
        opened.say(chat, _WANTS[agent])
        opened.card(chat)
        return time.perf_counter() - began


def _writes_in_a_large_root(home: Path) -> tuple[float, float]:
    """A ruling on a write where the workspace has many entries, and where it has few."""
    took = []
    for count in (_MANY_ENTRIES, _FEW_ENTRIES):
        root = home / str(count)
        root.mkdir()
        for number in range(count):
            (root / f"file-{number}").touch()
        places = Places(roots=(str(root),), home=str(home))
        rule = partial(_rule_on_write, root, places, Policy(mode=Mode.DEFAULT, trusted=True))
        took.append(statistics.median(seconds(partial(rule, n)) for n in range(_WRITES)))
    return took[0], took[1]


def _rule_on_write(root: Path, places: Places, policy: Policy, number: int) -> None:
    given = {"path": str(root / f"new-{number}"), "content": "x"}
    explain(Question(tool="write", input=given), policy, places)


def _late_calls(home: Path) -> tuple[float, float]:
    """Processor time of a turn behind the 4,000th call of a chat, and behind the 200th."""
    with talker() as model, window(model, home) as opened:
        (opened.folder / "README.md").write_text("A small workspace.\n" * 20, encoding="utf-8")
        chat = opened.chat(mode="auto")
        worked = [opened.pipe.worked()]
        for _ in range(_LATE_CALL // _CALLS_A_TURN + _TURNS):
            opened.done(opened.say(chat, f"mixed {_CALLS_A_TURN}"))
            worked.append(opened.pipe.worked())
    turns = [after - before for before, after in pairwise(worked)]
    late, early = (
        statistics.median(turns[call // _CALLS_A_TURN :][:_TURNS])
        for call in (_LATE_CALL, _EARLY_CALL)
    )
    return late, early


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long a piece of work takes."""
    began = clock()
    work()
    return clock() - began


def _python(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


FELT: Final = (
    Ratio(
        name="start to Eliza's first card",
        peer="a Python that loads pygls and pydantic",
        most=2.0,
        measure=lambda home: start_to_first_card(home, "eliza", _LIBRARIES),
    ),
    Ratio(
        name="start to our own agent's first card",
        peer="a Python that loads pygls and pydantic",
        most=2.0,
        measure=lambda home: start_to_first_card(home, "assent", _LIBRARIES),
    ),
    Ratio(
        name=f"a write ruled on where the root has {_MANY_ENTRIES:,} entries",
        peer=f"where it has {_FEW_ENTRIES}",
        most=1.3,
        measure=_writes_in_a_large_root,
    ),
    Ratio(
        name=f"processor time of a call, the {_LATE_CALL:,}th of a chat",
        peer=f"the {_EARLY_CALL}th",
        most=1.3,
        measure=_late_calls,
    ),
    Ratio(
        name="processor time of a terminal agent's hook, with a window",
        peer="a Python that does nothing",
        most=4.0,
        measure=hook_with_window,
    ),
    Ratio(
        name="processor time of a terminal agent's hook, without a window",
        peer="a Python that does nothing",
        most=10.0,
        measure=hook_without_window,
    ),
    Ratio(
        name="300 cards and their answers at once, where a sync takes 5 ms more",
        peer="where it does not",
        most=1.5,
        measure=crowds.slow_disk,
    ),
    Ratio(
        name="the longest that a question waits while 5,000 cards are told",
        peer="50 ms",
        most=1.0,
        measure=crowds.longest_turn,
    ),
    Ratio(
        name="a snapshot while 5,000 cards wait",
        peer="300 ms",
        most=1.0,
        measure=crowds.snapshot,
    ),
)
