"""Makes what development needs: `.venv` from the locked Python packages, and the npm packages.

A stamp beside each says what it was made from, so that a second run only compares two digests.
Run it as `python3 -m host.venv`, or with `python`, `npm` or `peer` after it for one of them; the
peer is what is measured beside, in packages of its own.
"""

import argparse
import hashlib
import importlib.util
import platform
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from . import AbsentError
from .packages import install
from .progress import say, step

_ROOT = Path(__file__).resolve().parents[2]
_VENV = _ROOT / ".venv"
_LOCK = _ROOT / "tests" / "requirements.txt"
CLIENT = _ROOT / "client-ts"
PEER = _ROOT / "tests" / "bench" / "peer"
_STAMP = ".assent-made-from"
_NO_VENV = (
    "This Python cannot make a virtual environment: install its `venv` module"
    " (on Debian: apt-get install python3-venv)."
)
_NO_NPM = "Node 20 or newer and its npm are needed: install them first."


def ensure_python() -> None:
    """Make `.venv` with the locked packages, and our own in editable form."""
    made_from = _digest(_LOCK.read_text(), _own_package(), platform.python_version())
    if not _is_stamped(_VENV, made_from):
        _make_python()
        _stamp(_VENV, made_from)
    # Where Python is told to write no bytecode, each start would compile our own modules anew.
    _run([str(_VENV / "bin" / "python"), "-m", "compileall", "-q", str(_ROOT / "server")])


def _make_python() -> None:
    if not _venv_fits():
        _ensure_ensurepip()
        with step("Making .venv"):
            _run([sys.executable, "-m", "venv", "--clear", str(_VENV)])
    pip = [str(_VENV / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    with step("Fetching the locked Python packages"):
        # The lock is whole: what `mcp` would bring to be a server, or to log in, is not wanted.
        _run([*pip, "--no-deps", "--require-hashes", "--requirement", str(_LOCK)])
        # What builds the package is locked as well, so nothing else is fetched for it.
        _run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(_ROOT)])


def ensure_npm(folder: Path = CLIENT) -> None:
    """Install the npm packages that a folder has locked."""
    made_from = _digest((folder / "package-lock.json").read_text())
    modules = folder / "node_modules"
    if _is_stamped(modules, made_from):
        return
    if not shutil.which("npm"):
        raise AbsentError(_NO_NPM)
    with step(f"Fetching the locked npm packages of {folder.relative_to(_ROOT)}"):
        _run(["npm", "ci", "--loglevel=error", "--no-audit", "--no-fund"], folder=folder)
    _stamp(modules, made_from)


def ensure_peer() -> None:
    """Install what is measured beside, apart from what development needs."""
    ensure_npm(PEER)
    lock, modules = PEER / "requirements.txt", PEER / "python_modules"
    made_from = _digest(lock.read_text(), platform.python_version())
    if _is_stamped(modules, made_from):
        return
    shutil.rmtree(modules, ignore_errors=True)
    pip = [str(_VENV / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    into = ["--no-deps", "--target", str(modules)]
    with step(f"Fetching the locked Python packages of {PEER.relative_to(_ROOT)}"):
        _run([*pip, *into, "--require-hashes", "--requirement", str(lock)])
    _stamp(modules, made_from)


def _own_package() -> str:
    """What of pyproject.toml an editable install depends on; settings of tools do not count."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())
    return repr((project["build-system"], project["project"], project["tool"].get("hatch")))


def _venv_fits() -> bool:
    settings = _VENV / "pyvenv.cfg"
    if not settings.exists() or not (_VENV / "bin" / "python").exists():
        return False
    return f"version = {platform.python_version()}\n" in settings.read_text()


def _ensure_ensurepip() -> None:
    # Debian splits it off the standard library.
    if importlib.util.find_spec("ensurepip"):
        return
    install("python3-venv", purpose="to make virtual environments")
    importlib.invalidate_caches()
    if not importlib.util.find_spec("ensurepip"):
        raise AbsentError(_NO_VENV)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _is_stamped(folder: Path, made_from: str) -> bool:
    stamp = folder / _STAMP
    return stamp.exists() and stamp.read_text() == made_from


def _stamp(folder: Path, made_from: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / _STAMP).write_text(made_from)


def _run(command: Sequence[str], *, folder: Path = _ROOT) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        say(f"\n{done.stdout}{done.stderr}")
        raise AbsentError(f"`{' '.join(command[:4])} …` failed; what it said is above.")


def main() -> int:
    """Make what is wanted, and tell in a sentence what is missing."""
    makers = {
        "python": (ensure_python,),
        "npm": (ensure_npm,),
        "peer": (ensure_peer,),
        "all": (ensure_python, ensure_npm),
    }
    parser = argparse.ArgumentParser(prog="venv", description=__doc__)
    parser.add_argument("what", nargs="?", choices=makers, default="all")
    try:
        for make in makers[parser.parse_args().what]:
            make()
    except AbsentError as absence:
        say(str(absence))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
