"""How an agent's hooks reach the gate: a key, a command line, files that the agent reads.

Another leads to a server of tools: it lets one program in, once.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from assent.gate.values import field, frozen
from assent.hosting.hooks import gate_hook
from assent.hosting.hooks.gate_hook import KEY
from assent.hosting.servers.message_seal import SealedMessages

__all__ = ["HookChannel", "Pipe", "Rule"]

Rule = Callable[[str], Coroutine[None, None, str]]
"""Takes a call as a hook was given it, and says what the hook is to print."""
Pipe = Callable[[SealedMessages], Coroutine[None, None, None]]
"""Answers, in the place of a server of tools, whoever came through."""

_PIPE: Final = str(Path(gate_hook.__file__).parents[1] / "servers" / "tool_pipe.py")
_UNANSWERED: Final = 'echo "Assent: the gate did not answer, so this was not run." >&2; exit 2'


@frozen(kw_only=True, eq=False)
class HookChannel:
    """What one agent's hooks need, and who rules on what comes through."""

    folder: Path
    name: str
    key: bytes = field(repr=False)
    rule: Rule | None = None
    """Where it is for hooks."""
    pipe: Pipe | None = None
    """Where it is for the one program that comes through once, and stays."""

    def line(self, tool: str, seconds: float) -> str:
        """The command line of the hook: one that is missing, breaks or is killed refuses, too.

        Some agents hand it to the person's own shell, which need not be one that knows braces.
        """
        hook = (sys.executable, "-I", "-S", gate_hook.__file__)
        words = shlex.join((*hook, str(self.folder), self.name, tool, f"{seconds:g}"))
        return f"{words} || /bin/sh -c {shlex.quote(_UNANSWERED)}"

    @property
    def piped(self) -> tuple[str, list[str]]:
        """The program that an agent starts as a server of tools, and its words."""
        return sys.executable, ["-I", "-S", _PIPE, str(self.folder), self.name]

    def put(self, files: Mapping[str, str]) -> str:
        """Files that the agent is to read, in a folder beside the key; that folder's path."""
        for name, text in files.items():
            path = self._own / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return str(self._own)

    @property
    def _own(self) -> Path:
        return self.folder / f"{self.name}.d"

    def close(self) -> None:
        """Nobody is ruled on here any more."""
        shutil.rmtree(self._own, ignore_errors=True)
        key = self.folder / (self.name + KEY)
        # Its agent knows where the key lies, and what lies there now is to hold up nothing.
        with suppress(OSError):
            key.unlink(missing_ok=True)
