"""Finds the other names of a file with hard links, which no path shows.

Package managers and local clones share files with stores of their own by the thousand, so a file
with two names is nothing odd and no reason to ask. What counts is whether another name lies where
names are guarded: in the workspace, among what configures things in the home, where the gate's keys
lie, and where rules that refuse point. These folders are walked once. From then on a file's own
change time, which each new name sets, says whether they have to be walked again.
"""

import os
import stat
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Final

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.globs import is_wild
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.text.plain_paths import is_within
from assent.gate.values import define, field

__all__ = ["MADE", "HardLinks", "guarded_by"]

MADE: Final = frozenset(
    """node_modules .venv __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .gradle
    .terraform""".split()
)
"""Folders that programs fill; with most hard links, and with nothing that a person keeps there."""

_OBJECTS: Final = "objects"
"""Where git keeps what it tracks, by names that nobody guards; local clones share these files."""

_MAX_ENTRIES_INSIDE, _MAX_ENTRIES_OUTSIDE = 150_000, 5_000
"""So many names are walked, in the workspace and elsewhere; the nearest first. What lies beyond
counts for nothing: asking about each file with two names would be a card for every second package.
"""
_MAX_DEPTH_AT_HOME: Final = 3
"""Deeper in hidden folders lie caches and toolchains."""
_UNLIMITED_DEPTH: Final = 1_000
_SLACK_NS: Final = 2_000_000_000
"""Some file systems tell a time in whole seconds."""

_Ground = tuple[tuple[str, ...], tuple[str, ...], str]


@define(eq=False)
class HardLinks:
    """The names of the files in the folders where names are guarded, as they were last walked."""

    _names: dict[int, list[str]] = field(init=False, factory=dict)
    _ground: _Ground | None = field(init=False, default=None)
    _walked_ns: int = field(init=False, default=0)

    def others(
        self, path: str, inside: Iterable[str], outside: Iterable[str], home: str
    ) -> tuple[str, ...]:
        """The other names of the file at a resolved path, in these folders and in that home."""
        with suppress(OSError, ValueError):
            facts = os.lstat(path)
            if facts.st_nlink > 1 and stat.S_ISREG(facts.st_mode):
                return self._others(path, facts, (tuple(inside), tuple(outside), home))
        return ()

    def _others(self, path: str, facts: os.stat_result, ground: _Ground) -> tuple[str, ...]:
        is_known = ground == self._ground and facts.st_ctime_ns < self._walked_ns - _SLACK_NS
        names = self._names_of(facts) if is_known else None
        if names is None:
            self._walk(ground)
            names = self._names_of(facts) or []
        return tuple(dict.fromkeys(name for name in names if name != path))

    def _names_of(self, facts: os.stat_result) -> list[str] | None:
        """The names of a file; None where one of those that were found is another's by now."""
        names: list[str] = []
        for name in self._names.get(facts.st_ino, ()):
            try:
                there = os.lstat(name)
            except OSError:
                return None
            if there.st_ino != facts.st_ino:
                return None
            # Another file system has numbers of its own.
            names += [name] if there.st_dev == facts.st_dev else []
        return names

    def _walk(self, ground: _Ground) -> None:
        inside, outside, home = ground
        begun, names = time.time_ns(), dict[int, list[str]]()
        hidden = (entry.path for entry in _entries(home) if entry.name.startswith("."))
        for number, path in (
            *_numbered(inside, _MAX_ENTRIES_INSIDE, _UNLIMITED_DEPTH),
            *_numbered(hidden, _MAX_ENTRIES_OUTSIDE, _MAX_DEPTH_AT_HOME),
            *_numbered(outside, _MAX_ENTRIES_OUTSIDE, _UNLIMITED_DEPTH),
        ):
            names.setdefault(number, []).append(path)
        self._names, self._ground, self._walked_ns = names, ground, begun


def guarded_by(rules: Iterable[WrittenRule], home: str) -> tuple[str, ...]:
    """The folders and files outside the workspace that rules keep from being read or changed.

    >>> from assent.gate.rules.notation import written
    >>> texts = ("read(~/notes/**)", "write(/srv/a.txt)", "read(**/.env)", "read(~/*.pem)")
    >>> guarded_by([written(it, Verdict.DENY) for it in texts], "/home/ada")
    ('/home/ada/notes', '/srv/a.txt')
    """
    paths = (
        f"{home}{rule.about[1:]}" if rule.about.startswith("~/") else rule.about
        for rule in rules
        if rule.tool in {"read", "write"} and rule.verdict is not Verdict.ALLOW
    )
    fixed = (
        f"/{'/'.join(takewhile(_is_fixed, path.split('/')[1:]))}"
        for path in paths
        if path[:1] == "/"
    )
    # What lies anywhere in a home, or on the machine, is too much to walk.
    return tuple(dict.fromkeys(path for path in fixed if not is_within(home, path)))


def _is_fixed(name: str) -> bool:
    return not is_wild(name)


def _numbered(tops: Iterable[str], most: int, deepest: int) -> Iterator[tuple[int, str]]:
    """Each file at or below these paths, by its number; the nearest first."""
    left = deque[tuple[str, int]]()
    for top in tops:
        with suppress(OSError, ValueError):
            facts = os.lstat(top)
            if stat.S_ISDIR(facts.st_mode):
                left.append((top, 1))
            else:
                yield facts.st_ino, top
    while left and most > 0:
        folder, depth = left.popleft()
        for entry in _entries(folder):
            most -= 1
            if not entry.is_dir(follow_symlinks=False):
                yield entry.inode(), entry.path
            elif depth < deepest and not _is_passed_over(entry):
                left.append((entry.path, depth + 1))


def _is_passed_over(folder: os.DirEntry[str]) -> bool:
    return folder.name in MADE or (folder.name == _OBJECTS and "/.git/" in folder.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [*entries]
    except OSError:
        return []
