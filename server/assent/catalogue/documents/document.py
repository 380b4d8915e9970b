"""One document: its text, and the stamp that shows that it changed."""

import os
import stat
import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

from assent.catalogue.documents.passages import PassageFound
from assent.gate.disk.files import MAX_FILE_BYTES, open_resolved
from assent.gate.text.encodings import decoded

__all__ = ["is_as", "read", "stamp_at", "stamp_of", "still_so", "text_of"]

_SETTLED_S: Final = 0.1
"""In seconds: what was changed less than that ago may change again and look the same."""
_UNSETTLED: Final = "~"
"""Before the stamp of such a file, so that the next look reads it again."""
_UTF_16: Final = frozenset({b"\xff\xfe", b"\xfe\xff"})
_HEAD_BYTES: Final = 8 * 1024


def stamp_of(facts: os.stat_result) -> str:
    """What changes with a file."""
    return f"{facts.st_size}.{facts.st_mtime_ns}.{facts.st_ctime_ns}.{facts.st_ino}"


def stamp_at(path: str) -> str:
    """Stamp the file at a path; where there is none, a stamp that no file has."""
    try:
        return stamp_of(os.lstat(path))
    except OSError:
        return "gone"


def is_as(kept: str, stamp: str) -> bool:
    """Whether a file with this stamp looks as it did when it was read."""
    return kept.removeprefix(_UNSETTLED) == stamp


def still_so(rows: Iterable[Sequence[Any]]) -> tuple[list[PassageFound], list[str]]:
    """The passages of files that look as they did when they were read, and the other files.

    A row of either store is the path, the stamp, the first and last line, the heading and the text.
    """
    rows = [*rows]
    stamps = {path: stamp for path, stamp, *_ in rows}
    changed = [path for path, stamp in stamps.items() if not is_as(stamp, stamp_at(path))]
    passages = [
        PassageFound(path=row[0], first=row[2], last=row[3], heading=row[4], text=row[5])
        for row in rows
        if row[0] not in changed
    ]
    return passages, changed


def read(path: str) -> tuple[str, bytes] | None:
    """What stands in an ordinary file, with its stamp from before; None where it is gone."""
    try:
        descriptor = open_resolved(path)
    except OSError:
        return None
    try:
        return _read(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> tuple[str, bytes] | None:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        return None
    is_settled = abs(time.time() - facts.st_ctime) > _SETTLED_S
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return ("" if is_settled else _UNSETTLED) + stamp_of(facts), file.read(MAX_FILE_BYTES + 1)


def text_of(data: bytes) -> str:
    """The text that these bytes are; nothing where they are none, or too many."""
    is_binary = b"\0" in data[:_HEAD_BYTES] and data[:2] not in _UTF_16
    text_and_encoding = None if is_binary or len(data) > MAX_FILE_BYTES else decoded(data)
    if text_and_encoding is None:
        return ""
    text = text_and_encoding[0].removeprefix("\ufeff").replace("\0", " ")
    return text.encode("utf-8", "replace").decode()
