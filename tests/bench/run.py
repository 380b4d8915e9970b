"""Measures the server, its decisions, `assent explain`, our own agent, and what is held in memory.

The server is measured beside one of the usual TypeScript library, in turns, and decisions and
collections beside the engines of others. Ratios within a table are sound on a machine that does
other things; absolute figures are what this machine had to give. The exit code is 1 where a bar
is missed.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from bench import (
    agent,
    boxes,
    collected,
    drawing,
    explaining,
    felt,
    hostile,
    lasting,
    lookup,
    memory,
    million,
    nodes,
    opening,
    rulings,
    texts,
)
from bench.card import a_ticket
from bench.pipe import Pipe, frame

__all__ = ["main"]

_HERE: Final = Path(__file__).resolve().parent
_STARTS: Final = 11
_TURNS: Final = 5
_ROUNDS: Final = 3_000
_DURABLE_ROUNDS: Final = 500
_WHOLE_ROUNDS: Final = 300
_NOTICES: Final = 100_000
_FLOOD: Final = 50_000_000
_UNREAD_FOR: Final = 1.5

_REQUEST: Final = b'{"jsonrpc":"2.0","method":"tool/approvalRequest"'

Figures = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    name: str
    unit: str
    bar: str = ""
    meets: Callable[[float, float], bool] = lambda ours, peers: True  # noqa: ARG005


ROWS: Final[tuple[Row, ...]] = (
    Row(
        name="spawn to initialize",
        unit="ms",
        bar="at most 0.6 of the peer's",
        meets=lambda ours, peers: ours <= 0.6 * peers,
    ),
    Row(
        name="approval round trip, p50",
        unit="us",
        bar="at most 3 of the peer's",
        meets=lambda ours, peers: ours <= 3 * peers,
    ),
    Row(name="approval round trip, p99", unit="us"),
    Row(name="the same, decision on disk, p50", unit="us"),
    Row(name="the same, decision on disk, p99", unit="us"),
    Row(
        name="the whole server, p50",
        unit="us",
        bar="at most 6 of the peer's with its decision on disk",
        meets=lambda ours, peers: ours <= 6 * peers,
    ),
    Row(
        name="notifications a second",
        unit="",
        bar="at least 100,000",
        meets=lambda ours, peers: ours >= 100_000,  # noqa: ARG005
    ),
    Row(name="processor for a round trip", unit="us"),
    Row(name="processor for a notification", unit="us"),
    Row(name="memory after the start", unit="MiB"),
    Row(name="memory after the streaming", unit="MiB"),
    Row(
        name="longest tick, nobody reading",
        unit="ms",
        bar="at most 20",
        meets=lambda ours, peers: ours <= 20,  # noqa: ARG005
    ),
)


def main() -> int:
    """Measure, print, and say whether all bars were met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=[*_PARTS, "all"], default="all")
    given = parser.parse_args()
    if not (_HERE / "peer" / "python_modules").is_dir():
        print("First: cd tests && python3 -m host.venv peer", file=sys.stderr)
        return 2
    wanted = _PARTS.keys() - _LONG if given.what == "all" else {given.what}
    met = [measure() for what, measure in _PARTS.items() if what in wanted]
    return 0 if all(met) else 1


def _server() -> bool:
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as state:
        ours, peers = _measure(Path(state))
    return _print(ours, peers)


_PARTS: Final = {
    "server": _server,
    "felt": felt.measure,
    "rulings": rulings.measure,
    "texts": texts.measure,
    "explain": explaining.measure,
    "agent": agent.measure,
    "history": lookup.measure,
    "chats": lasting.measure,
    "nodes": nodes.measure,
    "servers": hostile.measure,
    "collections": collected.measure,
    "sandbox": boxes.measure,
    "view": drawing.measure,
    "opening": opening.measure,
    "million": million.measure,
    "memory": memory.measure,
    "soak": memory.soak,
}
_LONG: Final = frozenset({"soak", "million"})
"""What is measured only where it is named."""


def _measure(state: Path) -> tuple[Figures, Figures]:
    """Every figure of both, in turns, as medians over the turns."""
    card = state / "card.json"
    card.write_bytes(a_ticket().model_dump_json(by_alias=True).encode())
    print(f"A ticket is {card.stat().st_size} bytes.", file=sys.stderr)
    env = {
        **os.environ,
        "ASSENT_STATE_DIR": str(state),
        "ASSENT_BENCH_CARD": str(card),
        "PYTHONPATH": str(_HERE.parent),
    }
    node = shutil.which("node") or "node"
    servers = (_serving("bench.house"), [node, str(_HERE / "peer" / "server.cjs")])
    turns: tuple[list[Figures], list[Figures]] = ([], [])
    for number in range(_STARTS):
        for command, figures in zip(servers, turns, strict=True):
            figures.append(_start_only(command, env))
            if number < _TURNS:
                figures.append(_turn(command, env))
        if number < _TURNS:
            turns[0].append(_whole_turn(_serving("bench.whole"), env))
        print(f"turn {number + 1} of {_STARTS}", file=sys.stderr)
    ours, peers = _summed_up(turns[0]), _summed_up(turns[1])
    # The peer has no more to it than its card and its row on the disk.
    peers["the whole server, p50"] = peers["the same, decision on disk, p50"]
    return ours, peers


def _serving(house: str) -> list[str]:
    program = f"from assent.editor.lsp.start import serve; serve('{house}:compose')"
    return [sys.executable, "-c", program]


def _summed_up(turns: list[Figures]) -> Figures:
    told = {row.name: [turn[row.name] for turn in turns if row.name in turn] for row in ROWS}
    return {row.name: statistics.median(told[row.name]) for row in ROWS if told[row.name]}


