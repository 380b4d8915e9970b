"""The table of a repository's files that configure agents.

They are looked for where the agent looks; what is not surely something else is one of them.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import Any, Final

from assent.gate.processes.shell_environment import home
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.values import field, frozen

__all__ = [
    "MAX_FILES",
    "MAX_FILE_BYTES",
    "Source",
    "Taken",
    "files_of",
    "fitting",
    "main_of",
    "way_to",
]

MAX_FILE_BYTES: Final = 1024 * 1024
"""In bytes: no repository's settings are longer; whatever is says something of hooks."""
MAX_FILES: Final = 50
"""So many files are shown."""
_ALL_BELOW: Final = "/**"

Rows = tuple[tuple[str, str], ...]


@frozen(kw_only=True)
class Taken:
    """What a text of settings would have an agent do, and what of it is handed to the agent."""

    rows: Rows
    """What it would do, in names and values, for a person to read."""
    hooks: Mapping[str, Sequence[Mapping[str, Any]]] = field(factory=dict, hash=False)
    """What is run at which happening."""
    servers: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    """The servers that are started, as the Agent Client Protocol names them."""
    leaves_out: bool = False
    """Whether a part of the file is not handed on."""


@frozen(kw_only=True)
class Source:
    """A kind of file by which a repository configures an agent."""

    pattern: str
    """Its path below a folder; the last part may have stars, and two before it, or alone, stand for
    all below."""
    takes: Callable[[Mapping[str, Any]], Taken]
    """What such a text says; without rows, it says nothing that anybody need be asked about."""
    is_here: bool = False
    """Whether it counts in the folder of the session alone, and not from the top down to it."""
    is_to_root: bool = False
    """Whether it counts in every folder above, no matter where the repository begins."""
    unheld: str = ""
    """What is said there of hooks that would be run without leave, or of ours, by its name."""
    is_whole: bool = False
    """Whether a file is there for that and nothing else, whatever it says."""
    is_text: bool = False
    """Whether a person is shown it as the text that it is, in whatever form."""
    is_switched: bool = False
    """Whether the agent is kept from it where we start it, by a switch of its own."""


def main_of(top: Path) -> Path | None:
    """The first working tree of the repository of which this is another; None where it is none."""
    own = top / ".git"
    try:
        if own.is_file():
            said = read_ordinary(own, MAX_FILE_BYTES).decode("utf-8").strip()
            own = top / said.removeprefix("gitdir:").strip()
        if not (common := own / "commondir").is_file():
            return own.parent if own != top / ".git" else None
        whole = own / read_ordinary(common, MAX_FILE_BYTES).decode("utf-8").strip()
    except (OSError, ValueError):
        return None
    return Path(os.path.normpath(whole)).parent


def way_to(folder: str, *, to_root: bool = False) -> tuple[Path, list[Path]]:
    """The top of the repository that a folder lies in, and the folders from there down to it.

    Agents look there for what a repository tells them: some in each, some at the top alone, and
    some in all above it. In the person's home these are the person's own.
    """
    root = Path(folder)
    way = (root, *root.parents)
    top = next((path for path in way if (path / ".git").exists()), root)
    own, end = os.path.realpath(home()), way[-1] if to_root else top
    return top, [path for path in way if path.is_relative_to(end) and os.path.realpath(path) != own]


def files_of(sources: Sequence[Source], folder: str) -> Iterator[tuple[Source, Path]]:
    """What lies in the places of these, whatever it is, in an order of its own."""
    here = Path(folder)
    for source in sources:
        for at in sorted(way_to(folder, to_root=source.is_to_root)[1]):
            if not source.is_here or at == here:
                yield from ((source, path) for path in fitting(at, source.pattern))


def fitting(at: Path, named: str) -> list[Path]:
    """What a folder has under names like this, links that lead nowhere included."""
    pattern = at / named
    folder, all_below, last = named.partition(_ALL_BELOW)
    if all_below:
        return _below(at / folder, last.removeprefix("/") or "*")
    if "*" not in pattern.name:
        return [pattern] if os.path.lexists(pattern) else []
    try:
        names = os.listdir(pattern.parent)  # noqa: PTH208 -- names are what is compared
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return [pattern]  # What nobody may look at may hold anything.
    like = (name for name in sorted(names) if fnmatch(name, pattern.name))
    return [pattern.parent / name for name in islice(like, MAX_FILES + 1)]


def _below(folder: Path, named: str) -> list[Path]:
    """All files of such names below a folder; itself where it cannot be looked through."""
    paths, unfit = list[Path](), list[OSError]()
    if folder.is_symlink():
        return [folder]
    for at, folders, files in os.walk(folder, onerror=unfit.append):
        like = [Path(at, file) for file in files if fnmatch(file.casefold(), named.casefold())]
        # A link to a folder is a file to us, and is refused as what it is.
        paths += sorted(
            [*like, *(path for name in folders if (path := Path(at, name)).is_symlink())]
        )
        if len(paths) > MAX_FILES:
            break
    gone = all(isinstance(error, FileNotFoundError | NotADirectoryError) for error in unfit)
    return paths if gone else [folder, *paths]
