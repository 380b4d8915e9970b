"""Finds files and folders of the workspace by parts of their names.

The folders are gone through at most every few seconds, in a thread, and no further than so many
files; what `.gitignore` names is left out. Nothing here is judged: who shows a name does that.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from assent.agent.tools.file_access import opened_folder
from assent.agent.tools.folder_walk import walk
from assent.agent.tools.tool import ToolFailed
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from assent.gate.values import define, field, frozen

__all__ = ["FileNames", "is_speakable", "likeness"]

_FRESH_S: Final = 5.0
"""Seconds: while somebody writes a name, the folders are gone through once."""
_MAX_FILES: Final = 50_000


@frozen
class _File:
    root: str
    path: str
    """From the root; a folder's ends with a slash."""
    changed: int


@define(eq=False)
class FileNames:
    """Those of one window."""

    _places: Callable[[], Places]
    _clock: Callable[[], float] = time.monotonic
    _files: tuple[_File, ...] = ()
    _at: float | None = None
    _looking: asyncio.Lock = field(factory=asyncio.Lock)

    async def like(self, word: str, most: int) -> list[str]:
        """The paths that are likest to be meant; without a word, those changed last."""
        async with self._looking:
            if self._at is None or self._clock() - self._at > _FRESH_S:
                self._files = await asyncio.to_thread(_look, self._places())
                self._at = self._clock()
        return await asyncio.to_thread(_likest, self._files, word, most)


def likeness(word: str, path: str) -> tuple[int, int] | None:
    """How like a path is to a word, the smaller the more; None where it is not like it at all.

    >>> likeness("till", "src/till.py") < likeness("till", "till/a.py")
    True
    >>> likeness("stp", "src/till.py") is None, likeness("tpy", "src/till.py") is None
    (False, False)
    >>> likeness("xyz", "src/till.py")
    """
    word, path = word.lower(), path.lower()
    name = path.rstrip("/").rpartition("/")[2]
    if word in name:
        return (0 if name.startswith(word) else 1, len(path))
    if word in path:
        return (2, len(path))
    at = -1
    for letter in word:
        at = path.find(letter, at + 1)
        if at < 0:
            return None
    return (3, len(path))


def _likest(files: tuple[_File, ...], word: str, most: int) -> list[str]:
    if not word:
        ordered = sorted(files, key=lambda file: -file.changed)
    else:
        likely = [
            (score, file) for file in files if (score := likeness(word, file.path)) is not None
        ]
        ordered = [file for _, file in sorted(likely, key=lambda pair: (pair[0], pair[1].path))]
    return [f"{file.root}/{file.path}" for file in ordered[:most]]


def _look(places: Places) -> tuple[_File, ...]:
    files = (file for root in places.roots for file in _below(root, places))
    return tuple(islice(files, _MAX_FILES))


def _below(root: str, places: Places) -> Iterator[_File]:
    try:
        folder = opened_folder(places.locate(root, "/"))
    except (CallUnreadable, ToolFailed):
        return
    for entry in walk(folder):
        if entry.left_out or not is_speakable(entry.path):
            continue
        if entry.is_file:
            yield _File(root.rstrip("/"), entry.path, entry.facts.st_mtime_ns)
        elif entry.is_folder:
            # Without a word the files that were changed last are meant.
            yield _File(root.rstrip("/"), f"{entry.path}/", 0)


def is_speakable(path: str) -> bool:
    """Whether a name can be said on the wire: one of bytes that are no text cannot."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
