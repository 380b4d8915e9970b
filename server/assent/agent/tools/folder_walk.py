"""Walks through a folder without following links out of it.

Each folder is opened from the one that it lies in, so that none can be exchanged for a link on
the way. Folders that nobody wrote are told of and not entered.
"""

import os
import stat
from collections.abc import Iterator
from typing import Final

from assent.agent.tools.gitignore import NEVER, Ignoring, is_ignored, read_ignoring
from assent.gate.values import frozen

__all__ = ["MAX_ENTRIES", "Entry", "walk"]

MAX_ENTRIES: Final = 100_000
"""How many files and folders are looked at in one call."""

_MAX_DEPTH: Final = 60
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@frozen(kw_only=True)
class Entry:
    """Something in a folder."""

    path: str
    """From the folder that is gone through."""
    facts: os.stat_result
    left_out: bool = False
    """Whether nobody wrote it: what is in it is not looked at."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, and no link to one."""
        return stat.S_ISDIR(self.facts.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether it is an ordinary file."""
        return stat.S_ISREG(self.facts.st_mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.facts.st_mode)


def walk(
    folder: int,
    way: tuple[str, ...] = (),
    ignoring: tuple[Ignoring, ...] = (),
    deepest: int = _MAX_DEPTH,
) -> Iterator[Entry]:
    """Everything in an opened folder, which is closed in the end: folders first, then by name.

    `way` leads to it from the workspace, and `ignoring` are the rules found on that way.
    """
    yield from _walk(folder, (), way, ignoring, deepest)


def _walk(
    folder: int,
    path: tuple[str, ...],
    way: tuple[str, ...],
    ignoring: tuple[Ignoring, ...],
    deepest: int,
) -> Iterator[Entry]:
    try:
        ignoring = (*ignoring, *read_ignoring(folder, len(way) + len(path)))
        for name, facts in _names(folder):
            here = (*path, name)
            is_folder = stat.S_ISDIR(facts.st_mode)
            left_out = (is_folder and name in NEVER) or is_ignored(
                ignoring, (*way, *here), is_folder=is_folder
            )
            yield Entry(path="/".join(here), facts=facts, left_out=left_out)
            if is_folder and not left_out and len(here) < deepest:
                inner = _inner(folder, name)
                if inner is not None:
                    yield from _walk(inner, here, way, ignoring, deepest)
    finally:
        os.close(folder)


def _inner(folder: int, name: str) -> int | None:
    """A folder in a folder; None where it may not be opened, or is a link by now."""
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except OSError:
        return None


def _names(folder: int) -> list[tuple[str, os.stat_result]]:
    children = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    children.append((entry.name, entry.stat(follow_symlinks=False)))
                except OSError:
                    # It is gone already.
                    continue
    except OSError:
        return []
    return sorted(children, key=lambda named: (not stat.S_ISDIR(named[1].st_mode), named[0]))
