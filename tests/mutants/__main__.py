"""Plants each fault in a copy of the package and runs the tests that should notice.

`python -m mutants [word …]`: only those whose id holds one of these words. The checkout itself
is never changed. Ends with 1 where a fault went unnoticed, or fits no more.
"""

import os
import queue
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from copies import ROOT, copied, in_copy
from mutants.mutant import PACKAGE, Mutant, Stale
from mutants.sites import Site
from mutants.table import AREAS, EQUIVALENT, planted

Planted = Mutant | Site
_LONGEST = 150.0
"""In seconds, for all tests of a fault; each of them may take `_HANGS`."""
_HANGS = 30.0
_ROOM = 5
"""Tests that take too long have noticed only where they take less than a fifth without it."""

_TIMED_OUT = "from pytest-timeout"
_OUTCOMES = ("killed", "timed out", "equivalent", "SURVIVED", "STALE", "UNSURE")
_BAD = frozenset({"SURVIVED", "STALE", "UNSURE"})


def main() -> int:
    """Run them all, side by side; how many went unnoticed decides."""
    chosen = [it for it in planted(ROOT) if not sys.argv[1:] or _is_meant(it.id)]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="assent-mutants-") as folder:
        copies: queue.Queue[Path] = queue.Queue()
        workers = min(max(len(chosen), 1), int(os.environ.get("WORKERS") or os.cpu_count() or 2))
        for number in range(workers):
            copies.put(_copied(Path(folder) / str(number)))
        if not _all_pass(copies, chosen):
            return 1
        with ThreadPoolExecutor(workers) as pool:
            told = list(pool.map(lambda it: _tried(copies, it), chosen))
    for outcome in _OUTCOMES:
        _say(f"{told.count(outcome):4} {outcome}")
    _say(f"{time.monotonic() - began:.0f} seconds")
    return int(bool(_BAD & set(told)) or not told)


def _tests(mutant: Planted) -> tuple[str, ...]:
    return mutant.tests if isinstance(mutant, Mutant) else AREAS[mutant.file]


def _is_meant(id_: str) -> bool:
    return any(word in id_ for word in sys.argv[1:])


def _copied(folder: Path) -> Path:
    """A copy of the package and the tests, compiled."""
    copy = copied(folder)
    command = [sys.executable, "-m", "compileall", "-q", str(copy / PACKAGE)]
    subprocess.run(command, check=True)
    return copy


def _all_pass(copies: "queue.Queue[Path]", chosen: list[Planted]) -> bool:
    """Whether the tests pass where nothing is planted; else all would seem to be noticed."""
    copy = copies.get()
    try:
        tests = sorted({test for it in chosen for test in _tests(it)})
        done = _pytest(copy, tests, "-n", str(copies.qsize() + 1), longest=600)
        if done.returncode:
            _say(f"{done.stdout}\nThe tests fail as it is, so they can notice nothing.")
        return done.returncode == 0
    finally:
        copies.put(copy)


def _tried(copies: "queue.Queue[Path]", mutant: Planted) -> str:
    """What became of one fault."""
    copy = copies.get()
    file = copy / PACKAGE / mutant.file
    before = file.read_bytes()
    try:
        file.write_text(mutant.applied(copy), "utf-8")
        # Nothing that was compiled before is taken for it.
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            compiled.unlink()
        outcome, why = _outcome(copy, mutant, before)
    except Stale as stale:
        outcome, why = "STALE", str(stale)
    finally:
        file.write_bytes(before)
        copies.put(copy)
    equivalent = mutant.equivalent if isinstance(mutant, Mutant) else EQUIVALENT.get(mutant.id)
    if outcome == "SURVIVED" and equivalent:
        outcome, why = "equivalent", equivalent
    _say(f"{outcome:10} {mutant.id}" + (f"\n           {why}" if why else ""))
    return outcome


def _outcome(copy: Path, mutant: Planted, before: bytes) -> tuple[str, str]:
    tests = _tests(mutant)
    done = _run(copy, tests)
    if done is not None and done.returncode == 0:
        return "SURVIVED", mutant.broken
    # A file that cannot even be imported is a fault that every test notices: also killed.
    if done is not None and _TIMED_OUT not in done.stdout:
        return "killed", ""
    # Was it the fault, or a machine that is busy? The same tests without it, at the same time.
    (copy / PACKAGE / mutant.file).write_bytes(before)
    again = _run(copy, tests, room=_ROOM)
    quick = again is not None and again.returncode == 0
    return ("timed out", "") if quick else ("UNSURE", "The tests are slow without it, too.")


def _run(
    copy: Path, tests: Iterable[str], room: int = 1
) -> "subprocess.CompletedProcess[str] | None":
    """Run tests until one fails; None where they did not end in time."""
    try:
        limit = f"timeout={_HANGS / room}"
        return _pytest(copy, tests, "-x", "-n", "0", "-o", limit, longest=_LONGEST / room)
    except subprocess.TimeoutExpired:
        return None


def _pytest(
    copy: Path, tests: Iterable[str], *options: str, longest: float
) -> "subprocess.CompletedProcess[str]":
    command = ["-m", "pytest", "-p", "no:cacheprovider", "--no-header", "-q"]
    named = [f"tests/{test}" for test in tests]
    return in_copy(copy, [*command, *options, *named], longest=longest)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
