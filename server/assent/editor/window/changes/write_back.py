"""Writes a file back for the person, like a tool would, unless a rule denies it.

It is their own act, so neither a mode nor a rule that asks stands against it; what is denied is
denied to them as well, since they may have denied it after it was edited.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Final
from uuid import uuid4

from assent.agent.tools.large_files import back as lines_back
from assent.agent.tools.undo import check, check_lines, put_back, put_lines_back
from assent.editor.window.changes.change_lines import EditLine, EndLine, edit_line
from assent.editor.window.changes.changes import Changes
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Edit, Effect
from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.places import Places
from assent.gate.values import frozen

__all__ = ["FileBefore", "WriteBack"]

_ELSEWHERE: Final = "{} leads elsewhere than it did when it was edited, so it stays as it is."
_DENIED: Final = "{} stays as it is: {}"


@frozen(kw_only=True)
class FileBefore:
    """One file that is to be what it was."""

    path: str
    shown: str
    left: str | None
    """What has to stand there; None where there has to be no file."""
    then: str | None
    """What is to stand there."""
    lines: tuple[Edit, ...] = ()
    """Of a large file: the edits that are taken back, the last first."""


@frozen(kw_only=True)
class WriteBack:
    """One for each window."""

    changes: Changes
    gate: Gate
    buffers: Buffers
    places: Callable[[], Places]

    def check(self, chat: ChatId, agent: AgentId, back: FileBefore) -> None:
        """Raise where a file would not be written, in a sentence."""
        try:
            target = self.places().locate(back.path, "/")
        except CallUnreadable as error:
            raise AssentError(str(error)) from error
        if target.resolved != back.path:
            raise AssentError(_ELSEWHERE.format(back.shown))
        given = {"path": back.path} if back.then is None else {"path": back.path, "content": ""}
        call = Call(
            id=CallId(str(uuid4())),
            chat=chat,
            agent=agent,
            tool="write",
            effect=Effect.WRITE,
            input=given,
            cwd="/",
            targets=(target,),
            action="delete" if back.then is None and not back.lines else "write",
        )
        ruling = self.gate.judge_afterwards(call)
        if ruling.verdict is Verdict.DENY and ruling.by is not Actor.MODE:
            raise AssentError(_DENIED.format(back.shown, ruling.because))
        self.look(back)

    def look(self, back: FileBefore) -> None:
        """Raise where what stands there is not what was left."""
        if back.lines and (stretch := back.lines[0].stretch):
            check_lines(back.lines[0], stretch, back.shown, self.buffers)
        else:
            check(back.path, back.shown, back.left, self.buffers)

    async def write(self, chat: ChatId, back: FileBefore, act: str) -> str:
        """Make it what it was, and write down that this act did it; raises `ToolFailed`."""
        summary = ""
        for earlier_line in back.lines:
            if earlier_line.stretch is not None:
                line = edit_line(
                    act, lines_back(earlier_line, earlier_line.stretch), back.shown, None
                )
                work = put_lines_back(earlier_line, earlier_line.stretch, back.shown, self.buffers)
                summary = await self._noted(chat, line, work)
        if back.lines:
            return summary
        new, gone = back.then or "", back.then is None
        edit = Edit(path=back.path, old=back.left, new=new)
        left = self.changes.of(chat).left(back.path)
        line = edit_line(act, edit, back.shown, left, gone=gone)
        work = put_back(back.path, back.shown, back.left, back.then, self.buffers)
        return await self._noted(chat, line, work)

    async def _noted(self, chat: ChatId, line: EditLine, work: Coroutine[Any, Any, str]) -> str:
        """Do what a line tells of, between the line and what came of it."""
        self.changes.add(chat, line)
        done = False
        try:
            summary = await work
            done = True
        finally:
            self.changes.add(chat, EndLine(call=line.call, done=done))
        return summary
