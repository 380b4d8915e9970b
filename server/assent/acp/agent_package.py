"""Which package a command would run: what lies on the disk, and not what it is called.

A program is followed to the file that it is, and the package is the one that this file lies in.
Where the program is Node, that is said of the script that it is to run; where it is `npx`, the
package is the one that is named to it, since it may not be on the disk yet.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import orjson

__all__ = ["package_of"]

_NODE: Final = ("node", "nodejs", "bun")
_RUNNERS: Final = {"npx": "npm"}
"""Programs that run a package by its name, and the package that they are themselves."""
_MANIFEST: Final = "package.json"
_LARGEST: Final = 4 * 1024 * 1024
_NEEDS_NO_WORD: Final = frozenset({"-y", "--yes", "-q", "--quiet", "--prefer-offline"})
"""Options of `npx` that take no word after them."""


def package_of(program: str, args: Sequence[str]) -> str | None:
    """The name of the package whose program would run; None where it is in none."""
    file, called = os.path.realpath(program), Path(program).name
    if Path(file).name in _NODE:
        script = next((it for it in args if not it.startswith("-")), None)
        # A path of its own says nothing where it leads from a folder that nobody knows.
        return (
            _package_at(os.path.realpath(script)) if script and Path(script).is_absolute() else None
        )
    package = _package_at(file)
    if called in _RUNNERS and package == _RUNNERS[called]:
        return _named_to_npx(args)
    return package


def _package_at(file: str) -> str | None:
    """The package that a file lies in, by the nearest folder that says its name."""
    for folder in Path(file).parents:
        name = _name_in(folder / _MANIFEST)
        if name is not None:
            return name
    return None


def _name_in(manifest: Path) -> str | None:
    try:
        with manifest.open("rb") as file:
            told = orjson.loads(file.read(_LARGEST))
    except (OSError, ValueError):
        return None
    name = told.get("name") if isinstance(told, dict) else None
    return name if isinstance(name, str) and name else None


def _named_to_npx(args: Sequence[str]) -> str | None:
    """The package of the first word that is no option, without its version."""
    for word in args:
        if word in _NEEDS_NO_WORD:
            continue
        if word.startswith("-"):
            return None
        return word[:1] + word[1:].partition("@")[0]
    return None
