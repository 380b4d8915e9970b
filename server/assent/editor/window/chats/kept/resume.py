"""Brings a kept chat back: onto the board, and to its agent when the person writes.

It is only shown at first: no agent is started for it. What is read of it is never more than what
it says (`decode_chat`), and where nothing vouches for it its agent is not told of it.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from assent.agent.chats.values import Head, Loaded
from assent.agent.loop.assistants import Assistants
from assent.agent.models.known_models import efforts_of
from assent.agent.models.provider import ModelFailed
from assent.editor.lsp.wire import written
from assent.editor.protocol import chats
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.call_records import JudgedCalls
from assent.editor.window.chats.cut_to_size import cut_line
from assent.editor.window.chats.entries import Entries
from assent.editor.window.chats.judged_calls import judged_of
from assent.editor.window.chats.kept import decode_chat
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.kept.interrupted import tell_broken_off
from assent.editor.window.chats.last_words import LastWords, last_words
from assent.editor.window.chats.transcript import Transcript
from assent.editor.window.models.models import Models
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode, stricter
from assent.gate.journal import events
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.models.model import Model
from assent.gate.values import define, evolve, field
from assent.hosting.connection.chat import Talk
from assent.hosting.connection.fleet import Fleet
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.call_ids import ToldCallIds

__all__ = ["ELSEWHERE", "GONE", "ChatResumer"]

GONE: Final = "There is no such chat any more."
ELSEWHERE: Final = "This chat is open in another window. Close it there, then go on with it here."

_ENTRIES_SHOWN: Final = 100
"""So many entries of each are there at once."""
_ENTRIES_SEARCHED: Final = 200
"""So many of the last entries are looked through for calls that had begun."""
_MODELS_TIMEOUT_S: Final = 1.0
"""Seconds in which models are looked for that were there before."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}\Z")

_FAULT: Final = (
    "What is kept of this chat {}. It comes back to be read: its agent does not remember it."
)
_FORGOTTEN: Final = "The agent does not remember what was said before."


