"""Finds what the packages that are installed in the workspace say of themselves, for `@docs`.

A Node package has a README, a Python package a METADATA with its description. `@docs:req` finds
those with `req` in their names. Nothing here is judged: who shows a name does that.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from assent.editor.window.agents.own.file_names import is_speakable
from assent.gate.values import frozen

__all__ = ["PackageDocs", "package_docs"]

_WORD: Final = re.compile(r"docs(?::(?P<part>.*))?", re.DOTALL)
_READMES: Final = ("README.md", "readme.md", "Readme.md", "README")
_MAX_FOLDERS: Final = 20_000
_MAX_FOUND: Final = 100


@frozen
class PackageDocs:
    """One package and its file."""

    name: str
    path: str


def package_docs(word: str, roots: Sequence[str]) -> list[PackageDocs]:
    """The packages that a word names, the likeliest first; none unless it begins with `docs`.

    >>> package_docs("dock", ["/nowhere"])
    []
    """
    match = _WORD.fullmatch(word)
    if match is None:
        return []
    part = (match["part"] or "").lower()
    folders = islice((it for root in roots for it in _installed(Path(root))), _MAX_FOLDERS)
    named = {name: folder for folder in folders if part in (name := _name_of(folder)).lower()}
    likeliest = sorted(named, key=lambda name: (not name.lower().startswith(part), name.lower()))
    found = (
        PackageDocs(name, str(path))
        for name in likeliest
        if (path := _documentation(named[name])) is not None
    )
    return list(islice(found, _MAX_FOUND))


def _installed(root: Path) -> Iterator[Path]:
    """The folders of the packages below a root."""
    node = root / "node_modules"
    yield from _folders(node, "[!.@]*")
    yield from _folders(node, "@*/*")
    for environment in (".venv", "venv"):
        yield from _folders(root / environment, "lib/python*/site-packages/*.dist-info")
        yield from _folders(root / environment, "Lib/site-packages/*.dist-info")


def _folders(above: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from above.glob(pattern)
    except OSError:
        return


def _name_of(folder: Path) -> str:
    """The package's name, and of a Python package its version, which is the folder's name."""
    if folder.suffix == ".dist-info":
        return folder.stem.replace("-", " ")
    scope = folder.parent.name
    return f"{scope}/{folder.name}" if scope.startswith("@") else folder.name


def _documentation(folder: Path) -> Path | None:
    names = ("METADATA",) if folder.suffix == ".dist-info" else _READMES
    paths = (folder / name for name in names)
    return next((path for path in paths if is_speakable(str(path)) and path.is_file()), None)
