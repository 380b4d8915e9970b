"""Saves the chats of this window while they go on.

What happens in a chat is noted at once and kept a moment later, all of it together and in a thread
of its own, so that nobody who speaks waits for a disk. What could not be kept is tried again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from typing import Final

from assent.agent.chats import stored_turns
from assent.agent.chats.store import Store
from assent.agent.chats.values import Batch, Head
from assent.agent.loop.assistants import Assistants
from assent.agent.models.conversation import Turn
from assent.catalogue.workflows.runs import RunsUnkept
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.backlog import LOST, Backlog
from assent.editor.window.chats.kept.chat_heads import Hosted, head_of, words_of
from assent.editor.window.chats.kept.store_thread import Result, StoreThread
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.journal import events
from assent.gate.values import define, evolve, field
from assent.hosting.connection.fleet import Fleet

__all__ = ["ChatSaver"]

_LOG = logging.getLogger(__name__)

_SAVE_DELAY_S: Final = 0.25
"""Seconds from what happened to its being kept."""
_RETRY_DELAY_S: Final = 5.0
"""Seconds until what could not be kept is tried once more."""
_EVER_MS: Final = 2**62
"""Every chat is older than that."""
_RUNS_LEFT: Final = "The chat is deleted, but what its workflows gave could not be."


@define(eq=False)
class ChatSaver(StoreThread):
    """One for each window."""

    store: Store
    workspace: str
    """By what its chats are found again."""
    _board: Board
    _fleet: Fleet
    _assistants: Assistants
    _now: Callable[[], int]
    _is_ours: Callable[[ChatId], bool]
    """Whether a chat's agent is hosted here."""
    heard: Callable[[], None] = lambda: None
    """Called when `trouble` is another."""
    trouble: str = ""
    """Why chats are not kept, as the second half of a sentence."""
    is_wiped: bool = True
    """Whether nothing is left in the files of what was deleted."""
    is_on: bool = False
    """Whether chats are kept at all."""
    asleep: dict[ChatId, Head] = field(factory=dict)
    """The chats of before with whose agent nobody has spoken yet."""
    _spoiled: set[ChatId] = field(factory=set)
    """Those of them that nothing vouches for."""
    _begun: dict[ChatId, int] = field(factory=dict)
    _hosted: dict[ChatId, Hosted] = field(factory=dict)
    _touched: set[ChatId] = field(factory=set)
    _turns: dict[ChatId, tuple[Turn, ...]] = field(factory=dict)
    """What was kept of our own agent's conversations last."""
    _lost: set[ChatId] = field(factory=set)
    """Those of which was told that another run has them."""
    _backlog: Backlog = field(init=False)
    """Of the store's thread."""
    _timer: asyncio.TimerHandle | None = None

    def __attrs_post_init__(self) -> None:
        self._backlog = Backlog(self.store)

    async def caught_up(self, work: Callable[[], Result]) -> Result:
        """Have something done as `asked` does, once all is kept that could not be kept before."""
        loop = asyncio.get_running_loop()

        def both() -> Result:
            loop.call_soon_threadsafe(self._take_outcome, "", self._backlog.empty())
            return work()

        return await self.asked(both)

    async def keep_now(self) -> None:
        """Keep what has happened; `trouble` says why it could not be kept."""
        self._flush()
        await self.ask(lambda: None)

    async def delete(self, chat: ChatId) -> bool:
        """Delete what is kept of a chat; False where another window has it."""
        gone = await self.asked(lambda: self._backlog.delete(chat, self.workspace))
        if self._backlog.waits:
            self._take_outcome(self.trouble, [])
        if gone:
            await self._forget_runs([chat])
        return gone

    async def drop_outlived(self, before: int, most_bytes: int) -> None:
        """Delete the chats that are too old or too many."""
        gone = await self.ask(lambda: self.store.outlived(before, most_bytes))
        if gone:
            deleted = await self.ask(lambda: self.store.delete(gone))
            with contextlib.suppress(AssentError):
                await self._forget_runs(deleted)

    async def drop_orphans(self) -> None:
        """Keep nothing of what was run in chats that are not kept, where that once failed, say."""
        there = await self.ask(lambda: self.store.outlived(_EVER_MS, 0))
        try:
            await self._assistants.forget_but(there)
        except RunsUnkept:
            _LOG.exception("what was run in chats that are gone is kept still")

    async def _forget_runs(self, chats: list[str]) -> None:
        """Keep nothing of what was run in deleted chats, either."""
        try:
            await self._assistants.forget(chats)
        except RunsUnkept as error:
            _LOG.exception("the runs of deleted chats are kept still")
            raise AssentError(_RUNS_LEFT) from error

    def touched(self, chat: ChatId) -> None:
        """Something has happened in a chat."""
        if self.is_on:
            self._touched.add(chat)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(_SAVE_DELAY_S, self._flush)

    def came_back(self, head: Head, *, is_whole: bool) -> None:
        """A chat of before is shown here, and is this run's."""
        chat = ChatId(head.id)
        self.asleep[chat], self._begun[chat] = head, head.begun
        if not is_whole:
            self._spoiled.add(chat)

    def vouched_turns(self, chat: ChatId) -> tuple[bytes, ...]:
        """Our own agent's conversation; raise where it may be somebody else's."""
        if chat in self._spoiled:
            raise ValueError("nothing vouches for it")
        return self.store.turns(chat)

    def woke(self, chat: ChatId, turns: Iterable[Turn] = ()) -> None:
        """The agent of a chat goes on with it, and these of its turns are kept already."""
        self.asleep.pop(chat, None)
        self._turns[chat] = tuple(turns)

    def look(self, chat: ChatId) -> None:
        """Know what a chat's agent knows, as far as it has one."""
        conversation = self._assistants.conversation(chat)
        session = self._fleet.session_id(chat)
        if conversation is not None:
            model = self._assistants.model(chat)
            self._hosted[chat] = Hosted(conversation=conversation, model=model, session="")
        elif session:
            self._hosted[chat] = Hosted(
                conversation=None, model="", session=session, tools=self._fleet.seen(chat)
            )

    def leave(self, chat: Transcript) -> None:
        """A chat is closed here: keep the last of it, and have it no longer."""
        if not self._is_kept(chat):
            return
        batch = self._batch(chat)
        head = evolve(batch.head, is_open=False)
        self._order([evolve(batch, head=head)], then=[head])
        self.forget(chat.chat)

    def forget(self, chat: ChatId) -> None:
        """Nothing more is kept of a chat."""
        for known in (self.asleep, self._begun, self._turns, self._hosted):
            known.pop(chat, None)
        self._spoiled.discard(chat)
        self._touched.discard(chat)
        self._lost.discard(chat)

    def let_go(self) -> None:
        """Keep the last of all chats, and have them no longer: another window may."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        kept = [
            transcript
            for transcript in self._board.all.values()
            if self.is_on and self._is_kept(transcript)
        ]
        batches = [self._batch(transcript) for transcript in kept]
        if batches:
            self._order(batches, then=[batch.head for batch in batches])

    def close(self) -> None:
        """Nothing happens any more."""
        self.let_go()
        # It may be open although it was never on: whoever opened it was stopped before that.
        with contextlib.suppress(Exception):
            self._writer_thread.order(self.store.close)
        self._writer_thread.close()

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        touched, self._touched = self._touched, set()
        transcripts = [self._board.chat(chat) for chat in touched]
        batches = [
            self._batch(transcript)
            for transcript in transcripts
            if transcript is not None and self._is_kept(transcript)
        ]
        if batches or self._backlog.waits:
            self._order(batches)

    def _order(self, batches: list[Batch], then: Iterable[Head] = ()) -> None:
        loop = asyncio.get_running_loop()

        def keep() -> None:
            trouble, lost = self._backlog.keep(batches, then)
            # A loop that has ended has nobody left to tell.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._take_outcome, trouble, lost)

        with contextlib.suppress(Exception):
            self._writer_thread.order(keep)

    def _take_outcome(self, trouble: str, lost: list[str]) -> None:
        """How it went."""
        if trouble or self._backlog.waits:
            self._try_later()
        outcome = trouble, self.store.is_wiped
        if outcome != (self.trouble, self.is_wiped):
            self.trouble, self.is_wiped = outcome
            self.heard()
        for chat in {ChatId(chat_id) for chat_id in lost} - self._lost:
            if self._board.chat(chat) is not None:
                self._lost.add(chat)
                self._board.tell(events.Noticed(chat=chat, level="warning", text=LOST))

    def _try_later(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_RETRY_DELAY_S, self._flush)

    def _is_kept(self, chat: Transcript) -> bool:
        """Whether it is a chat of this window in which something was said."""
        is_begun = bool(chat.asked) or chat.chat in self._begun
        return is_begun and not chat.is_elsewhere and self._is_ours(chat.chat)

    def _batch(self, chat: Transcript) -> Batch:
        changed = chat.take_changed()
        self.look(chat.chat)
        turns, until = self._changed_turns(chat.chat)
        return Batch(
            head=self._head(chat),
            items={number: chat.body(number, item) for number, item in changed.items()},
            words={number: words_of(item) for number, item in changed.items()},
            turns=turns,
            turns_until=until,
        )

    def _changed_turns(self, chat: ChatId) -> tuple[dict[int, bytes], int | None]:
        """The turns that are others than were kept last, and how many there are."""
        hosted = self._hosted.get(chat)
        if chat in self._spoiled and chat in self.asleep:
            # It is sealed with our key from now on, so nothing of somebody else's stays in it.
            return {}, None if self.store.key is None else 0
        if hosted is None or hosted.conversation is None or chat in self.asleep:
            return {}, None
        before, now = self._turns.get(chat, ()), hosted.conversation.turns
        self._turns[chat] = now
        changed = {
            place: stored_turns.written(turn)
            for place, turn in enumerate(now)
            if place >= len(before) or before[place] is not turn
        }
        return changed, len(now)

    def _head(self, chat: Transcript) -> Head:
        now, known = self._now(), chat.chat
        head = head_of(chat, self.asleep.get(known), self._hosted.get(known))
        begun = self._begun.setdefault(known, now)
        touched = now if known not in self.asleep else head.touched
        return evolve(head, workspace=self.workspace, begun=begun, touched=touched)
