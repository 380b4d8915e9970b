"""Replaces exact stretches of a file.

What stands in a file is told to nobody who may not read it. Edits that fit are judged as a
change. Of edits that do not fit a model is told why, and that is judged as reading the file.
"""

import asyncio
from typing import Annotated, Final

from pydantic import Field, model_validator

from assent.agent.tools.file_changes import change, edit_of
from assent.agent.tools.large_files import large_change
from assent.agent.tools.nearest_match import nearest
from assent.agent.tools.notebooks import is_notebook, with_cell
from assent.agent.tools.replacements import Replaced, Unfit, in_editor, replaced
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Edit, Effect, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.buffers import Buffers, Standing
from assent.gate.disk.large_files import is_large

__all__ = ["EDIT_FILE", "EditFile", "OneEdit"]


class OneEdit(Arguments):
    """One replacement."""

    old: str = Field(min_length=1, description="The text to replace, exactly as it stands.")
    new: str = Field(description="The text to put in its place.")
    all: bool = Field(default=False, description="Replace it everywhere, not just once.")

    @property
    def everywhere(self) -> bool:
        """Whether each place is meant at which the old text stands."""
        return self.all

    @model_validator(mode="after")
    def _differs(self) -> "OneEdit":
        if self.old == self.new:
            message = "old and new are the same"
            raise ValueError(message)
        return self


class EditFile(Arguments):
    """What to change."""

    path: str = Field(
        min_length=1, max_length=4_096, description="The file, absolute or from the working folder."
    )
    cell: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description="Of a notebook (.ipynb): the cell to change, as read_file numbers them.",
    )
    edits: Annotated[list[OneEdit], Field(min_length=1, max_length=50)] = Field(
        description="The replacements, made one after the other; if one does not fit, none is made."
    )


_LARGE_NOTEBOOK: Final = (
    "{} is larger than 4 MB, so its cells cannot be edited by their numbers; edits of the file as"
    " it stands are made without a cell."
)
_IN_CELLS: Final = " It is a notebook: name the cell to change, as read_file numbers them."


def _aim(arguments: EditFile, bench: Bench) -> Aim:
    target = bench.places().locate(arguments.path, bench.cwd)
    try:
        if bench.may_read(target.resolved):
            return _change(arguments, target, bench.buffers)
    except (Unfit, ToolFailed, CallUnreadable):
        # Why it does not fit is told once it may be.
        pass
    return Aim(
        tool="read",
        effect=Effect.READ,
        input=arguments.as_given(),
        targets=(target,),
        action="read",
    )


def _change(arguments: EditFile, target: Target, buffers: Buffers) -> Aim:
    if _is_large(target, buffers):
        edit, _ = _large(arguments, target)
    else:
        old, standing = _standing(target, buffers)
        new = _made(arguments, old, target.shown)[0]
        new = new if standing.version is None else in_editor(old, new)
        edit = edit_of(target, standing, new)
    return Aim(
        tool="write",
        effect=Effect.WRITE,
        input=arguments.as_given(),
        targets=(target,),
        edits=(edit,),
        action="write",
    )


def _is_large(target: Target, buffers: Buffers) -> bool:
    """Whether it is a file of which only what changes can be shown."""
    return is_large(target.resolved) and buffers.at(target.resolved) is None


def _large(arguments: EditFile, target: Target) -> tuple[Edit, Replaced]:
    if arguments.cell is not None:
        raise CallUnreadable(_LARGE_NOTEBOOK.format(target.shown))
    return large_change(target, arguments.edits)


def _made(arguments: EditFile, old: str, shown: str) -> tuple[str, Replaced]:
    """What becomes of a file, and of the stretch of it that is edited: all of it, or one cell."""
    if arguments.cell is None:
        made = replaced(old, arguments.edits)
        return made.text, made
    changes: list[Replaced] = []

    def change(source: str) -> str:
        changes.append(replaced(source, arguments.edits))
        return changes[0].text

    text = with_cell(old, arguments.cell, change, shown)
    return text, changes[0]


def _standing(target: Target, buffers: Buffers) -> tuple[str, Standing]:
    """What stands in a file, and how."""
    standing = buffers.standing(target.resolved, target.shown)
    if standing.text is None:
        raise ToolFailed(f"{target.shown} does not exist; write_file makes new files.")
    return standing.text, standing


async def _do(arguments: EditFile, call: Call, bench: Bench) -> Done:
    if call.edits:
        return await _written(arguments, call, bench.buffers)

    async def take(judged: Call) -> Done:
        return await _written(arguments, judged, bench.buffers)

    (target,) = call.targets
    aim = await asyncio.to_thread(_second_look, arguments, target, bench.buffers)
    return await bench.ask(aim, take)


def _second_look(arguments: EditFile, target: Target, buffers: Buffers) -> Aim:
    """The change after all, for a file that may be read by now; or why there is none."""
    try:
        return _change(arguments, target, buffers)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    except Unfit as error:
        hint = _hint(arguments, target, error.missing, buffers)
        raise ToolFailed(f"{target.shown} was not changed. {error}{hint}") from error


def _hint(arguments: EditFile, target: Target, missing: str | None, buffers: Buffers) -> str:
    if missing is None:
        return ""
    if _is_large(target, buffers):
        return (
            " Read the file again to see what stands there; in a large file it has to fit exactly."
        )
    if is_notebook(target.resolved):
        return _IN_CELLS if arguments.cell is None else " Read the file again to see the cell."
    text, _ = _standing(target, buffers)
    match = nearest(text, missing)
    if match is None:
        return " Read the file again to see what stands there."
    line, near = match
    return f" The nearest is line {line}, which reads:\n{near}"


async def _written(arguments: EditFile, call: Call, buffers: Buffers) -> Done:
    (target,), (edit,) = call.targets, call.edits
    try:
        is_same, made = _made_again(arguments, target, edit)
    except (CallUnreadable, Unfit) as error:
        raise ToolFailed(str(error)) from error
    if not is_same:
        raise ToolFailed(f"{target.shown} was not changed: the edits are not what was judged.")
    beside = await change(edit, target.shown, buffers)
    where = "" if arguments.cell is None else f" of cell {arguments.cell}"
    return Done(text=f"Changed {target.shown}: {_named(made)}{where}.{beside}")


def _made_again(arguments: EditFile, target: Target, edit: Edit) -> tuple[bool, Replaced]:
    """Whether the edits come to what was judged, and where they are made."""
    if edit.stretch is not None:
        again, made = _large(arguments, target)
        return again == edit, made
    text, made = _made(arguments, edit.old or "", target.shown)
    return text == edit.new, made


def _named(change: Replaced) -> str:
    lines = [str(first) if first == last else f"{first}–{last}" for first, last in change.lines]
    is_single = len(lines) == 1 and lines[0].isdigit()
    return f"now {'line' if is_single else 'lines'} {', '.join(lines)}"


EDIT_FILE: Final = Tool(
    name="edit_file",
    effect=Effect.WRITE,
    says=(
        "Change parts of a file by exact replacement. Each old text must stand in the file exactly"
        " once, with its indentation and without line numbers, unless all is true. Read the file"
        " first. Several edits of one file belong in one call. To change a notebook give the cell,"
        " whose source is then what is edited."
    ),
    arguments=EditFile,
    aim=_aim,
    do=_do,
    is_step=True,
)
