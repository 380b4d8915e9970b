"""A small workspace with neighbours that are called alike, and what the gate says of a command.

A path that leads one folder too far up, or beside, finds something there: nothing is missed
because a file happens not to be.
"""

import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from assent.cli.explain import answers
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.ruling.policy import Policy
from fuzz.traced import Deed

__all__ = [
    "DENIED",
    "OWN_TEMPORARY",
    "Ground",
    "allowed",
    "build",
    "is_own_file",
    "is_within",
    "strayed",
]

OWN_TEMPORARY: Final = ("/tmp/tac", "/tmp/sort", "/tmp/dpkg-deb.")
"""Where programs keep what they work on for as long as they run."""

DENIED: Final = ("read(~/.ssh/**)", "read(./secret/**)", "read(./.env)")

_FILES: Final = (
    *("x", "a.txt", "list", "src/x", "src/a.txt", "src/lib/x", "src/lib/a.txt", "src/list"),
    *(".env", "secret/key", "secret/x", "a b", "n.txt", "2", "1", "src/lib/deep/er/x"),
)

_LINKS: Final = {
    "link_in": "src/lib",
    "src/up": "..",
    "src/lib/top": "../..",
    "src/lib/out": "../../../x",
    "away": "../ws.bak",
}
"""Two of them lead out, into what lies above and beside."""

_SYSTEM: Final = (
    *("/usr", "/lib", "/bin/", "/sbin/", "/proc", "/dev/null", "/dev/tty", "/dev/fd", "/dev/std"),
    *("/etc/ld.so", "/etc/locale", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/sys"),
    *("/etc/alternatives/", "/etc/terminfo", "pipe:", "/etc/magic", "/etc/git", "/dev/urandom"),
    *("/etc/userdb", "/run", "/etc/host", "/etc/resolv", "/etc/iproute2/"),
    *(
        "/etc/localtime",
        "/etc/inputrc",
        "/etc/sysless",
        "/etc/mtab",
        "/etc/gai",
        "/dev/console",
        "/opt",
        "/etc/fstab",
        "/var/lib/dpkg/",
        *OWN_TEMPORARY,
    ),
)
"""What programs read when they start, or to put names to numbers, whatever they are told."""

_WRITTEN: Final = (
    "/dev/null",
    "/dev/tty",
    "/dev/std",
    "/dev/console",
    "/proc/",
    "pipe:",
    *OWN_TEMPORARY,
    "/var/tmp/OUT.sw",
)
"""What is no file, or a program's own for as long as it runs."""

_OWN: Final = (".gitconfig", ".config/", ".inputrc", ".jq", ".manpath", ".dpkg.cfg")
"""The person's own settings, which programs read at home."""


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
    for name, leads_to in _LINKS.items():
        (ground.workspace / name).symlink_to(leads_to)
    subprocess.run(["git", "init", "-q", str(ground.workspace)], check=True, capture_output=True)
    return ground


def allowed(
    ground: Ground, commands: Sequence[str], policies: Iterable[dict[str, Any]]
) -> Iterator[bool]:
    """Whether the gate lets each command run without asking, each by the policy beside it."""
    places = Places(roots=(str(ground.workspace),), home=str(ground.home))
    lines = (
        json.dumps({"id": at, "tool": "shell", "input": {"command": it}, "policy": policy})
        for at, (it, policy) in enumerate(zip(commands, policies, strict=False))
    )
    told = answers(lines, places, Policy(mode=Mode.DEFAULT, trusted=True, now=2e9))
    return (it.get("verdict") == "allow" for it in told)


def strayed(ground: Ground, deeds: Sequence[Deed], *, denied: bool) -> str:
    """What was done that nobody was asked about; nothing if all of it stayed in the workspace."""
    return next((f"{it.kind} {it.path}" for it in deeds if _strays(ground, it, denied)), "")


def _strays(ground: Ground, deed: Deed, denied: bool) -> bool:
    if deed.kind == "send":
        return True
    if is_within(deed.path, ground.workspace):
        kept = (ground.workspace / ".env", ground.workspace / "secret")
        # Which files git leaves out, and how it takes them, is said by files that it reads wherever
        # it looks.
        own = deed.path.endswith(("/.gitignore", "/.gitattributes"))
        opened = deed.kind == "read" and not own
        return denied and opened and any(is_within(deed.path, it) for it in kept)
    if deed.path.startswith(tuple(f"{ground.home}/{it}" for it in _OWN)):
        return deed.kind == "write"
    if deed.kind == "write":
        return not deed.path.startswith(_WRITTEN)
    return deed.path != "/etc" and not deed.path.startswith(_SYSTEM)


def is_own_file(ground: Ground, path: str) -> bool:
    """Whether it is one of the person's files at home, and no program's."""
    return os.path.relpath(path, ground.home) in _FILES or is_within(path, ground.home / ".ssh")


def is_within(path: str, folder: Path) -> bool:
    """Whether a path is this folder or lies below it."""
    return path == str(folder) or path.startswith(f"{folder}{os.sep}")
