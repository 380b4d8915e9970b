"""Looks up the cards that are kept of what was decided; nothing is written, and none is guessed."""

import contextlib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from assent.history.pictures import LARGEST, beside, digest_of, has_only_pictures
from assent.settings.ordinary import opened
from assent.settings.private_files import reason

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Album", "album"]

_LOST: Final = "Its card could not be kept: {}."
_NEVER: Final = "No card was kept of it."
_GONE: Final = "Its card is not kept any more."
_OTHER: Final = "The card that is kept for it is not the one that was shown, so it is not drawn."
_UNREAD: Final = "The cards cannot be read: {}."
_ODD: Final = _UNREAD.format("their file is not what was written")
_PATIENCE: Final = 2.0


@frozen
class Album:
    """The cards beside a journal."""

    _database: "sqlite3.Connection | None"
    """None where there is no file of them, or none that can be read."""
    trouble: str = ""
    """Why they cannot be read, in a sentence."""

    def card_of(self, body: Mapping[str, Any]) -> tuple[str | None, str]:
        """The card of a record as it was kept; or why there is none, in a sentence."""
        digest = body.get("card")
        if not isinstance(digest, str):
            lost = body.get("cardLost")
            none = _NEVER if body.get("ticket") else ""
            return None, _LOST.format(lost) if isinstance(lost, str) else none
        if self.trouble:
            return None, self.trouble
        return self._read(digest)

    def fault_of(self, body: Mapping[str, Any], at: object) -> str | None:
        """What is wrong with the card of a row, as the half of a sentence; None where nothing is.

        The oldest are deleted first, so of what is missing beside older ones somebody knows more.
        """
        text, why = self.card_of(body)
        if text is not None or why not in {_GONE, _OTHER}:
            return None
        if why == _OTHER:
            return "is not the one that was shown"
        oldest = self.oldest()
        was_taken = oldest is not None and isinstance(at, int) and at > oldest
        return "was taken out" if was_taken else None

    def oldest(self) -> int | None:
        """When the oldest was used last that is kept."""
        if self._database is None:
            return None
        (found,) = self._database.execute("select min(at) from pictures").fetchone()
        return found if isinstance(found, int) else None

    def _read(self, digest: str) -> tuple[str | None, str]:
        if self._database is None:
            return None, _GONE
        wanted = "select picture from pictures where digest = ?"
        try:
            found = self._database.execute(wanted, (digest,)).fetchone()
        except _sqlite_error() as error:
            return None, _said(error)
        if found is None:
            return None, _GONE
        text = _unpacked(found[0])
        fits = text is not None and digest_of(text) == digest
        return (text, "") if fits else (None, _OTHER)


@contextlib.contextmanager
def album(journal: Path) -> Iterator[Album]:
    """The cards that are kept beside a journal, whatever lies there."""
    import sqlite3  # noqa: PLC0415 -- only where a card is looked up

    path = beside(journal)
    try:
        with opened(path):
            pass
        found = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
    except FileNotFoundError:
        yield Album(None)
        return
    except (OSError, sqlite3.Error) as error:
        yield Album(None, _said(error))
        return
    with contextlib.closing(found) as database:
        yield _sound(database)


def _sound(database: "sqlite3.Connection") -> Album:
    import sqlite3  # noqa: PLC0415 -- only where a card is looked up

    try:
        fits = has_only_pictures(database)
    except sqlite3.Error as error:
        return Album(None, _said(error))
    return Album(database if fits else None, _ODD if fits is False else "")


def _sqlite_error() -> type[Exception]:
    import sqlite3  # noqa: PLC0415 -- only where a card is looked up

    return sqlite3.Error


def _said(error: Exception) -> str:
    return _UNREAD.format(reason(error) if isinstance(error, OSError) else error)


def _unpacked(packed: object) -> str | None:
    """The text; None where it is none, or more than is ever kept."""
    if not isinstance(packed, bytes):
        return None
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(packed, LARGEST + 1)
        return found.decode() if len(found) <= LARGEST else None
    except (zlib.error, UnicodeDecodeError):
        return None
