"""Command lines run by a real shell, where they can hurt nothing, and what came of it.

All of a batch run in one sandbox without network, on a read-only system. The programs whose starts
are told are stubs at the head of the path: they write down their name and their words. Of the files
in the folder those are told that are no longer what they were.
"""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

__all__ = ["SANDBOX", "SHELLS", "STUBS", "Heard", "Run", "run", "why_not"]

SHELLS: Final = ("bash", "dash")

STUBS: Final = ("evil", "vile", "wick")
"""The programs that tell of their starts; files of these names lie in the folder too."""

Run = tuple[str, ...]
"""The words of a program that was started, its name first."""


@frozen
class Heard:
    """What came of a command line."""

    runs: list[Run]
    written: frozenset[str]
    """The files that it made or changed."""


_FOUND: Final = {**dict.fromkeys(STUBS, "0"), "a.txt": "5", "src/b.py": "5"}
"""The files that are there before, and how long they are."""

_STUB: Final = '#!/bin/sh\nprintf \'%s\\037\' "${0##*/}" "$@" \'\x1e\' >> "${0%/*}/../log"\n'

_DRIVER: Final = r"""
cd /tmp || exit 9
for each in /tmp/batch/*.txt; do
  n=${each##*/}; n=${n%.txt}
  mkdir -p "/tmp/w/$n/bin" "/tmp/w/$n/d/src"
  cd "/tmp/w/$n/d" || exit 9
  for stub in @STUBS@; do ln -s /tmp/batch/stub "../bin/$stub"; : > "$stub"; done
  echo text > a.txt; echo text > src/b.py
  IFS= read -r -d '' command < "$each"
  PATH="/tmp/w/$n/bin:/usr/bin:/bin" HOME=/tmp/home \
    timeout -s KILL 1 setsid -w @SHELL@ -c "$command" > /dev/null 2>&1 < /dev/null
done
sleep 0.2
for each in /tmp/batch/*.txt; do
  n=${each##*/}; n=${n%.txt}
  printf '%s\035' "$n"
  cat "/tmp/w/$n/log" 2> /dev/null
  printf '\035'
  find "/tmp/w/$n/d" -type f -printf '%P\037%s\036'
  printf '\034'
done
""".replace("@STUBS@", " ".join(STUBS))

SANDBOX: Final = (
    "bwrap --unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc "
    "--tmpfs /tmp --clearenv --setenv PATH /usr/bin:/bin"
).split()


@cache
def why_not() -> str:
    """Why commands cannot be run here; nothing where they can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    tried = subprocess.run(
        [
            "bwrap",
            "--unshare-all",
            "--ro-bind",
            "/",
            "/",
            "--tmpfs",
            "/tmp",
            "bash",
            "-c",
            "exit 7",
        ],
        check=False,
        capture_output=True,
        timeout=20,
    )
    return "" if tried.returncode == 7 else f"bubblewrap may not start here: {tried.stderr!r}"


def run(commands: Sequence[str], folder: Path, shell: str = "bash") -> list[Heard]:
    """Run each command by itself; which stubs each of them started, and what it wrote."""
    batch = folder / "batch"
    batch.mkdir()
    for number, command in enumerate(commands):
        (batch / f"{number:06}.txt").write_text(command, "utf-8", "surrogateescape")
    stub = batch / "stub"
    stub.write_text(_STUB)
    stub.chmod(0o755)
    driver = _DRIVER.replace("@SHELL@", shell)
    finished = subprocess.run(
        [*SANDBOX, "--ro-bind", str(batch), "/tmp/batch", "bash", "-c", driver],
        check=True,
        capture_output=True,
        timeout=60 + len(commands),
    )
    return [_heard(it) for it in finished.stdout.split(b"\x1c")[:-1]]


def _heard(told: bytes) -> Heard:
    log, _, listed = told.decode("utf-8", "surrogateescape").partition("\x1d")[2].rpartition("\x1d")
    records = [it.split("\x1f")[:-1] for it in log.split("\x1e\x1f") if it]
    files = dict(it.split("\x1f") for it in listed.split("\x1e") if it)
    written = frozenset(name for name, size in files.items() if _FOUND.get(name) != size)
    return Heard([tuple(it) for it in records if it], written)
