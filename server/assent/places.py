"""Where a path leads: the facts about files that the policy may not look up for itself.

A path is resolved as the kernel would resolve it, links and `..` included, also where its last
names do not exist yet. Whatever cannot be resolved is an unreadable call, never a guess.
"""

import errno
import os
import re
from typing import Final
from urllib.parse import unquote, urlsplit

from attrs import frozen

from assent.calls import Target
from assent.errors import CallUnreadable

__all__ = ["Places"]

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://?")

_NOT_THERE_YET: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
"""A name that leads nowhere yet can still be resolved up to its deepest existing folder."""


@frozen(kw_only=True)
class Places:
    """The folders of the workspace, and the person's home."""

    roots: tuple[str, ...]
    home: str
    state: str | None = None
    """Assent's own folder."""

    def locate(self, path: str, cwd: str) -> Target:
        """Where `path` leads for somebody who works in `cwd`."""
        resolved = _resolved(self._absolute(path, cwd), path)
        roots = [os.path.realpath(root) for root in self.roots]
        holding = [root for root in roots if _is_within(resolved, root)]
        return Target(
            spelled=path,
            resolved=resolved,
            inside=bool(holding),
            shown=self._shown(resolved, max(holding, key=len) if holding else None),
            own=self.state is not None and _is_within(resolved, os.path.realpath(self.state)),
        )

    def _absolute(self, path: str, cwd: str) -> str:
        if not path:
            raise CallUnreadable("It names a file without a name.")
        if "\0" in path:
            raise CallUnreadable("It names a file with a zero byte in its name.")
        path = _without_scheme(path)
        if path == "~" or path.startswith("~/"):
            path = self.home + path[1:]
        elif path.startswith("~"):
            path = os.path.expanduser(path)  # noqa: PTH111 -- pathlib would clean the path, which changes where `..` leads
        return os.path.join(cwd, path)  # noqa: PTH118 -- as above

    def _shown(self, resolved: str, root: str | None) -> str:
        if root is not None:
            inner = os.path.relpath(resolved, root)
            return inner if len(self.roots) == 1 else _joined(os.path.basename(root), inner)  # noqa: PTH119 -- a string in, a string out
        home = os.path.realpath(self.home)
        if _is_within(resolved, home):
            return _joined("~", os.path.relpath(resolved, home))
        return resolved


def _without_scheme(path: str) -> str:
    """A `file:` address as a path; any other address is no file."""
    if not _ADDRESS.match(path):
        return path
    address = urlsplit(path)
    if address.scheme.lower() != "file" or address.netloc not in {"", "localhost"}:
        raise CallUnreadable("It names an address where a file should stand.")
    decoded = unquote(address.path)
    if "\0" in decoded:
        raise CallUnreadable("It names a file with a zero byte in its name.")
    return decoded


def _resolved(path: str, spelled: str) -> str:
    try:
        _stat(path)
        return os.path.realpath(path)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else "unknown reason"
        raise CallUnreadable(f"Where `{spelled[:200]}` leads cannot be told: {why}.") from error
    except ValueError as error:
        raise CallUnreadable("It names a file in letters that no file name has.") from error


def _stat(path: str) -> None:
    """Ask the kernel for the file, since `realpath` keeps silent about loops and locked folders."""
    try:
        os.stat(path)  # noqa: PTH116 -- a string in
    except OSError as error:
        if error.errno not in _NOT_THERE_YET:
            raise


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _joined(front: str, inner: str) -> str:
    return front if inner == "." else f"{front}/{inner}"
