"""Finds out by doing whether this machine lets a box have a network that asks."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.sandbox.bubblewrap import OWN, is_own
from assent.gate.sandbox.hosts import Answer, Leave
from assent.gate.sandbox.network import Network, started_by

__all__ = ["why_no_network"]

_APART: Final = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--disable-userns", "--die-with-parent"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/run", "--tmpfs", "/tmp"),  # noqa: S108 -- its own
)
_TIMEOUT_S: Final = 20.0
_passed: Final[set[str]] = set()
"""Those that passed before. What fails may be only for now, and is tried again."""
_IS_LEFT_OUT: Final = "A box has no network here: {}"


def why_no_network(bwrap: str) -> str:
    """Why a box that this bubblewrap makes can have no network; nothing where it can."""
    if bwrap in _passed:
        return ""
    because = _tried(bwrap)
    if not because:
        _passed.add(bwrap)
    return because


def _tried(bwrap: str) -> str:
    if Path(bwrap) == OWN and not is_own(OWN.read_bytes()):
        return _IS_LEFT_OUT.format(f"{bwrap} has another digest than when it was built.")
    network = Network(_refused)
    try:
        with network.opened(()) as opening:
            words = ["bwrap", *_APART, *opening.words, "--", "/bin/sh", "-c", ":"]
            started = subprocess.Popen(
                started_by(opening, bwrap, words),
                executable=sys.executable,
                pass_fds=opening.inherited,
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        try:
            _, errors = started.communicate(timeout=_TIMEOUT_S)
        finally:
            started.kill()
            started.wait()
    except (OSError, AssentError, subprocess.TimeoutExpired) as error:
        return _IS_LEFT_OUT.format(error)
    finally:
        network.end()
    if not network.failure and started.returncode == 0:
        return ""
    said = errors.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
    return _IS_LEFT_OUT.format(said or network.failure or "it ended at once.")


async def _refused(host: str, port: int) -> Answer:
    del host, port
    return Answer(Leave.NONE)
