"""Finds runs of the server that ended without saying so.

Each run holds a lock on a file named by its epoch and removes it when it ends in order. A file
that nobody holds is of a run that was killed; what it left open is then closed by the next.
"""

import contextlib
import os
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import Head
from assent.gate.values import define, field

__all__ = ["Epochs", "close_dead"]

_BEGAN: Final = re.compile(rb"([0-9a-f]{64}) ([0-9]{1,15})")
_ROWS_BEFORE: Final = 10_000
"""So many rows further back it is looked as well: a run may write before it is entered."""


@define
class Epochs:
    """The runs that have not ended in order, this one among them."""

    _folder: pathlib.Path
    _held: dict[str, int] = field(factory=dict)

    def begin(self, epoch: str) -> None:
        """Enter this run, once however often that is tried."""
        if epoch in self._held:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = os.open(self._folder / epoch, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            _lock(held)
        except OSError:
            os.close(held)
            raise
        self._held[epoch] = held

    def note(self, epoch: str, head: Head | None) -> None:
        """How far the journal had come when this run began, so that only what follows is read."""
        held = self._held.get(epoch)
        if held is not None and head is not None:
            os.lseek(held, 0, os.SEEK_SET)
            os.write(held, f"{head.journal} {head.seq}".encode())

    def began_at(self, epoch: str, journal: str) -> int:
        """The row behind which a run's own stand; 0 where that is not known of this journal."""
        with contextlib.suppress(OSError):
            match = _BEGAN.fullmatch((self._folder / epoch).read_bytes()[:100])
            if match is not None and match[1].decode() == journal:
                return max(0, int(match[2]) - _ROWS_BEFORE)
        return 0

    def end(self, epoch: str) -> None:
        """This run ends in order."""
        held = self._held.pop(epoch, None)
        if held is not None:
            self.forget(epoch)
            os.close(held)

    def lives(self, epoch: str) -> bool:
        """Whether a run of that name has not ended."""
        path = self._folder / pathlib.PurePath(epoch).name
        return epoch in self._held or (path.name == epoch and path.is_file() and not _is_free(path))

    def dead(self) -> Iterator[str]:
        """The runs that were killed."""
        for path in sorted(self._folder.glob("*")):
            if path.name not in self._held and _is_free(path):
                yield path.name

    def forget(self, epoch: str) -> None:
        """What a run left open has been closed."""
        with contextlib.suppress(FileNotFoundError):
            (self._folder / epoch).unlink()


async def close_dead(epochs: Epochs, journal: Journal) -> list[str]:
    """Close in the journal what killed runs left open; a sentence for each of those calls."""
    sentences: list[str] = []
    for epoch in list(epochs.dead()):
        known = journal.head.journal if journal.head is not None else ""
        rows = await journal.rows(after=epochs.began_at(epoch, known), epoch=epoch)
        for entry, sentence in _left_open(rows):
            await journal.keep(entry)
            sentences.append(sentence)
        epochs.forget(epoch)
    return sentences


def _left_open(rows: list[dict[str, Any]]) -> Iterator[tuple[Entry, str]]:
    """What is to be written, and what is to be said, of each call that has no end."""
    last = {(row["chat"], row["call"]): row for row in rows if row["call"] is not None}
    for row in last.values():
        if row["kind"] == "asked":
            yield (
                _closing(row, "decided", outcome="refused", by="error"),
                "The server stopped while a question was open; nothing of it ran.",
            )
        elif row["kind"] == "decided" and '"outcome":"allowed"' in row["body"]:
            yield (
                _closing(row, "ended", state="unknown"),
                "The server stopped while an allowed call ran; how it ended is not known.",
            )


def _closing(row: dict[str, Any], kind: str, **body: str) -> Entry:
    return Entry(
        kind=kind,
        chat=row["chat"],
        call=row["call"],
        agent=row["agent"],
        digest=row["digest"],
        body={**body, "because": "The server stopped", "epoch": row["epoch"]},
    )


def _is_free(path: pathlib.Path) -> bool:
    try:
        held = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        _lock(held)
    except OSError:
        return False
    finally:
        os.close(held)
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(held: int) -> None:
        msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(held: int) -> None:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
