"""The record of decisions, and what a person is told about it.

Nothing runs without a row, so whatever is wrong here is a sentence above all chats until it is
mended. A journal that is broken is set aside on a person's gesture alone.
"""

import asyncio
import contextlib
import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from assent.editor.lsp.editor_requests import EditorSilent
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor
from assent.editor.window.consent.state import Vault, here
from assent.editor.window.spawn import Spawn
from assent.gate.call.errors import AssentError, JournalUnwritable
from assent.gate.journal.epochs import Epochs, close_dead
from assent.gate.journal.integrity import look_through
from assent.gate.journal.journal import Journal
from assent.gate.journal.seal import FOLDER, Head, Seal
from assent.gate.settings.paths import journal_file
from assent.gate.settings.private_files import make_private, reason
from assent.gate.values import define

__all__ = ["Record"]

_MARK_DELAY_S: Final = 2.0
"""Seconds from a row to the mark that tells how far the journal has come."""
_LARGE_FILE_BYTES: Final = 32 * 2**20
"""In bytes: a smaller file is looked through in a moment."""
_START_DELAY_S: Final = 5.0
"""Seconds for which a large one waits, until the start is over."""
_ACTION: Final = "Start a new journal"

_log = logging.getLogger(__name__)


@define
class Record:
    """One for the whole server."""

    journal: Journal
    state: Path
    _epoch: str
    _epochs: Epochs
    _wire: Wire
    _spawn: Spawn
    _tell: Callable[[], None]
    """Called when the banners are others."""
    _vault: Vault | None = None
    _left: tuple[str, ...] = ()
    """What killed runs left."""
    _unbegun: str | None = None
    """Why this run could not be entered."""
    unvouched: str | None = None
    """Why nothing vouches for the journal, or for what was agreed to."""
    _shown_banners: tuple[str, ...] = ()
    _timer: asyncio.TimerHandle | None = None

    @property
    def vault(self) -> Vault | None:
        """The key, once it is known."""
        return self._vault

    @property
    def banners(self) -> tuple[str, ...]:
        """All that a person should know."""
        trouble = self.journal.trouble or self._unbegun
        unkept = None if trouble is None else self._in_a_sentence(trouble)
        return tuple(
            banner for banner in (unkept, self.unvouched, *self._left) if banner is not None
        )

    def listen(self) -> None:
        """Hear from now on what becomes of the journal."""
        loop = asyncio.get_running_loop()
        self.journal.heard = lambda: _later(loop, self._heard)

    async def vouch(self, vault: Vault) -> None:
        """Look whether the journal is what was written; an `EditorSilent` may be tried again."""
        try:
            mark = _head_of(await vault.mark(self._mark_name))
            seal = Seal(self.state / FOLDER, vault.subkey("journal"))
            self._vault, self.unvouched = vault, None
            await self.journal.begin(seal, mark)
        except EditorSilent:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever goes wrong is told, and ends no start
            if self.journal.trouble is None:
                self.unvouched = f"Nothing can vouch for the journal: {error}."

    async def begin(self) -> None:
        """Close what killed runs left, and look through the file meanwhile."""
        await self._enter()
        self._spawn(self._look_through())

    async def start_new(self, _: chats.Nothing) -> chats.Nothing:
        """`journal/startNew`: set the journal aside, if the person says so once more."""
        trouble = self.journal.trouble
        if trouble is None:
            raise AssentError("The journal is as it was written, so it is not set aside.")
        question = editor.Confirm(
            title="Set the journal aside and begin a new one?",
            detail=f"{self._in_a_sentence(trouble)!s} The old file is kept beside the new one,"
            " under the day and the time; the first row of the new one names it.",
            actions=[_ACTION],
        )
        confirmed = await self._wire.request("ui/confirm", question, editor.Confirmed)
        if confirmed.action == _ACTION:
            await self.journal.replace_broken()
            await self._raise_mark()
        return chats.Nothing()

    async def keep_mark(self) -> None:
        """Keep now how far the journal has come, if it has come further than is kept."""
        if self.journal.grown or self._timer is not None:
            await self._raise_mark()

    def close(self) -> None:
        """Nothing happens any more: close the journal, and end this run in order."""
        if self._timer is not None:
            self._timer.cancel()
        self.journal.close()
        self._epochs.end(self._epoch)

    def _heard(self) -> None:
        """The journal tried something: it failed, or went well."""
        if self._unbegun is not None and self.journal.trouble is None:
            self._spawn(self._enter())
        if self.journal.grown and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_MARK_DELAY_S, lambda: self._spawn(self._raise_mark()))
        self._tell_news()

    def _tell_news(self) -> None:
        if self.banners != self._shown_banners:
            self._shown_banners = self.banners
            self._tell()

    async def _enter(self) -> None:
        """Enter this run, and say what killed ones left."""
        try:
            make_private(self.state)
            self._epochs.begin(self._epoch)
            self._unbegun = None
            self._epochs.note(self._epoch, self.journal.head)
            self._left = tuple(dict.fromkeys(await close_dead(self._epochs, self.journal)))
        except Exception as error:  # noqa: BLE001 -- a state folder that fails is told, and ends no start
            said = reason(error) if isinstance(error, OSError) else str(error)
            self._unbegun = f"the journal could not be kept ({said})"
        self._tell_news()

    async def _look_through(self) -> None:
        """Look through the whole file, which holds up nobody."""
        path = journal_file(self.state)
        with contextlib.suppress(OSError, JournalUnwritable):
            if path.lstat().st_size > _LARGE_FILE_BYTES:
                # What it takes is missed by whoever waits for the first card.
                await asyncio.sleep(_START_DELAY_S)
            # Known before it is looked at: another may stand there once that is done.
            facts = path.lstat()
            is_file = stat.S_ISREG(facts.st_mode)
            damage = await asyncio.to_thread(look_through, path) if is_file else None
            if damage is not None:
                await self.journal.condemn((facts.st_dev, facts.st_ino), damage)

    async def _raise_mark(self) -> None:
        """Keep how far the journal has come where the key is."""
        # Before the head is looked at: a row that comes after it is told of again.
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self.journal.grown = None, False
        head = self.journal.head
        if self._vault is None or head is None:
            return
        mark = f"{head.journal} {head.seq} {head.hash}"
        try:
            await self._vault.raise_mark(
                self._mark_name, mark, lambda kept: _is_above(head, _head_of(kept))
            )
        except Exception as error:  # noqa: BLE001 -- the next row tries again
            _log.warning("How far the journal has come was not kept: %s", error)

    @property
    def _mark_name(self) -> str:
        return f"journalMark.{here(self.state)}"

    def _in_a_sentence(self, trouble: str) -> str:
        return f"Nothing runs, because {trouble!s}. It is kept in {self.state}."


def _head_of(mark: str | None) -> Head | None:
    """How far the journal had surely come; None where nobody knows."""
    words = (mark or "").split()
    if len(words) != 3 or not words[1].isdecimal():  # noqa: PLR2004 -- as `_raise_mark` spells it
        return None
    return Head(journal=words[0], seq=int(words[1]), hash=words[2])


def _is_above(head: Head, kept: Head | None) -> bool:
    return kept is None or head.journal != kept.journal or head.seq > kept.seq


def _later(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    # A loop that has ended has nobody left to tell.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what)
