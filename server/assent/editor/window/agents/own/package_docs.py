"""Finds what the packages that are installed in the workspace say of themselves, for `@docs`.

A Node package has a README, a Python package a METADATA with its description. `@docs:req` finds
those with `req` in their names. The folders are listed at most every few seconds, in a thread.
Nothing here is judged: who shows a package does that.
"""

import asyncio
import os
import re
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from assent.editor.window.agents.own.file_names import is_speakable
from assent.gate.disk.places import Places
from assent.gate.values import define, field, frozen

__all__ = ["PackageDocs", "PackageNames", "is_documentation"]

_WORD: Final = re.compile(r"docs(?::(?P<part>.*))?", re.DOTALL)
_READMES: Final = ("README.md", "readme.md", "Readme.md", "README")
_METADATA: Final = "METADATA"
_PYTHON: Final = ".dist-info"
_FRESH_S: Final = 5.0
_MAX_DEPTH: Final = 2
"""So far below a root lie the projects whose packages are found."""
_MAX_FOLDERS: Final = 500
_MAX_PACKAGES: Final = 20_000
_MAX_FOUND: Final = 50


@frozen
class PackageDocs:
    """One package and its file."""

    name: str
    path: str


@define(eq=False)
class PackageNames:
    """The packages of one window."""

    _places: Callable[[], Places]
    _clock: Callable[[], float] = time.monotonic
    _folders: tuple[Path, ...] = ()
    _at: float | None = None
    _looking: asyncio.Lock = field(factory=asyncio.Lock)

    async def like(self, word: str) -> list[PackageDocs]:
        """The packages that a word such as `docs:lit` names, the likeliest first."""
        match = _WORD.fullmatch(word)
        if match is None:
            return []
        async with self._looking:
            if self._at is None or self._clock() - self._at > _FRESH_S:
                self._folders = await asyncio.to_thread(_look, self._places().roots)
                self._at = self._clock()
            return await asyncio.to_thread(_likest, self._folders, match["part"] or "")


def is_documentation(path: str) -> bool:
    """Whether a file is called as what a package says of itself is."""
    return path.rpartition("/")[2] in (_METADATA, *_READMES)


def _likest(folders: tuple[Path, ...], part: str) -> list[PackageDocs]:
    part = _folded(part)
    likely = [
        (name, folder)
        for folder in folders
        if part in _folded((name := _name_of(folder)).split(" ")[0])
    ]
    likely.sort(key=lambda pair: (not _folded(pair[0]).startswith(part), pair[0].lower()))
    return [
        PackageDocs(name, str(path))
        for name, folder in likely[:_MAX_FOUND]
        if (path := _documentation(folder)) is not None
    ]


def _folded(name: str) -> str:
    """A name as those of Python are compared: `scikit-learn` is `scikit_learn`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _name_of(folder: Path) -> str:
    """The package's name, and of a Python package its version, which is the folder's name."""
    if folder.suffix == _PYTHON:
        return folder.stem.replace("-", " ", 1)
    scope = folder.parent.name
    return f"{scope}/{folder.name}" if scope.startswith("@") else folder.name


def _documentation(folder: Path) -> Path | None:
    names = (_METADATA,) if folder.suffix == _PYTHON else _READMES
    return next((path for name in names if _is_file(path := folder / name)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _look(roots: tuple[str, ...]) -> tuple[Path, ...]:
    """The folders of all packages, those of the roots themselves first."""
    projects = (project for root in roots for project in _projects(Path(root)))
    packages = (
        package for project in islice(projects, _MAX_FOLDERS) for package in _installed(project)
    )
    return tuple(
        islice((folder for folder in packages if is_speakable(str(folder))), _MAX_PACKAGES)
    )


def _projects(root: Path) -> Iterator[Path]:
    level = [root]
    for _ in range(_MAX_DEPTH + 1):
        yield from level
        level = [
            below
            for above in level[:_MAX_FOLDERS]
            for below in _folders(above)
            if not below.name.startswith((".", "node_modules"))
        ]


def _installed(project: Path) -> Iterator[Path]:
    for package in _folders(project / "node_modules", links=True):
        if package.name.startswith("@"):
            yield from _folders(package, links=True)
        elif not package.name.startswith("."):
            yield package
    for environment in (".venv", "venv"):
        for python in _folders(project / environment / "lib"):
            packages = _folders(python / "site-packages")
            yield from (folder for folder in packages if folder.suffix == _PYTHON)


def _folders(above: Path, *, links: bool = False) -> Iterator[Path]:
    """The folders right below one that is no link; links are told too where packages are."""
    try:
        if above.is_symlink():
            return
        with os.scandir(above) as entries:
            for entry in islice(entries, _MAX_PACKAGES):
                if entry.is_dir(follow_symlinks=False) or (links and entry.is_symlink()):
                    yield Path(entry)
    except OSError:
        return
