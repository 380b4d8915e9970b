"""Instructions of folders and of the person for agents: AGENTS.md, or else CLAUDE.md.

Those of the workspace's folders are told unasked only where an agent may read them unasked, by the
mode as well; those below them once something there was looked at. The person's own counts
everywhere, unless a rule forbids to read it.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from assent.gate.call.calls import ChatId
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.disk.places import Places
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["GUIDES", "PERSONS", "Guides"]

GUIDES: Final = ("AGENTS.md", "CLAUDE.md")
"""What a folder says to agents, by its name; the second where there is no first."""

PERSONS: Final = ".config/assent/AGENTS.md"
"""What the person says to our own agent, from their home."""

_MAX_GUIDE_LETTERS: Final = 16_000
"""In letters."""
_IMPORTED: Final = late(r"@([\w./-]+\.md)\s*")
"""A line that stands for another file of words, by its path from the folder of the first."""
_MAX_IMPORTS: Final = 20
"""So many files count of a folder under one name, and behind one another."""
_MAX_DEPTH: Final = 40
"""So many folders are looked into on the way to one file."""


@frozen(kw_only=True)
class Guides:
    """Where an agent has them from."""

    names: tuple[str, ...] = GUIDES
    """What a folder says to it, by the names of files; the last part may have stars."""
    are_all_told: bool = False
    """Whether all of these count, and not the first that is there."""
    places: Callable[[], Places]
    tells: Callable[[ChatId, str], bool]
    """Whether a file may be told of in a chat, by its resolved path."""
    may_read: Callable[[ChatId, str], bool]
    """Whether no rule forbids to read it."""

    def of_place(self, chat: ChatId) -> dict[str, str]:
        """What the person says, then the folders of the workspace, each by its path."""
        places = self.places()
        return {**self._of_person(chat, places), **self.on_way_to(chat, places.roots)}

    def on_way_to(self, chat: ChatId, paths: Iterable[str]) -> dict[str, str]:
        """What the folders of the workspace say on the way to files, the nearest last."""
        guides: dict[str, str] = {}
        roots = [os.path.realpath(root) for root in self.places().roots]
        for folder in dict.fromkeys(
            folder for path in sorted(paths) for folder in _folders(path, roots)
        ):
            text = self._of_folder(chat, folder)
            if text:
                guides[folder] = text
        return guides

    def _of_person(self, chat: ChatId, places: Places) -> dict[str, str]:
        path = os.path.realpath(f"{places.home}/{PERSONS}")
        text = _text(path) if self.may_read(chat, path) else ""
        return {path: f"[The person tells every agent of Assent:\n{text}\n]"} if text else {}

    def _of_folder(self, chat: ChatId, folder: str) -> str:
        said = []
        for path in (path for name in self.names for path in _fitting(folder, name)):
            text = self._expanded(chat, path, [])
            name = os.path.relpath(path, folder)
            if text:
                said.append(
                    f"[{name} of {folder}, written by whoever works there, says:\n{text}\n]"
                )
            if not self.are_all_told:
                break
        return "\n".join(said)

    def _expanded(self, chat: ChatId, named: str, within: list[str]) -> str:
        """What a file says, with the files of words in it for which its lines stand."""
        path = os.path.realpath(named)
        if path in within or len(within) >= _MAX_IMPORTS or not self.tells(chat, path):
            return ""
        within.append(path)
        lines = _text(path).splitlines()
        folder = path.rpartition("/")[0]
        for number, line in enumerate(lines):
            imported = _IMPORTED.fullmatch(line)
            if imported is not None:
                text = self._expanded(chat, f"{folder}/{imported[1]}", within)
                lines[number] = text or line
        return "\n".join(lines)[:_MAX_GUIDE_LETTERS]


def _fitting(folder: str, name: str) -> list[str]:
    """The files of a folder that have such a name, in the order of their own."""
    if "*" in name:
        return sorted(str(path) for path in Path(folder).glob(name))[:_MAX_IMPORTS]
    path = f"{folder}/{name}"
    return [path] if os.path.lexists(path) else []


def _folders(path: str, roots: list[str]) -> Iterator[str]:
    """The folders from a folder of the workspace down to a path, itself too."""
    path = os.path.realpath(path)
    root = next((root for root in roots if path == root or path.startswith(f"{root}/")), None)
    if root is None:
        return
    yield root
    for name in path[len(root) :].split("/")[1 : _MAX_DEPTH + 1]:
        root = f"{root}/{name}"
        if Path(root).is_dir():
            yield root


def _text(path: str) -> str:
    """The beginning of what stands in a file; nothing where there is none that can be read."""
    try:
        return (text_of(path, path) or "").strip()[:_MAX_GUIDE_LETTERS]
    except CallUnreadable:
        return ""
