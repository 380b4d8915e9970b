"""A copy of this project, in which a test may change what it likes, and running tests there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["ROOT", "copied", "in_copy"]

ROOT = Path(__file__).resolve().parents[1]

_LEFT_OUT = ("node_modules", "bundled", ".hypothesis")
_BESIDE = (".gitignore", "pyproject.toml", "README.md", "CHANGELOG.md", "clients")
"""What is only looked at, like whatever else is not copied."""


def copied(folder: Path, *, client: bool = False) -> Path:
    """The package and the tests in a folder that is made for them; with `client` all of it.

    What is compiled is copied too, which saves compiling it again.
    """
    folder.mkdir()
    own = ("docs", "client-ts")
    for name in ("server", "tests", *(own if client else ())):
        whole = ROOT / name
        if whole.is_dir():
            shutil.copytree(whole, folder / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        else:
            shutil.copy2(whole, folder / name)
    for name in (*_BESIDE, *(() if client else own)):
        (folder / name).symlink_to(ROOT / name)
    # Some tests ask git which modules there are; it tells without a commit.
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def in_copy(
    copy: Path, command: list[str], *, longest: float, given: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run this Python in a copy, whose package it imports, for at most so many seconds."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={
            **os.environ,
            "PYTHONPATH": str(copy / "server"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        input=given,
        capture_output=True,
        check=False,
        text=True,
        timeout=longest,
    )
