"""Keeps or undoes a chat's edits by file and by hunk, and shows them."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final
from uuid import uuid4

from assent.agent.tools.folder_view import plainly
from assent.agent.tools.tool import ToolFailed
from assent.editor.cards.hunks import Room, changes_of
from assent.editor.cards.spans import line
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import changes as shapes
from assent.editor.protocol import chats
from assent.editor.protocol.card import EditedFile
from assent.editor.window.changes.change_lines import kept_line
from assent.editor.window.changes.changed_files import FileChanges
from assent.editor.window.changes.changes import CHANGED, Changes
from assent.editor.window.changes.split_hunks import count_of, kept, undone
from assent.editor.window.changes.steps import REDO, UNDO, Undo
from assent.editor.window.changes.write_back import FileBefore, WriteBack
from assent.editor.window.chats import diffs
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import ChatId, Edit
from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.disk.buffers import Buffers
from assent.gate.journal import events
from assent.gate.values import evolve, frozen

__all__ = ["ChangeUndo", "whole"]


@frozen(kw_only=True)
class _Deed:
    """What the person does to files, in words."""

    row: str
    """By which the journal knows it."""
    said: str
    to_model: str
    since: str = ""
    """What is said of a file that is another by now; nothing where whoever looked says it."""


_UNDID: Final = _Deed(
    row="undone",
    said="You undid the changes of {}.",
    to_model="[The person undid your change to {}.]",
)
_UNDID_PART: Final = _Deed(
    row="undone",
    said="You undid a part of the changes of {}.",
    to_model="[The person undid a part of your change to {}.]",
)
_REDID: Final = _Deed(
    row="redone",
    said="You brought back the changes of {}.",
    to_model="[The person brought your change to {} back.]",
    since="{} has changed since it was undone, so it stays as it is.",
)


@frozen(kw_only=True)
class ChangeUndo:
    """One for each window."""

    changes: Changes
    restoring: WriteBack
    buffers: Buffers
    wire: Wire

    def show(self, params: shapes.WantChange) -> shapes.ChangeShown:
        """`change/show`."""
        chat = self.changes.board.known(params.chat_id)
        file = self.changes.file(chat.chat, params.file_id, params.digest)
        note = ""
        try:
            self.restoring.check(chat.chat, chat.agent, whole(file))
        except AssentError as error:
            note = str(error)
        return shapes.ChangeShown(file=_drawn(file), note=note, apart=count_of(file) > 0)

    async def open_diff(self, params: shapes.WantChange) -> chats.Nothing:
        """`change/openDiff`: what it is held against, and what stands there now."""
        chat = self.changes.board.known(params.chat_id)
        await diffs.show(self.wire, *self._diff(chat.chat, params))
        return chats.Nothing()

    async def open_diffs(self, params: shapes.AtChanges) -> chats.Nothing:
        """`change/openDiffs`: the same of several files, in one tab."""
        chat = self.changes.board.known(params.chat_id)
        edits = [self._diff(chat.chat, file) for file in params.files]
        await diffs.show_all(self.wire, f"Changes in “{plainly(chat.title)}”", edits)
        return chats.Nothing()

    def _diff(self, chat: ChatId, at: shapes.ChangeAt) -> tuple[Edit, str]:
        """A file's two texts, and in words what the second of them is."""
        file = self.changes.file(chat, at.file_id, at.digest)
        first, last = file.edits[0], file.edits[-1]
        edit = evolve(first, new=last.new) if not file.large else last
        if not file.large and (now := self._now(file)) not in {None, edit.new}:
            return evolve(edit, new=now), "as it stands now"
        return edit, "as the agent changed it"

    async def keep(self, params: shapes.AtChanges) -> shapes.ChangesDone:
        """`change/keep`: the mark goes; no file is touched."""
        async with self.changes.turn:
            chat = self.changes.here(params.chat_id)
            files = [
                self.changes.file(chat.chat, file.file_id, file.digest) for file in params.files
            ]
            for file in files:
                self.changes.add(chat.chat, kept_line(file.path, file.current, file.current))
            self.changes.tell(chat.chat)
        return shapes.ChangesDone()

    async def keep_hunk(self, params: shapes.AtHunk) -> shapes.ChangesDone:
        """`change/keepHunk`."""
        async with self.changes.turn:
            chat, file = self._at(params)
            base = kept(file, params.hunk)
            self.changes.add(chat.chat, kept_line(file.path, base, file.current))
            self.changes.tell(chat.chat)
        return shapes.ChangesDone()

    async def undo(self, params: shapes.AtChanges) -> shapes.ChangesDone:
        """`change/undo`: each file by itself; what cannot be undone says why."""
        async with self.changes.turn:
            chat = self.changes.here(params.chat_id)
            files = [
                self.changes.file(chat.chat, file.file_id, file.digest) for file in params.files
            ]
            return await self._do(_UNDID, chat, [whole(file) for file in files])

    async def undo_hunk(self, params: shapes.AtHunk) -> shapes.ChangesDone:
        """`change/undoHunk`."""
        async with self.changes.turn:
            chat, file = self._at(params)
            then = undone(file, params.hunk)
            # The only change of a file that there was not: without it there is none.
            is_all = file.base is None and not then
            back = evolve(whole(file), then=None if is_all else then)
            is_part = not is_all and count_of(file) > 1
            return await self._do(_UNDID_PART if is_part else _UNDID, chat, [back])

    async def redo(self, params: shapes.Redo) -> shapes.ChangesDone:
        """`change/redo`: bring back what was undone last; a file that is another by now stays."""
        async with self.changes.turn:
            chat = self.changes.here(params.chat_id)
            undos = self.changes.of(chat.chat).undos
            if not undos or undos[-1].id != params.undo_id:
                raise AssentError(CHANGED)
            last = undos[-1]
            return await self._do(_REDID, chat, list(_backs(last)), f"{REDO}{last.act}")

    def _at(self, params: shapes.AtHunk) -> tuple[Transcript, FileChanges]:
        chat = self.changes.here(params.chat_id)
        file = self.changes.file(chat.chat, params.file_id, params.digest)
        if params.hunk >= count_of(file):
            raise AssentError(CHANGED)
        return chat, file

    async def _do(
        self, deed: _Deed, chat: Transcript, backs: Sequence[FileBefore], act: str = ""
    ) -> shapes.ChangesDone:
        failed, names = list[str](), list[str]()
        act = act or f"{UNDO}{uuid4()}"
        for back in backs:
            try:
                self._check(deed, chat, back)
                words = deed.said.format(back.shown)
                await self.changes.keep_row(chat, deed.row, words, files=[back.path])
                await self.restoring.write(chat.chat, back, act)
                names.append(back.shown)
            except AssentError as error:
                failed.append(str(error))
        self.changes.tell(chat.chat)
        if names:
            named = ", ".join(names)
            self.changes.tell_model(chat.chat, deed.to_model.format(named))
            words = deed.said.format(named)
            self.changes.board.tell(events.Noticed(chat=chat.chat, level="info", text=words))
        return shapes.ChangesDone(because=" ".join(failed))

    def _check(self, deed: _Deed, chat: Transcript, back: FileBefore) -> None:
        try:
            self.restoring.check(chat.chat, chat.agent, back)
        except ToolFailed as error:
            raise (AssentError(deed.since.format(back.shown)) if deed.since else error) from error

    def _now(self, file: FileChanges) -> str | None:
        try:
            return self.buffers.standing(file.path, file.shown).text
        except CallUnreadable:
            return None


def whole(file: FileChanges) -> FileBefore:
    """A file without any of its changes."""
    return FileBefore(
        path=file.path,
        shown=file.shown,
        left=file.current,
        then=file.base,
        lines=file.large[::-1],
    )


def _backs(undo: Undo) -> Iterator[FileBefore]:
    """The files that were undone, as they stood before."""
    for path, steps in undo.by_file.items():
        first, last = steps[0], steps[-1]
        is_large = last.edit.stretch is not None
        lines = tuple(step.edit for step in reversed(steps)) if is_large else ()
        then = None if is_large else first.edit.old
        left = None if is_large else last.left
        yield FileBefore(path=path, shown=last.shown, left=left, then=then, lines=lines)


def _drawn(file: FileChanges) -> EditedFile:
    room = Room()
    drawn = [changes_of(edit, room) for edit in file.edits]
    return EditedFile(
        path=line(file.shown),
        uri=PurePath(file.path).as_uri(),
        new=file.base is None and not file.large,
        added=sum(changes.added for changes in drawn),
        removed=sum(changes.removed for changes in drawn),
        hunks=[hunk for changes in drawn for hunk in changes.hunks],
    )
