"""Lists what is in a folder, as a tree."""

from typing import Final

from pydantic import Field

from assent.agent.tools.file_access import sized
from assent.agent.tools.folder_view import aim_at, fit_lines, look, plainly
from assent.agent.tools.folder_walk import Entry
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect

__all__ = ["LIST_FILES", "ListFiles"]

_MAX_ENTRIES: Final = 1_000


class ListFiles(Arguments):
    """What to list."""

    path: str = Field(
        default=".", min_length=1, max_length=4_096, description="The folder; `.` if left out."
    )
    depth: int | None = Field(
        default=None, ge=1, le=5, description="How many levels of folders to show; 1 if left out."
    )


def _aim(arguments: ListFiles, bench: Bench) -> Aim:
    return aim_at("list", arguments.path, arguments, bench)


async def _do(arguments: ListFiles, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    looked = await look(target, bench, arguments.depth or 1)
    if not looked.entries:
        return Done(text=f"{target.shown} is empty.", shown="nothing")
    lines = [_line(entry) for entry in looked.entries[:_MAX_ENTRIES]]
    more = f"(the first {_MAX_ENTRIES:,} of more; list a folder in it, or use find_files)"
    return Done(
        text=fit_lines(lines, [more] if len(looked.entries) > _MAX_ENTRIES else [], bench.most)
    )


def _line(entry: Entry) -> str:
    *folders, name = entry.path.split("/")
    return f"{'  ' * len(folders)}{plainly(name)}{_about(entry)}"


def _about(entry: Entry) -> str:
    if entry.is_folder:
        return "/ (not looked into)" if entry.left_out else "/"
    if entry.is_link:
        return " (link)"
    return f" ({sized(entry.facts.st_size)})" if entry.is_file else " (no ordinary file)"


LIST_FILES: Final = Tool(
    name="list_files",
    effect=Effect.READ,
    says=(
        "List what is in a folder: folders first, files with their sizes. Links are not followed,"
        " and folders such as .git or node_modules are not looked into unless path names them."
    ),
    arguments=ListFiles,
    aim=_aim,
    do=_do,
    is_step=True,
)
