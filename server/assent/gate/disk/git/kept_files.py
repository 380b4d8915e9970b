"""Tells whether git has a file as it stands, so that nothing is lost where it is overwritten."""

import hashlib
import os
import stat
from typing import Final

from assent.gate.disk.git.files import Unclear, bytes_in
from assent.gate.disk.git.index import MAX_INDEX_BYTES, digests_noted
from assent.gate.disk.git.repository import found_from

__all__ = ["is_kept"]

_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
_SHA_1_BYTES: Final = 20


def is_kept(path: str) -> bool:
    """Whether the file's text was added to the repository that it lies in.

    What a filter changes on the way into git is told as not kept.
    """
    folder, name = path.rpartition("/")[::2]
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        repository = found_from(folder)
        if repository is None or not name:
            return False
        index = bytes_in(f"{repository.git}/index", MAX_INDEX_BYTES) or b""
        inner = os.path.relpath(path, repository.folder)
        digests = digests_noted(index, inner)
        text = bytes_in(path, _MAX_FILE_BYTES) if digests else None
    except (Unclear, OSError, ValueError):
        return False
    return text is not None and any(_digest_of(text, len(noted)) == noted for noted in digests)


def _digest_of(text: bytes, length: int) -> bytes:
    kind = hashlib.sha1 if length == _SHA_1_BYTES else hashlib.sha256
    return kind(b"blob %d\0%b" % (len(text), text), usedforsecurity=False).digest()