def _start_only(command: list[str], env: Mapping[str, str]) -> Figures:
    pipe = Pipe(command, env)
    try:
        return {"spawn to initialize": _open(pipe)}
    finally:
        pipe.close()


def _turn(command: list[str], env: Mapping[str, str]) -> Figures:
    pipe = Pipe(command, env)
    try:
        _open(pipe)
        _rounds(pipe, "bare", 200)
        figures = {"memory after the start": pipe.memory()}
        began = pipe.worked()
        figures |= _told("approval round trip", _rounds(pipe, "bare", _ROUNDS))
        figures["processor for a round trip"] = (pipe.worked() - began) / _ROUNDS * 1e6
        durable = _rounds(pipe, "durable", _DURABLE_ROUNDS)
        figures |= _told("the same, decision on disk", durable)
        began = pipe.worked()
        figures["notifications a second"] = _streamed(pipe)
        figures["processor for a notification"] = (pipe.worked() - began) / _NOTICES * 1e6
        figures["memory after the streaming"] = pipe.memory()
        figures["longest tick, nobody reading"] = _longest_tick(pipe)
        return figures
    finally:
        pipe.close()


def _whole_turn(command: list[str], env: Mapping[str, str]) -> Figures:
    pipe = Pipe(command, env)
    try:
        _open(pipe)
        took = _whole_rounds(pipe, _WHOLE_ROUNDS)
        return {"the whole server, p50": took[len(took) // 2]}
    finally:
        pipe.close()


def _open(pipe: Pipe) -> float:
    """Say initialize; the time from the spawn to its answer, in ms."""
    params = {
        "processId": os.getpid(),
        "rootUri": None,
        "capabilities": {},
        "initializationOptions": {"protocolHash": PROTOCOL_HASH},
        "workspaceFolders": None,
    }
    pipe.write(frame(_question("initialize", "open", params)))
    pipe.frame()
    took = (time.perf_counter() - pipe.spawned_at) * 1000
    pipe.write(frame({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
    return took


def _rounds(pipe: Pipe, kind: str, count: int) -> list[float]:
    """From an answer to the next ticket, which its call asked for; in µs, sorted."""
    answers = [_allowing(n, f"a{n:06}", "5f" * 32) for n in range(count)]
    pipe.write(frame(_prompt(f"{kind} {count}")))
    pipe.until(_REQUEST)
    took = []
    for answer in answers[:-1]:
        began = time.perf_counter_ns()
        pipe.write(answer)
        pipe.until(_REQUEST)
        took.append((time.perf_counter_ns() - began) / 1000)
    pipe.write(answers[-1])
    pipe.until(_END_OF_TURN)
    return sorted(took)


def _whole_rounds(pipe: Pipe, count: int) -> list[float]:
    """The same of the whole server, which makes up its tickets' ids; in µs, sorted."""
    pipe.write(frame(_prompt(str(count))))
    took, shown = [], pipe.until(_REQUEST)
    for number in range(count - 1):
        answer = _allowing_shown(number, shown)
        began = time.perf_counter_ns()
        pipe.write(answer)
        shown = pipe.until(_REQUEST)
        took.append((time.perf_counter_ns() - began) / 1000)
    pipe.write(_allowing_shown(count, shown))
    pipe.until(_END_OF_TURN)
    return sorted(took)


def _told(name: str, took: list[float]) -> Figures:
    return {
        f"{name}, p50": took[len(took) // 2],
        f"{name}, p99": took[len(took) * 99 // 100],
    }


def _streamed(pipe: Pipe) -> float:
    began = time.perf_counter()
    pipe.write(frame(_prompt(f"stream {_NOTICES}")))
    said = pipe.drain(_END_OF_TURN)
    took = time.perf_counter() - began
    if said.count(b'"method":"agent/event"') != _NOTICES:
        raise AssertionError("notifications were lost on the way")
    return _NOTICES / took


def _longest_tick(pipe: Pipe) -> float:
    pipe.write(frame(_prompt(f"flood {_FLOOD}")))
    time.sleep(_UNREAD_FOR)
    said = pipe.drain(_END_OF_TURN)
    return float(said.rpartition(b'"because":"')[2].partition(b'"')[0])


_END_OF_TURN: Final = b'{"jsonrpc":"2.0","id":"turn"'


def _prompt(text: str) -> dict[str, Any]:
    return _question("agent/prompt", "turn", {"chatId": "c1", "text": text})


def _question(method: str, key: int | str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


def _allowing_shown(key: int, request: bytes) -> bytes:
    shown = json.loads(request)["params"]
    return _allowing(key, shown["approvalId"], shown["digest"])


def _allowing(key: int, ticket: str, digest: str) -> bytes:
    answer = {
        "approvalId": ticket,
        "chatId": "c1",
        "revision": 1,
        "digest": digest,
        "optionId": "once",
        "shownMs": 900,
    }
    return frame(_question("tool/approvalResponse", key, answer))


def _print(ours: Figures, peers: Figures) -> bool:
    """Print the table; whether all bars are met."""
    print(f"{'':34}{'assent':>12}{'peer':>12}{'ratio':>8}  bar")
    met = True
    for row in ROWS:
        name = f"{row.name}, {row.unit}" if row.unit else row.name
        mine = ours[row.name]
        theirs = peers[row.name]
        good = row.meets(mine, theirs)
        met = met and good
        mark = f"{row.bar}: {'met' if good else 'MISSED'}" if row.bar else ""
        print(f"{name:34}{mine:12,.1f}{theirs:12,.1f}{mine / theirs:8.2f}  {mark}")
    return met


if __name__ == "__main__":
    sys.exit(main())
