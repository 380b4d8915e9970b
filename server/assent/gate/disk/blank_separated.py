"""File names as a shell reads them that splits at blanks."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = ["names_below", "pieces_of"]

_BREAKS: Final = late(r"[\s'\"\\]")
_QUOTES: Final = late(r"['\"\\]")
_MAX_LISTED, _MAX_MATCHES = 150_000, 100
"""So many names are looked at, a tenth of a second, and so many pieces followed."""


def pieces_of(names: Iterable[str], cwd: str | None) -> tuple[str, ...] | None:
    """What names fall into at their blanks, as far as that may matter; None if they are too many.

    That are pieces by which something is named from `cwd`, that lead up or away, or that look like
    an option; with and without quotes, which some programs take off. Without a `cwd` the names
    with blanks are told.
    """
    pieces: dict[str, None] = {}
    for looked, name in enumerate(names):
        if looked > _MAX_LISTED or len(pieces) > _MAX_MATCHES:
            return None
        if _BREAKS.search(name):
            matching = (
                (piece for piece in _pieces(name) if _matters(piece, cwd))
                if cwd is not None
                else (name,)
            )
            pieces.update((piece, None) for piece in matching)
    return tuple(pieces)


def names_below(folder: str) -> Iterator[str]:
    """Each path below a folder, from there."""
    left = [(folder, "")]
    while left:
        at, inner = left.pop()
        with suppress(OSError), os.scandir(at) as entries:
            for entry in entries:
                yield inner + entry.name
                if entry.is_dir(follow_symlinks=False):
                    left.append((entry.path, f"{inner}{entry.name}/"))


def _pieces(path: str) -> Iterator[str]:
    """What a path falls into, but for what it begins with: that lies where it lies itself."""
    for text in {path, _QUOTES.sub("", path)}:
        first, *rest = text.split() or [""]
        yield from (part for part in (first,) if ".." in part.split("/"))
        yield from rest


def _matters(piece: str, cwd: str) -> bool:
    if piece.startswith("/") or (piece.startswith("-") and piece != "-") or ".." in piece:
        return True
    return os.path.lexists(f"{cwd}/{piece}")
