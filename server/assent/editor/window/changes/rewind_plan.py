"""The rewind plan: for each file that changed since a message, restore it, keep it, or conflict."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from assent.agent.tools.tool import ToolFailed
from assent.editor.cards.spans import line
from assent.editor.protocol.changes import RewindFile
from assent.editor.window.changes.steps import Ran, Step
from assent.editor.window.changes.write_back import FileBefore, WriteBack
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import digest_of
from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.values import evolve, frozen

__all__ = ["FileRewind", "rewind_plan"]

_BETWEEN: Final = "{} was changed by somebody else between two edits."
_LARGE: Final = "{} is too large to be put back by parts that somebody else changed between."

Fate = Literal["back", "gone", "edited", "stays"]


@frozen(kw_only=True)
class FileRewind:
    """One file."""

    back: FileBefore
    fate: Fate | None
    """None where it is as it was already."""
    because: str = ""

    @property
    def id(self) -> str:
        """By what it is named on the wire."""
        return digest_of(self.back.path)[:32]

    @property
    def shape(self) -> RewindFile:
        """As it is told."""
        return RewindFile(
            file_id=self.id,
            path=line(self.back.shown),
            fate=self.fate or "stays",
            because=self.because,
        )

    @property
    def bound(self) -> list[object]:
        """All that a person agrees to."""
        back = self.back
        files = [change_line.stretch.new_file for change_line in back.lines if change_line.stretch]
        return [back.path, back.left, back.then, files, self.fate, self.because]

    def is_wanted(self, over: Sequence[str]) -> bool:
        """Whether it is put back; a file that somebody else wrote into where that was said."""
        return self.fate in {"back", "gone"} or (self.fate == "edited" and self.id in over)


def rewind_plan(
    steps: Sequence[Step | Ran | str], chat: Transcript, restoring: WriteBack
) -> list[FileRewind]:
    """The files of these steps, in the order in which they were edited first."""
    by_path = dict[str, list[Step]]()
    for step in steps:
        if isinstance(step, Step):
            by_path.setdefault(step.edit.path, []).append(step)
    return [_returned(steps, chat, restoring) for steps in by_path.values()]


def _returned(steps: list[Step], chat: Transcript, restoring: WriteBack) -> FileRewind:
    first, last = steps[0], steps[-1]
    back = FileBefore(path=first.edit.path, shown=first.shown, left=last.left, then=first.edit.old)
    if any(step.edit.stretch for step in steps):
        return _of_lines(steps, back, chat, restoring)
    if back.left == back.then:
        return FileRewind(back=back, fate=None)
    fate: Fate = "gone" if back.then is None else "back"
    try:
        restoring.check(chat.chat, chat.agent, back)
    except ToolFailed as error:
        return _edited(back, str(error), restoring)
    except AssentError as error:
        return FileRewind(back=back, fate="stays", because=str(error))
    if any(step.left != other.edit.old for step, other in pairwise(steps)):
        return FileRewind(back=back, fate="edited", because=_BETWEEN.format(back.shown))
    return FileRewind(back=back, fate=fate)


def _edited(back: FileBefore, because: str, restoring: WriteBack) -> FileRewind:
    """A file in which stands something else than our edits left."""
    try:
        now = restoring.buffers.standing(back.path, back.shown)
    except CallUnreadable:
        return FileRewind(back=back, fate="stays", because=because)
    if now.text == back.then:
        return FileRewind(back=back, fate=None)
    if back.then is None and now.version is not None:
        return FileRewind(back=back, fate="stays", because=because)
    words = f"{back.shown} was changed by somebody else since."
    return FileRewind(back=evolve(back, left=now.text), fate="edited", because=words)


def _of_lines(
    steps: list[Step], back: FileBefore, chat: Transcript, restoring: WriteBack
) -> FileRewind:
    """A file that is too large to be held as a text comes back by its lines, or stays."""
    ways = [step.edit.stretch for step in steps]
    if ways[0] and ways[-1] and ways[0].old_file == ways[-1].new_file:
        return FileRewind(back=back, fate=None)
    joins = pairwise(ways)
    if not all(ways) or any(
        before and after and before.new_file != after.old_file for before, after in joins
    ):
        return FileRewind(back=back, fate="stays", because=_LARGE.format(back.shown))
    back = evolve(back, lines=tuple(step.edit for step in reversed(steps)))
    try:
        restoring.check(chat.chat, chat.agent, back)
    except AssentError as error:
        return FileRewind(back=back, fate="stays", because=str(error))
    return FileRewind(back=back, fate="back")
