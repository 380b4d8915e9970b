"""Writes a whole file, new or in place of an old one."""

from typing import Final

from pydantic import Field

from assent.agent.tools.file_changes import change, edit_of
from assent.agent.tools.replacements import breaks_of, in_editor
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect

__all__ = ["WRITE_FILE", "WriteFile"]

_BOM: Final = "\ufeff"


class WriteFile(Arguments):
    """What to write."""

    path: str = Field(
        min_length=1, max_length=4_096, description="The file, absolute or from the working folder."
    )
    content: str = Field(description="All that is to stand in the file.")


def _aim(arguments: WriteFile, bench: Bench) -> Aim:
    target = bench.places().locate(arguments.path, bench.cwd)
    standing = bench.buffers.standing(target.resolved, target.shown)
    new = _like(standing.text, arguments.content)
    new = new if standing.version is None else in_editor(standing.text, new)
    return Aim(
        tool="write",
        effect=Effect.WRITE,
        input=arguments.as_given(),
        targets=(target,),
        edits=(edit_of(target, standing, new),),
        action="write",
    )


def _like(old: str | None, new: str) -> str:
    """The new text with the mark and the line breaks of the old one, which models do not see."""
    if not old:
        return new
    if old.startswith(_BOM) and not new.startswith(_BOM):
        new = _BOM + new
    return new.replace("\n", "\r\n") if breaks_of(old) == "\r\n" and "\r" not in new else new


async def _do(_: WriteFile, call: Call, bench: Bench) -> Done:
    (edit,), (target,) = call.edits, call.targets
    beside = await change(edit, target.shown, bench.buffers)
    lines = len(edit.new.splitlines())
    verb = "Created" if edit.old is None else "Wrote"
    counted = f"{lines:,} {'line' if lines == 1 else 'lines'}"
    return Done(text=f"{verb} {target.shown} ({counted}).{beside}")


WRITE_FILE: Final = Tool(
    name="write_file",
    effect=Effect.WRITE,
    says=(
        "Write a whole file: a new one, or everything in an old one anew. Folders on the way are"
        " made. To change parts of a file that exists, use edit_file."
    ),
    arguments=WriteFile,
    aim=_aim,
    do=_do,
    is_step=True,
)
