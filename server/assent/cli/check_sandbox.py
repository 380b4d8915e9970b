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
    finding = probe(str(Path(workspace).absolute()), str(Path.home()), str(state_path()))
    sys.stdout.write(report(finding))
    return 1 if finding.strength is Strength.NONE else 0


def report(finding: Finding) -> str:
    """What was tried, what came of it, why it is no more, and what helps."""
    lines = [f"{tried.what}: {tried.outcome}" for tried in finding.tried]
    lines.append(f"Sandbox for this workspace: {finding.strength}. {_MEANS[finding.strength]}")
    lines += [
        text[:1].upper() + text[1:].rstrip(".") + "."
        for text in (finding.because, finding.cure)
        if text
    ]
    return "\n".join([*lines, ""])
