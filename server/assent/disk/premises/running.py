"""What the hooks of agents run as, which keep an agent from acting before it was asked about.

Ending the server lets nothing run: its hooks refuse then. Ending a hook with the shell over it may.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import assent
from assent.policy.facts import Running

__all__ = ["is_of_gate", "running"]

_HOOK: Final = str(Path(assent.__file__).parent / "acp" / "gate_hook.py")
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh"})
"""What agents start their hooks with, beside the person's own shell."""
_PYTHONS: Final = frozenset({"python", "python3"})
"""What the links to it are called, by which it may have been started."""
_LONGEST_NAME: Final = 15
"""Of a longer name a list of what runs has the beginning."""


def running(kept: Iterable[str]) -> tuple[Running, ...]:
    """A hook, and the shells over one; `kept` is where it finds the gate."""
    hook = " ".join((sys.executable, "-I", "-S", _HOOK, *kept))
    pythons = _PYTHONS | {Path(sys.executable).name, Path(sys.executable).resolve().name}
    shells = _SHELLS | {Path(os.environ.get("SHELL", "/bin/sh")).name}
    return tuple(
        Running(name=name[:_LONGEST_NAME], line=line)
        for names, line in ((pythons, hook), (shells, f"/bin/sh -c {hook} || /bin/sh -c exit 2"))
        for name in sorted(names)
    )


def is_of_gate(number: int) -> bool:
    """Whether this is the server, a hook or a shell over one; where nobody can tell it is none."""
    if number == os.getpid():
        return True
    try:
        words = Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
    return os.fsencode(_HOOK) in words
