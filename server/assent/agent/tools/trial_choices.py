"""The parts of a trial's changes among which a person chooses what becomes real.

Most are one path. A repository's `.git`, a folder that takes the place of something else, and a new
folder that the card shows as one row are each one part: half of it would be something that the
command never made.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from assent.gate.sandbox.changes import Change, Kind

__all__ = ["chosen_of", "parts_of"]

_MOST: Final = 200
_GIT: Final = ".git"


def parts_of(changes: Sequence[Change], folded: Collection[str]) -> dict[str, str]:
    """The part that each path belongs to.

    There are none where they are too many, or where the name of one cannot be shown as it is. A new
    folder is no part where something in it is: it is made for that.
    """
    gone = {change.path for change in changes if change.kind is Kind.DELETED}
    whole = {*folded, *(change.path for change in changes if _replaces(change, gone))}
    filled = {above for change in changes for above in _above(change.path)}
    ordered = sorted(changes, key=lambda change: change.kind is not Kind.DELETED)
    parts = {
        change.path: _part(change.path, whole)
        for change in ordered
        if change.kind is not Kind.FOLDER or change.path not in filled - whole
    }
    names = {*parts.values()}
    return parts if len(names) <= _MOST and all(map(str.isprintable, names)) else {}


def chosen_of(
    changes: Sequence[Change], parts: Mapping[str, str], chosen: Collection[str]
) -> list[Change]:
    """The changes of the chosen parts, with the new folders that these lie in."""
    if not parts:
        return list(changes)
    paths = {path for path, part in parts.items() if part in chosen}
    needed = {above for path in paths for above in _above(path)}
    return [
        change
        for change in changes
        if change.path in paths or (change.path not in parts and change.path in needed)
    ]


def _replaces(change: Change, gone: Collection[str]) -> bool:
    """Whether a folder takes the place of what was there."""
    return change.kind is Kind.FOLDER and change.path in gone


def _part(path: str, whole: Collection[str]) -> str:
    names = path.split("/")
    if _GIT in names:
        return "/".join(names[: names.index(_GIT) + 1]) + "/"
    top = next((above for above in (*_above(path), path) if above in whole), None)
    return path if top is None else f"{top}/"


def _above(path: str) -> Iterator[str]:
    """The folders that it lies in, the outermost first."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
