"""Looks for names below a folder: whether there are any, and which files they are."""

import os
from collections import deque
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Final

from assent.gate.rules.globs import SegmentGlob, is_wild
from assent.gate.rules.pathtree import folded_path

__all__ = ["files_below", "looked_below"]

_MAX_FILES: Final = 500
"""So many files are told of."""


def looked_below(folder: str, names: Collection[str], most: int) -> tuple[bool, int]:
    """Whether anything of these names may lie below a path, and how much was looked at for that.

    The names are folded, and may be patterns; one with a slash at its end is a folder's. It may
    where there is too much to look at.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 -- a string in
        return False, 1
    wanted = {name for name in names if not is_wild(name)}
    globs = [SegmentGlob.of(name) for name in names if is_wild(name)]
    left, looked = deque((folder,)), 0
    while left:
        try:
            # What is looked for lies at the top most often.
            entries = [*os.scandir(left.popleft())]
        except OSError:
            return True, looked
        looked += len(entries) + 1
        names_here = {folded_path(entry.name) for entry in entries}
        inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        # A link may lead to a folder, or round.
        led = (entry.path for entry in entries if entry.is_symlink() and os.path.isdir(entry.path))  # noqa: PTH112 -- a string in
        names_here |= {f"{folded_path(os.path.basename(path))}/" for path in chain(inner, led)}  # noqa: PTH119
        if looked > most or not wanted.isdisjoint(names_here) or _is_fitted(globs, names_here):
            return True, looked
        left += inner
    return False, looked


def _is_fitted(globs: Sequence[SegmentGlob], names: Collection[str]) -> bool:
    return any(glob.fits(name) for glob in globs for name in names)


def files_below(
    folder: str, names: Collection[str], most: int
) -> tuple[tuple[str, ...] | None, int]:
    """The files that have these names or lie in a folder that has one, and how much was looked at.

    The names are folded, and may be patterns. A link to a folder is told with a slash at its end.
    None where there is too much to look at, or too much of it.
    """
    wanted = {name for name in names if not is_wild(name)}
    globs = [SegmentGlob.of(name) for name in names if is_wild(name)]
    # Each folder with whether it lies in one of such a name.
    left, files, looked = deque([(folder, False)]), [], 0
    while left:
        at, within = left.popleft()
        try:
            entries = [*os.scandir(at)]
        except OSError:
            return None, looked
        looked += len(entries) + 1
        for entry in entries:
            name = folded_path(entry.name)
            meant = within or name in wanted or _is_fitted(globs, (name,))
            if entry.is_dir(follow_symlinks=False):
                left.append((entry.path, meant))
            elif meant:
                files.append(f"{entry.path}/" if os.path.isdir(entry.path) else entry.path)  # noqa: PTH112 -- a string in
        if looked > most or len(files) > _MAX_FILES:
            return None, looked
    return tuple(files), looked
