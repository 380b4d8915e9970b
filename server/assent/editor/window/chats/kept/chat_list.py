"""The kept chats of a workspace: brought back with the window, listed, searched, deleted."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from assent.agent.chats.chats_file import trouble_in
from assent.agent.chats.marks import Mark
from assent.agent.chats.values import Listed, Loaded
from assent.editor.protocol import chats, earlier
from assent.editor.window.chats.board import MAX_CHATS, Board
from assent.editor.window.chats.entries import PAGE_BYTES
from assent.editor.window.chats.kept import decode_chat
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.kept.export import exported, fitting, said_in, title_of
from assent.editor.window.chats.kept.resume import ELSEWHERE, GONE, ChatResumer
from assent.editor.window.consent.state import Vault
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AssentError
from assent.gate.journal import events
from assent.gate.settings.entries import EVERYTHING
from assent.gate.values import define, field

__all__ = ["KeptChats"]

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)

_MAX_CHATS_RESUMED: Final = 20
"""So many chats come back by themselves; the others are in the list."""
_ALL_ENTRIES: Final = 1_000_000
_ENTRIES_QUOTED: Final = 1_000
_AGAIN: Final = (0.5, 1.0, 2.0, 4.0)
"""Seconds after each of which the chats are looked for that a window had which is closing."""
_NOT_KEPT: Final = "The chat is called so here, but that is not kept yet: {!s}."
_UNWIPED: Final = "Words of a deleted chat are still in {}-wal, since another program reads it."
_DAY_MS: Final = 24 * 60 * 60 * 1000


@define(eq=False, kw_only=True)
class KeptChats:
    """One for each window."""

    keeping: ChatSaver
    board: Board
    back: ChatResumer
    workspace: Workspace
    now: Callable[[], int]
    mark_name: str
    spawn: Spawn
    ready: asyncio.Event = field(factory=asyncio.Event)
    """Set when the chats of before are there, or cannot be."""
    begun: Callable[[], Coroutine[Any, Any, None]] | None = None  # what is done once they are
    _fault: str = ""  # what is wrong with all that is kept

    @property
    def banners(self) -> tuple[str, ...]:
        """What a person should know of what is kept."""
        path = self.keeping.store.path
        unkept = f"Chats are not kept: {self.keeping.trouble!s} ({path})."
        fault = f"The file of the kept chats {self._fault!s} ({path})."
        troubles = ((self.keeping.trouble, unkept), (self._fault, fault))
        unwiped = () if self.keeping.is_wiped else (_UNWIPED.format(path),)
        return (*(sentence for why, sentence in troubles if why), *unwiped)

    async def begin(self, vault: Vault | None) -> None:
        """Bring the chats back that were open here when the last window closed."""
        store = self.keeping.store
        try:
            key = None if vault is None else vault.subkey("chats")
            mark = await self._mark(vault)
            store.key = key
            if mark.writes or store.is_there:
                await self._begin_with(vault, mark)
        except Exception as error:  # noqa: BLE001 -- whatever is wrong is told, and ends no start
            _LOG.exception("The chats of before could not be read.")
            self.keeping.trouble = trouble_in(error)
        finally:
            self.keeping.is_on = True
            self.ready.set()
        if self.begun is not None:
            self.spawn(self.begun())
        if self.banners:
            self.keeping.heard()

    async def _begin_with(self, vault: Vault | None, mark: Mark) -> None:
        store = self.keeping.store
        self._fault = await self.keeping.ask(lambda: store.begin(store.key, mark))
        self.keeping.is_on = True
        await self._drop_outlived()
        await self.keeping.drop_orphans()
        await self._bring_back()
        await self.keep_mark(vault)

    async def do_without(self, _: Vault | None) -> None:
        """In this window no chat lasts."""
        self.ready.set()

    async def _mark(self, vault: Vault | None) -> Mark:
        """How often the file had surely been written; an editor that is silent keeps that back."""
        try:
            return Mark() if vault is None else Mark.read(await vault.mark(self.mark_name))
        except AssentError as error:
            _LOG.warning("How far the chats had come could not be asked: %s", error)
            return Mark()

    async def keep_mark(self, vault: Vault | None) -> None:
        """Keep how often the file was written where the key is."""
        if vault and self.keeping.is_on and self.keeping.store.is_there:
            state = await self.keeping.ask(lambda: self.keeping.store.state)
            # One that the file has not come by stays: the next start misses it, and says so.
            if state.writes:
                await vault.raise_mark(
                    self.mark_name, str(state.mark), lambda kept: state.is_above(Mark.read(kept))
                )

    async def list_kept(self, params: earlier.ListChats) -> earlier.ChatList:
        """`chat/list`: those of this workspace, or those of them in which something was said."""
        store, place = self.keeping.store, self.keeping.workspace
        wanted = params.find.strip()
        ask = partial(store.find, place, wanted) if wanted else partial(store.newest, place)
        kept_chats = await self.keeping.asked(lambda: ask(params.limit))
        return earlier.ChatList(chats=[self._describe_chat(kept_chat) for kept_chat in kept_chats])

    async def open(self, params: chats.ChatRef) -> chats.ChatRef:
        """`chat/open`: show a chat here; one that another window has can be read."""
        chat = ChatId(params.chat_id)
        async with self.back.turn:
            if self.board.chat(chat) is None:
                if self.board.is_full:
                    raise AssentError(f"{MAX_CHATS} chats are open; close one first.")
                is_ours = await self.keeping.caught_up(
                    lambda: self.keeping.store.claim(chat, self.keeping.workspace)
                )
                await self.back.bring(chat, elsewhere=not is_ours)
        return params

    async def go_on(self, params: chats.ChatRef) -> chats.Nothing:
        """`chat/continue`: have a chat that another window had."""
        chat = self.board.known(params.chat_id)
        async with self.back.turn:
            if chat.is_elsewhere:
                if not await self.keeping.asked(
                    lambda: self.keeping.store.claim(chat.chat, self.keeping.workspace)
                ):
                    raise AssentError(ELSEWHERE)
                await self.back.bring(chat.chat, elsewhere=False)
        return chats.Nothing()

    async def rename(self, params: earlier.RenameChat) -> chats.Nothing:
        """`chat/rename`."""
        chat, title = ChatId(params.chat_id), " ".join(params.title.split())
        if not title:
            raise AssentError("A chat has a title.")
        shown = self.board.chat(chat)
        if shown is not None and not shown.is_elsewhere:
            self.board.tell(events.ChatNamed(chat=chat, title=title))
            await self.keeping.keep_now()
            if self.keeping.trouble:
                raise AssentError(_NOT_KEPT.format(self.keeping.trouble))
            return chats.Nothing()
        place = self.keeping.workspace
        if not await self.keeping.asked(
            lambda: self.keeping.store.change(
                chat, place, lambda head: decode_chat.named(head, title)
            )
        ):
            raise await self.back.why_not(chat)
        return chats.Nothing()

    async def delete(self, chat: ChatId) -> None:
        """Delete what is kept of a chat that is not open here any more."""
        if not await self.keeping.delete(chat):
            raise await self.back.why_not(chat)

    async def turns(self, params: chats.WantTurns) -> chats.Turns:
        """`agent/turns`: older entries, of this run or of those before."""
        chat = self.board.known(params.chat_id)
        if params.before > chat.base or not chat.base:
            return self.board.turns(params)
        store = self.keeping.store
        bodies = await self.keeping.asked(
            lambda: store.page(chat.chat, params.before, params.limit)
        )
        page = fitting(bodies, PAGE_BYTES)
        items = [decode_chat.item_of(body, lives=chat.is_elsewhere) for body in page]
        first = max(params.before - len(items), 0)
        return chats.Turns(first=first, items=items, kept_from=chat.kept_from)

    async def export(self, params: earlier.ExportChat) -> earlier.ChatText:
        """`chat/export`: what is kept of a chat, the last of it where that is too much."""
        shown = self.board.chat(ChatId(params.chat_id))
        loaded, agent = await self._load(params.chat_id, _ALL_ENTRIES)
        is_here = shown is not None and not shown.is_elsewhere
        living = shown.base if shown and is_here else 0 if loaded.owner else None
        return exported(loaded, agent, params.format, living=living)

    async def said_in(self, chat: str, most: int) -> tuple[str, str, bool]:
        """A chat's title, the end of what was said in it, and whether that is all of it."""
        loaded, agent = await self._load(chat, _ENTRIES_QUOTED)
        if loaded.fault:
            raise AssentError(f"What is kept of this chat {loaded.fault}.")
        return title_of(loaded), *said_in(loaded, agent, most)

    async def _load(self, chat: str, most: int) -> tuple[Loaded, str]:
        """A chat with its last entries, and its agent's name; raises if there is no such chat."""
        store, place = self.keeping.store, self.keeping.workspace
        await self.keeping.keep_now()
        loaded = await self.keeping.asked(lambda: store.load(chat, place, most))
        if loaded is None:
            raise AssentError(GONE)
        return loaded, self.workspace.agent_name(AgentId(loaded.head.agent))

    async def _bring_back(self) -> None:
        """Bring back what was open; a window that is just being closed may still have some."""
        had = await self._bring_free()
        if had:
            self.spawn(self._bring_later())

    async def _bring_later(self) -> None:
        for seconds in _AGAIN:
            await asyncio.sleep(seconds)
            if not await self._bring_free():
                return

    async def _bring_free(self) -> bool:
        """Bring back the open chats that no other window has; whether one has any."""
        store, place = self.keeping.store, self.keeping.workspace
        newest = await self.keeping.ask(lambda: store.newest(place, 1_000))
        opened = [
            kept_chat for kept_chat in newest if kept_chat.head.is_open and kept_chat.is_ours
        ][:_MAX_CHATS_RESUMED]
        # The one that was used last is the last to come, and so the one that is shown.
        for listed_chat in reversed(opened):
            chat = ChatId(listed_chat.head.id)
            async with self.back.turn:
                is_here = self.board.chat(chat) is not None or listed_chat.owner
                if not is_here and await self.keeping.ask(partial(store.claim, chat, place)):
                    # One that cannot be read holds up none of the others.
                    with suppress(AssentError):
                        await self.back.bring(chat, elsewhere=False)
        return any(
            kept_chat.owner and self.board.chat(ChatId(kept_chat.head.id)) is None
            for kept_chat in opened
        )

    async def _drop_outlived(self) -> None:
        if EVERYTHING in self.workspace.reading.suspended:
            # Nobody knows how long the person wants them.
            return
        keep = self.workspace.reading.own.keep
        before, size = self.now() - keep.days * _DAY_MS, keep.megabytes * 1_000_000
        await self.keeping.drop_outlived(before, size)

    def _describe_chat(self, listed: Listed) -> earlier.KeptChat:
        shown = self.board.chat(ChatId(listed.head.id))
        is_here = shown is not None and not shown.is_elsewhere
        name = self.workspace.agent_name
        return decode_chat.told_in_list(listed, name(AgentId(listed.head.agent)), is_here=is_here)
