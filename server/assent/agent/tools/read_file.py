"""Reads lines of a text file, with their numbers."""

import asyncio
import io
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, Final

from pydantic import Field

from assent.agent.tools.exhibits import Eyes, exhibited
from assent.agent.tools.file_access import opened_file
from assent.agent.tools.file_kinds import HEAD_BYTES, kind_of
from assent.agent.tools.notebooks import as_cells, is_notebook
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import MAX_FILE_BYTES
from assent.gate.text.encodings import Encoding, decoded
from assent.gate.values import evolve

__all__ = ["READ_FILE", "ReadFile"]

_DEFAULT_LINES: Final = 2_000
_MAX_LINE_LETTERS: Final = 2_000
"""In characters."""
_MAX_NOTE_LETTERS: Final = 200
"""In characters: what is said about a line, or about all of them, takes no more."""
_MAX_READ_BYTES: Final = 64 * 1024 * 1024
"""In bytes: how far into a file lines are counted."""
_PIECE_BYTES: Final = 64 * 1024
_UNSAVED: Final = "(this is what stands in the editor, and is not saved)"
_OTHER: Final = "; the file is in {}, and stays in that when it is edited"
_CELLS: Final = "; a notebook, shown as its cells, so that the lines are not those of the file"
_UNKNOWN: Final = "; the file is not in UTF-8, so what is \ufffd here could not be read"
_BOM: Final = b"\xef\xbb\xbf"


class ReadFile(Arguments):
    """What to read."""

    path: str = Field(
        min_length=1, max_length=4_096, description="The file, absolute or from the working folder."
    )
    offset: int | None = Field(
        default=None, ge=1, le=1_000_000_000, description="The first line to read, from 1."
    )
    limit: int | None = Field(
        default=None, ge=1, le=10_000, description="How many lines to read; 2000 if left out."
    )


def _aim(arguments: ReadFile, bench: Bench) -> Aim:
    return Aim(
        tool="read",
        effect=Effect.READ,
        input=arguments.as_given(),
        targets=(bench.places().locate(arguments.path, bench.cwd),),
        action="read",
    )


async def _do(arguments: ReadFile, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    offset, limit = arguments.offset or 1, arguments.limit or _DEFAULT_LINES
    most, eyes = bench.most - _MAX_NOTE_LETTERS, Eyes(bench.takes, bench.exhibit)
    try:
        buffer = bench.buffers.at(target.resolved)
    except CallUnreadable as error:
        raise ToolFailed(str(error)) from error
    if buffer is None:
        return await asyncio.to_thread(_read, target, None, offset, limit, most, eyes)
    typed = buffer.text.encode("utf-8", "replace")
    done = await asyncio.to_thread(_read, target, typed, offset, limit, most, eyes)
    return evolve(done, text=f"{done.text}\n{_UNSAVED}", shown=f"{done.shown}, unsaved")


def _read(  # noqa: PLR0917 -- what it was asked for, and what the model takes
    target: Target,
    typed: bytes | None,
    offset: int,
    limit: int,
    most: int,
    eyes: Eyes,
) -> Done:
    """Read a stretch of what is on the disk, or of what was typed."""
    with opened_file(target) if typed is None else io.BytesIO(typed) as raw:
        file, remark = (raw, "") if typed is not None else _in_utf_8(raw)
        if is_notebook(target.resolved):
            file, remark = _in_cells(file, remark)
        head = file.read(HEAD_BYTES)
        kind = kind_of(head)
        if kind is not None:
            return exhibited(target, file, kind, eyes)
        if not head:
            return Done(text=f"{target.shown} is empty.", shown="empty")
        file.seek(len(_BOM) if head.startswith(_BOM) else 0)
        lines = _lines(file)
        before = sum(1 for _ in islice(lines, offset - 1))
        shown = list(_shown(lines, offset, limit, most))
        whole = before + len(shown) + sum(1 for _ in lines)
        counted = f"{whole:,}" if not file.read(1) else f"more than {whole:,}"
    if not shown:
        raise ToolFailed(f"{target.shown} has no line {offset:,}: it has {counted}.")
    last = before + len(shown)
    where = f"lines {offset:,}–{last:,} of {counted}"
    then = "the end" if f"{last:,}" == counted else f"go on with offset {last + 1}"
    return Done(text="\n".join([*shown, f"({where}; {then}{remark})"]), shown=where)


def _in_utf_8(file: BinaryIO) -> tuple[BinaryIO, str]:
    """Convert a file to UTF-8, with a remark on its encoding; long files stay as they are."""
    data = file.read(MAX_FILE_BYTES + 1)
    file.seek(0)
    text_and_encoding = decoded(data) if len(data) <= MAX_FILE_BYTES else None
    if text_and_encoding is None or text_and_encoding[1] is Encoding.UTF_8:
        return file, "" if text_and_encoding is not None or len(data) > MAX_FILE_BYTES else _UNKNOWN
    text, encoding = text_and_encoding
    return io.BytesIO(text.encode()), _OTHER.format(encoding.words)


def _in_cells(file: BinaryIO, remark: str) -> tuple[BinaryIO, str]:
    """A notebook as its cells; as it stands in its file where it is none, or is too large."""
    data = file.read(MAX_FILE_BYTES + 1)
    file.seek(0)
    text_and_encoding = decoded(data) if len(data) <= MAX_FILE_BYTES else None
    cells = as_cells(text_and_encoding[0]) if text_and_encoding is not None else None
    if cells is None:
        return file, remark
    return io.BytesIO(cells.encode("utf-8", "replace")), f"{_CELLS}{remark}"


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """The beginning and the length of each line, as far as a file is read."""
    read = 0
    while read < _MAX_READ_BYTES and (begin := file.readline(_PIECE_BYTES)):
        piece, length = begin, len(begin)
        while (
            len(piece) == _PIECE_BYTES
            and not piece.endswith(b"\n")
            and read + length < _MAX_READ_BYTES
        ):
            piece = file.readline(_PIECE_BYTES)
            length += len(piece)
        read += length
        yield begin, length


def _shown(lines: Iterator[tuple[bytes, int]], first: int, limit: int, most: int) -> Iterator[str]:
    """So many lines with their numbers, or fewer: none is begun that may not have room."""
    longest = min(_MAX_LINE_LETTERS, most // 2)
    for number in range(first, first + limit):
        numbered = next(lines, None) if most > longest + _MAX_NOTE_LETTERS else None
        if numbered is None:
            return
        begin, length = numbered
        text = begin.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")
        if len(text) > longest:
            text = f"{text[:longest]}… (cut; the line has {length:,} bytes)"
        line = f"{number:>6}\t{text}"
        most -= len(line) + 1
        yield line


READ_FILE: Final = Tool(
    name="read_file",
    effect=Effect.READ,
    says=(
        "Read a text file. Lines come with their numbers and a tab before them, which are not"
        " part of the file. Read a file before you edit it. For long files give offset and limit;"
        " for folders use list_files. A picture (PNG, JPEG, GIF, WebP) or a PDF is shown to you"
        " instead, where you take such; a notebook as its cells."
    ),
    arguments=ReadFile,
    aim=_aim,
    do=_do,
    is_step=True,
)
