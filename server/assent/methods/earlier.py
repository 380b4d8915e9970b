"""The chats of before: brought back when a window opens, listed, searched, gone on with, deleted.

A chat that comes back is only shown: no agent is started for it before the person writes. What is
read of it is never more than what it says (`restoring`).
"""

import asyncio
import logging
import re
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from attrs import define, evolve, field

from assent.acp.fleet import Fleet
from assent.acp.spec import AgentSpec
from assent.agent.assistants import Assistants
from assent.calls import AgentId, ChatId
from assent.chats.file import trouble_in
from assent.chats.values import Head, Listed, Loaded
from assent.errors import AssentError
from assent.history import events
from assent.lsp.wire import written
from assent.methods import restoring
from assent.methods.board import MOST_CHATS, Board
from assent.methods.cutting import cut_line
from assent.methods.entries import PAGE_WEIGHT
from assent.methods.exporting import as_json, as_markdown, file_name
from assent.methods.keeping import Keeping
from assent.methods.models import Models
from assent.methods.state import Vault
from assent.methods.transcript import Transcript
from assent.methods.workspace import Workspace
from assent.modes import Mode, stricter
from assent.protocol import chats, earlier
from assent.providers.known import efforts_of
from assent.providers.provider import ModelFailed
from assent.settings.agents import ASSENT

__all__ = ["Earlier"]

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)

_MOST_BACK: Final = 20
"""So many chats come back by themselves; the others are in the list."""
_SHOWN: Final = 100
"""So many entries of each are there at once."""
_ALL: Final = 1_000_000
_EXPORTED: Final = 8 * 1024 * 1024
"""In bytes."""
_FORMATS: Final = {"markdown": (as_markdown, "md"), "json": (as_json, "json")}
_DAY: Final = 24 * 60 * 60 * 1000
_AGENT: Final = re.compile(r"[A-Za-z0-9._-]{1,128}\Z")

_FAULT: Final = (
    "What is kept of this chat {}. It comes back to be read: its agent does not remember it."
)
_FORGOTTEN: Final = "The agent does not remember what was said before."
_ELSEWHERE: Final = "This chat is open in another window. Close it there, then go on with it here."


