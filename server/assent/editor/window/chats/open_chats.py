"""Handles what a person does with chats: open, write, stop, set the mode, close.

Agents of other people are not started in a workspace that the person does not trust; our own
and Eliza, which run nothing of a workspace's before they ask, are.
"""

from uuid import uuid4

from assent.agent.loop.assistants import Assistants
from assent.agent.models.known_models import efforts_of
from assent.editor.protocol import chats, replicas
from assent.editor.window.agents.own.references import References
from assent.editor.window.agents.own.slash import Slash
from assent.editor.window.agents.terminals import Terminals
from assent.editor.window.chats.agent_info import agent_info, image_of, own_info
from assent.editor.window.chats.board import MAX_CHATS, Board
from assent.editor.window.chats.kept.chat_list import KeptChats
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.transcript import Transcript
from assent.editor.window.models.models import Models
from assent.editor.window.rules.modes import Modes
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AgentFailed, AssentError
from assent.gate.call.modes import Mode
from assent.gate.journal import events
from assent.gate.journal.agent_events import Beside
from assent.gate.settings.agents import ASSENT, ELIZA, AgentEntry
from assent.gate.values import define
from assent.hosting.connection.fleet import Fleet
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.terminals.connected_agents import ConnectedAgents

__all__ = ["Chats"]


@define
class Chats:
    """The chats of this window."""

    _board: Board
    _gate: Gate
    _fleet: Fleet
    _assistants: Assistants
    _terminals: Terminals
    _models: Models
    _workspace: Workspace
    _modes: Modes
    _spawn: Spawn
    _root: str
    """Where agents work."""
    _slash: Slash
    _keeping: ChatSaver
    _earlier: KeptChats
    _references: References

    def take_settings(self) -> None:
        """The settings have changed: agents may start otherwise, open tickets are judged anew."""
        self._gate.rule_again()
        self._fleet.agents_changed(
            AgentSpec.of(entry)
            for entry in self._workspace.reading.agents
            if not entry.waits and entry.id != ASSENT.id
        )
        self._spawn(self._models.look())
        self._spawn(self._terminals.leave_settings())

    def agents(self) -> list[chats.AgentInfo]:
        """The agents as they stand; our own first, where it has something to think with."""
        entries = self._workspace.reading.agents
        first = ASSENT.id if self._models.all else ELIZA.id
        return [self._info(entry) for entry in sorted(entries, key=lambda entry: entry.id != first)]

    async def subscribe(self, params: replicas.Subscribe) -> replicas.Subscribed:
        """`agent/subscribe`; an Ollama may have come since it was looked for.

        Before the settings are read nobody knows which agents there are, and what was said early
        would go to another than was meant.
        """
        await self._workspace.ready.wait()
        await self._earlier.ready.wait()
        self._spawn(self._models.look())
        return self._board.subscribe(params)

    def list(self, _params: chats.Nothing) -> chats.AgentList:
        """`agent/list`."""
        return chats.AgentList(agents=self.agents())

    async def open(self, params: chats.NewChat, *, unasked: bool = False) -> chats.ChatRef:
        """`agent/newChat`: there at once; with `unasked` nobody is asked about Auto."""
        await self._workspace.ready.wait()
        if params.agent_id == ASSENT.id and not self._models.all:
            await self._models.look()
        entry = self._workspace.startable(AgentId(params.agent_id))
        if self._board.is_full:
            raise AssentError(f"{MAX_CHATS} chats are open; close one before you open another.")
        mode = await self._modes.first(params.mode, AgentId(entry.id), unasked=unasked)
        chat = ChatId(str(uuid4()))
        if entry.id == ASSENT.id:
            self._open_own(chat, mode, params.model)
        else:
            self._board.tell(events.ChatOpened(chat=chat, agent=AgentId(entry.id), mode=mode))
            self._spawn(self._start(chat, entry))
        return chats.ChatRef(chat_id=chat)

    async def prompt(self, params: chats.Prompt) -> chats.TurnEnd:
        """`agent/prompt`: answered when the turn ends."""
        chat = self._board.known(params.chat_id)
        if not self._terminals.host(chat.chat):
            self._workspace.startable(chat.agent)
            await self._earlier.back.wake(chat)
        host, text = self._host(chat), params.text
        if isinstance(host, Assistants):
            text = self._slash.said(chat.chat, text)
        if isinstance(host, ConnectedAgents):
            if params.images or params.references:
                raise AssentError("The agent of this chat takes no pictures and no references.")
            reason, because = await host.prompt(chat.chat, text)
        else:
            named = await self._references.read(chat.chat, chat.agent, params.references)
            beside = Beside(images=tuple(map(image_of, params.images)), references=named)
            reason, because = await host.prompt(chat.chat, text, beside)
        return chats.TurnEnd(reason=reason, because=because)  # type: ignore[arg-type]  # one of the five by `Fleet.prompt`

    async def stop(self, params: chats.ChatRef) -> chats.Nothing:
        """`agent/stop`: what waits is refused, the agent is told to cease."""
        chat = self._board.known(params.chat_id)
        self._references.stop(chat.chat)
        if chat.chat not in self._keeping.asleep:
            await self._host(chat).stop(chat.chat)
        return chats.Nothing()

    async def close(self, params: chats.ChatRef) -> chats.Nothing:
        """`agent/closeChat`: its grants end with it."""
        chat = self._board.known(params.chat_id)
        self._references.stop(chat.chat)
        self._keeping.look(chat.chat)
        await self._host(chat).close(chat.chat)
        self._keeping.leave(chat)
        self._slash.leave(chat.chat)
        self._gate.grants.drop(chat.chat)
        self._board.tell(events.ChatClosed(chat=chat.chat))
        return chats.Nothing()

    async def delete(self, params: chats.ChatRef) -> chats.Nothing:
        """`chat/delete`: it ends, and nothing of it is kept."""
        chat = self._board.chat(ChatId(params.chat_id))
        if chat is not None and not chat.is_elsewhere:
            await self.close(params)
        await self._earlier.delete(ChatId(params.chat_id))
        return chats.Nothing()

    def _open_own(self, chat: ChatId, mode: Mode, model_id: str | None) -> None:
        model = self._models.model(model_id)
        opened = events.ChatOpened(
            chat=chat,
            agent=ASSENT.id,
            mode=mode,
            model=model.name,
            effort=model.effort,
            efforts=efforts_of(model),
        )
        self._board.tell(opened)
        self._assistants.open(chat, ASSENT.id, model.id, self._root)
        self._slash.look(chat)

    def _host(self, chat: Transcript) -> Fleet | Assistants | ConnectedAgents:
        """Who hosts the agent of a chat."""
        hosted = self._assistants if chat.agent == ASSENT.id else self._fleet
        return self._terminals.host(chat.chat) or hosted

    async def _start(self, chat: ChatId, entry: AgentEntry) -> None:
        try:
            await self._fleet.open(chat, AgentSpec.of(entry), self._root)
        except AgentFailed as error:
            self._board.tell(events.Noticed(chat=chat, level="error", text=str(error)))

    def _info(self, entry: AgentEntry) -> chats.AgentInfo:
        is_bypassed = AgentId(entry.id) in self._workspace.reading.bypassed
        if entry.id == ASSENT.id:
            return own_info(entry, self._models.shown, bypassed=is_bypassed)
        return agent_info(entry, self._board.moved.get(AgentId(entry.id)), bypassed=is_bypassed)
