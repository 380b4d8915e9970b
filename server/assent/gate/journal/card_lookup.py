"""Looks up the kept cards of decisions; it writes nothing and guesses nothing."""

import contextlib
import math
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assent.gate.journal.card_file import has_only_cards
from assent.gate.journal.card_store import MAX_CARD_BYTES, beside, digest_of
from assent.gate.journal.quarantine import odd_one
from assent.gate.journal.row_marks import body_of
from assent.gate.settings.ordinary_files import opened
from assent.gate.settings.private_files import reason
from assent.gate.values import define, frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = ["CardLookup", "Checked", "open_card_lookup"]

_LOST: Final = "Its card could not be kept: {}."
_NEVER: Final = "No card was kept of it."
_GONE: Final = "Its card is not kept any more."
_OTHER: Final = "The card that is kept for it is not the one that was shown, so it is not drawn."
_UNREAD: Final = "The cards cannot be read: {}."
_ODD: Final = _UNREAD.format("their file is not what was written")
_LOCK_TIMEOUT_S: Final = 2.0


@frozen
class CardLookup:
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

    def used(self, digest: str) -> int | None:
        """When a card was used last that is kept."""
        if self._database is None:
            return None
        wanted = "select at from pictures where digest = ?"
        with contextlib.suppress(_sqlite_error()):
            (moment,) = self._database.execute(wanted, (digest,)).fetchone() or (None,)
            return moment if type(moment) is int else None
        return None

    def _read(self, digest: str) -> tuple[str | None, str]:
        if self._database is None:
            return None, _GONE
        wanted = "select picture from pictures where digest = ?"
        try:
            picture_row = self._database.execute(wanted, (digest,)).fetchone()
        except _sqlite_error() as error:
            return None, _said(error)
        if picture_row is None:
            return None, _GONE
        text = _unpacked(picture_row[0])
        fits = text is not None and digest_of(text) == digest
        return (text, "") if fits else (None, _OTHER)


@define
class Checked:
    """What is known of the cards of rows that are gone through one by one."""

    _album: CardLookup
    fault: str = ""
    """The first that is not what its row names, in a sentence."""
    _oldest: float = math.inf
    """When the oldest was used last of those that rows before this one name, and that are kept."""
    _fits: int = 0
    _gone: int = 0
    _unread: str = ""

    def take(self, row: Mapping[str, Any]) -> None:
        """Look at the card of one row, where it names one."""
        # Most rows name none, and are not read for that.
        if type(row["body"]) is not str or '"card":"' not in row["body"]:
            return
        body = body_of(row)
        if not isinstance(body.get("card"), str):
            return
        text, why = self._album.card_of(body)
        self._fits += text is not None
        self._gone += why == _GONE
        self._unread = self._unread or (why if why not in {"", _GONE, _OTHER} else "")
        fault = self._fault_of(why, row["at"])
        if fault is not None and not self.fault:
            self.fault = f"The card of row {row['seq']} {fault}."
        if text is not None:
            self._note_kept(body["card"], row["at"])

    def _fault_of(self, why: str, at: object) -> str | None:
        """What is wrong with a card that there is not, as the half of a sentence; None if nothing.

        The oldest are deleted first, so one that is missing behind an older one was not deleted
        here. What is older is told by the rows: a clock that stood wrong once tells nothing.
        """
        if why == _OTHER:
            return "is not the one that was shown"
        is_missing = why == _GONE and type(at) is int and at > self._oldest
        return "was taken out" if is_missing else None

    def _note_kept(self, digest: str, at: object) -> None:
        used = self._album.used(digest)
        if used is not None and type(at) is int:
            # The file alone could say anything; it was used again where it says more.
            self._oldest = min(self._oldest, max(used, at))

    @property
    def summary(self) -> str:
        """How many are kept, in a sentence behind another; nothing where there never was one."""
        if self._unread:
            return f" {self._unread}"
        if not self._fits and not self._gone:
            return ""
        kept = f" {self._fits} of {self._fits + self._gone} cards are kept, as they were shown"
        return f"{kept}; the others are not kept any more." if self._gone else f"{kept}."


@contextlib.contextmanager
def open_card_lookup(journal: Path) -> Iterator[CardLookup]:
    """The cards that are kept beside a journal, whatever lies there."""
    import sqlite3  # noqa: PLC0415 -- only where a card is looked up

    path = beside(journal)
    try:
        with opened(path):
            _refuse_odd(path.resolve())
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_LOCK_TIMEOUT_S
        )
    except FileNotFoundError:
        yield CardLookup(None)
        return
    except (OSError, sqlite3.Error) as error:
        yield CardLookup(None, _said(error))
        return
    with contextlib.closing(connection) as database:
        yield _sound(database)


def _refuse_odd(path: Path) -> None:
    odd = odd_one(path)
    if odd is not None:
        raise OSError(0, f"{odd} is no ordinary file")


def _sound(database: "sqlite3.Connection") -> CardLookup:
    import sqlite3  # noqa: PLC0415 -- only where a card is looked up

    try:
        fits = has_only_cards(database)
    except sqlite3.Error as error:
        return CardLookup(None, _said(error))
    return CardLookup(database if fits else None, _ODD if fits is False else "")


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
        unpacked = unpacking.decompress(packed, MAX_CARD_BYTES + 1)
        return unpacked.decode() if len(unpacked) <= MAX_CARD_BYTES else None
    except (zlib.error, UnicodeDecodeError):
        return None
