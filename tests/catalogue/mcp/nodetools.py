"""Interpreters that have nodetool's worker: one that is played, and the real one with our pack.

`python -m servers.nodetools` fetches the real one, at the versions that its lock file names, once
for a machine: it is of 212 MB and never a part of Assent.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

import pytest

from catalogue.mcp.fetch import CACHE
from host.install import only_one

__all__ = ["PACK", "as_module", "fetched", "interpreter", "played", "real", "with_pack"]

_LOCK: Final = Path(__file__).with_name("nodetool") / "requirements.txt"
_PLAYED: Final = Path(__file__).with_name("played_nodetool.py")
_LONGEST: Final = 600

PACK: Final = '''
import asyncio
from pydantic import Field
from nodetool.workflows.base_node import BaseNode
from nodetool.workflows.processing_context import ProcessingContext


class Upper(BaseNode):
    """
    Writes a text in capitals.
    text, uppercase
    """
    text: str = Field(default="", description="What is written so")

    async def process(self, context: ProcessingContext) -> str:
        return self.text.upper()


class Repeat(BaseNode):
    """Repeats a text."""
    text: str = ""
    times: int = 2

    async def process(self, context: ProcessingContext) -> str:
        if self.times > 1000:
            await asyncio.sleep(600)
        return self.text * self.times
'''
"""Two nodes of ours."""


def played(folder: Path, kind: str = "good", **env: str) -> str:
    """An interpreter whose worker is played."""
    return _program(folder, sys.executable, str(_PLAYED), kind, "--", env=env)


def as_module(first: str) -> str:
    """The played worker as its own module would be, which does this first."""
    then = f"sys.argv[1:] = ['good']\nrunpy.run_path({str(_PLAYED)!r})"
    return f"{first}\nimport runpy, sys\n{then}\n"


def interpreter(folder: Path, packages: Path) -> str:
    """This one, with these packages."""
    return _program(folder, sys.executable, env={"PYTHONPATH": str(packages)})


def with_pack(folder: Path, python: Path, pack: str = PACK) -> str:
    """The real one, with these nodes."""
    nodes = folder / "pack" / "nodetool" / "nodes" / "ours"
    nodes.mkdir(parents=True, exist_ok=True)
    (nodes / "text.py").write_text(pack)
    return _program(folder, str(python), env={"PYTHONPATH": str(folder / "pack")})


def real(folder: Path) -> str:
    """The real one with our pack; without it the test is skipped, or fails where none may be."""
    python = fetched()
    if python is None:
        absent = "It is not fetched yet: run `make test-servers` once."
        if os.environ.get("ASSENT_NO_SKIPS"):
            pytest.fail(absent)
        pytest.skip(absent)
    return with_pack(folder, python)


def _program(folder: Path, *words: str, env: dict[str, str]) -> str:
    """A program that passes what it is told on to another."""
    file = folder / "python"
    set_ = [f"export {name}={shlex.quote(it)}" for name, it in env.items()]
    file.write_text("\n".join(["#!/bin/sh", *set_, f'exec {shlex.join(words)} "$@"', ""]))
    file.chmod(0o755)
    return str(file)


def fetched() -> Path | None:
    """The interpreter that has nodetool's packages; None where they are not here."""
    python = _folder() / "bin" / "python"
    return python if (_folder() / "whole").is_file() else None


def fetch() -> None:
    """Fetch them, unless they are here."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with only_one(CACHE):
        if fetched() is not None:
            return
        folder = _folder()
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps")
        wanted = ("--require-hashes", "--requirement", _LOCK)
        subprocess.run((*pip, *wanted), check=True, timeout=_LONGEST, env={**os.environ})
        (folder / "whole").touch()


def _folder() -> Path:
    return CACHE / f"nodetool-{hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:16]}"


if __name__ == "__main__":
    fetch()
    sys.exit(0 if fetched() else 1)
