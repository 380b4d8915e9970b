"""The files that one chat's edits changed, computed from its lines.

Each file that was edited has a text that it is held against, and one that stands there by our
edits; the changes that a person can keep or undo lie between the two. Where somebody else wrote
into a file between two of our edits, what they left is what it is held against from then on.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from assent.editor.cards.differences import between
from assent.editor.window.changes.change_lines import (
    BegunLine,
    EditLine,
    EndLine,
    KeptLine,
    Line,
    RanLine,
    SaidLine,
    edit_in,
    edit_line,
    text_in,
)
from assent.editor.window.changes.steps import Ran, Step, Undo, followed
from assent.gate.call.calls import Edit, digest_of
from assent.gate.journal.file_changes import ChangedFile
from assent.gate.text.encodings import Encoding
from assent.gate.values import define, evolve, field, frozen

__all__ = ["MAX_LETTERS", "ChangedFiles", "FileChanges"]

MAX_LETTERS: Final = 32 * 1024 * 1024
"""So many are kept of one chat."""
_MAX_STEPS: Final = 2_000
"""So many steps."""


@frozen(kw_only=True)
class FileChanges:
    """One file that our edits have changed."""

    path: str
    shown: str
    base: str | None
    """What it is held against; None where there was no file."""
    current: str | None
    """What stands there by our edits; None where there is no file."""
    encoding: Encoding
    large: tuple[Edit, ...] = ()
    """Of a file too large to be held as a text: the edits of its lines, oldest first."""

    @cached_property
    def is_changed(self) -> bool:
        """Whether there is something to be kept or undone."""
        return bool(self.large) or self.base != self.current

    @cached_property
    def id(self) -> str:
        """By what it is named on the wire."""
        return digest_of(self.path)[:32]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all that somebody acts on who acts on it."""
        files = [edit.stretch.new_file for edit in self.large if edit.stretch]
        return digest_of([self.path, self.base, self.current, files])

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Its changes, to be drawn."""
        new = self.current or ""
        return self.large or (Edit(path=self.path, old=self.base, new=new),)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many lines come and go."""
        sizes = [_sizes(edit) for edit in self.edits]
        return sum(added for added, _ in sizes), sum(removed for _, removed in sizes)

    @cached_property
    def listed(self) -> ChangedFile:
        """Its line in the list of changed files; kept, since each change sends the whole list."""
        added, removed = self.sizes
        return ChangedFile(
            id=self.id,
            path=self.shown,
            added=added,
            removed=removed,
            is_new=self.base is None and not self.large,
            digest=self.digest,
        )


@define(eq=False)
class ChangedFiles:
    """One for each chat."""

    files: dict[str, FileChanges] = field(factory=dict)
    """All that were ever edited, by resolved path."""
    steps: list[Step | Ran | str] = field(factory=list)
    """What happened, oldest first; what the person said is told by its message."""
    bases: dict[str, dict[str, str | None]] = field(factory=dict)
    """What the files with changes were held against at each message."""
    undos: list[Undo] = field(factory=list)
    """What the person took back and no edit has written over since, oldest first."""
    open: dict[str, list[EditLine]] = field(factory=dict)
    """The edits of calls that have not ended."""
    _letters: int = 0

    @property
    def is_full(self) -> bool:
        """Whether more is kept than may be."""
        return self._letters > MAX_LETTERS or len(self.steps) > _MAX_STEPS

    @property
    def pending(self) -> tuple[FileChanges, ...]:
        """The files with changes that were neither kept nor undone."""
        return tuple(file for file in self.files.values() if file.is_changed)

    def steps_of(self, call: str) -> tuple[Step, ...]:
        """The edits that a call made."""
        return tuple(step for step in self.steps if isinstance(step, Step) and step.call == call)

    def since(self, message: str) -> list[Step | Ran | str] | None:
        """What happened since a message; None where that is not known."""
        return self.steps[self.steps.index(message) :] if message in self.steps else None

    def left(self, path: str) -> str | None:
        """What our last edit left in a file."""
        file = self.files.get(path)
        return None if file is None or file.large else file.current

    def take(self, line: Line) -> None:
        """Take in one more line."""
        match line:
            case BegunLine():
                self.steps.clear()
                self.bases.clear()
                self.undos.clear()
            case SaidLine():
                self.steps.append(line.message)
                texts = (file for file in self.pending if not file.large)
                self.bases[line.message] = {file.path: file.base for file in texts}
            case RanLine():
                self.steps.append(Ran(tool=line.tool, what=line.what, cwd=line.cwd))
            case EditLine():
                self.open.setdefault(line.call, []).append(line)
            case EndLine():
                for begun in self.open.pop(line.call, ()):
                    if line.done:
                        self._apply(begun)
            case KeptLine():
                self._keep(line)

    def fresh(self) -> Iterator[Line]:
        """The lines to begin anew with: of what happened nothing, of what is changed all."""
        yield BegunLine()
        texts = [file for file in self.pending if not file.large]
        if sum(len(file.base or "") + len(file.current or "") for file in texts) > MAX_LETTERS // 2:
            return
        for text_file in texts:
            edit = Edit(
                path=text_file.path,
                old=text_file.base,
                new=text_file.current or "",
                encoding=text_file.encoding,
            )
            yield edit_line("", edit, text_file.shown, None, gone=text_file.current is None)
            yield EndLine(call="", done=True)

    def _apply(self, line: EditLine) -> None:
        edit, gone = edit_in(line, self.left(line.path)), line.new is None
        before = self.files.get(line.path)
        goes_on = before is not None and before.current == edit.old and not edit.stretch
        self.steps.append(step := Step(call=line.call, edit=edit, shown=line.shown, gone=gone))
        self.undos[:] = followed(self.undos, step)
        self._letters += len(edit.new) + (0 if line.is_same else len(edit.old or ""))
        if before is not None and goes_on and not before.large:
            self.files[line.path] = evolve(before, current=None if gone else edit.new)
            return
        self.files[line.path] = FileChanges(
            path=line.path,
            shown=line.shown,
            base=None if edit.stretch else edit.old,
            current=None if gone or edit.stretch else edit.new,
            encoding=edit.encoding,
            large=_behind(before, edit),
        )

    def _keep(self, line: KeptLine) -> None:
        file = self.files.get(line.path)
        if file is not None:
            base = text_in(line, file.current)
            self.files[line.path] = evolve(file, base=base, large=())


def _behind(before: FileChanges | None, edit: Edit) -> tuple[Edit, ...]:
    """The edits of a large file with one more; the one that takes the last back ends it."""
    if edit.stretch is None:
        return ()
    *others, last = before.large if before is not None and before.large else (None,)
    if last is None or last.stretch is None or last.stretch.new_file != edit.stretch.old_file:
        return (edit,)
    if last.stretch.old_file == edit.stretch.new_file:
        return tuple(other for other in others if other is not None)
    return (*(other for other in others if other is not None), last, edit)


def _sizes(edit: Edit) -> tuple[int, int]:
    groups = between(edit.old or "", edit.new).groups
    parts = [part for group in groups for part in group if part[0] != "equal"]
    return sum(part[4] - part[3] for part in parts), sum(part[2] - part[1] for part in parts)
