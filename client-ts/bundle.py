#!/usr/bin/env python3
"""Packages the extension with its Python: `python client-ts/bundle.py [target]`.

The locked wheels of every supported Python go side by side into `bundled/libs`, since the names
of compiled modules tell which Python they are for. Only wheels with a locked digest are taken.
What is there already, made from the same things, is not made again.
"""

import argparse
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent
_LOCK = _ROOT / "server" / "requirements.txt"
_OWN = _ROOT / "server" / "assent"
_BUNDLED = _HERE / "bundled"
_LIBS = _BUNDLED / "libs"
_WHEELS = _HERE / ".wheels"
_OUT = _ROOT / "dist"

_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# Up to the C library that the editor itself needs.
_MANYLINUX = ("_2_5", "_2_12", "_2_17", "2014", "_2_24", "_2_26", "_2_27", "_2_28")
_PLATFORMS = {
    "linux-x64": tuple(f"manylinux{age}_x86_64" for age in _MANYLINUX),
    "linux-arm64": tuple(f"manylinux{age}_aarch64" for age in _MANYLINUX),
    "darwin-x64": ("macosx_11_0_x86_64",),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
}
_HERE_IS = {
    ("linux", "x86_64"): "linux-x64",
    ("linux", "aarch64"): "linux-arm64",
}.get((sys.platform, platform.machine()))
# Of a wheel's own description only its licences and its version are wanted.
_KEPT_OF_DIST_INFO = re.compile(r"METADATA|(LICEN[CS]E|COPYING|NOTICE|AUTHORS).*|licenses/.*")
# Nor what a type checker, a test, another loop than asyncio's, a protocol or format that nobody
# speaks here, a command line, or a class of pydantic's first version would load of a library.
_LEFT_OUT = re.compile(
    r"(.*/)?(tests?|__pycache__)/.*|.*\.(pyi|pyc|c|h|pyx|pxd)|(.*/)?(mypy|_hypothesis_plugin)\.py"
    r"|pydantic/(v1/.*|color\.py)"
    r"|anyio/(pytest_plugin|_backends/_trio|to_process|to_interpreter)\.py"
    r"|httpcore2/(_(a?sync)/(http2|socks_proxy)|_backends/trio)\.py|httpx2/(websockets/.*|_main\.py)"
    # Of the protocol of servers its client is wanted, and nothing that serves.
    r"|mcp/(server|cli|os|types|client/auth/extensions)/.*"
    r"|mcp/(client/(__main__|client|sse|stdio)|__init__)\.py"
    r"|cattrs/preconf/(bson|cbor2|msgpack|msgspec|pyyaml|tomlkit|tomllib|ujson)\.py"
)
# What the packaged extension is made of, besides the bundle.
_SOURCES = ("src", "media", "walkthrough", "l10n", "package.json", "package-lock.json", "README.md")
_WORDS = "package.nls*.json"
_RECIPES = ("build.mjs", ".vscodeignore", "tsconfig.json")


class Unfit(Exception):
    """It cannot be packaged; the message says why."""


def main() -> int:
    """Make the bundle and the VSIX of one target."""
    parser = argparse.ArgumentParser(prog="bundle", description=__doc__)
    parser.add_argument("target", nargs="?", default="linux-x64", choices=sorted(_PLATFORMS))
    wanted = parser.parse_args()
    try:
        _compare_versions()
        with _alone():
            _package(wanted.target, _bundle(wanted.target))
    except Unfit as unfit:
        _say(str(unfit))
        return 1
    return 0


def _compare_versions() -> None:
    told = json.loads((_HERE / "package.json").read_text())["version"]
    ours = re.search(r'__version__ = "(.+)"', (_OWN / "__init__.py").read_text())
    if not ours or ours.group(1) != told:
        raise Unfit(
            f"package.json says version {told}, server/assent/__init__.py says"
            f" {ours.group(1) if ours else 'none'}: they are released together."
        )


