"""The programs that run as agents' hooks, without which an agent would act unasked.

Ending the server lets nothing run: its hooks refuse then. Ending a hook with the shell over it may.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import assent
from assent.gate.ruling.facts import Running
from assent.gate.text import hook_line

__all__ = ["is_of_gate", "running"]

_HOSTING: Final = Path(assent.__file__).parent / "hosting"
_HOOK: Final = str(_HOSTING / "hooks" / "gate_hook.py")
_LAUNCHER: Final = "/connected/hook"
"""What starts that of an agent in a terminal, below the folder of Assent's state."""
_CONNECTED: Final = f"{_LAUNCHER}.py"
"""That itself."""
_AGENTS: Final = ("claude", "codex", "copilot", "qwen", "opencode")
"""Whose hooks these are, which each is told behind where it finds the gate."""
_IN_TERMINALS: Final = (*_AGENTS, "gemini", "cursor")
"""Those that have one where a person runs them."""
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh"})
"""What agents start their hooks with, beside the person's own shell."""
_PYTHONS: Final = frozenset({"python", "python3"})
"""What the links to it are called, by which it may have been started."""
_MAX_NAME_LETTERS: Final = 15
"""Of a longer name a list of what runs has the beginning."""


def running(channels: Iterable[str]) -> tuple[Running, ...]:
    """The hooks, and the shells over them; `channels` are where they find the gate."""
    pythons = _PYTHONS | {Path(sys.executable).name, Path(sys.executable).resolve().name}
    shells = _SHELLS | {Path(os.environ.get("SHELL", "/bin/sh")).name}
    started = {*((python, False) for python in pythons), *((shell, True) for shell in shells)}
    channels = [*channels]
    return tuple(
        Running(name=name[:_MAX_NAME_LETTERS], line=line)
        for name, is_shell in sorted(started)
        for line in _lines(channels, is_shell=is_shell)
    )


def _lines(channels: Sequence[str], *, is_shell: bool) -> Iterator[str]:
    """What stands in a list of what runs, for each agent that has a hook."""
    own = f"{sys.executable} -I -S"
    states = dict.fromkeys(str(Path(channel).parent) for channel in channels)
    for agent in _AGENTS:
        hook = " ".join((own, _HOOK, *channels, "0", agent))
        yield f"/bin/sh -c {hook} || /bin/sh -c exit 2" if is_shell else hook
    for agent in _IN_TERMINALS:
        for state in states:
            launcher = f"{state}{_LAUNCHER}"
            words = hook_line.words_of(launcher, agent)
            if is_shell:
                yield f"/bin/sh {launcher} {agent}"  # As a line of an earlier version has it.
                yield " ".join(words)
                yield f"/bin/sh -c {hook_line.line_of(words)}"
            else:
                yield f"{own} {state}{_CONNECTED} {agent} {state}"


def is_of_gate(number: int) -> bool:
    """Whether this is the server, a hook or a shell over one; where nobody can tell it is none."""
    if number == os.getpid():
        return True
    try:
        words = Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
    return any(os.fsencode(script) in words for script in (_HOOK, _LAUNCHER))
