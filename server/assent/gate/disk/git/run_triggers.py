"""Why a repository could make even a reading git command run something.

It may have come with the files of somebody else, so only what is known to be harmless is, and what
cannot be read, or leads out of the workspace without that place knowing of it, is not.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from assent.gate.disk.git.certain_answers import surely_answers
from assent.gate.disk.git.files import UNREADABLE, Unclear, bytes_in, kind_of, line_in, resolved
from assent.gate.disk.git.index import folders_noted
from assent.gate.disk.git.repository import OBJECTS, GitRepository, found_from, found_in
from assent.gate.programs.git_keys import AS_WRITTEN
from assent.gate.programs.git_settings import Settings, settings_in, values_in
from assent.gate.ruling.facts import Looks
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.values import frozen

__all__ = ["Ground", "named_by_settings", "run_by_a_look", "where_git_looks", "why_git_runs"]

_MAX_SETTINGS_BYTES: Final = 256 * 1024
_MAX_INDEX_BYTES: Final = 64 * 1024 * 1024
_MAX_REPOSITORIES: Final = 500
"""How many repositories in a repository are looked at."""

_MAX_INCLUDED: Final = 100
_INCLUDES: Final = late(r"include(?:if\..+)?\.path", re.DOTALL)

_BY_A_LOOK: Final = late(r"core\.fsmonitor|filter\..+\.(?:clean|smudge|process)", re.DOTALL)
"""What git runs that has to tell whether a file is as it was, or puts one there."""

_HOOK: Final = "post-index-change"
"""The only hook that reading runs, when it has noted which files are as they were."""

_AWAY: Final = "it lies elsewhere, and nothing there says that this is its folder"
_TOO_MANY: Final = "it holds more repositories than can be looked at"


@frozen(kw_only=True)
class Ground:
    """What is known of the person's folders."""

    inside: Callable[[str], bool]
    """Whether a path that has been resolved lies in the workspace."""
    home: str


def why_git_runs(folder: str, ground: Ground) -> str | None:
    """Why git could run what the repository says that it finds from a folder, as a clause.

    The folder has been resolved.
    """
    try:
        repository = found_from(folder)
        return None if repository is None else _why(repository, ground)
    except Unclear as unclear:
        return str(unclear)
    except (OSError, ValueError):
        return UNREADABLE


def where_git_looks(folder: str, ground: Ground) -> Looks | None:
    """Where git looks that is started in a folder which has been resolved; None if unclear."""
    try:
        repository = found_from(folder)
        return Looks() if repository is None else _looks(repository, ground, folder)
    except (Unclear, OSError, ValueError):
        return None


def named_by_settings(folder: str, ground: Ground) -> dict[str, str]:
    """What lies beside the repository's own folder and counts as what is in it.

    That is the folder of hooks and the files of settings that its settings name; each with what
    it stands for.
    """
    with suppress(Unclear, OSError, ValueError):
        repository = found_from(folder)
        if repository is not None:
            files = (f"{repository.shared}/config", f"{repository.git}/config.worktree")
            included = {
                path: ".git/config" for file in files for path in _included(file, ground.home)
            }
            return included | _hooks_elsewhere(repository, ground)
    return {}


def run_by_a_look(folder: str, home: str) -> tuple[tuple[str, str], ...]:
    """The settings by which a repository has git run a program when somebody looks at its state.

    Whoever starts git there by themselves, as agents and editors do, runs those programs. Raises
    `Unclear` where git's settings cannot be read. The folder has been resolved.
    """
    repository = found_from(folder)
    if repository is None or repository.folder == home:
        return ()
    files = [
        file
        for each in _with_those_in(repository)
        for file in (f"{each.shared}/config", f"{each.git}/config.worktree")
    ]
    files += [path for file in files for path in _included(file, home)]
    written = dict.fromkeys(setting for file in files for setting in _written_in(file))
    return tuple(
        (name, value)
        for name, value in written
        if _BY_A_LOOK.fullmatch(name) and value not in AS_WRITTEN.get(name, ())
    )


def _written_in(file: str) -> Iterator[tuple[str, str]]:
    """The settings of one file; raises `Unclear` where git may read them in another way."""
    text = (bytes_in(file, _MAX_SETTINGS_BYTES) or b"").decode("utf-8", "surrogateescape")
    for name, value in values_in(text.removeprefix("\ufeff")):
        if name is None:
            raise Unclear(UNREADABLE)
        yield name, value


def _hooks_elsewhere(git_repository: GitRepository, ground: Ground) -> dict[str, str]:
    with suppress(Unclear, OSError, ValueError):
        hooks = _hooks(git_repository, ground)
        # Where all that there is lies in it, each file would be asked about.
        return {} if is_within(git_repository.folder, hooks) else {hooks: ".git/hooks"}
    return {}


def _included(file: str, home: str) -> Iterator[str]:
    """The files that a file of settings includes, and those that these include."""
    todo, seen = [file], {file}
    while todo:
        at = todo.pop()
        for path in _included_in(at, home):
            if path not in seen and len(seen) < _MAX_INCLUDED:
                seen.add(path)
                todo.append(path)
                yield path


