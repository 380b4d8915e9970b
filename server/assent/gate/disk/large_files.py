"""Files that are too large to be held as text while a question is open.

They are read whole, for a moment, and known by a digest of all that stands in them.
"""

import os
import stat
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import MAX_FILE_BYTES, open_resolved

__all__ = ["MAX_LARGE_FILE_BYTES", "bytes_of", "digest_of", "is_large"]

MAX_LARGE_FILE_BYTES: Final = 64 * 1024 * 1024
"""In bytes: as far as lines are counted when a file is read."""
_TOO_LARGE: Final = "{} is larger than 64 MB, so it is not edited."


def is_large(path: str) -> bool:
    """Whether at a resolved path there is a file too large to be held as a text."""
    try:
        facts = os.stat(path, follow_symlinks=False)  # noqa: PTH116 -- a string in
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_size > MAX_FILE_BYTES


def bytes_of(path: str, shown: str) -> bytes:
    """All that stands in the file at a resolved path; raises `CallUnreadable`."""
    try:
        descriptor = open_resolved(path)
    except OSError as error:
        raise CallUnreadable(f"{shown} cannot be read: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise CallUnreadable(f"{shown} is not an ordinary file.")
        data = file.read(MAX_LARGE_FILE_BYTES + 1)
    if len(data) > MAX_LARGE_FILE_BYTES:
        raise CallUnreadable(_TOO_LARGE.format(shown))
    return data


def digest_of(data: bytes) -> str:
    """The SHA-256 of what stands in a file."""
    # Only large files have one, and a question should not wait for OpenSSL.
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(data).hexdigest()
