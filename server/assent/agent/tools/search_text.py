"""Searches the text of files.

The lines that are told are read anew through the paths that were judged: whatever searched for
them only says where they stand.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from pydantic import Field, field_validator

from assent.agent.tools.file_access import opened_file
from assent.agent.tools.file_kinds import HEAD_BYTES, kind_of
from assent.agent.tools.find_files import inward
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
from assent.agent.tools.text_matches import MAX_HITS, Hit, Sought, hits_in, ripgrep_for
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect, Target
from assent.gate.disk.files import MAX_FILE_BYTES
from assent.gate.text.encodings import Encoding, decoded

__all__ = ["SEARCH_TEXT", "SearchText"]

_DEFAULT_HITS: Final = 200
_MARK: Final = "\ufeff"
_MAX_LINE_LETTERS: Final = 300


class SearchText(Arguments):
    """What to search for."""

    pattern: str = Field(
        min_length=1, max_length=1_000, description="A regular expression, for one line."
    )
    path: str = Field(
        default=".",
        min_length=1,
        max_length=4_096,
        description="The folder or the file; `.` if left out.",
    )
    glob: str | None = Field(
        default=None,
        min_length=1,
        max_length=500,
        description="Only files whose path fits, such as `*.py` or `src/**/*.{ts,tsx}`.",
    )
    ignore_case: bool | None = None
    literal: bool | None = Field(default=None, description="The pattern is plain text.")
    context: int | None = Field(
        default=None, ge=0, le=5, description="How many lines to show around each hit."
    )
    most: int | None = Field(
        default=None, ge=1, le=1_000, description="How many hits to show; 200 if left out."
    )

    _inward = field_validator("glob")(inward)

    @field_validator("pattern")
    @classmethod
    def _in_one_line(cls, pattern: str) -> str:
        if "\n" in pattern or "\0" in pattern:
            message = "it cannot reach over the end of a line"
            raise ValueError(message)
        return pattern


def _aim(arguments: SearchText, bench: Bench) -> Aim:
    return aim_at("search", arguments.path, arguments, bench)


async def _do(arguments: SearchText, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    files, notes = await _files(arguments, target, bench)
    is_folder = files.keys() != {target.resolved}
    sought = Sought(
        pattern=arguments.pattern,
        literal=bool(arguments.literal),
        ignore_case=bool(arguments.ignore_case),
    )
    find = partial(hits_in, sought=sought, ripgrep=ripgrep_for(bench.places()))
    if is_folder:
        hits, note = await _readable_hits([*files], find, bench)
        notes.insert(0, note)
    else:
        hits = await find([*files])
    hits.sort()
    most = arguments.most or _DEFAULT_HITS
    if len(hits) > most:
        notes.append(f"(the first {most:,} hits; there are more)")
    lines = await asyncio.to_thread(_shown, hits[:most], files, arguments.context or 0)
    count = f"{len(hits):,} {'hit' if len(hits) == 1 else 'hits'}"
    if len(hits) >= MAX_HITS:
        count = f"more than {count}"
    return Done(text=fit_lines(lines or ["No hits."], notes, bench.most), shown=count)


Find = Callable[[Sequence[str]], Awaitable[list[Hit]]]


async def _readable_hits(paths: Sequence[str], find: Find, bench: Bench) -> tuple[list[Hit], str]:
    """The hits in files that may be read, and what to say of the others.

    Where nothing forbids reading any, only those are judged in which something stands, which takes
    far less time. No pattern is tried on a file that is denied: even how long that takes tells
    what stands in it.
    """
    if bench.denies_none():
        hits = await find(paths)
        held = list(dict.fromkeys(path for path, _ in hits))
        may = dict(zip(held, await may_be_read(held, bench), strict=True))
        return [hit for hit in hits if may[hit[0]]], ""
    allowed = await may_be_read(paths, bench)
    kept = [path for path, may in zip(paths, allowed, strict=True) if may]
    return await find(kept), left_out(allowed.count(False))


async def _files(
    arguments: SearchText, target: Target, bench: Bench
) -> tuple[dict[str, str], list[str]]:
    """The files to search, by where they are, as they are spelled; and what to say about them."""
    size = _size_of(target)
    if size is not None:
        _check_size(target, size)
        return {target.resolved: arguments.path}, []
    looked = await look(target, bench)
    wanted = [entry for entry in looked.entries if entry.is_file and not entry.left_out]
    if arguments.glob is not None:
        wanted = await fitting(wanted, pattern_of(arguments.glob))
    small = [entry for entry in wanted if entry.facts.st_size <= MAX_FILE_BYTES]
    paths = [within(target.resolved, entry.path) for entry in small]
    notes = [_too_large(len(wanted) - len(small))]
    if not looked.whole:
        notes.append(f"(only the first {MAX_ENTRIES:,} files and folders were looked at)")
    each = zip(paths, small, strict=True)
    return {path: within(arguments.path, entry.path) for path, entry in each}, notes


def _size_of(target: Target) -> int | None:
    """How large a file is; None for a folder, which says more when it is opened as one."""
    try:
        with opened_file(target) as file:
            return file.seek(0, os.SEEK_END)
    except ToolFailed:
        return None


def _check_size(target: Target, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise ToolFailed(f"{target.shown} is larger than 4 MB; search it with a command.")


def _too_large(count: int) -> str:
    if not count:
        return ""
    return f"({count:,} {'file' if count == 1 else 'files'} left out, larger than 4 MB)"


def _shown(hits: Sequence[Hit], files: dict[str, str], around: int) -> list[str]:
    """The lines of the hits, file by file."""
    shown: list[str] = []
    for path, group in groupby(hits, lambda hit: hit[0]):
        if path in files:
            lines = list(_lines(path, [number for _, number in group], around))
            shown += [plainly(files[path]), *lines] if lines else []
    return shown


def _lines(path: str, numbers: Sequence[int], around: int) -> Iterator[str]:
    text = _text(path)
    before = 0
    for number in sorted(
        {near for hit in numbers for near in range(hit - around, hit + around + 1)}
    ):
        if 1 <= number <= len(text):
            if around and before and number > before + 1:
                yield "  --"
            mark = ":" if number in numbers else "-"
            yield f"  {number}{mark} {_cut(text[number - 1])}"
            before = number


def _text(path: str) -> list[str]:
    """The lines of a file; none where there is no text any more."""
    here = Target(spelled=path, resolved=path, inside=True, shown=path)
    try:
        with opened_file(here) as file:
            data = file.read(MAX_FILE_BYTES)
    except ToolFailed:
        return []
    text_and_encoding = decoded(data)
    if (text_and_encoding is None or text_and_encoding[1] is Encoding.UTF_8) and kind_of(
        data[:HEAD_BYTES]
    ):
        return []
    text = data.decode("utf-8", "replace") if text_and_encoding is None else text_and_encoding[0]
    return text.removeprefix(_MARK).split("\n")


def _cut(line: str) -> str:
    line = line.removesuffix("\r")
    return line if len(line) <= _MAX_LINE_LETTERS else f"{line[:_MAX_LINE_LETTERS]}… (cut)"


SEARCH_TEXT: Final = Tool(
    name="search_text",
    effect=Effect.READ,
    says=(
        "Search what stands in files for a regular expression; hits come with their files and"
        " line numbers. Faster and safer than grep in a command. What .gitignore names is left"
        " out, and folders such as node_modules are, unless path leads into them."
    ),
    arguments=SearchText,
    aim=_aim,
    do=_do,
    is_step=True,
)
