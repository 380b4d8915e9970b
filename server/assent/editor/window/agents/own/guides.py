"""Instructions of folders and of the person for agents: AGENTS.md, or else CLAUDE.md.

Those of the workspace's folders are told unasked only where our own agent may read them unasked,
by the mode as well; those below them once something there was looked at. The person's own counts
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
from assent.gate.values import frozen

__all__ = ["GUIDES", "PERSONS", "Guides"]

GUIDES: Final = ("AGENTS.md", "CLAUDE.md")
"""What a folder says to agents, by its name; the second where there is no first."""

PERSONS: Final = ".config/assent/AGENTS.md"
"""What the person says to our own agent, from their home."""

_MAX_GUIDE_LETTERS: Final = 16_000
"""In letters."""
_MAX_DEPTH: Final = 40
"""So many folders are looked into on the way to one file."""


@frozen(kw_only=True)
class Guides:
    """Where our own agent has them from."""

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
        for name in GUIDES:
            if not os.path.lexists(f"{folder}/{name}"):
                continue
            path = os.path.realpath(f"{folder}/{name}")
            text = _text(path) if self.tells(chat, path) else ""
            says = f"[{name} of {folder}, written by whoever works there, says:\n{text}\n]"
            return says if text else ""
        return ""


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
