"""Whether a person is asked about what a trial changed, beyond what rules and the mode say."""

import os
import stat
from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.sandbox.changes import Change, Kind
from assent.gate.sandbox.sorting import Sorted, names_of
from assent.gate.values import frozen

__all__ = ["ALLOWED_BEFORE", "SEEN_MEANWHILE", "Terms", "is_loss", "terms_of_unasked"]

_MAX_UNASKED_FILES: Final = 500
_EXECUTABLE_BITS: Final = 0o111
_SPECIAL_BITS: Final = 0o7000
_CACHES: Final = frozenset(".pytest_cache .mypy_cache .ruff_cache .nyc_output".split())
"""Folders that tools fill, and out of which nothing is ever run."""
_CACHE_FILES: Final = frozenset({".coverage", ".eslintcache"})


@frozen
class Terms:
    """Why the gate does not ask for the mode's sake, or why it asks in every mode."""

    agreed: str = ""
    caution: str = ""


SEEN_MEANWHILE: Final = Terms(
    caution="A command that only reads has not ended, and would see these changes."
)
ALLOWED_BEFORE: Final = Terms(agreed="You allowed what this command changes.")


def terms_of_unasked(
    changes: Sequence[Change],
    by_weight: Sorted,
    workspace: str,
    can_be_restored: Callable[[str], bool],
) -> Terms:
    """The terms for what a command changed that ran on a copy without a question.

    `can_be_restored` says of a path whether git has what lies there.
    """
    if by_weight.protected:
        return Terms(caution=by_weight.why_asked)
    if all(map(_is_of_cache, changes)):
        return Terms(agreed="It changed nothing but what tools keep to be faster.")
    odd = [change.path for change in changes if not _is_plain_write(change)]
    if odd:
        return Terms(caution=f"It makes links or programs: {names_of(odd)}.")
    if len(changes) > _MAX_UNASKED_FILES:
        return Terms(caution=f"It changes {len(changes):,} files.")
    paths = [change.path for change in changes if is_loss(change) or _is_emptied(change)]
    lost = [path for path in paths if not _is_kept(f"{workspace}/{path}", can_be_restored)]
    if lost:
        return Terms(caution=f"It deletes what git does not have: {names_of(lost)}.")
    return Terms()


def is_loss(change: Change) -> bool:
    """Whether what was there is lost: it is deleted, or a link takes its place."""
    was_link = change.before is not None and stat.S_ISLNK(change.before.mode)
    is_replaced = change.kind is Kind.LINK and change.before is not None and not was_link
    return change.kind is Kind.DELETED or is_replaced


def _is_emptied(change: Change) -> bool:
    """Whether nothing is left of a file but its name."""
    return change.kind is Kind.CHANGED and change.size == 0


def _is_of_cache(change: Change) -> bool:
    parts = change.path.split("/")
    was_folder = change.before is not None and change.before.is_folder
    is_file = parts[-1] in _CACHE_FILES and not (was_folder or change.kind is Kind.FOLDER)
    return (is_file or not _CACHES.isdisjoint(parts)) and _is_plain_write(change)


def _is_plain_write(change: Change) -> bool:
    """Whether a tool that writes files could have made it."""
    if change.kind is Kind.FOLDER:
        return not change.mode & _SPECIAL_BITS
    if change.kind is Kind.DELETED:
        return True
    # Each link seems to be a program by its rights, which say nothing of what takes its place.
    was_file = change.before is not None and stat.S_ISREG(change.before.mode)
    could_run = change.before.mode if change.before is not None and was_file else 0
    runs_more = change.mode & _EXECUTABLE_BITS & ~could_run
    return change.kind in {Kind.MADE, Kind.CHANGED} and not runs_more


def _is_kept(path: str, can_be_restored: Callable[[str], bool]) -> bool:
    """Whether git has a file, or all that lies below a folder."""
    if os.path.islink(path) or not os.path.isdir(path):  # noqa: PTH112, PTH114 -- many
        return can_be_restored(path)
    return all(
        can_be_restored(f"{folder}/{name}")
        for folder, folders, names in os.walk(path)
        for name in (*names, *(sub for sub in folders if os.path.islink(f"{folder}/{sub}")))  # noqa: PTH114
    )
