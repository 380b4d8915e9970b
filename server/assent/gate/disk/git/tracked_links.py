"""Finds links in the place of tracked files: no other link is in a list of what git tracks."""

import os
from typing import Final

from assent.gate.disk.git.files import Unclear, bytes_in
from assent.gate.disk.git.index import MAX_INDEX_BYTES, files_noted, folders_noted
from assent.gate.disk.git.repository import GitRepository, found_from, found_in

__all__ = ["tracked_around", "tracked_in", "tracked_links"]

_MAX_FILES: Final = 50_000
"""So many files and folders are looked at; that is about a tenth of a second."""


def tracked_links(top: str) -> tuple[str, ...] | None:
    """The links in the place of tracked files, or on the way to one, in the work tree at a folder.

    None where no work tree begins there, or where nobody can tell.
    """
    names = tracked_in(top)
    if names is None or len(names) > _MAX_FILES:
        return None
    paths = dict.fromkeys(names)
    for name in names:
        while (name := name.rpartition("/")[0]) and name not in paths:
            paths[name] = None
    if len(paths) > _MAX_FILES:
        return None
    links = (f"{top}/{name}" for name in paths)
    return tuple(filter(os.path.islink, links))


def tracked_in(top: str) -> list[str] | None:
    """What git tracks in the work tree that begins at a folder; None where nobody can tell."""
    try:
        repository = found_in(top)
        return None if repository is None else tracked_names(repository)
    except (Unclear, OSError, ValueError):
        return None


def tracked_around(folder: str) -> tuple[str, ...] | None:
    """What git tracks in each work tree at a folder or above it, by its paths.

    None where there is no such, or where nobody can tell: any of them may be the one that counts.
    """
    paths: list[str] = []
    try:
        repository = found_from(folder)
        if repository is None:
            return None
        while repository is not None:
            names = tracked_names(repository)
            # Of what is noted as a folder, or a repository, nobody knows here what lies in it.
            if (
                names is None
                or any(name.endswith("/") for name in names)
                or _holds_others(repository)
            ):
                return None
            top = repository.folder.rstrip("/")
            paths += [f"{top}/{name}" for name in names]
            repository = found_from(top.rpartition("/")[0] or "/") if top else None
    except (Unclear, OSError, ValueError):
        return None
    return tuple(paths)


def tracked_names(git_repository: GitRepository) -> list[str] | None:
    """What the index of a repository notes; None where a part of it stands in another file."""
    if _is_split(git_repository.git):
        return None
    return files_noted(bytes_in(f"{git_repository.git}/index", MAX_INDEX_BYTES) or b"")


def _holds_others(git_repository: GitRepository) -> bool:
    """Whether the index notes repositories in the work tree."""
    return any(
        True for _ in folders_noted(bytes_in(f"{git_repository.git}/index", MAX_INDEX_BYTES) or b"")
    )


def _is_split(git: str) -> bool:
    """Whether a part of the index stands in another file."""
    return any(name.startswith("sharedindex.") for name in os.listdir(git))  # noqa: PTH208 -- strings
