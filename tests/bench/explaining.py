"""Measures `assent explain` as people and scripts start it: whole processes, from start to end."""

import compileall
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import assent
from bench.material import calls_for, rules_of
from bench.ours import input_of, text_of

__all__ = ["measure"]

_RUNS: Final = 11
_LONG_RUNS: Final = 3
_CASES: Final = 1_000
_SINGLE: Final = {
    "explain, a command": ("shell", "cd src && git diff --output=~/.bashrc"),
    "explain, a file": ("read", "src/index.ts"),
}
_MOST_MS: Final = 150
_MOST_S: Final = 1


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    # What is installed is compiled already, and so is what a package of the editor carries.
    compileall.compile_dir(Path(assent.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as home:
        workspace = Path(home) / "shop"
        workspace.mkdir()
        single = {
            name: statistics.median(_took(words, workspace) for _ in range(_RUNS)) * 1000
            for name, words in _SINGLE.items()
        }
        cases = _cases()
        many = statistics.median(_took(("--jsonl",), workspace, cases) for _ in range(_LONG_RUNS))
    print(f"{'':36}{'assent':>12}  bar")
    for name, took in single.items():
        _print(f"{name}, ms", took, f"at most {_MOST_MS}", met=took <= _MOST_MS)
    _print(f"explain, {_CASES:,} cases, s", many, f"at most {_MOST_S}", met=many <= _MOST_S)
    return many <= _MOST_S and all(took <= _MOST_MS for took in single.values())


def _took(words: tuple[str, ...], workspace: Path, given: bytes = b"") -> float:
    """How long it takes to ask, in seconds."""
    where = ("--workspace", str(workspace), "--home", str(workspace.parent))
    command = [sys.executable, "-m", "assent", "explain", *words, *where]
    began = time.perf_counter()
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True)
    took = time.perf_counter() - began
    answers = done.stdout.splitlines()
    if len(answers) < max(1, given.count(b"\n")) or b"could not judge" in done.stdout:
        raise AssertionError("not every question was answered")
    return took


def _cases() -> bytes:
    """Cases as machines ask them: every other one brings a policy of its own."""
    calls = [call for call in calls_for(rules_of(1_000)) if call["kind"] != "locate"]
    rules = [(rule["verdict"], text_of(rule)) for rule in rules_of(10)]
    policy = {
        "mode": "default",
        **{kind: [text for verdict, text in rules if verdict == kind] for kind in _VERDICTS},
    }
    lines = []
    for number in range(_CASES):
        tool, given = input_of(calls[number % len(calls)])
        case = {"id": str(number), "tool": tool, "input": given}
        lines.append(json.dumps({**case, "policy": policy} if number % 2 else case))
    return "\n".join([*lines, ""]).encode()


_VERDICTS: Final = ("allow", "ask", "deny")


def _print(name: str, took: float, bar: str, *, met: bool) -> None:
    print(f"{name:36}{took:12,.1f}  {bar}: {'met' if met else 'MISSED'}")
