"""What `.gitignore` excludes: from `git add`, and from searches.

A gate asks, so what is not sure counts as taken up. A line is believed only in letters that git
and this page read alike: names, `*` and slashes. Any other one that takes something back (`!name`)
may be about everything, and none of them heeds capitals, as git does not everywhere. What git has
already is not taken up. What is left out elsewhere (`.git/info/exclude`, the person's own
list) is not looked at.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from assent.gate.disk.git.files import Unclear, bytes_in
from assent.gate.disk.git.repository import GitRepository, found_from, found_in
from assent.gate.disk.git.tracked_links import tracked_names
from assent.gate.rules.globs import path_fits
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["left_out", "taken_up"]

_MAX_NAMES: Final = 20_000
"""So many names are looked at; that is about a tenth of a second."""
_MAX_FILE_BYTES: Final = 64 * 1024
_PLAIN: Final = late(r"/?[\w.@+~*-][\w.@+~*/ -]*(?<! )")
_ELSEWHERE: Final = b"worktree"
"""What its settings name where its files lie in another folder."""
_BOM: Final = "\ufeff"
_REPOSITORY: Final = ".git"
_BEGINS_ANEW: Final = (_REPOSITORY, ".jj")
"""A search takes whatever is called so for the top of a repository, and heeds no list above."""
_OTHER_LISTS: Final = (".ignore", ".rgignore")
"""By these a search may take back what git leaves out, also from above the work tree."""


@frozen(kw_only=True)
class _Line:
    """One line of a `.gitignore`, as a pattern of what lies below its folder."""

    pattern: tuple[str, ...]
    again: bool
    """Whether it takes back what the lines before it left out."""
    folders: bool
    """Whether it is about folders alone."""
    depth: int
    """How many segments lead to its folder from the top."""

    @property
    def anywhere(self) -> bool:
        """Whether it is about a name in whatever folder."""
        return len(self.pattern) == 2 and self.pattern[0] == "**"  # noqa: PLR2004 -- any folder, and the name


_Lines = tuple[_Line | None, ...]
"""Those of a folder and of all above it, the last one first; None for what may take back all."""


def taken_up(folder: str, *, all_: bool = False) -> tuple[str, ...] | None:
    """The files that git would take up below a folder, or with `all_` of the work tree around it.

    What another repository holds there is none of them, and neither is what a link leads to. None
    where nobody can tell.
    """
    try:
        repository = found_from(folder)
        if repository is not None and _lies_elsewhere(repository):
            return None
        tracked = None if repository is None else tracked_names(repository)
    except (Unclear, OSError, ValueError):
        return None
    # Where there is no repository, one may be made before git takes anything up.
    top = repository.folder if repository is not None else folder
    if all_:
        folder = top
    files = _files_below(top, tuple(part for part in folder.removeprefix(top).split("/") if part))
    if files is None:
        return None
    known = {f"{top}/{name}" for name in tracked or ()}
    return tuple(file for file in files if file not in known)


def left_out(file: str, folder: str) -> str | None:
    """What a search of a folder that heeds git's lists surely leaves out: a file, or one above it.

    The folder itself is searched even where a list is about it.
    """
    try:
        repository = found_from(file.rpartition("/")[0])
        if repository is None or _lies_elsewhere(repository):
            return None
    except (Unclear, OSError, ValueError):
        return None
    top = repository.folder.rstrip("/")
    names = tuple(file.removeprefix(f"{top}/").split("/"))
    searched = len(folder.removeprefix(top).strip("/").split("/")) if folder != top else 0
    searched = searched if f"{folder}/".startswith(f"{top}/") else 0
    lines: _Lines = ()
    for depth in range(len(names)):
        where = "/".join((top, *names[:depth]))
        if depth and any(os.path.lexists(f"{where}/{name}") for name in _BEGINS_ANEW):
            return None
        found_here = tuple(_lines_in(where, depth))
        if depth < searched:
            # Of a path from above the folder some versions make another.
            found_here = tuple(
                line for line in found_here if line is None or line.again or line.anywhere
            )
        lines = (*found_here, *lines)
        is_folder = depth + 1 < len(names)
        if depth >= searched and _is_left_out(lines, names[: depth + 1], is_folder=is_folder):
            return None if _is_taken_back(file) else f"{where}/{names[depth]}"
    return None


def _is_taken_back(file: str) -> bool:
    """Whether another list may be about a file, in any folder on the way to it."""
    parts = file.split("/")[:-1]
    above = ("/".join(parts[: at + 1]) for at in range(len(parts)))
    return any(os.path.lexists(f"{parent}/{name}") for parent in above for name in _OTHER_LISTS)


def _lies_elsewhere(git_repository: GitRepository) -> bool:
    settings = (bytes_in(f"{git_repository.shared}/config", _MAX_FILE_BYTES) or b"").lower()
    return _ELSEWHERE in settings or os.path.lexists(f"{git_repository.git}/config.worktree")


def _files_below(top: str, names: tuple[str, ...]) -> list[str] | None:
    """Those that are not left out, below a folder of a work tree; None where they are too many."""
    files: list[str] = []
    left, looked = [("/".join((top, *names)), names, _lines_above(top, names))], 0
    while left:
        where, path, known = left.pop()
        entries = _entries(where)
        looked += len(entries)
        if looked > _MAX_NAMES:
            return None
        lines = (*_lines_in(where, len(path)), *known)
        left += _looked_through(entries, path, lines, files)
    return files


def _lines_above(top: str, names: tuple[str, ...]) -> _Lines:
    """Those of the folders above one, from the top of the work tree on."""
    lines: _Lines = ()
    for depth in range(len(names)):
        lines = (*_lines_in("/".join((top, *names[:depth])), depth), *lines)
    return lines


def _looked_through(
    entries: list[os.DirEntry[str]], path: tuple[str, ...], lines: _Lines, files: list[str]
) -> Iterator[tuple[str, tuple[str, ...], _Lines]]:
    """The folders to look through next; the files are put to the others."""
    for entry in entries:
        inner = (*path, entry.name)
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name == _REPOSITORY or _is_left_out(lines, inner, is_folder=is_folder):
            continue
        if not is_folder:
            files.append(entry.path)
        elif not _is_repository(entry.path):
            yield entry.path, inner, lines


def _is_repository(folder: str) -> bool:
    """Whether git takes the folder for a repository of its own, whatever lies in it."""
    try:
        return found_in(folder) is not None
    except (Unclear, OSError, ValueError):
        return False


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry for entry in entries if not entry.is_symlink()]
    return []


def _is_left_out(lines: _Lines, path: tuple[str, ...], *, is_folder: bool) -> bool:
    """Whether the last line that is about it leaves it out."""
    for line in lines:
        if line is None:
            return False
        below = path[line.depth :]
        if line.again:
            below = tuple(part.casefold() for part in below)
        if (is_folder or not line.folders) and path_fits(line.pattern, below):
            return not line.again
    return False


def _lines_in(folder: str, depth: int) -> Iterator[_Line | None]:
    """The lines of a folder's own list, the last one first; None for one that cannot be read."""
    file = f"{folder}/.gitignore"
    try:
        # Some versions of git follow a link there, and others do not.
        text = None if os.path.islink(file) else bytes_in(file, _MAX_FILE_BYTES) or b""  # noqa: PTH114 -- a string in
    except (Unclear, OSError):
        text = None
    if text is None:
        yield None
        return
    for line in reversed(text.decode("utf-8", "replace").removeprefix(_BOM).split("\n")):
        yield from _line(line.removesuffix("\r"), depth)


def _line(text: str, depth: int) -> Iterator[_Line | None]:
    again, text = text.startswith("!"), text.removeprefix("!")
    pattern = _pattern(text.casefold() if again else text) if _PLAIN.fullmatch(text) else None
    if pattern is not None:
        yield _Line(pattern=pattern, again=again, folders=text.endswith("/"), depth=depth)
    elif again:
        yield None


def _pattern(text: str) -> tuple[str, ...] | None:
    """In segments; None where git reads more in it than is read here."""
    segments = tuple(text.removeprefix("/").removesuffix("/").split("/"))
    if (
        "" in segments
        or segments[-1] == "**"
        or any("**" in segment and segment != "**" for segment in segments)
    ):
        return None
    anywhere = "/" not in text.removesuffix("/")
    return ("**", *segments) if anywhere else segments
