"""The files that `assent.nodes` names, as they are now."""

import os
from collections.abc import Iterable
from fnmatch import fnmatchcase

__all__ = ["folder_of", "node_files"]


def folder_of(pattern: str) -> str:
    """Where the files of one stand; only their names may be a pattern.

    >>> folder_of("/a/b/*.py")
    '/a/b'
    """
    return os.path.split(os.path.expanduser(pattern))[0]  # noqa: PTH111 -- a string in and out


def node_files(patterns: Iterable[str]) -> list[tuple[str, str]]:
    """Each file that is meant, and how to see that it has changed."""
    stamps: dict[str, str] = {}
    for pattern in patterns:
        folder, name = folder_of(pattern), os.path.basename(pattern)  # noqa: PTH119 -- a string
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    is_hidden = entry.name.startswith(".") and not name.startswith(".")
                    if fnmatchcase(entry.name, name) and not is_hidden and entry.is_file():
                        stat = entry.stat()
                        stamps[entry.path] = f"{stat.st_ino} {stat.st_mtime_ns} {stat.st_size}"
        except OSError:
            continue
    return sorted(stamps.items())
