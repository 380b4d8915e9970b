"""Reads Codex's patches, a format of its own that no shell applies.

Only what can be read in one way is: lines that are found as they stand, from the last place on.
Codex looks more leniently where it finds none; such a patch is left to be ruled on as the command
that it comes as.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from assent.gate.call.calls import Edit, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.values import field, frozen

__all__ = ["FilePatch", "edits_by", "patch_in", "trimmed_patch_in"]

_COMMAND: Final = re.compile(
    r"\s*(?:apply_patch|applypatch) *<< *(['\"])(?P<end>\w+)\1 *\n(?P<text>.*)\n(?P=end)\s*",
    re.DOTALL,
)
"""As its model writes it: one command with a here-document in which nothing is expanded."""
_BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_ADD: Final = "*** Add File: "
_UPDATE: Final = "*** Update File: "
_END_OF_FILE: Final = "*** End of File"
_UNREAD: Final = "It is a patch that can be read in more than one way."
_MARK: Final = "\ufeff"
"""What JavaScript takes for a blank and Python does not."""


@frozen(kw_only=True)
class _Chunk:
    """Lines that take the place of others."""

    after: str | None
    """The line behind which they are looked for."""
    old: list[str] = field(factory=list)
    new: list[str] = field(factory=list)


@frozen(kw_only=True)
class FilePatch:
    """What a patch does to one file: its text, where it is new, else the chunks."""

    path: str
    text: str | None = None
    chunks: tuple[_Chunk, ...] = ()


def patch_in(command: str) -> list[FilePatch] | None:
    r"""The files that a patch changes, from the command or its bare text; None for anything else.

    >>> text = "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch"
    >>> [(it.path, it.text) for it in patch_in(text)]
    [('a', 'b\n')]
    >>> patch_in("apply_patch <<'E'\nx\nE\nls") is None
    True
    """
    match = _COMMAND.fullmatch(command)
    lines = (match["text"] if match else command).strip().split("\n")
    if match and match["end"] in lines:
        return None  # The shell would end the patch there, and run the rest.
    if lines[0] != _BEGIN or lines[-1] != _END:
        return None
    try:
        return [_file(part) for part in _parted(lines[1:-1], ("*** ",))] or None
    except CallUnreadable:
        return None


def trimmed_patch_in(text: str) -> list[FilePatch]:
    r"""The patch in a text for opencode, which takes blanks off paths and lines behind `@@`.

    Where it would, the patch is none of any file, so that nobody can read it.

    >>> trimmed_patch_in("*** Begin Patch\n*** Add File:  /a\n+b\n*** End Patch")
    []
    """
    patch = patch_in(text) or []
    named = [
        name
        for file_patch in patch
        for name in (file_patch.path, *(chunk.after for chunk in file_patch.chunks))
    ]
    return patch if all(path is None or path == path.strip().strip(_MARK) for path in named) else []


def edits_by(patch: list[FilePatch], locate: Callable[[str], Target]) -> list[tuple[Target, Edit]]:
    """The changes that a patch makes, set against the files as they are; raises where unclear."""
    made: list[tuple[Target, Edit]] = []
    if not patch:
        raise CallUnreadable(_UNREAD)
    for file_patch in patch:
        target = locate(file_patch.path)
        old = text_of(target.resolved, target.shown)
        new = file_patch.text if file_patch.text is not None else _updated(old, file_patch.chunks)
        made.append((target, Edit(path=target.resolved, old=old, new=new)))
    if len({edit.path for _, edit in made}) != len(made):
        raise CallUnreadable(_UNREAD)
    return made


def _parted(lines: list[str], heads: tuple[str, ...]) -> Iterator[list[str]]:
    """The lines in parts, each of which begins with a head; the first line has to be one."""
    part: list[str] = []
    for line in lines:
        if line.startswith(heads) and line != _END_OF_FILE and part:
            yield part
            part = []
        if not part and not line.startswith(heads):
            raise CallUnreadable(_UNREAD)
        part.append(line)
    if part:
        yield part


def _file(lines: list[str]) -> FilePatch:
    head, *rest = lines
    if head.startswith(_ADD) and rest and all(line.startswith("+") for line in rest):
        return FilePatch(path=head[len(_ADD) :], text="".join(f"{line[1:]}\n" for line in rest))
    if not head.startswith(_UPDATE) or not rest:
        raise CallUnreadable(_UNREAD)  # It moves or removes a file, or says what nobody knows.
    chunks = tuple(_chunk(part) for part in _parted(rest, ("@@",)))
    return FilePatch(path=head[len(_UPDATE) :], chunks=chunks)


def _chunk(lines: list[str]) -> _Chunk:
    head, *rest = lines
    after = head[2:].removeprefix(" ") or None
    if not rest or _END_OF_FILE in rest or not all(line[:1] in {" ", "+", "-"} for line in rest):
        raise CallUnreadable(_UNREAD)
    old = [line[1:] for line in rest if not line.startswith("+")]
    new = [line[1:] for line in rest if not line.startswith("-")]
    if not any(old):
        raise CallUnreadable(_UNREAD)  # Nothing says where it goes.
    return _Chunk(after=after, old=old, new=new)


def _updated(text: str | None, chunks: tuple[_Chunk, ...]) -> str:
    if text is None:
        raise CallUnreadable("It is a patch of a file that is not there.")
    lines, at = text.removesuffix("\n").split("\n"), 0
    made: list[str] = []
    for chunk in chunks:
        start = at if chunk.after is None else _place_of([chunk.after], lines, at) + 1
        place = _place_of(chunk.old, lines, start)
        made += [*lines[at:place], *chunk.new]
        at = place + len(chunk.old)
    return "\n".join([*made, *lines[at:]]) + "\n"


def _place_of(wanted: list[str], lines: list[str], start: int) -> int:
    """The first place from `start` on where these lines stand, letter by letter."""
    for at in range(start, len(lines) - len(wanted) + 1):
        if lines[at : at + len(wanted)] == wanted:
            return at
    raise CallUnreadable(_UNREAD)
