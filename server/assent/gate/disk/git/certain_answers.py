"""Whether git certainly answers in a repository, instead of ending with an error.

A setting that it cannot read, a folder of somebody else's, a border between two disks: each makes
it fail, and a path that was to begin with its answer would begin with nothing. So only what is as
plain as git itself writes it counts.
"""

import os
from typing import Final

from assent.gate.disk.git.files import Unclear, bytes_in, kind_of
from assent.gate.disk.git.repository import GitRepository
from assent.gate.text.lazy_patterns import late

__all__ = ["surely_answers"]

_LINE: Final = late(
    r"\s*(?:[#;].*|\[(?P<section>\w+)(?: \"[^\"\\\]]+\")?\]|(?P<name>[A-Za-z][A-Za-z0-9-]*)"
    r" = (?P<value>[^\"\\#;\s](?:[^\"\\#;]*[^\"\\#;\s])?))?\s*"
)
_MAX_CONFIG_BYTES: Final = 64 * 1024
_BOOL: Final = late(r"true|false")
_ANY: Final = late(r".*")
_PLAIN: Final = {
    ("core", "repositoryformatversion"): late(r"[01]"),
    ("core", "bare"): late(r"false"),
    **{
        ("core", name): _BOOL
        for name in "filemode logallrefupdates ignorecase precomposeunicode symlinks".split()
    },
    **{("remote", name): _ANY for name in ("url", "pushurl", "fetch")},
    **{("branch", name): _ANY for name in ("remote", "merge")},
    **{("user", name): _ANY for name in ("name", "email")},
    **{("submodule", name): _ANY for name in ("url", "active")},
}
"""What git writes by itself, with the values that it can read; by section and name."""


def surely_answers(git_repository: GitRepository, folder: str) -> bool:
    """Whether git that is started in a folder tells where this repository is."""
    try:
        return _answers(git_repository, folder)
    except (OSError, ValueError, Unclear):
        # A folder that is not there yet, or a file that nobody can read: who knows.
        return False


def _answers(git_repository: GitRepository, folder: str) -> bool:
    if (
        git_repository.led
        or git_repository.shared != git_repository.git
        or kind_of(f"{git_repository.git}/commondir")
    ):
        return False
    if kind_of(f"{git_repository.git}/config.worktree"):
        return False
    places = [
        os.stat(path)  # noqa: PTH116 -- paths here are texts
        for path in (
            folder,
            git_repository.folder,
            git_repository.git,
            f"{git_repository.git}/config",
        )
    ]
    own = getattr(os, "geteuid", int)()
    if any(place.st_uid != own for place in places[1:]):
        return False
    return places[0].st_dev == places[1].st_dev and _is_plain(f"{git_repository.git}/config")


def _is_plain(config: str) -> bool:
    """Whether all in a file of settings is what git writes by itself."""
    section = ""
    for line in (bytes_in(config, _MAX_CONFIG_BYTES) or b"[").decode("utf-8").split("\n"):
        read = _LINE.fullmatch(line)
        if read is None:
            return False
        section = (read["section"] or section).casefold()
        if read["name"]:
            fits = _PLAIN.get((section, read["name"].casefold()))
            if fits is None or not fits.fullmatch(read["value"]):
                return False
    return True
