"""Finds the repository that git would use in a folder.

It is looked for as git does: in each folder upwards, as `.git` or as the folder itself.
"""

from typing import Final

from assent.gate.disk.git.files import FOLDER, UNREADABLE, Unclear, kind_of, line_in, resolved
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["OBJECTS", "GitRepository", "found_from", "found_in", "head_from", "keeps_git"]

_HEAD: Final = late(r"ref:\s*refs/|[0-9a-f]{40}")
_REF: Final = late(r"ref:\s*(refs/\S+)\s*")
_DETACHED: Final = late(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\s*")
_ELSEWHERE: Final = "refs/heads/.invalid"
"""What stands there where it is kept in a table."""
_LEADS: Final = "gitdir: "

_BARE: Final = "it lies there as files of its own"
OBJECTS: Final = "it takes its objects from elsewhere"


@frozen(kw_only=True)
class GitRepository:
    """A repository, all its folders resolved."""

    folder: str
    """The one in which `.git` is."""
    git: str
    shared: str
    """The same as `git`, or for one of several work trees the repository that they share."""
    led: bool
    """Whether a link or a file leads to it."""


def found_from(folder: str) -> GitRepository | None:
    """The repository that git finds from a folder that has been resolved."""
    while True:
        repository = found_in(folder)
        if repository is not None:
            return repository
        if _is_repository(folder, folder):
            raise Unclear(_BARE)
        above = folder.rpartition("/")[0] or "/"
        if above == folder:
            return None
        folder = above


def found_in(folder: str) -> GitRepository | None:
    """The repository whose `.git` is in a folder."""
    path = f"{folder.rstrip('/')}/.git"
    kind = kind_of(path)
    if not kind:
        return None
    git, led = path, kind != FOLDER
    if led:
        # What a link leads to may again be a file that leads elsewhere.
        git = resolved(path, "/")
        git = git if kind_of(git) == FOLDER else _named_in(git)
    shared = _led_to(f"{git}/commondir", git)
    if _is_repository(git, shared):
        return GitRepository(folder=folder, git=git, shared=shared, led=led)
    if led:
        raise Unclear(UNREADABLE)
    return None


def head_from(folder: str) -> str | None:
    """What is checked out in the repository that git finds from a folder that has been resolved.

    Nothing where that is no branch; None where it cannot be told.
    """
    try:
        repository = found_from(folder)
        if repository is None:
            return ""
        # A link would be a name of its own, whatever stands where it leads.
        at = f"{repository.git}/HEAD"
        written = line_in(at) if resolved("HEAD", repository.git) == at else None
    except (Unclear, OSError, ValueError):
        return None
    named = _REF.fullmatch(written or "")
    if named is None:
        return "" if _DETACHED.fullmatch(written or "") else None
    return None if named[1] == _ELSEWHERE else named[1]


def keeps_git(folder: str) -> bool:
    """Whether a folder is, or could soon be, one in which git keeps a repository."""
    if kind_of(f"{folder}/HEAD"):
        return True
    return bool(kind_of(f"{folder}/objects") and kind_of(f"{folder}/refs"))


def _named_in(file: str) -> str:
    """Where a file leads that is called `.git`."""
    written = line_in(file)
    if written is None or not written.startswith(_LEADS):
        raise Unclear(UNREADABLE)
    return resolved(written[len(_LEADS) :], file.rpartition("/")[0] or "/")


def _led_to(file: str, git: str) -> str:
    """The folder that is named in a file, or this one where there is no such file."""
    written = line_in(file)
    return git if written is None else resolved(written, git)


def _is_repository(git: str, shared: str) -> bool:
    """Whether git takes a folder for a repository."""
    if not kind_of(f"{git}/HEAD"):
        return False
    kinds = (kind_of(f"{shared}/objects"), kind_of(f"{shared}/refs"))
    if not all(kinds):
        return False
    if kinds != (FOLDER, FOLDER):
        raise Unclear(OBJECTS)
    head = line_in(f"{git}/HEAD")
    if head is None or not _HEAD.match(head):
        raise Unclear(UNREADABLE)
    return True
