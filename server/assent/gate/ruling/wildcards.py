"""Patterns among the words of a command, and how a shell expands them, without the disk."""

import posixpath
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from assent.gate.call.calls import Target
from assent.gate.rules.globs import expands_to
from assent.gate.shell.anchored_paths import InHome
from assent.gate.shell.word import Word, with_hidden, word_of
from assent.gate.text.lazy_patterns import late

__all__ = [
    "PROC",
    "climbed",
    "dotted",
    "goes_deeper",
    "has_glob",
    "leads_anywhere",
    "pattern_in",
    "reads_memory",
    "respelled",
    "split_off",
]

PROC: Final = late(r"(?:(?<![\w-])|\$\w+)/proc|(?<![\w./-])proc/", needs="proc/ /proc")
"""Where the system shows what runs, by its own path or by one from the root."""
_GLOBS: Final = "*?["
_OF_A_PROCESS: Final = ("cwd", "root", "exe", "fd", "task", "map_files", "environ", "mem")


def leads_anywhere(pattern: str) -> bool:
    """Whether an absolute pattern may lead through what is another for each process."""
    names = pattern.split("/")[1:]
    if len(names) < 3 or not expands_to(names[0], "proc"):  # noqa: PLR2004 -- /proc/1/cwd
        return False
    return any(expands_to(names[2], it) for it in _OF_A_PROCESS)


def reads_memory(path: str, text: str) -> bool:
    """Whether a path in a text may be what a program was started with, or its memory."""
    *folders, last = path.split("/")
    named = any(expands_to(last, name) for name in ("environ", "mem"))
    below = any(expands_to(folder, "proc") for folder in folders)
    return named and (below or PROC.search(text) is not None or leads_anywhere(path))


def climbed(pattern: str, *, tree: bool) -> list[str]:
    """The same with `..` for each name in it that some shells take for that as well."""
    names = pattern.split("/")
    reached = names if tree else names[:-1]
    return [
        "/".join([*names[:at], "..", *names[at + 1 :]])
        for at, name in enumerate(reached)
        if name[:1] == "." and has_glob(name) and fnmatchcase("..", name)
    ]


def respelled(word: Word, text: str) -> Word:
    """A word with another pattern or path in its place."""
    glob = has_glob(text)
    if word.known:
        return word.spelled(text, glob=glob)
    return InHome(text=text, glob=glob) if word.home else word_of(text, glob=glob)


def split_off(path: str) -> tuple[str, str]:
    """A pattern's folder, as far as it is plain, and the rest."""
    first = min(path.find(sign) for sign in _GLOBS if sign in path) if has_glob(path) else 0
    cut = path.rfind("/", 0, first) + 1
    return path[:cut] or ".", path[cut:]


def has_glob(path: str) -> bool:
    """Whether names of files may take its place."""
    return any(sign in path for sign in _GLOBS)


def pattern_in(where: Target, rest: str) -> Target:
    """A pattern that is spelled from a folder, by each way to that folder."""
    named = posixpath.join(where.resolved, rest)
    shown = rest if where.shown == "." else posixpath.join(where.shown, rest)
    forms = (where.named, *where.via) if where.named != where.resolved else where.via
    return Target(
        spelled=rest,
        resolved=named,
        inside=where.inside,
        shown=shown,
        own=where.own,
        above=where.above,
        named=named,
        via=tuple(posixpath.join(form, rest) for form in forms),
    )


# Patterns that stand for more names than usual where the shell was told so: hidden, or deeper.

Given = Mapping[str, Any]
"""What a shell call is given."""

_DOTS: Final = late(
    r"dot_?glob|glob_?dots|-\w*O|shopt(?!\s+-[suq]+(?:\s+(?:globstar|nullglob|extglob|failglob|nocaseglob"
    r"|lastpipe|inherit_errexit))+\s*(?:[;&|\n]|$))"
)
"""How a shell may be told that a pattern stands for names with a dot before them too."""
_DEEPER: Final = late(r"globstar|zsh")
"""How a shell may be told, or which takes it so by itself, that `**` is any number of folders."""
_QUOTES: Final = str.maketrans("", "", "\"'\\")


def goes_deeper(given: Given, rest: str) -> bool:
    """Whether a pattern may stand for names in folders within folders."""
    # Which shell it is may be said by its path, in any case of letters.
    told = f"{given.get('shell')} {_bare(given)}".casefold()
    return "**" in rest and _DEEPER.search(told) is not None


def dotted(given: Given, rest: str) -> list[str]:
    """What else a pattern stands for where the shell may have been told to mean hidden names."""
    return [] if _DOTS.search(_bare(given)) is None else with_hidden(rest)[1:]


def _bare(given: Given) -> str:
    return str(given.get("command")).translate(_QUOTES)