def _included_in(file: str, home: str) -> Iterator[str]:
    """The files that one file includes itself; none, if it cannot be read."""
    with suppress(Unclear, OSError, ValueError):
        for name, value in _written_in(file):
            if _INCLUDES.fullmatch(name):
                spelled = f"{home}{value[1:]}" if value.startswith("~/") else value
                yield resolved(spelled, os.path.dirname(file))  # noqa: PTH120 -- strings


def _hooks(git_repository: GitRepository, ground: Ground) -> str:
    own = _settings(f"{git_repository.git}/config.worktree").hooks
    named = own or _settings(f"{git_repository.shared}/config").hooks
    return resolved(_hooks_of(git_repository, named, ground), "/")


def _looks(git_repository: GitRepository, ground: Ground, folder: str) -> Looks:
    besides = [
        resolved(folder, git_repository.folder) for folder in _folders_within(git_repository.git)
    ]
    hooks = _hooks(git_repository, ground)
    sure = surely_answers(git_repository, folder)
    return Looks(top=git_repository.folder, sure=sure, besides=(hooks, *besides))


def _why(git_repository: GitRepository, ground: Ground) -> str | None:
    """Why a repository, or one of those in it, could run something."""
    for repository in _with_those_in(git_repository):
        whose = "its" if repository is git_repository else "its submodule's"
        why = _why_itself(repository, ground, whose)
        if why is not None:
            return why
    return None


def _with_those_in(git_repository: GitRepository) -> Iterator[GitRepository]:
    """A repository and those in it; raises `Unclear` where they are too many."""
    todo, seen = [git_repository], {git_repository.git}
    while todo:
        repository = todo.pop()
        yield repository
        for name in _folders_within(repository.git):
            inner = found_in(resolved(name, repository.folder))
            if inner is not None and inner.git not in seen:
                seen.add(inner.git)
                todo.append(inner)
        if len(seen) > _MAX_REPOSITORIES:
            raise Unclear(_TOO_MANY)


def _why_itself(git_repository: GitRepository, ground: Ground, whose: str) -> str | None:
    general = _settings(f"{git_repository.shared}/config")
    own = _settings(f"{git_repository.git}/config.worktree")
    for settings in (general, own):
        if not settings.readable:
            return f"{whose} config cannot be read"
        if settings.harm is not None:
            return f"{whose} config sets {settings.harm}"
    # Where all work trees share it, it is only about the first of them.
    linked = git_repository.shared != git_repository.git
    worktree = own.worktree or (None if linked else general.worktree)
    known = worktree is not None and resolved(worktree, git_repository.git) == git_repository.folder
    if worktree is not None and not known:
        return f"{whose} config sets core.worktree"
    if not ((known and not linked) or _belongs(git_repository, ground)):
        return _AWAY
    if kind_of(f"{_hooks_of(git_repository, own.hooks or general.hooks, ground)}/{_HOOK}"):
        return f"it has the hook {_HOOK}"
    return _why_objects(git_repository, ground)


def _belongs(git_repository: GitRepository, ground: Ground) -> bool:
    """Whether the repository is this folder's, whoever wrote what leads to it."""
    if git_repository.shared == git_repository.git or ground.inside(git_repository.shared):
        return not git_repository.led or ground.inside(git_repository.git)
    # One of several work trees: the repository notes where each of them is.
    named = line_in(f"{git_repository.git}/gitdir")
    back = (
        named is not None and resolved(named, git_repository.git) == f"{git_repository.folder}/.git"
    )
    return back and git_repository.git.startswith(f"{git_repository.shared}/worktrees/")


def _hooks_of(git_repository: GitRepository, named: str | None, ground: Ground) -> str:
    if named is None:
        return f"{git_repository.shared}/hooks"
    if named.startswith("~/"):
        return f"{ground.home}{named[1:]}"
    if named.startswith(("~", "%", ":")):
        raise Unclear(UNREADABLE)
    return os.path.join(git_repository.folder, named)  # noqa: PTH118 -- pathlib would clean the path


def _why_objects(git_repository: GitRepository, ground: Ground) -> str | None:
    written = bytes_in(f"{git_repository.shared}/objects/info/alternates") or b""
    lines = (os.fsdecode(line) for line in written.split(b"\n") if line)
    inside = all(
        ground.inside(resolved(line, f"{git_repository.shared}/objects")) for line in lines
    )
    return None if inside else OBJECTS


def _folders_within(git: str) -> Iterator[str]:
    """The folders that are noted in the index as repositories of their own, and perhaps others."""
    names = [name for name in os.listdir(git) if name.startswith("sharedindex.")]  # noqa: PTH208 -- strings
    for name in ("index", *names):
        yield from folders_noted(bytes_in(f"{git}/{name}", _MAX_INDEX_BYTES) or b"")


def _settings(file: str) -> Settings:
    return settings_in(bytes_in(file, _MAX_SETTINGS_BYTES) or b"")