# --- The bundle -------------------------------------------------------------------------------


def _bundle(target: str) -> str:
    """Fill `bundled/`; the digest of what it was made from."""
    pythons = _pythons_here()
    of_others = _digest([_LOCK, Path(__file__)], target, *sorted(pythons))
    of_all = _digest([*_own_files(), _HERE / "start.py"], of_others)
    if _is_stamped(_BUNDLED, of_others) and _is_stamped(_BUNDLED, of_all):
        return of_all
    if not _is_stamped(_BUNDLED, of_others):
        shutil.rmtree(_BUNDLED, ignore_errors=True)
        _LIBS.mkdir(parents=True)
        _unpack(_download(target))
        _compile(pythons, _LIBS)
    _stamp(_BUNDLED, of_others)
    _copy_own(target)
    _compile(pythons, _LIBS / "assent")
    _stamp(_BUNDLED, of_others, of_all)
    _say(f"The bundle for {target} holds {_megabytes(_files(_BUNDLED))} of Python.")
    return of_all


def _download(target: str) -> Sequence[Path]:
    """The locked wheels for all Pythons of one platform."""
    folder = _WHEELS / f"{target}-{_digest([_LOCK], *_PYTHONS)[:16]}"
    if not _is_stamped(folder, target):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for python in _PYTHONS:
            _say(f"Fetching the locked packages for Python {python} on {target}.")
            _run([sys.executable, "-m", "pip", "download", *_pip_options(target, python, folder)])
        _stamp(folder, target)
    return sorted(folder.glob("*.whl"))


def _pip_options(target: str, python: str, folder: Path) -> Iterator[str]:
    yield from ("--quiet", "--disable-pip-version-check", "--no-deps")
    yield from ("--require-hashes", "--only-binary=:all:")
    yield from ("--requirement", str(_LOCK), "--dest", str(folder))
    yield from ("--implementation", "cp", "--python-version", python)
    for tag in _PLATFORMS[target]:
        yield from ("--platform", tag)


def _unpack(wheels: Sequence[Path]) -> None:
    _say(f"Unpacking {len(wheels)} wheels.")
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as packed:
            for name in packed.namelist():
                if _is_wanted(name):
                    _put(packed, name)


def _put(packed: zipfile.ZipFile, name: str) -> None:
    """Unpack a file; of a wheel's description only its heads, behind which stands a whole page."""
    path = Path(packed.extract(name, _LIBS))
    if path.name == "METADATA":
        path.write_bytes(path.read_bytes().partition(b"\n\n")[0] + b"\n")


def _is_wanted(name: str) -> bool:
    """Whether this file of a wheel is needed to run it, or to say whose it is."""
    path = PurePosixPath(name)
    if name.endswith("/") or _LEFT_OUT.fullmatch(name):
        return False
    if path.is_absolute() or ".." in path.parts:
        raise Unfit(f"A wheel holds a file that would lie outside the bundle: {name}")
    if path.parts[0].endswith(".data"):
        raise Unfit(f"A wheel holds files for elsewhere, which a bundle has no place for: {name}")
    if path.parts[0].endswith(".dist-info"):
        return bool(_KEPT_OF_DIST_INFO.fullmatch("/".join(path.parts[1:])))
    return True


def _copy_own(target: str) -> None:
    # The bubblewrap that was built here runs on this kind of machine alone.
    others = ["bwrap.made-from" if target == _HERE_IS else "bwrap*"]
    shutil.rmtree(_LIBS / "assent", ignore_errors=True)
    shutil.copytree(_OWN, _LIBS / "assent", ignore=shutil.ignore_patterns("__pycache__", *others))
    shutil.copyfile(_HERE / "start.py", _BUNDLED / "start.py")


def _compile(pythons: Iterable[str], folder: Path) -> None:
    """Compile for the Pythons of this machine; others do it themselves when they first run."""
    options = ("-q", "-j", "0", "--invalidation-mode", "unchecked-hash")
    for python in sorted(pythons):
        # The paths of this machine, which compiled files would name, mean nothing elsewhere.
        _run([python, "-I", "-m", "compileall", *options, "-s", str(_LIBS), str(folder)])


