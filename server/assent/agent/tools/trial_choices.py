"""The parts of a trial's changes among which a person chooses what becomes real.

Most are one path. A repository's `.git`, a folder that takes the place of something else, and a new
folder that the card shows as one row are each one part: half of it would be something that the
command never made.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from assent.gate.sandbox.changes import Change, Kind
from assent.gate.text.invisible_characters import is_unseen

__all__ = ["chosen_of", "parts_of"]

_MAX_PARTS: Final = 200
_MAX_NAME_LETTERS: Final = 1_000
_GIT: Final = ".git"


def parts_of(changes: Sequence[Change], folded: Collection[str]) -> dict[str, str]:
    """The part that each path belongs to.

    There are none where they are too many, or where the name of one cannot be shown as it is. A new
    folder is no part where something in it is: it is made for that. What is deleted says so.
    """
    gone = {change.path for change in changes if change.kind is Kind.DELETED}
    whole = {*folded, *(change.path for change in changes if _replaces(change, gone))}
    filled = {above for change in changes for above in _above(change.path)}
    lost = gone - {change.path for change in changes if change.kind is not Kind.DELETED}
    ordered = sorted(changes, key=lambda change: change.kind is not Kind.DELETED)
    parts = {
        change.path: _part(change.path, whole, lost)
        for change in ordered
        if change.kind is not Kind.FOLDER or change.path not in filled - whole
    }
    names = {*parts.values()}
    return parts if len(names) <= _MAX_PARTS and all(map(_is_plain, names)) else {}


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


def _is_plain(name: str) -> bool:
    """Whether a list shows the name so that it looks like no other."""
    return name.isprintable() and not any(map(is_unseen, name)) and len(name) <= _MAX_NAME_LETTERS


def _part(path: str, whole: Collection[str], lost: Collection[str]) -> str:
    above = next((above for above in _above(path) if above in whole or _is_git(above)), None)
    if above is not None:
        return f"{above}/"
    return f"{path}/" if path in whole else f"{path} (deleted)" if path in lost else path


def _is_git(path: str) -> bool:
    return path.rpartition("/")[2].casefold() == _GIT


def _above(path: str) -> Iterator[str]:
    """The folders that it lies in, the outermost first."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
