"""The Pythons of this machine: those on the path, those of pyenv, those of the system."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

_ASK = "import sys; print('%d.%d %s' % (*sys.version_info[:2], sys.implementation.name))"


def find_pythons(versions: Collection[str]) -> dict[str, str]:
    """A Python of each of the versions that is here, by its version."""
    found: dict[str, str] = {}
    for version, python in _candidates(versions):
        # Each question starts a process.
        if version in versions and version not in found and _is_python(python, version):
            found[version] = python
    return dict(sorted(found.items(), key=lambda item: int(item[0].partition(".")[2])))


def _is_python(python: str, version: str) -> bool:
    said = subprocess.run(
        [python, "-I", "-c", _ASK], check=False, capture_output=True, text=True
    ).stdout.split()
    return said == [version, "cpython"]


def pyenv_pythons(versions: str = "*") -> list[str]:
    """What pyenv has made, of the versions that fit the pattern."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return [str(python) for python in sorted(root.glob(f"versions/{versions}/bin/python3"))]


def bare_python(python: str, folder: Path) -> Path:
    """A Python with nothing but its standard library, not even pip, in a folder of its own."""
    subprocess.run([python, "-I", "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder / "bin" / "python3"


def _candidates(versions: Collection[str]) -> Iterator[tuple[str, str]]:
    """What may be a Python, with the version that its name tells."""
    yield "{}.{}".format(*sys.version_info[:2]), sys.executable
    for python in pyenv_pythons():
        yield ".".join(Path(python).parents[1].name.split(".")[:2]), python
    for path in sorted(Path("/usr/bin").glob("python3.1[0-9]")):
        yield path.name.removeprefix("python"), str(path)
    for version in versions:
        yield from ((version, it) for it in filter(None, [shutil.which(f"python{version}")]))
