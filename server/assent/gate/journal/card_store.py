"""Keeps the cards of decided calls as they were shown, by digest, beside the journal.

The journal holds its rows and nothing else: a row names the digest of its card, so cards can be
deleted when their time has come, and rows never are. A card is on the disk before the row that
names it.
"""

import contextlib
import hashlib
import logging
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assent.gate.call.errors import JournalUnwritable
from assent.gate.journal.card_file import CardFile, CardLost
from assent.gate.journal.quarantine import LOGS
from assent.gate.settings.private_files import reason
from assent.gate.values import define

if TYPE_CHECKING:
    import sqlite3

__all__ = ["MAX_CARD_BYTES", "CardStore", "beside", "digest_of"]

_LOG: Final = logging.getLogger(__name__)

_Card = tuple[str, int, bytes]
"""Its digest, when it was shown, and what it holds."""

Later = Callable[[Callable[[], None]], None]
"""Has something done in the journal's thread, in its turn."""

MAX_CARD_BYTES: Final = 256 * 1024
"""In bytes: what is kept of one."""

_MAX_AGE_DAYS: Final = 90
_MAX_STORE_BYTES: Final = 256 * 1024 * 1024
"""In bytes: what is kept of all of them."""
_CARDS_BETWEEN_CLEANUPS: Final = 1_000
"""After so many that were kept it is looked for what is too old, and with the first of a run."""
_DAY_MS: Final = 86_400_000
_CARDS_A_DELETION: Final = 100
"""So many are deleted before the next decision has its turn."""

_PUT: Final = (
    "insert into pictures values (?, ?, ?) on conflict (digest)"
    " do update set at = max(at, excluded.at), picture = excluded.picture"
)
_USED: Final = (
    "select (page_count - freelist_count) * page_size"
    " from pragma_page_count, pragma_freelist_count, pragma_page_size"
)
_OLDEST: Final = (
    "delete from pictures where rowid in"
    " (select rowid from pictures where at < ? order by at limit ?)"
)
_EVER_MS: Final = 1 << 62


def beside(journal: Path) -> Path:
    """Where the cards of a journal lie, and of those that were set aside for it."""
    return journal.with_name("pictures.db")


def digest_of(text: str) -> str:
    """By what a card is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


@define
class CardStore:
    """Used in the journal's thread."""

    _file: CardFile
    days: Callable[[], float] = lambda: _MAX_AGE_DAYS
    """So long they are kept."""
    _kept: int = 0

    @classmethod
    def at(cls, path: Path) -> "CardStore":
        """Those in this file."""
        return cls(CardFile(path))

    def keep(self, text: str, at: int) -> str:
        """Put one on the disk, at most `MAX_CARD_BYTES` bytes of it; return its digest."""
        card = _packed(text, at)
        self._put_all([card])
        return card[0]

    def keep_for_rows(
        self, pictures: list[tuple[Callable[[], str], int]], later: Later
    ) -> list[dict[str, str]]:
        """Keep cards; what their rows say of them: a decision stands without its card, too."""
        made = [_made(picture, at) for picture, at in pictures]
        cards = [card for card in made if not isinstance(card, Exception)]
        try:
            if cards:
                self._put_all(cards)
        except CardLost as error:
            made = [card if isinstance(card, Exception) else error for card in made]
        else:
            self._count(cards, later)
        return [_members_of(card) for card in made]

    def _put_all(self, cards: list[_Card]) -> None:
        """Put them on the disk, all or none."""
        try:
            self._file.do(lambda connection: _put(connection, cards), max(at for _, at, _ in cards))
        except CardLost:
            raise
        except Exception as error:
            self.close()
            said = reason(error) if isinstance(error, OSError) else str(error)
            raise CardLost(said or type(error).__name__) from error

    def _count(self, cards: list[_Card], later: Later) -> None:
        for _, at, _ in cards:
            self._kept += 1
            if self._kept % _CARDS_BETWEEN_CLEANUPS == 1:
                self._forget_later(at, later)

    def forget(self, now: int) -> bool:
        """Delete some whose time has come, or the oldest of too many; whether there may be more."""
        since = now - int(self.days() * _DAY_MS)
        if self._file.do(lambda connection: _deleted(connection, since), now):
            return True
        path = self._file.path
        for set_aside in path.parent.glob(f"{path.stem}-*{path.suffix}"):
            if set_aside.lstat().st_mtime * 1000 < since:
                for end in (*LOGS, ""):
                    Path(f"{set_aside}{end}").unlink(missing_ok=True)
        return False

    def close(self) -> None:
        """Have it open no longer; the next use opens it again."""
        self._file.close()

    def _forget_later(self, now: int, later: Later) -> None:
        """Nobody waits for what is too old: between its pieces decisions have their turn."""
        with contextlib.suppress(JournalUnwritable):
            later(lambda: self._forget(now, later))

    def _forget(self, now: int, later: Later) -> None:
        try:
            has_more = self.forget(now)
        except Exception as error:  # noqa: BLE001 -- the next run deletes them
            _LOG.warning("old cards were not deleted: %s", error)
            return
        if has_more:
            self._forget_later(now, later)


def _packed(text: str, at: int) -> _Card:
    return digest_of(text), at, zlib.compress(text.encode(), 1)


def _made(picture: Callable[[], str], at: int) -> _Card | Exception:
    """A card as it is kept; the error where it cannot be drawn."""
    try:
        return _packed(picture(), at)
    except Exception as error:  # noqa: BLE001 -- a picture is no part of the decision
        return error


def _members_of(card: _Card | Exception) -> dict[str, str]:
    """What the row says of its card."""
    if not isinstance(card, Exception):
        return {"card": card[0]}
    _LOG.warning("a card was not kept: %s", card)
    return {"cardLost": str(card) or type(card).__name__}


def _put(database: "sqlite3.Connection", cards: list[_Card]) -> None:
    with database:
        database.execute("begin immediate")
        database.executemany(_PUT, cards)


def _deleted(database: "sqlite3.Connection", since: int) -> bool:
    """Whether any were deleted."""
    if database.execute(_OLDEST, (since, _CARDS_A_DELETION)).rowcount:
        return True
    too_many = database.execute(_USED).fetchone()[0] > _MAX_STORE_BYTES
    return too_many and bool(database.execute(_OLDEST, (_EVER_MS, _CARDS_A_DELETION)).rowcount)
