"""The version of a person's terminal agent, and what an old one does to its hook."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

from assent.gate.disk.executables import Executables, path_in
from assent.gate.values import frozen

__all__ = ["Versions"]

_VERSION_TIMEOUT_S: Final = 20.0
_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)+")


@frozen(kw_only=True)
class Versions:
    """From which version on an agent does what its hook needs."""

    program: str
    name: str
    runs: tuple[int, ...]
    """It runs the hook from this one on."""
    holds: tuple[int, ...]
    """A hook that fails keeps the call from running from this one on."""

    @property
    def unfit(self) -> str:
        """Why it is not connected, where the version is known and runs no such hook."""
        version = self._version()
        if version is None or version >= self.runs:
            return ""
        return (
            f"{self.name} {_in_text(version)} would not run the hook. Update it to"
            f" {_in_text(self.runs)} or newer, and connect it then."
        )

    @property
    def loose(self) -> str:
        """What a version lets happen, where it is known and too old to refuse that."""
        version = self._version()
        if version is None or version >= self.holds:
            return ""
        return (
            f"{self.name} {_in_text(version)} lets a call run whose hook was killed or took too"
            f" long: {_in_text(self.holds)} and newer refuse it."
        )

    def _version(self) -> tuple[int, ...] | None:
        """The version that the person's PATH leads to; None where nobody can tell."""
        program = Executables(roots=(), path=path_in(os.environ)).find(self.program)
        if program is None:
            return None
        try:
            done = subprocess.run(
                (program, "--version"),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                cwd=Path.home(),
                text=True,
                timeout=_VERSION_TIMEOUT_S,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        numbers = _NUMBERS.search(done.stdout)
        return None if numbers is None else tuple(map(int, numbers[0].split(".")))


def _in_text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
