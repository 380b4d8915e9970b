"""Follows links: those in one path, those out of a folder, and addresses.

Each link is followed for itself, as the kernel follows it, so that a name on the way counts too.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Final
from urllib.parse import unquote, urlsplit

from assent.gate.call.errors import CallUnreadable
from assent.gate.ruling.protected import is_protected
from assent.gate.ruling.protected_names import PARENTS
from assent.gate.text.lazy_patterns import late

__all__ = [
    "followed",
    "hops_of",
    "is_link",
    "links_below",
    "protected_links",
    "spelled_out",
    "without_scheme",
]

_ADDRESS: Final = late(r"[A-Za-z][A-Za-z0-9+.-]+://?")

_MAX_HOPS: Final = 40
"""As many as the kernel follows."""

_OWN: Final = late(
    r"/dev/fd(?:/|$)"
    r"|/proc/(?:self|thread-self|[0-9]+)/(?:cwd|root|exe|fd|task|map_files)(?:/|$)"
)
"""What leads each program to its own files."""

_MAX_ENTRIES_FOLLOWED, _MAX_LINKS = 5_000, 100
"""So many files are looked at for links, and so many links followed out of a folder."""

_MAX_ENTRIES_LISTED: Final = 150_000
"""So many where links are only listed; where few of them are links, a tenth of a second."""

_LINKED_IN: Final = ("", ".git", ".git/hooks", ".github", ".vscode")
"""The folders of a workspace in which protected links are looked for."""

_LISTED: Final[dict[str, tuple[tuple[int, int, int], tuple[str, ...]]]] = {}
"""The links in folders, by what these looked like when they were listed."""
_MAX_LISTED: Final = 500
_SETTLED_NS: Final = 1_000_000_000
"""So long a folder must have been still, since two changes at once have the same time."""

_LINKED_AT_HOME: Final = (
    *("", ".config", ".ssh"),
    *(".claude", ".claude/agents", ".claude/commands", ".claude/skills"),
)

_NOT_THERE_YET: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
"""A name that leads nowhere yet can still be resolved up to its deepest existing folder."""


def without_scheme(path: str) -> str:
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


def followed(path: str, spelled: str) -> str:
    """Where a path leads, of which something may not be there yet."""
    try:
        _stat(path)
        return os.path.realpath(path)
    except OSError as error:
        raise _unclear(spelled, error) from error
    except ValueError as error:
        raise CallUnreadable("It names a file in letters that no file name has.") from error


def is_link(path: str, spelled: str) -> bool:
    """Whether a path is a link itself."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError as error:
        if error.errno in _NOT_THERE_YET:
            return False
        raise _unclear(spelled, error) from error
    except ValueError as error:
        raise CallUnreadable("It names a file in letters that no file name has.") from error


def _unclear(spelled: str, error: OSError) -> CallUnreadable:
    why = os.strerror(error.errno) if error.errno else "unknown reason"
    return CallUnreadable(f"Where `{spelled[:200]}` leads cannot be told: {why}.")


def hops_of(path: str) -> tuple[str, ...]:
    """The paths by which links lead on, each whole; none where no link stands on the way."""
    hops: list[str] = []
    at, rest = "", path.split("/")[::-1]
    while rest:
        name = rest.pop()
        if name in {"", "."}:
            continue
        if name == "..":
            at = at.rpartition("/")[0]
            continue
        inner = f"{at}/{name}"
        if inner.startswith(("/proc/", "/dev/")) and _OWN.match(inner):
            raise CallUnreadable("It names a place that is another for each program.")
        led = _led(inner)
        if led is None:
            at = inner
            continue
        if len(hops) == _MAX_HOPS:
            raise CallUnreadable("It leads through too many links.")
        at = "" if led.startswith("/") else at
        rest.extend(led.split("/")[::-1])
        hops.append(os.path.normpath("/".join([at or "/", *reversed(rest)])).replace("//", "/"))
    return tuple(hops)


def protected_links(roots: Sequence[str], home: str) -> dict[str, str]:
    """The links at hand that are protected, or have such below, by where they lead."""
    inside = (_links_in(root, _LINKED_IN) for root in roots)
    links = chain(*inside, _links_in(home, _LINKED_AT_HOME))
    return {
        os.path.realpath(link): os.path.normpath(link)
        for link in links
        if is_protected(link) or link.rpartition("/")[2] in PARENTS
    }


def _links_in(top: str, folders: Sequence[str]) -> Iterator[str]:
    for folder in folders:
        at = f"{top}/{folder}"
        with suppress(OSError):
            yield from (f"{at}/{name}" for name in _link_names(at))


def _link_names(folder: str) -> tuple[str, ...]:
    """The links that lie in a folder, which is listed again once something in it has changed.

    Whatever comes, goes or is renamed there moves its time of change, which nobody can set.
    """
    status = os.stat(folder)  # noqa: PTH116 -- a string in
    stamp = (status.st_dev, status.st_ino, status.st_ctime_ns)
    known = _LISTED.get(folder)
    if known is not None and known[0] == stamp:
        return known[1]
    with os.scandir(folder) as entries:
        names = tuple(entry.name for entry in entries if entry.is_symlink())
    if time.time_ns() - status.st_ctime_ns > _SETTLED_NS:
        if len(_LISTED) >= _MAX_LISTED:
            _LISTED.clear()
        _LISTED[folder] = (stamp, names)
    return names


def links_below(folder: str, *, on: bool = True, all_: bool = False) -> tuple[str, ...] | None:
    """The links below a folder that lead out of it, and with `on` those below where these lead.

    With `all_` it is every link there. None where there are too many files to look at all.
    """
    most = _MAX_ENTRIES_FOLLOWED if on else _MAX_ENTRIES_LISTED
    links: list[str] = []
    seen, left, looked = {folder}, [folder], 0
    while left:
        at = left.pop()
        with suppress(OSError), os.scandir(at) as entries:
            for entry in entries:
                looked += 1
                if looked > most or len(links) > _MAX_LINKS:
                    return None
                if not entry.is_symlink():
                    left += [entry.path] if entry.is_dir(follow_symlinks=False) else []
                    continue
                led = os.path.realpath(entry.path)
                if all_ or not any(f"{led}/".startswith(f"{seen_folder}/") for seen_folder in seen):
                    links.append(entry.path)
                    seen |= {led} if on else set()
                    left += [led] if on else []
    return tuple(links)


def _led(path: str) -> str | None:
    """What stands in a link; None where it is none, or is not there."""
    try:
        return os.readlink(path)  # noqa: PTH115 -- a string in, a string out
    except (OSError, ValueError):
        return None


def _stat(path: str) -> None:
    """Ask the kernel for the file, since `realpath` keeps silent about loops and locked folders."""
    try:
        os.stat(path)  # noqa: PTH116 -- a string in
    except OSError as error:
        if error.errno not in _NOT_THERE_YET:
            raise


def spelled_out(path: str, cwd: str, home: str) -> str:
    """A path as it is spelled, for who works in a folder and has that home."""
    if not path:
        raise CallUnreadable("It names a file without a name.")
    if "\0" in path:
        raise CallUnreadable("It names a file with a zero byte in its name.")
    if not path.isprintable():
        raise CallUnreadable("It names a file with letters in its name that cannot be seen.")
    path = without_scheme(path)
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    elif path.startswith("~"):
        path = os.path.expanduser(path)  # noqa: PTH111 -- pathlib would clean the path, which changes where `..` leads
    return os.path.join(cwd, path)  # noqa: PTH118 -- as above
