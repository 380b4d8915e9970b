"""The files with which a repository configures an agent, as they lie there now.

They are looked for where the agent looks, and read once: what a person is shown of them is the
text that is bound by its digest. Where one cannot be read for sure, nothing of them counts.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from assent.settings.ordinary import read_ordinary
from assent.shells.surroundings import home
from assent.text.strict_json import Ambiguous, decoded

__all__ = ["Configuring", "Found", "Source", "Taken", "found_in", "unheld_in"]

_LARGEST: Final = 1024 * 1024
"""In bytes: no repository's settings are longer; whatever is says something of hooks."""
_SHOWN: Final = 256 * 1024
"""In characters: more than this nobody is shown of all the files together."""
_MOST: Final = 50
"""So many files are shown."""
_ALL_BELOW: Final = "/**"
_FRONT: Final = "mcp-servers"
"""What a file of words for an agent has in front where it starts servers."""

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


@frozen(kw_only=True)
class Source:
    """A kind of file by which a repository configures an agent."""

    pattern: str
    """Its path below a folder; the last part may have stars, and two stand for all below it."""
    takes: Callable[[Mapping[str, Any]], Taken]
    """What such a text says; without rows, it says nothing that anybody need be asked about."""
    is_here: bool = False
    """Whether it counts in the folder of the session alone, and not from the top down to it."""
    is_to_root: bool = False
    """Whether it counts in every folder above, no matter where the repository begins."""
    unheld: str = ""
    """What is said there of hooks that would be run without leave, or of ours, by its name."""


@frozen(kw_only=True)
class Configuring:
    """One file that says something."""

    path: str
    """From the top of the repository."""
    text: str
    taken: Taken

    @property
    def digest(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@frozen(kw_only=True)
class Found:
    """All that a repository says to one agent in one folder."""

    folder: str
    files: tuple[Configuring, ...] = ()
    unfit: str = ""
    """Which file could not be read for sure, and why; then nothing of any of them counts."""


def found_in(sources: Sequence[Source], folder: str) -> Found:
    """What the files of a repository say that lie there now."""
    top, _ = _way_to(folder)
    files: list[Configuring] = []
    for source, path in _files_of(sources, folder):
        name = _name_of(path, top)
        try:
            text = _text_of(path, top)
            taken = source.takes(_members_of(path, text))
        except (OSError, ValueError, RecursionError) as error:
            return Found(folder=folder, unfit=f"`{name}` {_why(error)}")
        if taken.rows:
            files.append(Configuring(path=name, text=text, taken=taken))
    if len(files) > _MOST or sum(len(it.text) for it in files) > _SHOWN:
        return Found(folder=folder, unfit=f"`{files[0].path}` and others are too much to be shown")
    return Found(folder=folder, files=tuple(files))


def unheld_in(sources: Sequence[Source], folder: str) -> str | None:
    """A file by which an agent would run hooks that rewrite what was ruled on, or none at all."""
    top, way = _way_to(folder)
    unheld = [it for it in sources if it.unheld]
    found = list(_files_of(unheld, folder))
    if (main := _main_of(top)) is not None:
        # Of another working tree of it an agent may take the hooks of the first.
        beside = [main / it.relative_to(top) for it in way]
        found += [(it, file) for it in unheld for at in beside for file in _fitting(at, it.pattern)]
    fits = (path for source, path in found if _has_hooks(path, source))
    return next((_name_of(path, top) for path in fits), None)


def _main_of(top: Path) -> Path | None:
    """The first working tree of the repository of which this is another; None where it is none."""
    own = top / ".git"
    try:
        if own.is_file():
            said = read_ordinary(own, _LARGEST).decode("utf-8").strip()
            own = top / said.removeprefix("gitdir:").strip()
        if not (common := own / "commondir").is_file():
            return own.parent if own != top / ".git" else None
        whole = own / read_ordinary(common, _LARGEST).decode("utf-8").strip()
    except (OSError, ValueError):
        return None
    return Path(os.path.normpath(whole)).parent


def _way_to(folder: str, *, to_root: bool = False) -> tuple[Path, list[Path]]:
    """The top of the repository that a folder lies in, and the folders from there down to it.

    Agents look there for what a repository tells them: some in each, some at the top alone, and
    some in all above it. In the person's home these are the person's own.
    """
    root = Path(folder)
    way = (root, *root.parents)
    top = next((it for it in way if (it / ".git").exists()), root)
    own, end = os.path.realpath(home()), way[-1] if to_root else top
    return top, [it for it in way if it.is_relative_to(end) and os.path.realpath(it) != own]


def _files_of(sources: Sequence[Source], folder: str) -> Iterator[tuple[Source, Path]]:
    """What lies in the places of these, whatever it is, in an order of its own."""
    here = Path(folder)
    for source in sources:
        for at in sorted(_way_to(folder, to_root=source.is_to_root)[1]):
            if not source.is_here or at == here:
                yield from ((source, it) for it in _fitting(at, source.pattern))


def _fitting(at: Path, named: str) -> list[Path]:
    """What a folder has under names like this, links that lead nowhere included."""
    pattern = at / named
    if named.endswith(_ALL_BELOW):
        return _below(pattern.parent)
    if "*" not in pattern.name:
        return [pattern] if os.path.lexists(pattern) else []
    try:
        names = os.listdir(pattern.parent)  # noqa: PTH208 -- names are what is compared
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return [pattern]  # What nobody may look at may hold anything.
    fitting = (it for it in sorted(names) if fnmatch(it, pattern.name))
    return [pattern.parent / it for it in islice(fitting, _MOST + 1)]


def _below(folder: Path) -> list[Path]:
    """All files below a folder; itself where it cannot be looked through."""
    found, unfit = list[Path](), list[OSError]()
    if folder.is_symlink():
        return [folder]
    for at, folders, files in os.walk(folder, onerror=unfit.append):
        # A link to a folder is a file to us, and is refused as what it is.
        named = [Path(at, it) for it in sorted((*files, *folders))]
        found += [it for it in named if it.name in files or it.is_symlink()]
        if len(found) > _MOST:
            break
    gone = all(isinstance(it, FileNotFoundError | NotADirectoryError) for it in unfit)
    return found if gone else [folder, *found]


def _name_of(path: Path, top: Path) -> str:
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


def _text_of(path: Path, top: Path) -> str:
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top)):
        raise ValueError("leads out of this repository")
    return read_ordinary(path, _LARGEST).decode("utf-8")


