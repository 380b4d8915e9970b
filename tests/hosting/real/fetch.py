"""Fetches real agents at the versions that their lock files name, once for each machine.

`python -m agents.fetch [NAME…]`; what was fetched lies whole under its final name, or not at all.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from host.install import NPM, only_one

__all__ = ["AGENTS", "CACHE", "Absent", "bin_of", "fetched"]

_HERE: Final = Path(__file__).resolve().parent
_PINS: Final = ("package.json", "package-lock.json")
_LONGEST: Final = 600
_PLACING: Final = {"opencode": "opencode-ai/postinstall.mjs"}
"""The scripts that put an agent's program in its place, which a package of the system brings."""

CACHE: Final = Path(
    os.environ.get("ASSENT_AGENTS_CACHE") or Path.home() / ".cache" / "assent" / "agents"
)
AGENTS: Final = tuple(sorted(it.parent.name for it in _HERE.glob("*/package.json")))


class Absent(Exception):
    """Why an agent is not here; a sentence."""


def fetched(name: str) -> Path:
    """The folder of an agent that was fetched already."""
    folder = CACHE / f"{name}-{_pin(name)}"
    if not folder.is_dir():
        raise Absent(f"{name} is not fetched yet: run `make test-agents` once.")
    return folder


def bin_of(name: str, program: str) -> Path:
    """A program of an agent."""
    return fetched(name) / "node_modules" / ".bin" / program


def fetch(name: str) -> Path:
    """Fetch an agent, unless it is here; raise `Absent` where that cannot be done."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with only_one(CACHE):
        try:
            return fetched(name)
        except Absent:
            _fill(CACHE / f"{name}-{_pin(name)}", name)
    return fetched(name)


def _fill(final: Path, name: str) -> None:
    if not shutil.which("npm"):
        raise Absent("Agents are fetched with npm: install Node 20 or newer, which brings it.")
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=CACHE))
    try:
        for pin in _PINS:
            shutil.copy(_HERE / name / pin, unfinished)
        _run(name, (*NPM, "ci", "--ignore-scripts"), unfinished)
        if name in _PLACING:
            _run(name, ("node", f"node_modules/{_PLACING[name]}"), unfinished)
        unfinished.rename(final)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _run(name: str, words: tuple[str, ...], folder: Path) -> None:
    done = subprocess.run(
        words, cwd=folder, check=False, capture_output=True, text=True, timeout=_LONGEST
    )
    if done.returncode:
        raise Absent(f"{name} was not fetched: {' '.join(done.stderr.split())[-400:]}")


def _pin(name: str) -> str:
    pinned = b"".join((_HERE / name / it).read_bytes() for it in _PINS)
    return hashlib.sha256(pinned).hexdigest()[:16]


def main(names: list[str]) -> int:
    """Fetch these, or all; say which cannot be had."""
    missing = 0
    for name in names or AGENTS:
        try:
            sys.stdout.write(f"{name} … ")
            sys.stdout.flush()
            sys.stdout.write(f"{fetch(name)}\n")
        except Absent as absence:
            missing += 1
            sys.stdout.write(f"{absence}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
