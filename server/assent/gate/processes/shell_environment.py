"""The shell that reads a command, and the variables that the command gets.

Variables are kept by name, since nobody can list the names under which people keep their secrets.
What is kept says who and where the person is, where tools and toolchains lie, and how the network
is reached.
"""

import os
from collections.abc import Mapping
from typing import Final

from assent.gate.disk.executables import Executables, fixed, path_in
from assent.gate.settings.environment import KEPT, NETWORK
from assent.gate.text.lazy_patterns import late

__all__ = ["BASH", "POSIX", "STARTS", "home", "inherited", "interpreter", "program_of", "variables"]

BASH: Final = "bash"
POSIX: Final = "sh"
"""Where there is no bash. What a command does differs, so it must be judged as one of these."""

STARTS: Final[Mapping[str, tuple[str, ...]]] = {
    BASH: ("-c", "--"),
    POSIX: ("-c", "--"),
    "zsh": ("-f", "-c", "--"),
    "fish": ("--no-config", "-c"),
}
"""What stands before a command, so that its shell reads that and no file of the person's first."""

_SYSTEM: Final = "/bin:/usr/bin:/usr/local/bin"
"""Looked through first: what an agent wrote into a folder of the PATH must not read for it."""

_KEPT: Final = late(KEPT)
_LIBRARIES: Final = "LD_LIBRARY_PATH"
_NEVER: Final = late(r"(?:ASSENT|VSCODE|ELECTRON|CHROME)_\w+")

_SET: Final = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "safe.bareRepository",
    "GIT_CONFIG_VALUE_0": "explicit",
    "GIT_CONFIG_KEY_1": "core.fsmonitor",
    "GIT_CONFIG_VALUE_1": "false",
}
"""Nobody sits before a terminal, so nothing is to wait for a key or to paint.

Nor is git to take a folder of files for a repository, or a program that one names for its own.
"""

_FOR_AGENTS: Final = late(rf"HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|TMPDIR|XDG_\w+|{NETWORK}")


def inherited(environ: Mapping[str, str]) -> dict[str, str]:
    """Those variables of ours that every agent gets."""
    return {name: value for name, value in environ.items() if _FOR_AGENTS.fullmatch(name)}


def variables(environ: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """All variables of a command, those that its call gives last."""
    kept = {
        name: value
        for name, value in environ.items()
        if _KEPT.fullmatch(name) and not _NEVER.fullmatch(name)
    }
    kept["PATH"] = path_in(environ)
    # An empty entry would be the folder that it runs in.
    if _LIBRARIES in kept:
        kept[_LIBRARIES] = ":".join(fixed(kept[_LIBRARIES]))
    return {**kept, **_SET, **given}


def interpreter(beside: Executables, chosen: str = BASH) -> str | None:
    """What reads commands on this machine; in the place of bash, where there is none, it is `sh`.

    None where the one that was chosen is not there.
    """
    if program_of(chosen, beside):
        return chosen
    return POSIX if chosen == BASH else None


def program_of(interpreter: str, beside: Executables) -> str | None:
    """Where an interpreter lies outside the workspace; None where there is none."""
    path = f"{_SYSTEM}:{beside.path}"
    return Executables(roots=beside.roots, path=path).find(interpreter)


def home() -> str:
    """The person's home, or where there is none the root: nobody plants a program in either."""
    folder = os.path.expanduser("~")  # noqa: PTH111 -- pathlib raises where there is no home
    return folder if os.path.isdir(folder) else "/"  # noqa: PTH112 -- a string in