def _members_of(path: Path, text: str) -> Mapping[str, Any]:
    """What a text says; one that its readers may take in two ways says nothing for sure."""
    if path.suffix == ".md":
        return {_FRONT: text} if _FRONT in text.casefold() else {}
    if path.suffix == ".rules":
        return {"rules": text} if text.strip() else {}
    found = tomllib.loads(text) if path.suffix == ".toml" else decoded(text) if text.strip() else {}
    if not isinstance(found, dict):
        raise Ambiguous("it is no list of settings")
    return found


def _why(error: Exception) -> str:
    if isinstance(error, tomllib.TOMLDecodeError | json.JSONDecodeError | UnicodeDecodeError):
        return "is not well formed"
    if isinstance(error, OSError) and error.strerror:
        return f"could not be read ({error.strerror})"
    if str(error).startswith("leads"):
        return str(error)
    return f"could not be read: {error}"


def _has_hooks(path: Path, source: Source) -> bool:
    """Whether a file of settings may say something of hooks; one that cannot be read may."""
    if source.pattern.endswith((_ALL_BELOW, f"/{source.unheld}.json")):
        return True  # It is there for hooks and nothing else.
    try:
        text = read_ordinary(path, _LARGEST).decode("utf-8")
        if path.suffix in {".json", ".jsonc"}:
            return _names(source.unheld, text)
        told = tomllib.loads(text)
        features = told.get("features")
        if isinstance(features, dict) and isinstance(features.get("hooks"), bool):
            # We say ourselves that hooks are run, and that stands above what a repository says.
            del features["hooks"]
        return '"hooks"' in json.dumps(told, default=str)
    except (OSError, ValueError, RecursionError):
        return True


def _names(word: str, text: str) -> bool:
    """Whether a text of JSON says anything of that, also where another word on it follows."""
    said: list[tuple[str, object]] = []

    def keep(pairs: list[tuple[str, object]]) -> list[tuple[str, object]]:
        said.extend(pairs)
        return pairs

    json.loads(text, object_pairs_hook=keep)
    return any(word in name.casefold() and bool(value) for name, value in said)
