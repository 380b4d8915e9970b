"""Finds files by their names."""

from typing import Final

from pydantic import Field, field_validator

from assent.agent.tools.folder_view import (
    aim_at,
    fit_lines,
    fitting,
    left_out,
    look,
    may_be_read,
    plainly,
    within,
)
from assent.agent.tools.folder_walk import MAX_ENTRIES
from assent.agent.tools.patterns import pattern_of
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect

__all__ = ["FIND_FILES", "FindFiles", "inward"]

_MAX_FILES: Final = 500
_MAX_FILES_CHECKED: Final = 1_000


def inward(pattern: str | None) -> str | None:
    """The pattern, if it leads nowhere but into the folder."""
    if pattern is not None and (pattern.startswith(("/", "~")) or ".." in pattern.split("/")):
        message = "it is about paths below the folder; give the folder as path"
        raise ValueError(message)
    return pattern


class FindFiles(Arguments):
    """What to find."""

    pattern: str = Field(
        min_length=1,
        max_length=500,
        description="A glob such as `**/*.test.ts` or `src/**/{a,b}.py`; `*.py` is at any depth.",
    )
    path: str = Field(
        default=".", min_length=1, max_length=4_096, description="The folder; `.` if left out."
    )

    _inward = field_validator("pattern")(inward)


def _aim(arguments: FindFiles, bench: Bench) -> Aim:
    return aim_at("find", arguments.path, arguments, bench)


async def _do(arguments: FindFiles, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    looked = await look(target, bench)
    entries = [entry for entry in looked.entries if not entry.is_folder and not entry.left_out]
    matches = await fitting(entries, pattern_of(arguments.pattern))
    matches.sort(key=lambda entry: -entry.facts.st_mtime_ns)
    paths = [within(target.resolved, entry.path) for entry in matches[:_MAX_FILES_CHECKED]]
    allowed = await may_be_read(paths, bench)
    seen = [entry.path for entry, may in zip(matches, allowed, strict=False) if may]
    notes = [left_out(allowed.count(False))]
    if len(seen) > _MAX_FILES or len(matches) > _MAX_FILES_CHECKED:
        notes.append(f"(the newest {min(len(seen), _MAX_FILES)}; there are more)")
    if not looked.whole:
        notes.append(f"(only the first {MAX_ENTRIES:,} files and folders were looked at)")
    lines = [plainly(within(arguments.path, path)) for path in seen[:_MAX_FILES]]
    count = f"{len(lines):,} {'file' if len(lines) == 1 else 'files'}"
    return Done(text=fit_lines(lines or ["No files."], notes, bench.most), shown=count)


FIND_FILES: Final = Tool(
    name="find_files",
    effect=Effect.READ,
    says=(
        "Find files by name, the one changed last first. What .gitignore names is left out, and"
        " folders such as node_modules are, unless path leads into them."
    ),
    arguments=FindFiles,
    aim=_aim,
    do=_do,
    is_step=True,
)
