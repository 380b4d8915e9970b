"""Finds out by trying what this machine and this workspace let a box do.

Nothing is concluded from versions: each bubblewrap runs a small script in a live box and in a
trial, and the script says what it could do that a box must refuse.
"""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from assent.gate.sandbox.bubblewrap import OWN, boxed, is_own
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.layers import is_private, new_layer, remove_layer
from assent.gate.sandbox.profile import Layer, Profile, ProfileUnfit, profile_for
from assent.gate.text.plain_paths import is_within
from assent.gate.values import frozen

__all__ = ["Finding", "Strength", "Tried", "probe"]

_SYSTEM: Final = "/usr/bin/bwrap"
_NAMED: Final = "ASSENT_BWRAP"
_ON_DISK: Final = "/var/tmp/assent-{}-trials"  # noqa: S108 -- private below
_IN_MEMORY: Final = "/dev/shm/assent-{}-trials"  # noqa: S108 -- private below
_TOO_OLD: Final = "is too old to lay a layer over a folder"
_NO_LAYER: Final = "the workspace or the home lies on a file system that takes no layer over it"
_SLOW: Final = "it took too long"
_NOT_KEPT: Final = "no layer can be kept there"
_SMALLER: Final = "Open the project's own folder as the workspace."
_ROOM_BYTES: Final = 1 << 30
"""With less, what fills its caches in the home would fail for want of room."""
_PROBE_TIMEOUT_S: Final = 20.0
"""A test that takes longer has failed."""

_SCRIPT: Final = """
cat "$SECRET" 2>/dev/null && echo "read a secret"
(echo x > "$OUTSIDE") 2>/dev/null
(unshare -Ur true || mount -t tmpfs x /tmp) 2>/dev/null && echo "made a namespace or a mount"
(echo x > "$WORKSPACE/$PROBE") 2>/dev/null || echo "could not write to the workspace"
echo done
"""


class Strength(StrEnum):
    """What a box can do here."""

    TRIAL = "trial"
    """Run a command on a copy of the workspace, and show what it changed."""
    LIVE = "live"
    """Run a command so that only the workspace can be changed."""
    NONE = "none"


@frozen(kw_only=True)
class Tried:
    """One bubblewrap, or one place for a trial's layer, and what came of it."""

    what: str
    outcome: str


@frozen(kw_only=True)
class Finding:
    """What the self-test found for one workspace."""

    strength: Strength
    bwrap: str = ""
    layers: str = ""
    """The folder in which trials keep what they change."""
    home_layers: str = ""
    """The one in which they keep what they write to the home, where that can be told."""
    because: str = ""
    """Why it is no more."""
    cure: str = ""
    tried: tuple[Tried, ...] = ()

    @property
    def may_change(self) -> bool:
        """Whether what failed may go well the next time: it took long, or nothing could be kept."""
        failed = self.strength is not Strength.TRIAL
        return failed and any(each.outcome.startswith((_SLOW, _NOT_KEPT)) for each in self.tried)


def probe(
    workspace: str, home: str, state: str, variables: Mapping[str, str] = os.environ
) -> Finding:
    """Try every bubblewrap in turn, until one can run trials here; else the best one."""
    machine = platform.machine()
    if not sys.platform.startswith("linux"):
        return Finding(
            strength=Strength.NONE,
            because="A sandbox needs Linux.",
            cure="On Windows, open the folder in WSL 2.",
        )
    if program(machine) is None:
        return Finding(
            strength=Strength.NONE, because=f"No filter of system calls is known for {machine}."
        )
    if not Path(workspace).is_dir():
        return Finding(strength=Strength.NONE, because=f"There is no folder {workspace}.")
    try:
        profile_for(workspace, home, workspace, variables={})
    except ProfileUnfit as unfit:
        return Finding(strength=Strength.NONE, because=str(unfit), cure=_SMALLER)
    tried: list[Tried] = []
    best: Finding | None = None
    for bwrap in _candidates(variables, tried):
        finding = _try(bwrap, workspace, home, state, tried)
        if finding is not None and finding.strength is Strength.TRIAL:
            best = finding
            break
        best = finding or best
    if best is None:
        because, cure = _why_none(tried)
        best = Finding(strength=Strength.NONE, because=because, cure=cure)
    return Finding(
        strength=best.strength,
        bwrap=best.bwrap,
        layers=best.layers,
        home_layers=best.home_layers,
        because=best.because,
        cure=best.cure,
        tried=tuple(tried),
    )


def _candidates(variables: Mapping[str, str], tried: list[Tried]) -> Iterator[str]:
    named = variables.get(_NAMED)
    if named:
        yield named
        return
    if os.access(_SYSTEM, os.X_OK):
        yield _SYSTEM
    else:
        tried.append(Tried(what=_SYSTEM, outcome="is not there"))
    if not OWN.exists():
        tried.append(Tried(what="Assent's own bubblewrap", outcome="was not built"))
    elif not is_own(OWN.read_bytes()):
        tried.append(Tried(what=str(OWN), outcome="has another digest than when it was built"))
    else:
        yield str(OWN)


def _try(bwrap: str, workspace: str, home: str, state: str, tried: list[Tried]) -> Finding | None:
    outcome = _live(bwrap, state)
    tried.append(Tried(what=f"{bwrap}, live", outcome=outcome or "holds"))
    if outcome:
        return None
    because = ""
    for layers in _places(state):
        because = _trial(bwrap, workspace, home, state, layers)
        tried.append(Tried(what=f"{bwrap}, trial with {layers}", outcome=because or "holds"))
        if not because:
            homes = _home_layers(bwrap, workspace, home, state, layers)
            return Finding(strength=Strength.TRIAL, bwrap=bwrap, layers=layers, home_layers=homes)
    return Finding(strength=Strength.LIVE, bwrap=bwrap, because=because)


