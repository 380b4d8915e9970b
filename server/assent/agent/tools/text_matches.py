"""Finds matching lines in files, with ripgrep or with a program of our own.

Both get the files by name and go nowhere else, get no settings and no input that is not theirs,
tell no more than lines' numbers, and are ended when time is up or nobody waits any more.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.tool_programs import running
from assent.gate.disk.places import Places
from assent.gate.values import frozen

__all__ = ["MAX_HITS", "Hit", "Sought", "hits_in", "ripgrep_for"]

_SEARCH_TIMEOUT_S: Final = 20.0
MAX_HITS: Final = 5_000
_MAX_NAMES_BYTES: Final = 500_000
"""In bytes: so many names are given to one ripgrep."""

Hit = tuple[str, int]
"""A path and a line in the file, from 1."""


@frozen(kw_only=True)
class Sought:
    """What is looked for."""

    pattern: str
    literal: bool = False
    ignore_case: bool = False


def ripgrep_for(places: Places) -> str | None:
    """Where ripgrep is; one that lies in the workspace is none, since anybody may have put it."""
    return places.executables.find("rg")


async def hits_in(paths: Sequence[str], sought: Sought, ripgrep: str | None) -> list[Hit]:
    """The hits in these files, no more than can be told; raises `ToolFailed`."""
    try:
        async with asyncio.timeout(_SEARCH_TIMEOUT_S):
            hits = await _by_ripgrep(ripgrep, paths, sought) if ripgrep else None
            # What ripgrep does not understand, such as a look ahead, Python may.
            return await _by_python(paths, sought) if hits is None else hits
    except TimeoutError as error:
        message = f"The search took longer than {_SEARCH_TIMEOUT_S:.0f} seconds; make it narrower."
        raise ToolFailed(message) from error


async def _by_ripgrep(program: str, paths: Sequence[str], sought: Sought) -> list[Hit] | None:
    """The hits; None where ripgrep cannot tell."""
    hits: list[Hit] = []
    for names in _portions(paths):
        async with running(program, *_options(sought), "--", *names) as process:
            before = len(hits)
            hits += await _read_hits(process, MAX_HITS - len(hits))
            if len(hits) >= MAX_HITS:
                break
            if await process.wait() not in {0, 1} and len(hits) == before:
                return None
    return hits


def _options(sought: Sought) -> list[str]:
    """Each by its whole name, so that no pattern can be taken for one."""
    return [
        *"--no-config --no-messages --no-heading --with-filename --line-number --null".split(),
        *"--color=never --max-columns=1 --max-count=1000 --encoding=auto --crlf".split(),
        "--fixed-strings" if sought.literal else "--no-fixed-strings",
        "--ignore-case" if sought.ignore_case else "--case-sensitive",
        f"--regexp={sought.pattern}",
    ]


def _portions(paths: Sequence[str]) -> Iterator[list[bytes]]:
    names: list[bytes] = []
    length = 0
    for name in map(os.fsencode, paths):
        if names and length + len(name) > _MAX_NAMES_BYTES:
            yield names
            names, length = [], 0
        names.append(name)
        length += len(name) + 1
    if names:
        yield names


async def _by_python(paths: Sequence[str], sought: Sought) -> list[Hit]:
    asked = {
        "pattern": sought.pattern,
        "literal": sought.literal,
        "ignore_case": sought.ignore_case,
    }
    given = json.dumps(asked).encode() + b"\n" + b"\0".join(map(os.fsencode, paths))
    program = Path(__file__).with_name("sift.py")
    async with running(sys.executable, "-I", "-S", "-B", str(program), given=given) as process:
        hits = await _read_hits(process, MAX_HITS)
        if len(hits) < MAX_HITS and await process.wait() != 0:
            assert process.stderr is not None  # noqa: S101 -- it was started with a pipe
            because = (await process.stderr.read(1_000)).decode("utf-8", "replace")
            raise ToolFailed(f"The pattern is no regular expression: {because}.")
    return hits


async def _read_hits(process: asyncio.subprocess.Process, most: int) -> list[Hit]:
    """The hits that a program tells, until it ends or has told enough."""
    assert process.stdout is not None  # noqa: S101 -- it was started with a pipe
    hits: list[Hit] = []
    async for line in process.stdout:
        name, zero, rest = line.partition(b"\0")
        number = rest.partition(b":")[0]
        if zero and number.isdigit():
            hits.append((os.fsdecode(name), int(number)))
            if len(hits) >= most:
                break
    return hits
