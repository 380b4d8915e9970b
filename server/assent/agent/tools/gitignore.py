"""Reads `.gitignore`, simplified: what a workspace keeps out of its history.

It only saves looking at what nobody wrote. What it leaves out can still be asked for by name.
"""

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from assent.agent.tools.patterns import spelled_out
from assent.gate.disk.files import SAFELY
from assent.gate.disk.hardlinks import MADE
from assent.gate.rules.globs import SegmentGlob, is_wild, path_fits
from assent.gate.values import frozen

__all__ = ["NEVER", "Ignoring", "is_ignored", "read_ignoring"]

NEVER: Final = MADE.union(".git .hg .svn .jj".split())
"""Folders that are not looked into unless they are asked for."""

_MAX_FILE_BYTES: Final = 64 * 1024
_MAX_LINE_LETTERS: Final = 1_000
"""In characters: a longer line is about nothing that anybody wrote by hand."""
_MAX_RULES: Final = 1_000
"""So many rules of one folder are kept, and so many are asked about one path."""
_MAX_SPELLINGS: Final = 16

Fits = Callable[[Sequence[str]], bool]


@frozen(kw_only=True)
class _Rule:
    """One line of a `.gitignore`."""

    fits: Fits
    again: bool
    """Whether it takes back what was said before it."""
    folders: bool
    """Whether it is about folders alone."""


@frozen(kw_only=True)
class Ignoring:
    """The rules of one folder."""

    depth: int
    """How many segments of a path lead to that folder."""
    rules: tuple[_Rule, ...]
    """The last one first, since that is the one that counts."""


def read_ignoring(folder: int, depth: int) -> tuple[Ignoring, ...]:
    """The rules in an opened folder, if there are any."""
    with suppress(OSError):
        descriptor = os.open(".gitignore", os.O_RDONLY | SAFELY, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                lines = file.read(_MAX_FILE_BYTES).decode("utf-8", "replace").splitlines()
                rules = islice((rule for line in lines for rule in _rules(line)), _MAX_RULES)
                return (Ignoring(depth=depth, rules=tuple(rules)[::-1]),)
    return ()


def is_ignored(ignoring: Sequence[Ignoring], path: Sequence[str], *, is_folder: bool) -> bool:
    """Whether a path is left out: the nearest folder's last word on it counts."""
    asked = 0
    for each in reversed(ignoring):
        below = path[each.depth :]
        for rule in each.rules[: _MAX_RULES - asked]:
            if (is_folder or not rule.folders) and rule.fits(below):
                return not rule.again
        asked = min(_MAX_RULES, asked + len(each.rules))
    return False


def _rules(line: str) -> list[_Rule]:
    text = line.strip()
    again, text = text.startswith("!"), text.removeprefix("!")
    folders, text = text.endswith("/"), text.rstrip("/")
    if not text or text.startswith("#") or len(text) > _MAX_LINE_LETTERS:
        return []
    rules = []
    for each in spelled_out(text, _MAX_SPELLINGS):
        fits = _anywhere(each) if "/" not in each else _from_here(each)
        rules.append(_Rule(fits=fits, again=again, folders=folders))
    return rules


def _anywhere(pattern: str) -> Fits:
    """A name at any depth."""
    if not is_wild(pattern):
        name = pattern.replace("\\", "")
        return lambda path: path[-1] == name
    glob = SegmentGlob.of(pattern)
    return lambda path: glob.fits(path[-1])


def _from_here(pattern: str) -> Fits:
    segments = [part for part in pattern.split("/") if part]
    return lambda path: path_fits(segments, path)
