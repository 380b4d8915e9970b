"""Which package a command would run, by what lies on the disk rather than by its name.

A program is followed to the file that it is, and the package is the one whose manifest names this
file as its own, in the folder where packages are put that are installed: a manifest in somebody's
home makes nothing in it an agent. Where the program is Node, that is said of the script that it is
to run; where a version manager stands before it, of what that would start; where it is `npx` or
its like, the package is the one that is named to it, since it may not be on the disk yet.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.settings.ordinary_files import read_ordinary

__all__ = ["package_of"]

_NODE: Final = frozenset({"node", "nodejs", "bun"})
_RUNNERS: Final[Mapping[str, tuple[str, ...]]] = {
    "npx": (),
    "bunx": (),
    "pnpx": (),
    "npm": ("exec", "x"),
    "pnpm": ("dlx", "exec"),
    "yarn": ("dlx",),
    "bun": ("x",),
}
"""Programs that run a package by its name, and the words of which one stands before that."""
_OF_RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "@yarnpkg/cli-dist", "bun"})
"""The packages that these are themselves."""
_MANAGERS: Final = frozenset({"volta-shim", "mise", "rtx"})
"""What stands in the place of a program, under its name, and starts the version that is wanted."""
_SHIMS: Final = "shims"
_INSTALLED: Final = (
    "installs/*/*/bin",
    "tools/image/packages/*/bin",
    "tools/image/packages/*/*/bin",
)
"""Where version managers keep what they start, below their own folder."""
_MODULES: Final = "node_modules"
_MANIFEST: Final = "package.json"
_MAX_FILE_BYTES: Final = 4 * 1024 * 1024
_MAX_VERSIONS: Final = 200
"""So many installed versions are looked at."""
_NEEDS_NO_WORD: Final = frozenset(
    """-y --yes -q --quiet --silent -s --prefer-offline --prefer-online --offline --no --
    --bun""".split()
)
"""Options of `npx` and its like that take no word after them."""
_PACKAGE: Final = frozenset({"-p", "--package"})
_NEEDS_WORD: Final = frozenset(
    "--registry --cache --prefix --userconfig -w --workspace --loglevel".split()
)
_RUNS_TEXT: Final = frozenset("-e --eval -p --print -pe --test --run -c --call -i".split())
"""Options with which no script is run, or none that is named."""


def package_of(program: str, args: Sequence[str]) -> str | None:
    """The name of the package whose program would run; None where it is in none."""
    called, file = Path(program).name, Path(os.path.realpath(program))
    is_shim = file.name in _MANAGERS or Path(program).parent.name == _SHIMS
    if called in _RUNNERS and (is_shim or _is_runner(file)):
        first = _RUNNERS[called]
        if not first:
            return _named_to(args)
        if args[:1] and args[0] in first:
            return _named_to(args[1:])
    if file.name in _NODE or (is_shim and called in _NODE):
        script = _script_in(args)
        return None if script is None else _package_of_file(Path(os.path.realpath(script)))
    return _started_by(Path(program)) if is_shim else _package_of_file(file)


def _is_runner(file: Path) -> bool:
    return file.name in _NODE or _name_above(file) in _OF_RUNNERS


def _package_of_file(file: Path) -> str | None:
    """The installed package whose manifest names this file as a program of its own."""
    for folder in file.parents:
        manifest = _manifest_in(folder)
        name = _text_of(manifest, "name")
        if name is None:
            continue
        lies = f"{_MODULES}/{name}" == "/".join(folder.parts[-1 - len(name.split("/")) :])
        return name if lies and file in _programs_of(manifest, folder) else None
    return None


def _name_above(file: Path) -> str | None:
    """The name of the nearest package that a file lies in."""
    names = (_text_of(_manifest_in(folder), "name") for folder in file.parents)
    return next((name for name in names if name is not None), None)


def _programs_of(manifest: Mapping[str, Any], folder: Path) -> Iterator[Path]:
    """The files that a manifest names as programs."""
    given = manifest.get("bin")
    paths = given.values() if isinstance(given, dict) else [given]
    return (Path(os.path.realpath(folder / path)) for path in paths if isinstance(path, str))


def _started_by(shim: Path) -> str | None:
    """The package that a version manager would start, where all its versions are of one."""
    above = shim.parent.parent
    manager = Path(os.path.realpath(shim))
    homes = {above, manager.parent.parent}
    programs = (
        path for home in homes for at in _INSTALLED for path in home.glob(f"{at}/{shim.name}")
    )
    names = {
        _package_of_file(Path(os.path.realpath(path))) for path in islice(programs, _MAX_VERSIONS)
    }
    return names.pop() if len(names) == 1 else None


def _script_in(args: Sequence[str]) -> str | None:
    """The script that Node is to run; what stands behind an option may belong to that."""
    behind = False
    for word in args:
        if word in _RUNS_TEXT:
            return None
        if word.startswith("-"):
            behind = "=" not in word
        elif Path(word).is_absolute() and Path(word).is_file():
            return word
        elif behind:
            behind = False
        else:
            # A path of its own says nothing where it leads from a folder that nobody knows.
            return None
    return None


def _named_to(args: Sequence[str]) -> str | None:
    """The package whose program is run, of those that are named, without its version."""
    given: list[str] = []
    words = iter(args)
    for word in words:
        option, sign, value = word.partition("=")
        if option in _PACKAGE:
            given.append(_bare(value if sign else next(words, "")))
        elif option in _NEEDS_WORD:
            if not sign:
                next(words, None)
        elif word.startswith("-") and word not in _NEEDS_NO_WORD:
            return None
        elif not word.startswith("-"):
            if not given:
                return _bare(word)
            return next((package for package in given if package.rpartition("/")[2] == word), None)
    return None


def _bare(name: str) -> str:
    return name[:1] + name[1:].partition("@")[0]


def _manifest_in(folder: Path) -> dict[str, Any]:
    try:
        manifest = orjson.loads(read_ordinary(folder / _MANIFEST, _MAX_FILE_BYTES))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _text_of(manifest: Mapping[str, Any], member: str) -> str | None:
    value = manifest.get(member)
    return value if isinstance(value, str) and value else None
