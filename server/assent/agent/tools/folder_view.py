"""Shared by the tools that look through a folder: its path, its files, what is left out.

A name is told of wherever its folder may be looked at; what stands in a file only where nothing
forbids that. How many files are left out depends on their names alone, never on what is in them.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from assent.agent.tools.file_access import opened_folder
from assent.agent.tools.folder_walk import MAX_ENTRIES, Entry, walk
from assent.agent.tools.gitignore import Ignoring, read_ignoring
from assent.agent.tools.patterns import Pattern, fits
from assent.agent.tools.tool import Aim, Arguments, Bench, ToolFailed
from assent.gate.call.calls import Effect, Target
from assent.gate.disk.files import open_resolved
from assent.gate.values import frozen

__all__ = [
    "FolderView",
    "aim_at",
    "fit_lines",
    "fitting",
    "left_out",
    "look",
    "looked_in",
    "may_be_read",
    "plainly",
    "within",
]

_MAX_NOTE_LETTERS: Final = 100
"""In characters: that there is more takes no more."""
_ENTRIES_MATCHED_AT_ONCE: Final = 1_000
_ENTRIES_A_TURN: Final = 50
"""So many files are asked about before others have their turn."""


@frozen(kw_only=True)
class FolderView:
    """What was found in a folder."""

    entries: tuple[Entry, ...]
    whole: bool
    """Whether that is all there is."""


def aim_at(action: str, path: str, arguments: Arguments, bench: Bench) -> Aim:
    """Looking through the folder at a path, or at the file there."""
    return Aim(
        tool="read",
        effect=Effect.READ,
        input=arguments.as_given(),
        targets=(bench.places().locate(path, bench.cwd),),
        action=action,
    )


async def look(target: Target, bench: Bench, deepest: int | None = None) -> FolderView:
    """Everything in a folder."""
    anchors = bench.places().anchors
    return await asyncio.to_thread(looked_in, target, anchors, deepest)


async def fitting(entries: Sequence[Entry], pattern: Pattern) -> list[Entry]:
    """The entries whose path fits a pattern."""
    matches: list[Entry] = []
    for at in range(0, len(entries), _ENTRIES_MATCHED_AT_ONCE):
        # In portions, since a thread cannot be stopped.
        matches += await asyncio.to_thread(
            _fitting, entries[at : at + _ENTRIES_MATCHED_AT_ONCE], pattern
        )
    return matches


async def may_be_read(paths: Sequence[str], bench: Bench) -> list[bool]:
    """Of each resolved path, whether nothing forbids reading the file there."""
    allowed = []
    for at, path in enumerate(paths):
        if at % _ENTRIES_A_TURN == 0:
            await asyncio.sleep(0)
        allowed.append(bench.may_read(path))
    return allowed


def left_out(count: int) -> str:
    """That so many files are left out, where there are any."""
    if not count:
        return ""
    return f"({count:,} {'file' if count == 1 else 'files'} left out, which a rule denies)"


def fit_lines(lines: Sequence[str], notes: Sequence[str], most: int) -> str:
    """The lines, as far as they have room, and what is to be said about them."""
    kept: list[str] = []
    left = most - _MAX_NOTE_LETTERS - sum(len(note) + 1 for note in notes)
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            notes = [*notes, f"(more than can be shown: {len(lines) - len(kept):,} lines are left)"]
            break
        kept.append(line)
    return "\n".join([*kept, *filter(None, notes)])


def within(folder: str, path: str) -> str:
    """A path in a folder, both as they are spelled."""
    return path if folder in {".", "./"} else f"{folder.rstrip('/')}/{path}"


def plainly(name: str) -> str:
    """A name in one line, with its unseen letters spelled out."""
    if name.isprintable():
        return name
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in name
    )


def _fitting(entries: Sequence[Entry], pattern: Pattern) -> list[Entry]:
    return [entry for entry in entries if fits(pattern, entry.path)]


def looked_in(target: Target, anchors: tuple[str, ...], deepest: int | None = None) -> FolderView:
    """Look through the folder at once, in this thread; raises `ToolFailed`."""
    way, ignoring = _way_to(target.resolved, anchors)
    folder = opened_folder(target)
    walked = (
        walk(folder, way, ignoring) if deepest is None else walk(folder, way, ignoring, deepest)
    )
    entries = tuple(islice(walked, MAX_ENTRIES + 1))
    return FolderView(entries=entries[:MAX_ENTRIES], whole=len(entries) <= MAX_ENTRIES)


def _way_to(folder: str, anchors: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Ignoring, ...]]:
    """How a folder is reached from the workspace, and what is ignored on the way to it."""
    roots = [root for root in anchors if folder.startswith(root.rstrip("/") + "/")]
    if not roots:
        return (), ()
    root = max(roots, key=len).rstrip("/")
    way = tuple(part for part in folder[len(root) :].split("/") if part)
    ignoring: list[Ignoring] = []
    for depth in range(len(way)):
        ignoring += _rules_of("/".join((root, *way[:depth])), depth)
    return way, tuple(ignoring)


def _rules_of(folder: str, depth: int) -> Iterator[Ignoring]:
    try:
        descriptor = open_resolved(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ToolFailed(f"{folder} cannot be opened: {error.strerror}.") from error
    try:
        yield from read_ignoring(descriptor, depth)
    finally:
        os.close(descriptor)
