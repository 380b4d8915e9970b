"""Measures what a box costs: each kind of work in a trial, and plain, in turns."""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from assent.gate.sandbox.apply import apply
from assent.gate.sandbox.bubblewrap import OWN, boxed
from assent.gate.sandbox.changes import read_changes
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.hosts import Answer, Leave
from assent.gate.sandbox.probe import Finding, Strength
from assent.gate.sandbox.profile import Layer, Profile, profile_for
from assent.gate.sandbox.trials import Trial

__all__ = ["measure"]

_TURNS: Final = 5
_STARTS: Final = 21
_FILES: Final = 20_000
_NEW: Final = 10_000
_MOST_S: Final = 0.5
_LATER: Final = 1 << 62
_SOURCES: Final = 12
_KEEPER: Final = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); from assent.gate.processes import keeper;"
    " os.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', ':'], {}), 0)"
)
"""As a command of Assent's is started: a small Python stands over it."""


@dataclass
class Place:
    """A workspace, and the layers of its trials."""

    top: Path
    layers: int = field(default=0)

    @property
    def workspace(self) -> Path:
        return self.top / "workspace"

    def profile(self) -> Profile:
        """A trial with an empty layer."""
        self.layers += 1
        kept = self.top / f"layer-{self.layers}"
        layer = Layer(upper=str(kept / "upper"), work=str(kept / "work"))
        for path in (layer.upper, layer.work):
            Path(path).mkdir(parents=True)
        root, home = str(self.workspace), str(self.top / "home")
        return profile_for(root, home, root, variables={"PATH": os.environ["PATH"]}, layer=layer)

    def try_(self, *command: str) -> Profile:
        """Run a command as a trial."""
        profile = self.profile()
        with boxed(str(OWN), profile, program(platform.machine()) or b"", command) as start:
            subprocess.run(
                start.words,
                executable=start.program,
                pass_fds=start.inherited,
                env={},
                stdout=subprocess.DEVNULL,
                check=True,
            )
        return profile

    def try_with_network(self, *command: str) -> None:
        """Run a command as a trial that may ask about hosts, which is refused each."""
        root, home = str(self.workspace), str(self.top / "home")
        layers = self.top / "layers"
        layers.mkdir(mode=0o700, exist_ok=True)
        trial = Trial.prepare(
            Finding(strength=Strength.TRIAL, bwrap=str(OWN), layers=str(layers)),
            root,
            home,
            root,
            str(self.top / "state"),
            variables={"PATH": os.environ["PATH"]},
            hidden=tuple,
            judge=_refuse,
        )
        try:
            if trial.network is None or trial.run(command) != 0:
                raise AssertionError(trial.no_network or "it was not run")
        finally:
            trial.end()

    def run(self, *command: str) -> None:
        """Run it plain."""
        subprocess.run(command, cwd=self.workspace, stdout=subprocess.DEVNULL, check=True)


async def _refuse(host: str, port: int) -> Answer:
    return Answer(Leave.NONE, f"Nobody is here to be asked about {host}:{port}.")


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-", dir=_on_disk()) as folder:
        place = Place(Path(folder))
        for name in ("workspace/src", "home"):
            (place.top / name).mkdir(parents=True)
        print(f"{'':36}{'in a box':>12}{'plain':>12}  bar")
        met = [*_starts(place), _compile(place), *_large(place), _new(place)]
    return all(met)


def _on_disk() -> str:
    """Where layers of real workspaces lie, which is seldom in memory."""
    return str(Path.home())


def _starts(place: Place) -> Iterator[bool]:
    """Without a network, and with one that asks about each host."""
    server = Path(__file__).parents[2] / "server"
    plain = (sys.executable, "-ISc", _KEEPER, str(server))
    starts: dict[str, Callable[[], object]] = {
        "start of a command, ms": lambda: place.try_("/bin/sh", "-c", ":"),
        "the same with a network, ms": lambda: place.try_with_network("/bin/sh", "-c", ":"),
    }
    for name, start in starts.items():
        yield _row(name, start, lambda: place.run(*plain), 4, _STARTS)


def _compile(place: Place) -> bool:
    for number in range(_SOURCES):
        lines = (f"int f{n}(int x) {{ return x * {n}; }}" for n in range(400))
        (place.workspace / f"src/{number}.c").write_text("\n".join(lines), "ascii")
    words = ("/bin/sh", "-c", "for f in src/*.c; do cc -O1 -c $f -o /dev/null; done")
    return _row("compiling, ms", lambda: place.try_(*words), lambda: place.run(*words), 1.1)


def _large(place: Place) -> list[bool]:
    for number in range(_FILES):
        path = place.workspace / f"many/{number % 200}/{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"line {number}\n" * 20, "ascii")
    place.run("git", "init", "-q")
    place.run("git", "add", ".")
    status = ("git", "status", "--short")
    grep = ("grep", "-rc", "nowhere", "many")
    quiet = ("/bin/sh", "-c", f"{' '.join(grep)} > /dev/null; true")
    return [
        _row(
            f"git status, {_FILES:,} files, ms",
            lambda: place.try_(*status),
            lambda: place.run(*status),
            4,
        ),
        _row(
            f"grep, {_FILES:,} files, ms",
            lambda: place.try_(*quiet),
            lambda: place.run(*quiet),
            1.3,
        ),
    ]


def _new(place: Place) -> bool:
    script = f"mkdir new; cd new; for n in $(seq {_NEW}); do echo $n > $n; done"
    profile = place.try_("/bin/sh", "-c", script)
    assert profile.layer is not None
    began = time.perf_counter()
    changes = read_changes(profile.workspace, profile.layer.upper)
    apply(profile.workspace, profile.layer.upper, changes, str(place.top / "beside"), _LATER)
    took = time.perf_counter() - began
    missed = "" if took <= _MOST_S else "  MISSED"
    print(f"{f'{_NEW:,} new files, applied, s':36}{took:12.2f}{'':12}  at most {_MOST_S}{missed}")
    return took <= _MOST_S


def _row(
    name: str,
    ours: Callable[[], object],
    plain: Callable[[], object],
    most: float,
    turns: int = _TURNS,
) -> bool:
    pairs = [(_took(ours), _took(plain)) for _ in range(turns)]
    in_box, outside = (statistics.median(times) for times in zip(*pairs, strict=True))
    met = in_box <= most * outside
    missed = "" if met else "  MISSED"
    print(f"{name:36}{in_box * 1000:12.1f}{outside * 1000:12.1f}  at most {most} times{missed}")
    return met


def _took(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