def _places(state: str) -> tuple[str, ...]:
    """Where the layer of a trial may lie: beside what else is kept, else in memory."""
    return (f"{state}/trials", _IN_MEMORY.format(os.getuid()))


def _home_layers(bwrap: str, workspace: str, home: str, state: str, layers: str) -> str:
    """Where the layer over the home may lie, which must not be in the home itself."""
    real = os.path.realpath(home)
    for homes in (layers, _ON_DISK.format(os.getuid()), _IN_MEMORY.format(os.getuid())):
        is_outside = not is_within(os.path.realpath(homes), real)
        if is_outside and not _trial(bwrap, workspace, home, state, layers, homes):
            room = os.statvfs(homes)
            if room.f_bavail * room.f_frsize >= _ROOM_BYTES:
                return homes
    return ""


def _live(bwrap: str, state: str) -> str:
    """What is wrong with a live box of this bubblewrap; nothing where it holds."""
    with _ground(state) as ground:
        profile = profile_for(
            f"{ground}/workspace",
            f"{ground}/home",
            f"{ground}/workspace",
            secrets=[f"{ground}/workspace/.env"],
            variables=_variables(ground, f"{ground}/workspace", ".assent-probe"),
        )
        return _run(bwrap, profile, ground)


def _trial(bwrap: str, workspace: str, home: str, state: str, *places: str) -> str:
    """What keeps a trial from running in this workspace; nothing where it can.

    `places` are where its layer may lie, and the one over the home where there is to be one.
    """
    kept: list[tuple[str, Layer]] = []
    try:
        for place in places:
            Path(place).mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(place):
                return "others may write there"
            kept.append(new_layer(place, "probe-"))
        folder, layer = kept[0]
        name = f".assent-{Path(folder).name}"
        with _ground(state) as ground:
            profile = profile_for(
                workspace,
                home,
                workspace,
                secrets=[f"{ground}/home/.ssh"],
                variables=_variables(ground, os.path.realpath(workspace), name),
                layer=layer,
                home_layer=kept[1][1] if len(kept) > 1 else None,
            )
            wrong = _run(bwrap, profile, ground)
            if not wrong and os.path.lexists(f"{profile.workspace}/{name}"):
                return "what a trial wrote was real"
            if not wrong and not os.path.lexists(f"{layer.upper}/{name}"):
                return "what a trial wrote was not kept"
            return wrong
    except OSError as error:
        return f"{_NOT_KEPT}: {error.strerror}"
    finally:
        for folder, _ in kept:
            remove_layer(folder)


def _variables(ground: str, workspace: str, name: str) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "SECRET": f"{ground}/home/.ssh/id",
        "OUTSIDE": f"{ground}/outside",
        "WORKSPACE": workspace,
        "PROBE": name,
    }


@contextmanager
def _ground(state: str) -> Iterator[str]:
    """A small home with a secret, and a workspace."""
    Path(state).mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="probe-", dir=state)
    try:
        for path in ("workspace", "home/.ssh"):
            Path(folder, path).mkdir(parents=True)
        Path(f"{folder}/home/.ssh/id").write_text("a secret\n", "ascii")
        Path(f"{folder}/workspace/.env").write_text("a secret\n", "ascii")
        yield folder
    finally:
        remove_layer(folder)


def _run(bwrap: str, profile: Profile, ground: str) -> str:
    """What the script could do that a box must refuse; nothing where it could do nothing."""
    filter_program = program(platform.machine()) or b""
    try:
        with boxed(bwrap, profile, filter_program, ["/bin/sh", "-c", _SCRIPT]) as start:
            ended = subprocess.run(
                start.words,
                executable=start.program,
                pass_fds=start.inherited,
                env={},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PROBE_TIMEOUT_S,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return _SLOW
    except (OSError, ProfileUnfit) as error:
        return f"it could not be started: {getattr(error, 'strerror', None) or error}"
    if os.path.lexists(f"{ground}/outside"):
        return "wrote outside the workspace"
    lines = ended.stdout.split("\n")
    if lines != ["done", ""]:
        said = [line for line in lines if line not in ("", "done")]
        return "; ".join(said) or _last_line(ended.stderr) or f"it ended with {ended.returncode}"
    return ""


def _last_line(text: str) -> str:
    line = text.strip().rpartition("\n")[2][:200]
    if "Unknown option --overlay" in line:
        return _TOO_OLD
    return _NO_LAYER if "overlay mount" in line else line


def _why_none(tried: list[Tried]) -> tuple[str, str]:
    outcomes = " ".join(each.outcome for each in tried)
    if "namespace" in outcomes or "uid map" in outcomes or "RTM_NEWADDR" in outcomes:
        return (
            "This machine lets no program make namespaces of its own.",
            (
                "On Ubuntu, install the AppArmor profile for bubblewrap (package"
                " `apparmor-profiles`); in a container, allow user namespaces."
            ),
        )
    if not any(", live" in each.what for each in tried):
        return "There is no bubblewrap.", "Install the package `bubblewrap`."
    return "No bubblewrap here passes its self-test.", "`assent check --sandbox` lists what failed."