@define(eq=False, kw_only=True)
class Earlier:
    """One for each window."""

    keeping: Keeping
    board: Board
    fleet: Fleet
    assistants: Assistants
    models: Models
    workspace: Workspace
    root: str
    now: Callable[[], int]
    mark_name: str
    ready: asyncio.Event = field(factory=asyncio.Event)
    """Set when the chats of before are there, or cannot be."""
    _fault: str = ""
    """What is wrong with all that is kept."""
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    @property
    def banners(self) -> tuple[str, ...]:
        """What a person should know of what is kept."""
        path = self.keeping.store.path
        unkept = f"Chats are not kept: {self.keeping.trouble} ({path})."
        fault = f"The file of the kept chats {self._fault} ({path})."
        told = ((self.keeping.trouble, unkept), (self._fault, fault))
        return tuple(sentence for why, sentence in told if why)

    async def begin(self, vault: Vault | None) -> None:
        """Bring the chats back that were open here when the last window closed."""
        store = self.keeping.store
        try:
            key = None if vault is None else vault.subkey("chats")
            mark = 0 if vault is None else _number(await vault.mark(self.mark_name))
            self._fault = await self.keeping.ask(lambda: store.begin(key, mark))
            self.keeping.is_on = True
            await self._drop_outlived()
            await self._bring_back()
            await self.keep_mark(vault)
        except Exception as error:  # noqa: BLE001 -- whatever is wrong is told, and ends no start
            _LOG.exception("The chats of before could not be read.")
            self.keeping.trouble = trouble_in(error)
        finally:
            self.keeping.is_on = True
            self.ready.set()
        if self.banners:
            self.keeping.heard()

    async def keep_mark(self, vault: Vault | None) -> None:
        """Keep how often the file was written where the key is."""
        if vault is not None and self.keeping.is_on:
            writes = await self.keeping.ask(lambda: self.keeping.store.writes)
            await vault.raise_mark(self.mark_name, str(writes), lambda kept: writes > _number(kept))

    async def list_kept(self, params: earlier.ListChats) -> earlier.ChatList:
        """`chat/list`: those of this workspace, or those of them in which something was said."""
        store, place = self.keeping.store, self.keeping.workspace
        wanted = params.find.strip()
        ask = partial(store.find, place, wanted) if wanted else partial(store.newest, place)
        found = await self._ask(lambda: ask(params.limit))
        return earlier.ChatList(chats=[self._told(it) for it in found])

    async def open(self, params: chats.ChatRef) -> chats.ChatRef:
        """`chat/open`: show a chat here; one that another window has can be read."""
        chat = ChatId(params.chat_id)
        async with self._turn:
            if self.board.chat(chat) is None:
                if self.board.is_full:
                    raise AssentError(f"{MOST_CHATS} chats are open; close one first.")
                is_ours = await self._ask(lambda: self.keeping.store.claim(chat))
                await self._bring(chat, elsewhere=not is_ours)
        return params

    async def go_on(self, params: chats.ChatRef) -> chats.Nothing:
        """`chat/continue`: have a chat that another window had."""
        chat = self.board.known(params.chat_id)
        async with self._turn:
            if chat.is_elsewhere:
                if not await self._ask(lambda: self.keeping.store.claim(chat.chat)):
                    raise AssentError(_ELSEWHERE)
                await self._bring(chat.chat, elsewhere=False)
        return chats.Nothing()

    async def rename(self, params: earlier.RenameChat) -> chats.Nothing:
        """`chat/rename`."""
        chat, title = ChatId(params.chat_id), " ".join(params.title.split())
        if not title:
            raise AssentError("A chat has a title.")
        shown = self.board.chat(chat)
        if shown is not None and not shown.is_elsewhere:
            self.board.tell(events.ChatNamed(chat=chat, title=title))
            return chats.Nothing()
        place = self.keeping.workspace
        if not await self._ask(
            lambda: self.keeping.store.change(chat, place, lambda head: _named(head, title))
        ):
            raise AssentError(_ELSEWHERE)
        return chats.Nothing()

    async def delete(self, chat: ChatId) -> None:
        """Delete what is kept of a chat that is not open here any more."""
        gone = await self._ask(lambda: self.keeping.store.delete([chat]))
        if not gone:
            raise AssentError(_ELSEWHERE)

    async def turns(self, params: chats.WantTurns) -> chats.Turns:
        """`agent/turns`: older entries, of this run or of those before."""
        chat = self.board.known(params.chat_id)
        if params.before > chat.base or not chat.base:
            return self.board.turns(params)
        store = self.keeping.store
        bodies = await self._ask(lambda: store.page(chat.chat, params.before, params.limit))
        items = [restoring.item_of(it) for it in _fitting(bodies, PAGE_WEIGHT)]
        first = max(params.before - len(items), 0)
        return chats.Turns(first=first, items=items, kept_from=chat.kept_from)

    async def export(self, params: earlier.ExportChat) -> earlier.Exported:
        """`chat/export`: what is kept of a chat, the last of it where that is too much."""
        store, place = self.keeping.store, self.keeping.workspace
        loaded = await self._ask(lambda: store.load(params.chat_id, place, _ALL))
        if loaded is None:
            raise AssentError("There is no such chat any more.")
        bodies = _fitting(loaded.items, _EXPORTED)
        more = restoring.more_of(loaded.head.more)
        title = cut_line(more.agent_title or loaded.head.title)
        agent = self.workspace.agent_name(AgentId(loaded.head.agent))
        write, ending = _FORMATS[params.format]
        text = write(title, agent, loaded.head.begun, map(restoring.item_of, bodies))
        is_cut = loaded.first > 0 or len(bodies) < len(loaded.items)
        return earlier.Exported(name=file_name(title, ending), text=text, is_cut=is_cut)

    async def wake(self, chat: Transcript) -> None:
        """The person writes: let the agent of a chat of before go on with it."""
        if chat.is_elsewhere:
            raise AssentError(_ELSEWHERE)
        async with self._turn:
            head = self.keeping.asleep.get(chat.chat)
            if head is None:
                return
            if chat.agent == ASSENT.id:
                await self._wake_own(chat, head)
            else:
                self._take_up(chat, head)
                self.keeping.woke(chat.chat)

    async def _bring_back(self) -> None:
        found = await self.keeping.ask(
            lambda: self.keeping.store.newest(self.keeping.workspace, 1_000)
        )
        back = [it for it in found if it.head.is_open and not it.owner][:_MOST_BACK]
        # The one that was used last is the last to come, and so the one that is shown.
        for it in reversed(back):
            chat = it.head.id
            if await self.keeping.ask(partial(self.keeping.store.claim, chat)):
                await self._bring(ChatId(chat), elsewhere=False)

    async def _bring(self, chat: ChatId, *, elsewhere: bool) -> None:
        """Show a chat as it is kept."""
        store, place = self.keeping.store, self.keeping.workspace
        loaded = await self._ask(lambda: store.load(chat, place, _SHOWN))
        if loaded is None or not _AGENT.match(loaded.head.agent):
            raise AssentError("There is no such chat any more.")
        shown = self._transcript(loaded, elsewhere=elsewhere)
        if not elsewhere:
            head = evolve(loaded.head, session="") if loaded.fault else loaded.head
            self.keeping.came_back(head, is_whole=not loaded.fault)
            self._host(shown, head)
        self.board.bring(shown)
        self.keeping.touched(chat)

    def _transcript(self, loaded: Loaded, *, elsewhere: bool) -> Transcript:
        head, more = loaded.head, restoring.more_of(loaded.head.more)
        mode = Mode.ASK if loaded.fault else Mode.DEFAULT
        came = restoring.mode_of(head.mode, stricter(mode, self.workspace.reading.mode))
        shown = Transcript(
            ChatId(head.id),
            AgentId(head.agent),
            came,
            self.now,
            title=cut_line(" ".join(head.title.split())) or "New chat",
            is_named=more.named,
            is_elsewhere=elsewhere,
            base=loaded.first,
            entries=self.board.entries_from(loaded.first),
        )
        shown.agent_title = cut_line(more.agent_title)
        items, asked = restoring.items_of(loaded)
        shown.come_back(items, loaded.kept_from, asked)
        said = [it.text for it in items if isinstance(it, chats.Said) and it.kind == "user"]
        shown.asked = said[-1] if said else shown.title
        if not elsewhere:
            self._say_what_is_other(shown, loaded, said, is_asked=bool(asked))
        return shown

    def _say_what_is_other(
        self, shown: Transcript, loaded: Loaded, said: list[str], *, is_asked: bool
    ) -> None:
        now = self.now()
        if loaded.fault:
            text = _FAULT.format(loaded.fault)
            shown.tell(chats.Notice(level="warning", text=text, at=now))
        if is_asked:
            shown.tell(restoring.withdrawn_notice(said[-1] if said else "", now))
        if loaded.head.mode in set(Mode) and loaded.head.mode != shown.mode:
            shown.tell(restoring.mode_notice(Mode(loaded.head.mode), shown.mode, now))

    def _host(self, shown: Transcript, head: Head) -> None:
        """Have its agent's place ready; nothing is started."""
        if shown.agent != ASSENT.id:
            self._take_up(shown, head)
            return
        try:
            model = self.models.model(head.model or None)
        except ModelFailed:
            self.assistants.open(shown.chat, ASSENT.id, head.model, self.root)
            return
        self.assistants.open(shown.chat, ASSENT.id, model.id, self.root)
        efforts = efforts_of(model)
        effort = head.effort if head.effort in efforts else model.effort
        self.assistants.set_effort(shown.chat, effort)
        shown.set_model(
            events.ModelSet(chat=shown.chat, model=model.name, effort=effort, efforts=efforts)
        )

    def _take_up(self, shown: Transcript, head: Head) -> None:
        entry = self.workspace.agent(shown.agent)
        if entry is not None and not entry.waits:
            spec = AgentSpec.of(entry)
            self.fleet.take_up(shown.chat, spec, self.root, head.session, shown.length)

    async def _wake_own(self, chat: Transcript, head: Head) -> None:
        try:
            bodies = await self._ask(lambda: self.keeping.vouched_turns(chat.chat))
            conversation = restoring.conversation_of(bodies, restoring.more_of(head.more))
            kept = conversation.turns
        except (ValueError, AssentError):
            conversation, kept = restoring.conversation_of((), restoring.More()), ()
            told = events.Noticed(chat=chat.chat, level="warning", text=_FORGOTTEN)
            self.board.tell(told)
        self.assistants.go_on(chat.chat, conversation, chat.length)
        self.keeping.woke(chat.chat, kept)

    async def _drop_outlived(self) -> None:
        days, size = 90, 1_000_000_000
        before = self.now() - days * _DAY
        gone = await self.keeping.ask(lambda: self.keeping.store.outlived(before, size))
        if gone:
            await self.keeping.ask(lambda: self.keeping.store.delete(gone))

    async def _ask(self, work: Callable[[], Result]) -> Result:
        """Have it done in the store's thread; what goes wrong is one sentence."""
        try:
            return await self.keeping.ask(work)
        except AssentError:
            raise
        except Exception as error:
            raise AssentError(
                f"What is kept of chats cannot be used: {trouble_in(error)}."
            ) from error

    def _told(self, it: Listed) -> earlier.KeptChat:
        head, more = it.head, restoring.more_of(it.head.more)
        shown = self.board.chat(ChatId(head.id))
        is_here = shown is not None and not shown.is_elsewhere
        return earlier.KeptChat(
            chat_id=head.id,
            agent_id=head.agent,
            agent_name=self.workspace.agent_name(AgentId(head.agent)),
            title=cut_line(more.agent_title or head.title) or "New chat",
            begun=head.begun,
            touched=head.touched,
            entries=it.entries,
            where="here" if is_here else "elsewhere" if it.owner else "closed",
            found=cut_line(it.found),
        )


def _named(head: Head, title: str) -> Head:
    more = restoring.more_of(head.more).model_copy(update={"named": True, "agent_title": ""})
    return evolve(head, title=title, more=written(more).decode())


def _fitting(bodies: tuple[bytes, ...], most: int) -> list[bytes]:
    """The last of them that are no more bytes than that."""
    size = 0
    found: list[bytes] = []
    for body in reversed(bodies):
        size += len(body)
        if found and size > most:
            break
        found.append(body)
    return found[::-1]


def _number(mark: str | None) -> int:
    return int(mark) if mark is not None and mark.isdecimal() and len(mark) < 16 else 0  # noqa: PLR2004
