"""Files that a person agreed to by their content: a server starts only while they are these.

They are compared right before the server starts, and once more when it has begun to speak. The
second look also finds a file that was replaced or written meanwhile, by the time of its last
change. It does not find a folder above that was swapped and put back.
"""

import hashlib
import os
from collections.abc import Mapping
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.settings.ordinary_files import read_ordinary

__all__ = [
    "UNREAD",
    "BoundFileChanged",
    "Look",
    "insist_unchanged",
    "leads_to",
    "look_at",
    "mark_of",
]

UNREAD: Final = "unread"
"""The mark of a file that cannot be read, or is too large to be bound by its content."""
_FOLDER: Final = " "
"""What the mark of a folder begins with: it has no content, only where a link leads."""
_MAX_FILE_BYTES: Final = 64 * 1024 * 1024

Look = Mapping[str, tuple[int, ...]]
"""How files stand on the disk: which each is, and when it was changed."""


class BoundFileChanged(AssentError):
    """A file is not what it was agreed to; the message is a clause."""


def mark_of(path: str) -> str:
    """By what a file is known: its content, and where a link leads; of a folder only that."""
    real = os.path.realpath(path)
    try:
        digest = hashlib.sha256(read_ordinary(real, _MAX_FILE_BYTES)).hexdigest()
    except IsADirectoryError:
        digest = ""
    except (OSError, TypeError):
        # A file of the system may have nothing to be read yet, which is no content either.
        digest = UNREAD
    return digest if real == os.path.normpath(path) else f"{digest} {real}"


def leads_to(mark: str) -> str:
    """Where the link leads that has this mark; nothing for what is no link."""
    return mark.partition(" ")[2]


def look_at(marks: Mapping[str, str]) -> Look:
    """How these files stand; raises `BoundFileChanged` where one has another mark."""
    look: dict[str, tuple[int, ...]] = {}
    for path, mark in marks.items():
        stands = _stands(path)
        if mark_of(path) != mark:
            raise _changed(path)
        # What changes in a folder is its server's own work.
        if not mark.startswith((UNREAD, _FOLDER)):
            look[path] = stands
    return look


def insist_unchanged(look: Look) -> None:
    """Raise `BoundFileChanged` where a file was changed since."""
    for path, stands in look.items():
        if _stands(path) != stands:
            raise _changed(path)


def _stands(path: str) -> tuple[int, ...]:
    """What a file is and when it was changed; of a link also when the link was."""
    try:
        both = (os.lstat(path), os.stat(path))  # noqa: PTH116 -- a string in
    except OSError:
        return ()
    return tuple(
        number
        for facts in both
        for number in (facts.st_dev, facts.st_ino, facts.st_size, facts.st_ctime_ns)
    )


def _changed(path: str) -> BoundFileChanged:
    return BoundFileChanged(f"{path} is not what it was when you were asked about it")
