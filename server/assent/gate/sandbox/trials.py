"""One trial: a command that runs on a copy of the workspace, and what becomes of its changes."""

import os
import platform
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from assent.gate.processes.family import Family
from assent.gate.sandbox.apply import apply, undo
from assent.gate.sandbox.bubblewrap import boxed
from assent.gate.sandbox.changes import Change, read_changes
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.layers import remove_layer
from assent.gate.sandbox.probe import Finding
from assent.gate.sandbox.profile import Layer, Profile, profile_for
from assent.gate.values import frozen

__all__ = ["Trial"]

_BWRAP = "bwrap"


@frozen(kw_only=True)
class Trial:
    """A command and the layer that takes what it writes."""

    bwrap: str
    profile: Profile
    folder: str
    """Where the layer and what is replaced are kept."""
    began: int
    """The time at which it was made, as the disk has it."""

    @classmethod
    def prepare(
        cls,
        finding: Finding,
        workspace: str,
        home: str,
        folder: str,
        *,
        variables: Mapping[str, str],
        secrets: Sequence[str] = (),
    ) -> Self:
        """Make an empty layer. `finding` tells the wall and where layers are kept."""
        kept = tempfile.mkdtemp(prefix="trial-", dir=finding.layers)
        layer = Layer(upper=f"{kept}/upper", work=f"{kept}/work")
        for path in (layer.upper, layer.work):
            Path(path).mkdir()
        hidden = (*secrets, finding.layers)
        profile = profile_for(
            *(workspace, home, folder), secrets=hidden, variables=variables, layer=layer
        )
        began = os.lstat(layer.upper).st_ctime_ns
        return cls(bwrap=finding.bwrap, profile=profile, folder=kept, began=began)

    def run(self, command: Sequence[str]) -> int:
        """Run it with our own input and output; its exit status, 128 and more for a signal."""
        filter_program = program(platform.machine()) or b""
        with boxed(self.bwrap, self.profile, filter_program, command) as (words, inherited):
            started = subprocess.Popen(words, pass_fds=inherited, env={}, start_new_session=True)
        before = {
            number: signal.signal(number, lambda got, _: _pass_on(started.pid, got))
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            status = started.wait()
        finally:
            started.kill()
            started.wait()
            for number, handler in before.items():
                signal.signal(number, handler)
        return status if status >= 0 else 128 - status

    def changes(self) -> list[Change]:
        """What it changed."""
        return read_changes(self.profile.workspace, self._upper)

    def apply(self, changes: Sequence[Change]) -> int:
        """Make these changes real, all of them or none; how many."""
        return apply(self.profile.workspace, self._upper, changes, self.folder, self.began)

    def undo(self) -> None:
        """Put back what `apply` replaced."""
        undo(self.folder)

    def discard(self) -> None:
        """Forget what it changed."""
        remove_layer(self.folder)

    @property
    def _upper(self) -> str:
        assert self.profile.layer is not None  # noqa: S101 -- a trial has one
        return self.profile.layer.upper


def _pass_on(bwrap: int, number: int) -> None:
    """Send a signal to what runs in the box. bubblewrap itself would end it all at once."""
    for pid in Family(root=bwrap, group=None).members():
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() != _BWRAP:
                os.kill(pid, number)
