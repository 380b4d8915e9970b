"""Measures the hook of an agent in a terminal beside a Python that does nothing.

What counts is the time on a processor, of the shell between as well.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assent.gate.settings.left_settings import leave_settings
from assent.gate.settings.without_window import OwnSettings
from bench.window import talker, window
from hosting.terminals.terminal import Terminal, decision_in

__all__ = ["hook_with_window", "hook_without_window"]

_HOOKS: Final = 15


def hook_with_window(home: Path) -> tuple[float, float]:
    """Where a window has the session's folder open."""
    with talker() as model, window(model, home) as opened:
        return _beside_nothing(Terminal(state=opened.state, folder=opened.folder))


def hook_without_window(home: Path) -> tuple[float, float]:
    """Where no window is open, so that the hook loads the gate and rules."""
    terminal = Terminal(state=home / "state", folder=home / "workspace")
    leave_settings(OwnSettings(is_known=True), terminal.state)
    return _beside_nothing(terminal)


def _beside_nothing(terminal: Terminal) -> tuple[float, float]:
    """Seconds of the hook and of the peer, in turns."""
    call = json.dumps(terminal.uses("Bash", command="ls"))
    ours, peers = [], []
    for _ in range(_HOOKS):
        peers.append(_worked((sys.executable, "-c", "pass"), terminal.folder)[0])
        worked, printed = _worked(terminal.words, terminal.folder, call)
        assert decision_in(printed) == "allow", printed
        ours.append(worked)
    return statistics.median(ours), statistics.median(peers)


def _worked(words: Sequence[str], folder: Path, given: str = "") -> tuple[float, str]:
    """How long a program works, with the programs that it starts, and what it prints."""
    env = {**os.environ, "CLAUDE_PROJECT_DIR": str(folder)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        words, input=given, stdout=subprocess.PIPE, check=True, text=True, cwd=folder, env=env
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended.stdout
