"""The steps in which a chat changed files, and which of them the person undid.

An act of the person has a name that says which way it went, so that the lines that are kept of it
tell after a crash, too, what can still be brought back.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from assent.agent.tools.large_files import back
from assent.editor.window.changes.change_lines import Line, edit_line
from assent.gate.call.calls import Edit, digest_of
from assent.gate.values import evolve, frozen

__all__ = ["REDO", "UNDO", "Ran", "Step", "Undo", "followed"]


UNDO: Final = "undo-"
"""Begins the name of an act of the person that took changes back."""
REDO: Final = "redo-"
"""And of one that brought them back."""


@frozen(kw_only=True)
class Step:
    """One edit that was made."""

    call: str
    edit: Edit
    shown: str
    gone: bool
    """Whether the file was gone after it."""

    @property
    def left(self) -> str | None:
        """What stood there after it."""
        return None if self.gone else self.edit.new

    def back(self, act: str, left: str | None) -> Line:
        """The line of the act that takes it back, where that is what our last edit left there."""
        edit = self.edit
        if edit.stretch is not None:
            return edit_line(act, back(edit, edit.stretch), self.shown, left)
        turned = evolve(edit, old=self.left, new=edit.old or "")
        return edit_line(act, turned, self.shown, left, gone=edit.old is None)


@frozen(kw_only=True)
class Undo:
    """One act of the person that took changes back, as far as they can be brought back."""

    act: str
    steps: tuple[Step, ...]
    """As they were made."""

    @cached_property
    def id(self) -> str:
        """The SHA-256 of all that somebody brings back who names it."""
        files = [step.edit.stretch.new_file for step in self.steps if step.edit.stretch]
        texts = [[step.edit.path, step.edit.old, step.left] for step in self.steps]
        return digest_of([self.act, texts, files])

    @property
    def by_file(self) -> dict[str, list[Step]]:
        """The steps of each file, in the order in which the files were undone."""
        files = dict[str, list[Step]]()
        for step in self.steps:
            files.setdefault(step.edit.path, []).append(step)
        return files


@frozen(kw_only=True)
class Ran:
    """Something that ran, of which nobody knows which files it changed."""

    tool: str
    what: str
    cwd: str


def followed(undos: Sequence[Undo], step: Step) -> list[Undo]:
    """What can be brought back after one more step; a file that is written anew cannot."""
    last = undos[-1] if undos else None
    if step.call.startswith(UNDO):
        if last is None or last.act != step.call:
            return [*undos, Undo(act=step.call, steps=(step,))]
        return [*undos[:-1], evolve(last, steps=(*last.steps, step))]
    # What is brought back goes from its own undo; the file may come up in an earlier one then.
    act = step.call.removeprefix(REDO) if step.call.startswith(REDO) else None
    left = [_without(undo, step) if act in {None, undo.act} else undo for undo in undos]
    return [undo for undo in left if undo.steps]


def _without(undo: Undo, step: Step) -> Undo:
    steps = tuple(undo_step for undo_step in undo.steps if undo_step.edit.path != step.edit.path)
    return evolve(undo, steps=steps)
