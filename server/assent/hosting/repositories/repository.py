"""The files with which a repository configures an agent, as they are now.

They are looked for where the agent looks, and read once: what a person is shown of them is the
text that is bound by its digest. Where one cannot be read for sure, nothing of them counts.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assent.gate.disk.git.files import Unclear
from assent.gate.disk.git.run_triggers import run_by_a_look
from assent.gate.processes.shell_environment import home
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.text.strict_json import Ambiguous, decoded
from assent.gate.values import evolve, frozen
from assent.hosting.repositories.sources import (
    MAX_FILE_BYTES,
    MAX_FILES,
    Source,
    Taken,
    files_of,
    fitting,
    main_of,
    way_to,
)

__all__ = [
    "Configuring",
    "RepositoryFiles",
    "found_in",
    "left_out_in",
    "read_before_asking",
    "unheld_in",
]

_MAX_SHOWN_LETTERS: Final = 256 * 1024
"""In characters: more than this nobody is shown of all the files together."""
_FRONT: Final = "mcp-servers"
"""What a file of words for an agent has in front where it starts servers."""
_SPELLED: Final = ("\\", "!!")
"""By what a word in front may be written so that it does not stand there."""
_BOUND: Final = "\n---"
_GIT_SETTINGS: Final = ".git/config"
"""Of it only what git runs is shown, and bound: the rest changes with each branch."""


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
class RepositoryFiles:
    """All that a repository says to one agent in one folder."""

    folder: str
    files: tuple[Configuring, ...] = ()
    left_out: tuple[str, ...] = ()
    """Files that are not handed on whole, whatever a person says."""
    unfit: str = ""
    """Which file could not be read for sure, and why; then nothing of any of them counts."""


def found_in(sources: Sequence[Source], folder: str) -> RepositoryFiles:
    """What the files of a repository say that lie there now."""
    top, _ = way_to(folder)
    files: list[Configuring] = []
    left_out: list[str] = []
    for source, path in files_of(sources, folder):
        name = _name_of(path, top)
        try:
            text = _text_of(path, top)
            taken = source.takes(_members_of(source, path, text))
        except (OSError, ValueError, RecursionError) as error:
            return RepositoryFiles(folder=folder, left_out=(name,), unfit=f"`{name}` {_why(error)}")
        if taken.leaves_out:
            left_out.append(name)
        if taken.rows:
            files.append(Configuring(path=name, text=text, taken=taken))
    if len(files) > MAX_FILES or sum(len(file.text) for file in files) > _MAX_SHOWN_LETTERS:
        return RepositoryFiles(
            folder=folder,
            left_out=tuple(file.path for file in files),
            unfit=f"`{files[0].path}` and others are too much to be shown",
        )
    return RepositoryFiles(folder=folder, files=tuple(files), left_out=tuple(left_out))


def read_before_asking(sources: Sequence[Source], folder: str) -> RepositoryFiles:
    """What an agent would go by before anybody can be asked: these files, and what git runs.

    Agents look at the state of a repository by themselves, and git then runs what it names.
    """
    files = found_in(sources, folder)
    if files.unfit:
        return files
    try:
        run = run_by_a_look(os.path.realpath(folder), os.path.realpath(home()))
    except (Unclear, OSError, ValueError):
        return RepositoryFiles(folder=folder, unfit=f"`{_GIT_SETTINGS}` could not be read")
    if not run:
        return files
    text = "".join(f"{name} = {value}\n" for name, value in run)
    rows = tuple((f"Sets {name}", value) for name, value in run)
    by_git = Configuring(path=_GIT_SETTINGS, text=text, taken=Taken(rows=rows))
    return evolve(files, files=(*files.files, by_git))


def unheld_in(sources: Sequence[Source], folder: str) -> str | None:
    """A file by which an agent would run hooks that rewrite what was ruled on, or none at all."""
    top, way = way_to(folder)
    unheld = [source for source in sources if source.unheld]
    listed = list(files_of(unheld, folder))
    if (main := main_of(top)) is not None:
        # Of another working tree of it an agent may take the hooks of the first.
        beside = [main / path.relative_to(top) for path in way]
        listed += [
            (source, file)
            for source in unheld
            for at in beside
            for file in fitting(at, source.pattern)
        ]
    fits = (path for source, path in listed if _has_hooks(path, source))
    return next((_name_of(path, top) for path in fits), None)


def left_out_in(sources: Sequence[Source], folder: str) -> tuple[str, ...]:
    """The files of a repository from which a switch of the agent's own keeps it."""
    top, _ = way_to(folder)
    files = files_of([source for source in sources if source.is_switched], folder)
    return tuple(dict.fromkeys(_name_of(path, top) for _, path in files))


def _name_of(path: Path, top: Path) -> str:
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


def _text_of(path: Path, top: Path) -> str:
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top)):
        raise ValueError("leads out of this repository")
    return read_ordinary(path, MAX_FILE_BYTES).decode("utf-8")


def _members_of(source: Source, path: Path, text: str) -> Mapping[str, Any]:
    """What a text says; one that its readers may take in two ways says nothing for sure."""
    if source.is_text:
        return {"text": text}
    if path.suffix == ".md":
        return {_FRONT: text} if _may_start(text) else {}
    if path.suffix == ".rules":
        return {"rules": text} if text.strip() else {}
    members = (
        tomllib.loads(text) if path.suffix == ".toml" else decoded(text) if text.strip() else {}
    )
    if not isinstance(members, dict):
        raise Ambiguous("it is no list of settings")
    return members


def _may_start(text: str) -> bool:
    """Whether words for an agent may name servers in front; what stands there has no sure end."""
    front = text[: text.rfind(_BOUND)] if _BOUND in text else text
    return _FRONT in text.casefold() or any(spelling in front for spelling in _SPELLED)


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
    if source.is_whole:
        return True
    try:
        text = read_ordinary(path, MAX_FILE_BYTES).decode("utf-8")
        if path.suffix in {".json", ".jsonc"}:
            return _names(source.unheld, text)
        settings = tomllib.loads(text)
        features = settings.get("features")
        is_main = path.name == "config.toml"
        if is_main and isinstance(features, dict) and isinstance(features.get("hooks"), bool):
            # We say ourselves that hooks are run, and that stands above what a repository says.
            del features["hooks"]
        return '"hooks"' in json.dumps(settings, default=str)
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