@define(eq=False, kw_only=True)
class ChatResumer:
    """One for each window."""

    keeping: ChatSaver
    board: Board
    fleet: Fleet
    assistants: Assistants
    models: Models
    workspace: Workspace
    root: str
    now: Callable[[], int]
    brought: Callable[[ChatId], None] = lambda _: None
    """Called with a chat that is shown here, and is this run's."""
    turn: asyncio.Lock = field(factory=asyncio.Lock)
    """One chat comes back, or is taken up by its agent, at a time."""
    _has_looked: bool = field(default=False, init=False)
    """Whether models were looked for that were not there."""

    async def bring(self, chat: ChatId, *, elsewhere: bool) -> None:
        """Show a chat as it is kept."""
        store, place = self.keeping.store, self.keeping.workspace
        loaded = await self.keeping.asked(lambda: store.load(chat, place, _ENTRIES_SHOWN))
        if loaded is None or not (_NAME.match(loaded.head.agent) and _NAME.match(loaded.head.id)):
            raise AssentError(GONE)
        shown = self._transcript(loaded, elsewhere=elsewhere)
        if not elsewhere:
            head = _bare(loaded.head) if loaded.fault else loaded.head
            self.keeping.came_back(head, is_whole=not loaded.fault)
            await self._host(shown, head)
        self.board.bring(shown)
        if not elsewhere:
            self.brought(chat)
        self.keeping.touched(chat)

    async def why_not(self, chat: ChatId) -> AssentError:
        """Why a chat cannot be had here."""
        store, place = self.keeping.store, self.keeping.workspace
        loaded = await self.keeping.asked(lambda: store.load(chat, place, 0))
        return AssentError(GONE if loaded is None else ELSEWHERE)

    def _transcript(self, loaded: Loaded, *, elsewhere: bool) -> Transcript:
        head, more = loaded.head, decode_chat.more_of(loaded.head.more)
        mode = Mode.ASK if loaded.fault else Mode.DEFAULT
        came = decode_chat.mode_of(head.mode, stricter(mode, self.workspace.reading.mode))
        shown = Transcript(
            ChatId(head.id),
            AgentId(head.agent),
            came,
            self.now,
            title=cut_line(" ".join(head.title.split())) or "New chat",
            is_named=more.named,
            is_elsewhere=elsewhere,
            base=loaded.first,
            entries=Entries(self.board.archive(), first=loaded.first),
            judged=JudgedCalls(self.board.archive()),
        )
        shown.agent_title = cut_line(more.agent_title)
        items, going, is_asked = decode_chat.items_of(loaded, lives=elsewhere)
        ended = {number: judged_of(loaded.items[number - loaded.first]) for number in going}
        shown.come_back(items, loaded.kept_from, ended)
        said = last_words(items)
        shown.asked = said.text if said else shown.title
        if not elsewhere:
            self._say_what_is_other(shown, loaded, said, is_asked=is_asked)
        return shown

    def _say_what_is_other(
        self, shown: Transcript, loaded: Loaded, said: LastWords | None, *, is_asked: bool
    ) -> None:
        now = self.now()
        text = _FAULT.format(loaded.fault)
        # Such a chat stays one, and is told of once.
        is_told = any(text.encode() in body for body in loaded.items[-1:])
        if loaded.fault and not is_told:
            shown.tell(chats.Notice(level="warning", text=text, at=now))
        if is_asked:
            shown.tell(decode_chat.withdrawn_notice(said, now))
        if not loaded.fault and loaded.head.mode in set(Mode) and loaded.head.mode != shown.mode:
            shown.tell(decode_chat.mode_notice(Mode(loaded.head.mode), shown.mode, now))

    async def _host(self, shown: Transcript, head: Head) -> None:
        """Have its agent's place ready; nothing is started."""
        if shown.agent != ASSENT.id:
            self._take_up(shown, head)
            return
        model = await self._model(head.model or None)
        if model is None:
            self.assistants.open(shown.chat, ASSENT.id, head.model, self.root)
            return
        self.assistants.open(shown.chat, ASSENT.id, model.id, self.root)
        efforts = efforts_of(model)
        effort = head.effort if head.effort in efforts else model.effort
        self.assistants.set_effort(shown.chat, effort)
        shown.set_model(
            events.ModelSet(chat=shown.chat, model=model.name, effort=effort, efforts=efforts)
        )

    async def _model(self, model_id: str | None) -> Model | None:
        """The model that a chat had; an Ollama, or the editor, may not have told of it yet."""
        with suppress(ModelFailed):
            return self.models.model(model_id)
        if self._has_looked:
            return None
        self._has_looked = True
        with suppress(ModelFailed, TimeoutError):
            async with asyncio.timeout(_MODELS_TIMEOUT_S):
                await self.models.look()
            return self.models.model(model_id)
        return None

    def _take_up(self, shown: Transcript, head: Head) -> None:
        entry = self.workspace.agent(shown.agent)
        if entry is not None and not entry.waits:
            spec = AgentSpec.of(entry)
            tools = decode_chat.more_of(head.more).tools
            self.fleet.take_up(
                Talk(
                    chat=shown.chat,
                    spec=spec,
                    cwd=self.root,
                    session_id=head.session,
                    prompts=shown.length,
                    seen=ToldCallIds.of(tools),
                )
            )

    async def wake(self, chat: Transcript) -> None:
        """The person writes: let the agent of a chat of before go on with it."""
        if chat.is_elsewhere:
            raise AssentError(ELSEWHERE)
        async with self.turn:
            head = self.keeping.asleep.get(chat.chat)
            if head is None:
                return
            if chat.agent == ASSENT.id:
                await self._wake_own(chat, head)
            else:
                self._take_up(chat, head)
                self.keeping.woke(chat.chat)

    async def _wake_own(self, chat: Transcript, head: Head) -> None:
        try:
            bodies = await self.keeping.asked(lambda: self.keeping.vouched_turns(chat.chat))
            more = decode_chat.more_of(head.more)
            conversation = decode_chat.conversation_of(bodies, more)
            kept = conversation.turns
            tell_broken_off(conversation, more, chat.page(chat.length, _ENTRIES_SEARCHED).items)
        except (ValueError, AssentError):
            conversation, kept = decode_chat.conversation_of((), decode_chat.More()), ()
            notice = events.Noticed(chat=chat.chat, level="warning", text=_FORGOTTEN)
            self.board.tell(notice)
        self.assistants.go_on(chat.chat, conversation, chat.length)
        self.keeping.woke(chat.chat, kept)


def _bare(head: Head) -> Head:
    """What is taken of a chat that nothing vouches for: how it is called, and no more."""
    more = decode_chat.more_of(head.more)
    kept = decode_chat.More(named=more.named, agent_title=more.agent_title)
    return evolve(head, session="", more=written(kept).decode())
