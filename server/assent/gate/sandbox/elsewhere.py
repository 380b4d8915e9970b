"""What a command wrote to the home of its box: it is gone with the box, and told."""

import os
from collections.abc import Iterator
from itertools import islice
from typing import Final

from assent.gate.sandbox.changes import is_made_anew

__all__ = ["written_in"]

_MAX_WALKED: Final = 10_000
_MAX_PATHS: Final = 200
_CACHES: Final = frozenset(".cache _cacache _logs Cache Caches caches __pycache__".split())


def written_in(layer: str) -> list[str]:
    """The files that were written or deleted, as paths below the home, without caches and logs."""
    return sorted(islice(_below(layer), _MAX_PATHS))


def _below(layer: str) -> Iterator[str]:
    left, walked = [""], 0
    while left:
        folder = left.pop()
        try:
            with os.scandir(f"{layer}/{folder}") as entries:
                ordered = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in ordered:
            walked += 1
            if walked > _MAX_WALKED:
                # There is more than anybody looked at: anything at all.
                yield ""
                return
            if entry.name in _CACHES:
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                left.append(path)
                if is_made_anew(entry.path):
                    yield f"{path}/"
            else:
                yield path