def _pythons_here() -> set[str]:
    """A Python of each supported version that can be run here."""
    found: dict[str, str] = {}
    named = [f"python{version}" for version in _PYTHONS]
    for candidate in (sys.executable, *(path for name in named if (path := shutil.which(name)))):
        version = _version_of(candidate)
        if version in _PYTHONS:
            found.setdefault(version, candidate)
    return set(found.values())


def _version_of(python: str) -> str:
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    said = subprocess.run([python, "-I", "-c", ask], check=False, capture_output=True, text=True)
    return said.stdout.strip()


# --- The VSIX ---------------------------------------------------------------------------------


def _package(target: str, bundled_from: str) -> None:
    vsix = _OUT / f"assent-{target}.vsix"
    made_from = _digest(_sources(), target, bundled_from)
    if vsix.exists() and _is_stamped(_OUT, f"{vsix.name} {made_from}"):
        _say(f"{vsix.relative_to(_ROOT)} is up to date.")
        return
    shutil.copyfile(_ROOT / "LICENSE", _HERE / "LICENSE")
    _say(f"Packaging {vsix.relative_to(_ROOT)}.")
    vsce = _HERE / "node_modules" / "@vscode" / "vsce" / "vsce"
    if not vsce.exists():
        raise Unfit("The npm packages are not installed: run `npm ci` in client-ts first.")
    options = ["--no-dependencies", "--allow-missing-repository", "--skip-license"]
    if not os.environ.get("CI"):
        # Looking for passwords in the package takes most of a minute, and CI does it.
        options += ["--allow-package-all-secrets", "--allow-package-env-file"]
    # Whoever reads the old one goes on reading it.
    beside = vsix.with_suffix(".new")
    _run(["node", str(vsce), "package", *options, "--target", target, "--out", str(beside)])
    beside.replace(vsix)
    others = [line for line in _stamps(_OUT) if not line.startswith(f"{vsix.name} ")]
    _stamp(_OUT, *others, f"{vsix.name} {made_from}")
    _say(f"{vsix.relative_to(_ROOT)} is {_megabytes([vsix])}.")


def _sources() -> Iterator[Path]:
    yield _ROOT / "LICENSE"
    for name in (*_SOURCES, *_RECIPES):
        yield from _files(_HERE / name)
    yield from sorted(_HERE.glob(_WORDS))


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until nobody else makes a bundle here."""
    _OUT.mkdir(exist_ok=True)
    with (_OUT / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- Small things -----------------------------------------------------------------------------


def _own_files() -> Iterable[Path]:
    return (path for path in _files(_OWN) if "__pycache__" not in path.parts)


def _files(root: Path) -> Sequence[Path]:
    if root.is_file():
        return [root]
    return sorted(path for path in root.rglob("*") if path.is_file())


def _digest(files: Iterable[Path], *words: str) -> str:
    made_from = hashlib.sha256("\0".join(words).encode())
    for file in files:
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        made_from.update(f"\0{os.path.relpath(file, _ROOT)}\0{content}".encode())
    return made_from.hexdigest()


def _stamps(folder: Path) -> Sequence[str]:
    stamp = folder / ".made-from"
    return stamp.read_text().splitlines() if stamp.exists() else []


def _is_stamped(folder: Path, line: str) -> bool:
    return line in _stamps(folder)


def _stamp(folder: Path, *lines: str) -> None:
    (folder / ".made-from").write_text("".join(f"{line}\n" for line in lines))


def _megabytes(files: Iterable[Path]) -> str:
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, cwd=_HERE, check=False, capture_output=True, text=True)
    if done.returncode:
        _say(f"{done.stdout}{done.stderr}".strip())
        raise Unfit(f"`{' '.join(command[:4])} …` failed; what it said is above.")


def _say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
