#!/usr/bin/env python3
"""Builds bubblewrap, static, from the source package of Debian 13: `python server/bwrap/build.py`.

The system's bubblewrap is often too old to lay a writable layer over a folder. The source comes
from the Debian archive that apt knows here, or the one that ASSENT_DEBIAN_ARCHIVE names, and
counts only by its digest. What is built already from the same things is not built again. Without
a compiler or an archive there is none, and a sentence says so.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).resolve().parent
_OUT: Final = _HERE.parent / "assent" / "gate" / "sandbox" / "bwrap"
_VERSION: Final = "0.12.0"
_SOURCE: Final = f"pool/main/b/bubblewrap/bubblewrap_{_VERSION}.orig.tar.xz"
_DIGEST: Final = "9760d007363e3abba7c747489910f9f82d9fca53ba3bd3282e396fa3c97a3314"
_FILES: Final = "bubblewrap bind-mount network utils chroot_realpath safe_openat".split()
_FLAGS: Final = (
    *("-O2", "-static", "-s", "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong"),
    f'-DPACKAGE_STRING="bubblewrap {_VERSION}"',
)
_CACHE: Final = (
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assent" / "bwrap"
)
_ARCHIVE: Final = "ASSENT_DEBIAN_ARCHIVE"
_PATIENCE_S: Final = 60


class Unbuilt(Exception):
    """It cannot be built here; the message says why."""


def main() -> int:
    """Build it, or say in a sentence why there is none; neither fails what comes after."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        compiler = _compiler()
        made_from = _made_from(compiler)
        stamp = _OUT.with_suffix(".made-from")
        if _OUT.exists() and stamp.exists() and stamp.read_text() == made_from:
            return 0
        _build(compiler, _source())
        _OUT.with_suffix(".sha256").write_text(_digest(_OUT.read_bytes()))
        stamp.write_text(made_from)
    except Unbuilt as unbuilt:
        print(f"Assent's own bubblewrap was not built: {unbuilt}. The system's is used, if any.")  # noqa: T201
    return 0


def _compiler() -> str:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise Unbuilt("there is no C compiler")
    return compiler


def _made_from(compiler: str) -> str:
    version = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    own = (_HERE / "capability.h").read_bytes() + Path(__file__).read_bytes()
    return _digest(_DIGEST.encode() + version + own)


def _source() -> Path:
    """The archive of the source, fetched once, with the digest that is expected."""
    kept = _CACHE / f"{_DIGEST}.tar.xz"
    if kept.exists() and _digest(kept.read_bytes()) == _DIGEST:
        return kept
    last = "no Debian archive is known here"
    for archive in _archives():
        try:
            with urllib.request.urlopen(f"{archive}/{_SOURCE}", timeout=_PATIENCE_S) as response:  # noqa: S310
                content = response.read()
        except (OSError, ValueError, urllib.error.URLError) as error:
            last = f"its source could not be fetched ({error})"
            continue
        if _digest(content) != _DIGEST:
            last = "its source has another digest than expected"
            continue
        _CACHE.mkdir(parents=True, exist_ok=True)
        beside = kept.with_suffix(f".{os.getpid()}")
        beside.write_bytes(content)
        beside.replace(kept)
        return kept
    raise Unbuilt(last)


def _archives() -> list[str]:
    """The archives to ask: the one that is named, else those that apt asks."""
    if named := os.environ.get(_ARCHIVE):
        return [named.rstrip("/")]
    apt = shutil.which("apt-get")
    if apt is None:
        return []
    listed = subprocess.run(
        [apt, "indextargets", "--format", "$(REPO_URI)"],
        capture_output=True,
        text=True,
        check=False,
    )
    addresses = (line.rstrip("/") for line in listed.stdout.split())
    return list(dict.fromkeys(it for it in addresses if it.startswith(("http://", "https://"))))


def _build(compiler: str, source: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, tarfile.open(source) as packed:
        packed.extractall(folder, filter="data")
        root = Path(folder) / f"bubblewrap-{_VERSION}"
        (root / "sys").mkdir()
        shutil.copyfile(_HERE / "capability.h", root / "sys" / "capability.h")
        (root / "config.h").write_text("")
        built = root / "bwrap"
        sources = [str(root / f"{name}.c") for name in _FILES]
        done = subprocess.run(
            [compiler, *_FLAGS, f"-I{root}", "-o", str(built), *sources],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Unbuilt(f"the compiler said: {done.stderr.strip().rpartition(chr(10))[2]}")
        beside = _OUT.with_suffix(".new")
        shutil.copyfile(built, beside)
        beside.chmod(0o755)
        beside.replace(_OUT)
        shutil.copyfile(root / "COPYING", _OUT.with_suffix(".COPYING"))
        shutil.copyfile(source, _OUT.with_suffix(".source.tar.xz"))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
