"""The changes of files by this window's chats: recorded, kept, undone, shown.

What an edit is about to change is written down before it does, by whichever agent, and what came
of it afterwards. Undoing is the person's own act: it is in the journal before a file is touched,
and writes as the tools do, only where what stands there is what our edits left.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import uuid4

from assent.agent.chats.changelog import Changelog
from assent.agent.loop.assistants import Assistants
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.undo import check, check_lines
from assent.editor.protocol.changes import MAX_FILES
from assent.editor.protocol.chats import ChatRef, Nothing
from assent.editor.window.changes.change_lines import (
    EditLine,
    EndLine,
    Line,
    RanLine,
    SaidLine,
    edit_in,
    edit_line,
    line_bytes,
    line_of,
)
from assent.editor.window.changes.changed_files import ChangedFiles, FileChanges
from assent.editor.window.changes.steps import UNDO
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.kept.resume import ELSEWHERE
from assent.editor.window.chats.transcript import Transcript
from assent.gate.admit import Gate
from assent.gate.call.calls import APPLY, Call, CallId, ChatId, Edit, Effect
from assent.gate.call.errors import AssentError
from assent.gate.call.lifecycle import State, is_end
from assent.gate.disk.buffers import Buffers
from assent.gate.journal import events
from assent.gate.journal.file_changes import FilesChanged, FilesUndone
from assent.gate.journal.journal import Entry
from assent.gate.values import define, field

__all__ = ["CHANGED", "Changes"]

_LOG = logging.getLogger(__name__)

CHANGED: Final = "This has changed since it was shown; look at it again."
_MAY_CHANGE: Final = frozenset({Effect.WRITE, Effect.EXECUTE, Effect.EXTERNAL})
_EVER_MS: Final = 1 << 62
_MAX_COMMAND_LETTERS: Final = 16_000
"""In letters: so much of a command is kept to tell of it."""


@define(eq=False, kw_only=True)
class Changes:
    """One for each window."""

    log: Changelog
    board: Board
    gate: Gate
    buffers: Buffers
    assistants: Assistants
    turn: asyncio.Lock = field(factory=asyncio.Lock)
    """One thing is undone at a time."""
    _chats: dict[ChatId, ChangedFiles] = field(factory=dict)

    def hear(self, happening: events.Happening) -> None:
        """Write down what is about to change files; whatever ails that ends no call."""
        try:
            self._hear(happening)
        except Exception:  # noqa: BLE001 -- what is kept of a call never holds it up
            _LOG.exception("What was changed in a chat could not be written down.")

    def came_back(self, chat: ChatId) -> None:
        """A chat of before is shown here."""
        try:
            changed_files = self._chats[chat] = ChangedFiles()
            for body in self.log.read(chat):
                if line := line_of(body):
                    changed_files.take(line)
            # Of what a killed server was doing the file itself tells.
            for call in tuple(changed_files.open):
                self.add(chat, EndLine(call=call, done=self._is_done(changed_files, call)))
            self.tell(chat)
        except Exception:  # noqa: BLE001 -- a chat comes back whatever ails this
            _LOG.exception("What was changed in a chat of before could not be read.")
            self._chats[chat] = ChangedFiles()

    async def delete(
        self, delete: Callable[[ChatRef], Awaitable[Nothing]], params: ChatRef
    ) -> Nothing:
        """`chat/delete`: what was changed in it is kept no longer, either."""
        deleted = await delete(params)
        self._chats.pop(ChatId(params.chat_id), None)
        self.log.delete(params.chat_id)
        return deleted

    async def drop_outlived(self, keeping: ChatSaver) -> None:
        """Keep nothing of the chats that are kept no longer."""
        if keeping.is_on and keeping.store.is_there:
            # Every chat is older than that.
            there = await keeping.asked(lambda: keeping.store.outlived(_EVER_MS, 0))
            await asyncio.to_thread(self.log.keep_only, there)

    def of(self, chat: ChatId) -> ChangedFiles:
        """What was changed in a chat."""
        return self._chats.setdefault(chat, ChangedFiles())

    def here(self, chat: str) -> Transcript:
        """A chat of this window; raise where another has it, or nobody."""
        transcript = self.board.known(chat)
        if transcript.is_elsewhere:
            raise AssentError(ELSEWHERE)
        return transcript

    def file(self, chat: ChatId, file_id: str, digest: str) -> FileChanges:
        """A file as it was shown; raise where it is another by now."""
        file = next(
            (pending_file for pending_file in self.of(chat).pending if pending_file.id == file_id),
            None,
        )
        if file is None or file.digest != digest:
            raise AssentError(CHANGED)
        return file

    def add(self, chat: ChatId, *lines: Line) -> None:
        """Write lines down, and take them in."""
        changed = self.of(chat)
        for line in lines:
            changed.take(line)
            try:
                self.log.add(chat, line_bytes(line))
            except OSError as error:
                # It holds for as long as this server runs, and goes into the file with the next.
                _LOG.warning("What was changed in a chat is not on the disk: %s", error)

    def tell(self, chat: ChatId) -> None:
        """Tell everybody which files have changes."""
        changed = self.of(chat)
        files = tuple(file.listed for file in changed.pending[:MAX_FILES])
        undone = None
        if changed.undos:
            last = changed.undos[-1]
            names = tuple(steps[0].shown for steps in last.by_file.values())
            undone = FilesUndone(id=last.id, paths=names)
        self.board.tell(FilesChanged(chat=chat, files=files, undone=undone))

    def tell_model(self, chat: ChatId, line: str) -> None:
        """Tell our own agent's model with the next prompt what the person did meanwhile."""
        self.assistants.tell_news(chat, line)

    async def keep_row(self, chat: Transcript, what: str, because: str, **more: object) -> None:
        """Have the person's own act in the journal; raise where it cannot be kept there."""
        body = {"what": what, "by": "user", "because": because, **more}
        await self.gate.journal.keep(
            Entry(kind="noted", chat=chat.chat, agent=chat.agent, body=body)
        )

    def _hear(self, happening: events.Happening) -> None:
        match happening:
            case events.Said(who="user"):
                self.add(happening.chat, SaidLine(message=happening.message))
            case events.CallMoved(state=State.RUNNING):
                self._begin(happening.call, on_copy=happening.on_copy)
            case events.CallMoved() if is_end(happening.state):
                self._end(happening.call, happening.state)
            case events.CallUndone():
                self._take_back(happening.chat, happening.call)
            case events.ChatClosed():
                self._chats.pop(happening.chat, None)
                self.log.leave(happening.chat)
            case _:
                pass

    def _begin(self, call: Call, *, on_copy: bool) -> None:
        changed = self.of(call.chat)
        if changed.is_full:
            lines = [*changed.fresh()]
            self._chats[call.chat] = changed = ChangedFiles()
            for line in lines:
                changed.take(line)
            self.log.put(call.chat, [line_bytes(line) for line in lines])
        shown = {target.resolved: target.shown for target in call.targets}
        # What a trial changed is undone whole, and there may be more of it than texts.
        edits = () if call.action == APPLY else call.edits
        for edit in edits:
            name = shown.get(edit.path, edit.path)
            self.add(call.chat, edit_line(call.id, edit, name, changed.left(edit.path)))
        if not edits and call.effect in _MAY_CHANGE and not on_copy:
            tried = call.input.get("trial")
            what = str(tried or call.input.get("command") or " ".join(shown.values()) or call.tool)
            tool = "shell" if tried else call.tool
            self.add(call.chat, RanLine(tool=tool, what=what[:_MAX_COMMAND_LETTERS], cwd=call.cwd))

    def _end(self, call: Call, state: State) -> None:
        changed = self.of(call.chat)
        if call.id in changed.open:
            done = state is State.SUCCEEDED or self._is_done(changed, call.id)
            self.add(call.chat, EndLine(call=call.id, done=done))
            self.tell(call.chat)

    def _is_done(self, changed: ChangedFiles, call: str) -> bool:
        """Whether what a call was about to change stands there."""
        begun = changed.open[call]
        return all(
            _stands(edit_in(edit, changed.left(edit.path)), edit, self.buffers) for edit in begun
        )

    def _take_back(self, chat: ChatId, call: CallId) -> None:
        """The person undid a call by its record."""
        changed, act = self.of(chat), f"{UNDO}{uuid4()}"
        for step in changed.steps_of(call):
            line = step.back(act, changed.left(step.edit.path))
            self.add(chat, line, EndLine(call=act, done=True))
        self.tell(chat)


def _stands(edit: Edit, line: EditLine, buffers: Buffers) -> bool:
    try:
        if edit.stretch is not None:
            check_lines(edit, edit.stretch, line.shown, buffers)
        else:
            check(edit.path, line.shown, None if line.new is None else edit.new, buffers)
    except ToolFailed:
        return False
    return True
