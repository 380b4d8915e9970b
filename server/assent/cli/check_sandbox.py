"""`assent check --sandbox`: what the self-test of the sandbox tried, and what it found here."""

import sys
from pathlib import Path
from typing import Final

from assent.gate.sandbox.probe import Finding, Strength, probe
from assent.gate.settings.paths import state_path

__all__ = ["report", "sandbox"]

_MEANS: Final = {
    Strength.TRIAL: "Commands can be tried on a copy of this workspace.",
    Strength.LIVE: "Commands can be confined to this workspace, but not tried on a copy of it.",
    Strength.NONE: "Commands cannot be confined here.",
}


def sandbox(workspace: str) -> int:
    """Try, and print; 1 where there is no sandbox."""
    found = probe(str(Path(workspace).absolute()), str(Path.home()), str(state_path()))
    sys.stdout.write(report(found))
    return 1 if found.strength is Strength.NONE else 0


def report(found: Finding) -> str:
    """What was tried, what was found, why it is no more, and what helps."""
    lines = [f"{tried.what}: {tried.outcome}" for tried in found.tried]
    lines.append(f"Sandbox for this workspace: {found.strength}. {_MEANS[found.strength]}")
    lines += [
        text[:1].upper() + text[1:].rstrip(".") + "."
        for text in (found.because, found.cure)
        if text
    ]
    return "\n".join([*lines, ""])
