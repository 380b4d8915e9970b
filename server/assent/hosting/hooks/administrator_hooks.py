"""Whether an administrator makes an agent run its hooks, whatever a repository says.

What stands there names no person and no hook: it gives back what a repository took, to everybody
on the machine. Assent reads it and never writes it; a person is shown what to write.
"""

import os
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.values import frozen

__all__ = ["Anchor"]

_MAX_FILE_BYTES: Final = 1024 * 1024
_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    ".json": orjson.loads,
    ".toml": tomllib.loads,
}


@frozen(kw_only=True)
class Anchor:
    """One agent's: the file that is above a person's and a repository's, and what it has to say."""

    linux: str
    mac: str
    text: str
    words: tuple[str, ...]
    """The way to the word that turns hooks on or off."""
    on: bool
    """What it says where they are on."""
    inner: str = ""
    """A folder beside it whose files are read after it, where Assent's would be one of its own."""
    unless: str = ""
    """The variable that has the agent read another file."""

    @property
    def file(self) -> Path:
        """Where the text belongs."""
        return self._main.parent / self.inner / "assent.json" if self.inner else self._main

    @property
    def holds(self) -> bool:
        """Whether hooks are on there, so that no repository turns them off."""
        switches = [switch for file in self._files() for switch in self._switches_in(file)]
        return not os.environ.get(self.unless) and switches[-1:] == [self.on]

    @property
    def how(self) -> str:
        """What an administrator does for it; a clause."""
        file = shlex.quote(str(self.file))
        if os.path.exists(self.file):  # noqa: PTH110 -- it says no where the other would break
            return f"has {file} say {self.text!r}"
        folder = shlex.quote(str(self.file.parent))
        put = f"printf '%s\\n' {shlex.quote(self.text)} | sudo tee {file}"
        return f"runs: sudo mkdir -p {folder} && {put}"

    @property
    def _main(self) -> Path:
        return Path(self.mac if sys.platform == "darwin" else self.linux)

    def _files(self) -> Iterator[Path]:
        yield self._main
        if self.inner:
            yield from sorted((self._main.parent / self.inner).glob("*.json"))

    def _switches_in(self, file: Path) -> Iterator[bool | None]:
        """What a file says of hooks, if anything; None where nobody can tell."""
        try:
            value = _READERS[file.suffix](read_ordinary(file, _MAX_FILE_BYTES).decode("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            yield None
            return
        for word in self.words:
            if not isinstance(value, dict) or word not in value:
                return
            value = value[word]
        yield value if isinstance(value, bool) else None
