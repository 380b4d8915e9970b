"""Fetches servers that nobody here wrote, at the versions that lock files name, once for a machine.

`python -m servers.fetch`; what was fetched lies whole under its final name, or not at all.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

from host.install import NPM, only_one

__all__ = ["CACHE", "fetch", "fetched", "node_of"]

_LOCKS: Final = Path(__file__).with_name("real")
_LONGEST: Final = 600
CACHE: Final = Path(
    os.environ.get("ASSENT_SERVERSCACHE") or Path.home() / ".cache" / "assent" / "servers"
)


def fetched() -> Path | None:
    """The folder that they are in; None where they are not here."""
    pinned = b"".join(it.read_bytes() for it in sorted(_LOCKS.iterdir()))
    folder = CACHE / hashlib.sha256(pinned).hexdigest()[:16]
    return folder if (folder / "whole").is_file() else None


def node_of(folder: Path) -> str:
    """A Node that is new enough for the conformance suite: one that was fetched, or the system's.

    The packages that bring one are for some systems only.
    """
    own = sorted((folder / "node_modules").glob("node-*/bin/node"))
    return str(own[0]) if own else "node"


def fetch() -> None:
    """Fetch them, unless they are here."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with only_one(CACHE):
        if fetched() is not None:
            return
        pinned = b"".join(it.read_bytes() for it in sorted(_LOCKS.iterdir()))
        final = CACHE / hashlib.sha256(pinned).hexdigest()[:16]
        # A venv knows its place, so it is made where it stays.
        shutil.rmtree(final, ignore_errors=True)
        _fill(final)


def _fill(folder: Path) -> None:
    shutil.copytree(_LOCKS, folder)
    subprocess.run((*NPM, "ci", "--ignore-scripts"), cwd=folder, check=True, timeout=_LONGEST)
    venv.create(folder / "python", with_pip=True)
    pip = (folder / "python" / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps")
    wanted = ("--require-hashes", "--requirement", folder / "requirements.txt")
    subprocess.run((*pip, *wanted), check=True, timeout=_LONGEST)
    (folder / "whole").touch()


if __name__ == "__main__":
    fetch()
    sys.exit(0 if fetched() else 1)
