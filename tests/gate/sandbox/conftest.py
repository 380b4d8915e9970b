"""A workspace and a home with secrets, and boxes on them by the real bubblewrap."""

import os
import platform
import subprocess
from pathlib import Path

import pytest
from attrs import define, field

from assent.gate.call.calls import AgentId
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.rules.book import Asker, Book
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.sandbox.bubblewrap import OWN, boxed
from assent.gate.sandbox.changes import Change, read_changes
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.hidden import Reading, hidden_paths
from assent.gate.sandbox.profile import Layer, Profile, profile_for

SECRET = "TOP-SECRET-4711"  # noqa: S105 -- there is none
PROTECTED = (".git/config", ".git/hooks", ".git/info", ".gitmodules", ".vscode", ".mcp.json")
WITHIN_S = 60
PYTHON = "/usr/bin/python3"


@define
class Ground:
    """What commands run on, and whoever looks at it from outside."""

    top: Path
    layers: int = 0
    more_roots: tuple[str, ...] = ()
    """Other folders of the workspace."""
    rules: tuple[WrittenRule, ...] = ()
    suspended: frozenset[str] = frozenset()
    layer: Layer | None = field(default=None, init=False)

    @property
    def workspace(self) -> Path:
        return self.top / "workspace"

    @property
    def home(self) -> Path:
        return self.top / "home"

    @property
    def reading(self) -> Reading:
        """The rules about reading."""
        places = Places(roots=(str(self.workspace), *self.more_roots), home=str(self.home))
        book = Book.of(self.rules, places.anchors, places.home, suspended=self.suspended)
        asker = Asker(agent=AgentId(""), mode=Mode.DEFAULT)
        return Reading(book=book, asker=asker, places=places)

    def profile(self, *, trial: bool) -> Profile:
        """A new profile, for a trial with an empty layer."""
        layer = None
        if trial:
            self.layers += 1
            kept = self.top / f"layer-{self.layers}"
            layer = Layer(upper=str(kept / "upper"), work=str(kept / "work"))
            for path in (layer.upper, layer.work):
                Path(path).mkdir(parents=True)
        self.layer = layer
        return profile_for(
            str(self.workspace),
            str(self.home),
            str(self.workspace),
            secrets=hidden_paths(str(self.workspace), str(self.home), [], self.reading),
            protected=PROTECTED,
            variables={
                "PATH": os.environ["PATH"],
                "HOME": str(self.home),
                "OUT": str(self.top / "outside"),
                "OUTER": str(os.getpid()),
                "GITHUB_TOKEN": SECRET,
            },
            layer=layer,
        )

    def run(self, *command: str, trial: bool = True) -> tuple[int, str]:
        """Run a command in a box: its status, and what it printed."""
        profile = self.profile(trial=trial)
        known = program(platform.machine())
        assert known is not None
        with boxed(str(OWN), profile, known, command) as start:
            ended = subprocess.run(
                start.words,
                executable=start.program,
                pass_fds=start.inherited,
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=WITHIN_S,
                check=False,
            )
        return ended.returncode, ended.stdout

    def changes(self) -> list[Change]:
        """What the last trial changed."""
        assert self.layer is not None
        return read_changes(str(self.workspace), self.layer.upper)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """A repository with a file and a secret, and a home with a key."""
    made = Ground(tmp_path)
    for folder in ("workspace/src", "home/.ssh", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(made.workspace)], check=True)
    (made.workspace / "src/a.txt").write_text("a\n", "ascii")
    (made.workspace / ".env").write_text(SECRET, "ascii")
    (made.home / ".ssh/id").write_text(SECRET, "ascii")
    (tmp_path / "outside/victim").write_text("ok", "ascii")
    return made
