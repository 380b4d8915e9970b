"""Handles the messages about calls and shells of our own agent."""

from collections.abc import Awaitable, Callable
from typing import Final

from assent.agent.loop.assistants import Assistants
from assent.agent.loop.wording import undone
from assent.agent.tools.undo import undo
from assent.editor.lsp.connection import Handler
from assent.editor.protocol import chats, records
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import Call, CallId, ChatId
from assent.gate.call.errors import AssentError
from assent.gate.disk.buffers import Buffers
from assent.gate.journal.events import CallUndone
from assent.gate.journal.journal import Entry, Journal
from assent.gate.processes.shell import Shell
from assent.gate.processes.stream_tags import lines_of
from assent.gate.values import define, field

__all__ = ["Own"]

_MAX_READ_BYTES: Final = 64 * 1024
"""How much of a shell's output is told at once."""


@define
class Own:
    """One for the whole server."""

    _assistants: Assistants
    _board: Board
    _journal: Journal
    _buffers: Buffers
    wake: Callable[[Transcript], Awaitable[None]] = field(init=False)
    """Has a chat of before go on; set by what brings those back."""

    @property
    def handlers(self) -> dict[str, Handler]:
        """The messages that are served here."""
        return {
            "tool/kill": self.kill,
            "tool/background": self.background,
            "tool/undo": self.undo,
            "tool/again": self.again,
            "agent/retry": self.retry,
            "agent/tryNow": self.try_now,
            "shell/list": self.shells,
            "shell/output": self.read_shell,
            "shell/kill": self.kill_shell,
        }

    async def kill(self, params: records.CallRef) -> chats.Nothing:
        """`tool/kill`: end a running call, with all that it started."""
        await self._assistants.kill(ChatId(params.chat_id), CallId(params.call_id))
        return chats.Nothing()

    def background(self, params: records.CallRef) -> chats.Nothing:
        """`tool/background`: let a running command go on by itself."""
        self._assistants.background(ChatId(params.chat_id), CallId(params.call_id))
        return chats.Nothing()

    async def retry(self, params: chats.ChatRef) -> chats.TurnEnd:
        """`agent/retry`: answered when the turn ends."""
        reason, because = await self._assistants.retry(ChatId(params.chat_id))
        return chats.TurnEnd(reason=reason, because=because)  # type: ignore[arg-type]  # one of the five by `Assistants.retry`

    async def again(self, params: records.FlowAgain) -> chats.TurnEnd:
        """`tool/again`: answered when the workflow has run again from that step."""
        # It may be there to be read alone, since a run before this one.
        chat = self._board.known(params.chat_id)
        await self.wake(chat)
        call = CallId(params.call_id)
        reason, because = await self._assistants.run_again(chat.chat, call, params.step)
        return chats.TurnEnd(reason=reason, because=because)  # type: ignore[arg-type]  # as above

    def try_now(self, params: chats.ChatRef) -> chats.Nothing:
        """`agent/tryNow`: ask a model again at once that failed for now."""
        self._assistants.try_now(ChatId(params.chat_id))
        return chats.Nothing()

    async def undo(self, params: records.CallRef) -> chats.Nothing:
        """`tool/undo`: put the files that a call changed back, unless they were changed since."""
        chat, call_id = ChatId(params.chat_id), CallId(params.call_id)
        undoable = self._assistants.undoable(chat, call_id)
        if undoable is None:
            raise AssentError("This can no longer be undone.")
        call = undoable.call
        await undo(
            call,
            self._buffers,
            undoable.new,
            lambda: self._journal.keep(_row(chat, call)),
            applied=undoable.applied,
        )
        self._assistants.tell_news(chat, undone(call))
        self._board.tell(CallUndone(chat=chat, call=call_id))
        return chats.Nothing()

    def shells(self, params: chats.ChatRef) -> records.ShellList:
        """`shell/list`."""
        return records.ShellList(shells=list(self._chat(params.chat_id).shells.values()))

    def read_shell(self, params: records.ReadShell) -> records.ShellOutput:
        """`shell/output`."""
        shell = self._shell(params.chat_id, params.shell_id)
        piece = shell.read(params.since, _MAX_READ_BYTES)
        text, errors = lines_of(piece.stream_tags)
        return records.ShellOutput(
            text=text,
            errors=errors,
            next=piece.next,
            missing=piece.missing,
            shell=self._chat(params.chat_id).shells[shell.id],
        )

    async def kill_shell(self, params: records.ShellRef) -> chats.Nothing:
        """`shell/kill`."""
        await self._shell(params.chat_id, params.shell_id).kill()
        return chats.Nothing()

    def _shell(self, chat: str, shell: str) -> Shell:
        shell_registry = self._assistants.shell_registry(ChatId(chat))
        running_shell = shell_registry.find(shell)
        if running_shell is None or shell not in self._chat(chat).shells:
            raise AssentError("There is no such shell any more.")
        return running_shell

    def _chat(self, chat: str) -> Transcript:
        transcript = self._board.chat(ChatId(chat))
        if transcript is None:
            raise AssentError("There is no such chat.")
        return transcript


def _row(chat: ChatId, call: Call) -> Entry:
    """What the journal has before a file is touched."""
    names = ", ".join(dict.fromkeys(target.shown for target in call.targets))
    body: dict[str, object] = {
        "what": "undone",
        "by": "user",
        "because": f"You undid the changes of {names}.",
        "files": [target.resolved for target in call.targets],
    }
    return Entry(
        kind="noted",
        chat=chat,
        call=call.id,
        agent=call.agent,
        digest=call.digest,
        body=body,
    )
