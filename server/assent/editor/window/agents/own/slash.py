"""The slash commands of our own agent, and how their list grows.

It is told when a chat opens and when somebody says something, since files may have changed. What
a workspace's files offer is asked about then, beside the chat: nobody waits for it.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from assent.agent.loop.compaction import COMPACT
from assent.editor.window.agents.own.prepared import Prepared
from assent.editor.window.agents.own.workspace_skills import Offered, WorkspaceSkills
from assent.editor.window.chats.board import Board
from assent.editor.window.servers.workspace_servers import OfferedServers, WorkspaceServers
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import ChatId
from assent.gate.journal.agent_events import Command, CommandsTold
from assent.gate.journal.events import Noticed
from assent.gate.values import define, field

__all__ = ["Slash"]

_TOO_MUCH = (
    "The skills and commands of `{}` are more than anybody could be shown, so none of them counts."
)

_TOO_MANY = (
    "The files of `{}` name more servers of tools than anybody could be shown, so none counts."
)

_UNFIT = "None of the servers of tools that the files of `{}` name can be started here: {}."

_COMPACT: Final = Command(
    name=COMPACT, says="Sum up the conversation so far. Add what must be kept."
)

_Ask = Callable[[], Awaitable[bool]]


@define
class Slash:
    """For all chats with our own agent."""

    _board: Board
    prepared: Callable[[ChatId], Prepared]
    """What is prepared for our own agent, as far as it may be read in a chat."""
    _skills: WorkspaceSkills
    _servers: WorkspaceServers
    """Those of the workspace, which are asked about at the same time."""
    _spawn: Spawn
    _sent_commands: dict[ChatId, tuple[Command, ...]] = field(factory=dict)
    _asking: set[str] = field(factory=set)
    """The digests of the wishes about which a question is open."""
    _warned: set[tuple[ChatId, str]] = field(factory=set)

    def look(self, chat: ChatId) -> None:
        """Tell what can be said now, and ask about what the workspace offers beside that."""
        self._tell(chat)
        may_read = self.prepared(chat).may_read
        for offer in self._skills.unanswered():
            if any(may_read(skill.path) for skill in offer.skills):
                self._offer(chat, offer, partial(self._skills.ask, offer))
        for other in self._servers.unanswered():
            if all(map(may_read, other.paths)):
                self._offer(chat, other, partial(self._servers.ask, other))
        for other in self._servers.unfit():
            if all(map(may_read, other.paths)):
                self._warn_once(chat, _UNFIT.format(other.folder, other.why))

    def said(self, chat: ChatId, text: str) -> str:
        """The words that a prompt stands for."""
        self.look(chat)
        return self.prepared(chat).said(text)

    def leave(self, chat: ChatId) -> None:
        """A chat was closed."""
        self._sent_commands.pop(chat, None)
        self._warned = {warning for warning in self._warned if warning[0] != chat}

    def _offer(self, chat: ChatId, offered: Offered | OfferedServers, ask: _Ask) -> None:
        text = (_TOO_MUCH if isinstance(offered, Offered) else _TOO_MANY).format(offered.folder)
        if not offered.is_too_much:
            self._spawn(self._ask(offered, ask))
        else:
            self._warn_once(chat, text)

    def _warn_once(self, chat: ChatId, text: str) -> None:
        if (chat, text) not in self._warned:
            self._warned.add((chat, text))
            self._board.tell(Noticed(chat=chat, level="warning", text=text))

    async def _ask(self, offered: Offered | OfferedServers, ask: _Ask) -> None:
        digest = offered.wish.digest
        if digest in self._asking:
            return
        self._asking.add(digest)
        try:
            taken = await ask()
        finally:
            self._asking.discard(digest)
        for chat in tuple(self._sent_commands) if taken else ():
            self._tell(chat)

    def _tell(self, chat: ChatId) -> None:
        commands, shown = self.prepared(chat).commands(), self._board.chat(chat)
        # What a person prepared under that name goes before it.
        if all(command.name != COMPACT for command in commands):
            commands = (_COMPACT, *commands)
        if commands != self._sent_commands.get(chat, None if shown and shown.commands else ()):
            self._board.tell(CommandsTold(chat=chat, commands=commands))
        self._sent_commands[chat] = commands
