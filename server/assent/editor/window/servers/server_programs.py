"""Finds what a workspace's server runs: the program, and the workspace's files that it is handed.

A command or an argument that is a relative path counts from the folder of the workspace. Each file
of the workspace is bound by its content, and by where it leads if it is a link.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assent.catalogue.mcp.bound_files import UNREAD, leads_to, mark_of
from assent.catalogue.mcp.launches import program_of
from assent.editor.window.servers.server_fillings import Ground, LeftOut, inside, variables_of
from assent.editor.window.servers.server_variables import variables_of_entry
from assent.gate.disk.executables import Executables
from assent.gate.settings.ordinary_files import opened
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.values import evolve

__all__ = ["comes_to", "from_workspace", "links_row"]

_MAX_BOUND_BYTES: Final = 256 * 1024 * 1024
"""In bytes: all files together that the servers of one file are handed."""
_UNBOUND: Final = "`{}` is no file that can be read, or is too large to be bound"
_RELATIVE: Final = re.compile(r"\.\.?(?:/|\Z)")
_MAX_INTERPRETERS: Final = 5
"""So many programs may stand in a row, of which each is run by the next."""
_MAX_FIRST_LINE_BYTES: Final = 256


def from_workspace(ground: Ground, entry: ServerEntry) -> ServerEntry:
    """The entry with its relative paths in full; raises `LeftOut` for a command outside."""
    command = entry.command
    if "/" in command and not command.startswith(("/", "~")):
        command = _full(ground, command)
        if not command.startswith(inside(ground.root)):
            raise LeftOut(f"its command `{entry.command}` leads out of this workspace")
    args = (_full(ground, word) if _RELATIVE.match(word) else word for word in entry.args)
    return evolve(entry, command=command, args=tuple(args))


def comes_to(ground: Ground, entry: ServerEntry) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What is bound beside the file's text, and the variables of its file of them, by their names.

    Raises `NodeFailed`, and `LeftOut`.
    """
    named = variables_of_entry(entry)
    more: dict[str, Any] = {"variables": named} if named else {}
    if entry.url:
        return {"url": entry.url, **more}, ()
    path = entry.env.get("PATH", os.environ.get("PATH", os.defpath))
    program = program_of(entry, Executables(roots=tuple(ground.roots), path=path))
    programs = [program, *_interpreters(ground, program)]
    files = _marks(ground, [*programs, *_paths_given(ground, entry)])
    for word in programs:
        if word in files and Path(word).is_dir():
            raise LeftOut(_UNBOUND.format(word))
    files = {word: mark for word, mark in files.items() if mark}
    variables: tuple[str, ...] = ()
    if entry.env_file:
        files[entry.env_file], variables = variables_of(entry.env_file)
    return {"program": program, "files": files, **more}, variables


def _marks(ground: Ground, words: Iterable[str]) -> dict[str, str]:
    """The mark of each file and folder of the workspace among these; raises `LeftOut`."""
    marks: dict[str, str] = {}
    for word in dict.fromkeys(words):
        if _is_of(ground, word):
            mark = marks[word] = ground.marks.get(word) or _mark(ground, word)
            if mark.startswith(UNREAD) and os.path.lexists(word):
                raise LeftOut(_UNBOUND.format(word))
    return marks


def _mark(ground: Ground, word: str) -> str:
    with suppress(OSError):
        ground.bound.append(os.stat(word).st_size)  # noqa: PTH116 -- a string in
    if sum(ground.bound) > _MAX_BOUND_BYTES:
        raise LeftOut(f"the servers are handed more than {_MAX_BOUND_BYTES >> 20} MB here")
    ground.marks[word] = mark_of(word)
    return ground.marks[word]


def _paths_given(ground: Ground, entry: ServerEntry) -> Iterator[str]:
    """The paths of the workspace that it is handed, also where they are a part of a word."""
    for word in entry.args:
        yield from (word, word.partition("=")[2])
    within = re.compile(re.escape(inside(ground.root)) + r"[^\s:;,'\"]+")
    for text in (*entry.args, *entry.env.values()):
        yield from (os.path.normpath(path) for path in within.findall(text))


def links_row(ground: Ground, run: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a card says of links that lead out of the workspace; nothing where there are none."""
    below = inside(ground.root)
    led = {path: leads_to(mark) for path, mark in run.get("files", {}).items()}
    outside = {path: real for path, real in led.items() if real and not real.startswith(below)}
    parts = [f"{path} leads to {real}" for path, real in outside.items()]
    if parts:
        yield "Follows links out of this workspace", "; ".join(parts)


def _full(ground: Ground, path: str) -> str:
    return os.path.normpath(f"{inside(ground.root)}{path}")


def _is_of(ground: Ground, word: str) -> bool:
    """Whether a word is a path in the workspace, or a link leads from it into there."""
    below = inside(ground.root)
    return word.startswith("/") and (
        os.path.normpath(word).startswith(below) or os.path.realpath(word).startswith(below)
    )


def _interpreters(ground: Ground, program: str) -> Iterator[str]:
    """The programs of the workspace by which a script is run, as the first line of each names."""
    for _ in range(_MAX_INTERPRETERS):
        if not _is_of(ground, program):
            return
        words = [word for word in _first_line(program) if _is_of(ground, word)]
        yield from words
        if not words:
            return
        program = words[0]


def _first_line(program: str) -> list[str]:
    try:
        with opened(program) as file:
            line = file.readline(_MAX_FIRST_LINE_BYTES)
    except OSError:
        return []
    return line[2:].decode("utf-8", "replace").split() if line.startswith(b"#!") else []
