"""A small workspace with neighbours that are called alike, and what the gate says of a command.

A path that leads one folder too far up, or beside, finds something there: nothing is missed
because a file happens not to be.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from assent.explaining import answers
from assent.places import Places
from assent.policy.modes import Mode
from assent.policy.rules import Policy
from fuzz.traced import Deed

__all__ = ["DENIES", "POLICIES", "Ground", "allowed", "build", "strayed"]

DENIES: Final = ("read(~/.ssh/**)", "read(./secret/**)", "read(./.env)")

_CHANGES: Final = tuple(
    f"shell({it}:*)" for it in "rm rmdir touch mkdir cp mv tee ln".split()
) + ("write(./**)",)

POLICIES: Final[dict[str, dict[str, Any]]] = {
    "no rule": {"mode": "default"},
    "denied paths": {"mode": "acceptEdits", "deny": [*DENIES]},
    "what may change": {"mode": "acceptEdits", "allow": [*_CHANGES], "deny": [*DENIES]},
    "what may change, nothing denied": {"mode": "default", "allow": [*_CHANGES]},
}

_FILES: Final = (
    *("x", "a.txt", "list", "src/x", "src/a.txt", "src/lib/x", "src/lib/a.txt", "src/list"),
    *(".env", "secret/key", "secret/x", "a b", "n.txt", "2", "1"),
)

_SYSTEM: Final = (
    *("/usr/", "/lib", "/bin/", "/sbin/", "/proc/", "/dev/null", "/dev/tty", "/dev/fd", "/dev/std"),
    *("/etc/ld.so", "/etc/locale", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/sys/"),
    *("/etc/localtime", "/etc/alternatives/", "/etc/terminfo", "/lib/terminfo", "pipe:", "/etc/magic"),
    *("/etc/userdb", "/etc/host", "/etc/resolv", "/run/utmp", "/dev/urandom", "/etc/mtab", "/etc/gai"),
    *("/etc/gitconfig", "/etc/gitattributes", "/usr/share/git"),
)  # fmt: skip
"""What programs read when they start, whatever they are told."""


@frozen
class Ground:
    """Where it lies."""

    tree: Path
    workspace: Path

    @property
    def home(self) -> Path:
        """The home of whom it belongs to."""
        return self.tree / "home"


def build(below: Path) -> Ground:
    """Write the files: the same ones in the workspace, above it, beside it and at home."""
    tree = below.resolve() / "up" / "tree"
    ground = Ground(tree, tree / "ws")
    for folder in (tree, ground.workspace, tree / "ws.bak", tree / "ws-ws", ground.home):
        for name in _FILES:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("src\none\nlib/x\n")
    (ground.home / ".ssh").mkdir()
    (ground.home / ".ssh" / "x").write_text("one\n")
    for name, leads_to in {"link_in": "src/lib", "link_out": "..", "src/up": "..", "z": "x"}.items():
        (ground.workspace / name).symlink_to(leads_to)
    (ground.workspace / "src" / "lib" / "deep" / "er").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(ground.workspace)], check=True, capture_output=True)
    return ground


def allowed(ground: Ground, commands: Sequence[str], policy: dict[str, Any]) -> Iterator[bool]:
    """Whether the gate lets each command run without asking."""
    places = Places(roots=(str(ground.workspace),), home=str(ground.home))
    lines = (
        json.dumps({"id": at, "tool": "shell", "input": {"command": it}, "policy": policy})
        for at, it in enumerate(commands)
    )
    told = answers(lines, places, Policy(mode=Mode.DEFAULT, trusted=True, now=2e9))
    return (it.get("verdict") == "allow" for it in told)


def strayed(ground: Ground, deeds: Sequence[Deed], *, denied: bool) -> str:
    """What was done that nobody was asked about; nothing if all of it stayed in the workspace."""
    kept = [ground.workspace / ".env", ground.workspace / "secret", ground.home / ".ssh"]
    for deed in deeds:
        at = deed.path
        if at.startswith((f"{ground.home}/.gitconfig", f"{ground.home}/.config/")):
            continue
        if at.endswith("/.gitignore") or at.startswith("/run/systemd/"):
            continue
        if deed.kind == "send":
            return f"it spoke to {at}"
        if _within(at, str(ground.workspace)):
            if denied and deed.kind == "read" and any(_within(at, f"{it}") for it in kept[:1]):
                return f"it opened {at}, which a rule denies"
            if denied and deed.kind == "read" and f"{at}/".startswith(f"{kept[1]}/") and at != str(kept[1]):
                return f"it opened {at}, which a rule denies"
            continue
        if deed.kind != "send" and deed.kind != "write" and at.startswith(_SYSTEM):
            continue
        if at.startswith(("/dev/null", "/dev/tty", "/dev/std", "/proc/", "pipe:")):
            continue
        if deed.kind != "write" and at == "/etc":
            continue
        return f"{deed.kind} {at}"
    return ""


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}{os.sep}")
