"""Protected places: changing one could change what is allowed later, so every mode asks.

Names that do not exist yet count, spelling and case do not, and a path counts both as it is
spelled and as it resolves. What is no reading or writing of known files is judged by its text,
which may ask once too often and never once too seldom for a name that stands in it.
"""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from assent.gate.call.calls import Call, Effect, Target, handed_in
from assent.gate.ruling.configuring import configures
from assent.gate.ruling.protected_names import (
    BARE,
    FILES,
    FOLDERS,
    GIT,
    IN_GIT,
    LOADED,
    OF_GIT,
    PACKAGES,
    PARENTS,
    PROGRAMS,
    STEERING,
    SUFFIXES,
    SYSTEM,
    WORDS,
)
from assent.gate.text.concatenated_texts import put_together
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import caseless, plain_path

__all__ = [
    "CHANGES_WHAT_IS_ALLOWED",
    "MEMORY",
    "change_of",
    "folder_of",
    "git_folders",
    "is_protected",
    "keys_in",
    "lies_in",
    "may_name",
    "named_in",
    "premise_of",
    "protected_place",
]

CHANGES_WHAT_IS_ALLOWED: Final = "Can change what is allowed later"
"""What a person should know of a change to a protected place, before which one it is."""

MEMORY: Final = "what a running program was started with or has in memory"
_MEMORY: Final = late(r"/proc/[^/]+(?:/task/[^/]+)?/(?:environ|mem)")

_READ, _CHAT = Effect.READ, Effect.CHAT

_NAMES: Final = (*FOLDERS, *PROGRAMS, *FILES, *WORDS, GIT)
_ALONE: Final = frozenset(name for name in _NAMES if "/" not in name)
_LONGER: Final = tuple(name for name in _NAMES if "/" in name)
_OF_SYSTEM: Final = frozenset(name.split("/")[1] for name in SYSTEM)
_BEGINNINGS: Final = frozenset(name.split("/")[0] for name in _LONGER) | _OF_SYSTEM

_FIRST: Final = _ALONE | _BEGINNINGS
"""One of these stands in every path that is protected for what it is called."""
_FIRST_NAMES: Final = _ALONE | (_BEGINNINGS - _OF_SYSTEM)

_IN_BARE: Final = f"{BARE}/"

_SPELLED: Final = [*FOLDERS, *FILES, *IN_GIT, *SUFFIXES, *(f"{name}/" for name in WORDS)]

_APART: Final = late(r"/(?:\.?/)+")
_BACKSLASHES: Final = late(r"\\+")
_BEGINNINGS_OF: Final = {it: it[: 2 if it[0] == "." else 3] for it in _SPELLED}
_BY_BEGINNING: Final = {
    begun: tuple(it for it in _SPELLED if _BEGINNINGS_OF[it] == begun)
    for begun in dict.fromkeys(_BEGINNINGS_OF.values())
}
_HIDDEN: Final = "".join(it[1] for it in _BY_BEGINNING if it[0] == ".")
_BEGUN: Final = late(
    rf"\.[{_HIDDEN}]|{'|'.join(re.escape(it) for it in _BY_BEGINNING if it[0] != '.')}"
)
"""In small letters. A pattern of all the names takes longer to compile than a call to be judged."""
_GOES_ON: Final = late(r"[\w-]")

_ENDINGS: Final = (*SUFFIXES, *IN_GIT)
"""What may be the end of a longer name."""
_ESCAPES: Final = late(r"\\+(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[0-7]{1,3}|[abefnrtv])?")
_WORD_BEFORE: Final = late(r"\w+\Z")
_MAX_WORD_LETTERS: Final = 64


def protected_place(call: Call, words: Sequence[str] | None = None) -> str | None:
    """The protected place that a call would change, as a person would name it, or None.

    The texts of its input may be given by whoever has them.
    """
    if call.effect is _READ or call.effect is _CHAT or call.tool in {"fetch", "network"}:
        # No address is a change of anything here, and the command that connects was judged before.
        return None
    place = next(filter(None, map(change_of, call.targets)), None)
    if place is not None:
        return place
    known = {target.resolved for target in call.targets}
    for edit in call.edits:
        if edit.path not in known and is_protected(edit.path):
            return edit.path
    if call.tool in {"read", "write"} and call.targets:
        return None
    # Of such a call the files are not known, so its words are looked at.
    words = handed_in(call) if words is None else words
    return folder_of(call) or (named_in("\n".join(words)) if words else None)


def change_of(target: Target, *, fills: bool = False) -> str | None:
    """The protected place that a change of `target` would change by one of its names, or None.

    What fills the workspace with its own files, as version control does, is no change of them all.
    """
    if target.own is not None:
        return premise_of(target)
    if target.resolved == "/":
        return target.shown
    if fills and target.shown == ".":
        return None
    if target.above is not None:
        return premise_of(target)
    if target.shown.casefold().removeprefix("~/").rstrip("/. ") in PARENTS or configures(target):
        return target.shown
    if not (target.is_note or target.is_history) and any(map(is_protected, _forms(target))):
        return target.shown
    return next(filter(None, map(change_of, target.twins)), None)


def _forms(target: Target) -> tuple[str, ...]:
    """Each way that a path is written; most often the one is the end of the other."""
    resolved, spelled = target.resolved, target.spelled
    if target.named == resolved and not target.via and resolved.endswith(f"/{spelled}"):
        return (resolved,)
    return (spelled, target.named, resolved, *target.via)


def premise_of(target: Target) -> str | None:
    """The part of the gate that a change of `target` would change, in words; None where none is."""
    if target.own is not None:
        return f"{target.shown} ({target.own.name})"
    if target.above is not None:
        return f"{target.shown} (in which {target.above.name} lies)"
    return None


def keys_in(target: Target, *, tree: bool = False) -> str | None:
    """The keys that are read with `target`, and with `tree` all below it, in words."""
    own, above = target.own, target.above
    if _MEMORY.fullmatch(target.resolved) or (tree and target.resolved in {"/", "/proc"}):
        return f"{target.shown} ({MEMORY})"
    if own is not None and own.keys:
        return f"{target.shown} ({own.name})"
    if tree and above is not None and above.keys:
        return f"{target.shown} (in which {above.name} lies)"
    return next(filter(None, map(keys_in, target.twins)), None)


def git_folders(target: Target) -> list[str]:
    """The folders that would have to be a repository for `target` to say what git runs there."""
    folder, _, name = target.resolved.rpartition("/")
    above, _, inner = folder.rpartition("/")
    found = [folder] if name.casefold() in OF_GIT else []
    return [*found, above] if inner.casefold() in OF_GIT else found


def named_in(text: str) -> str | None:
    """The protected name that stands in a text, or None."""
    folded = text.lower() if text.isascii() else caseless(text)
    # A backslash is an escape that a shell drops with its quotes, or parts folders.
    plains = [folded.replace('"', "").replace("'", "").replace("\\", ""), put_together(folded)]
    if "\\" in folded:
        plains += [_BACKSLASHES.sub("/", folded), _ESCAPES.sub("/", folded)]
    for plain in plains:
        if "config" in plain and STEERING.search(plain):
            return ".git/config"
        apart = "//" in plain or "/./" in plain
        text = _APART.sub("/", plain) if apart else plain
        for name, at in _names_in(text):
            if name.startswith(_ENDINGS) or _begins(text, at):
                return name
    return None


def _names_in(text: str) -> Iterator[tuple[str, int]]:
    """The names that stand in a text in small letters, and where each begins."""
    at = 0
    while (begun := _BEGUN.search(text, at)) is not None:
        at = begun.start()
        names = _BY_BEGINNING[begun.group()]
        found = text.startswith(names, at) and [name for name in names if _stands(name, text, at)]
        if found:
            yield found[0], at
        at += len(found[0]) if found else 1


def _stands(name: str, text: str, at: int) -> bool:
    """Whether a name stands there, and no longer word that begins so."""
    end = at + len(name)
    return text.startswith(name, at) and (name[-1] == "/" or _GOES_ON.match(text, end) is None)


def _begins(text: str, at: int) -> bool:
    """Whether a name may begin there: in no word, but after a variable or the letter of a flag."""
    word = _WORD_BEFORE.search(text, max(at - _MAX_WORD_LETTERS, 0), at)
    if word is None:
        return True
    before = text[word.start() - 1 : word.start()]
    return before in {"$", "%"} or (before == "-" and at - word.start() == 1)


def may_name(pattern: str) -> bool:
    """Whether a shell pattern may stand for a protected place; `*` stands for no hidden name."""
    parts = pattern.casefold().split("/")
    hidden = [part for part in parts if part.startswith((".", "[", "?"))]
    return any(fnmatch.fnmatchcase(name, part) for part in hidden for name in _FIRST_NAMES) or (
        named_in(pattern) is not None
    )


def lies_in(target: Target) -> bool:
    """Whether it is a protected place, or lies in one; what has such in it does not count."""
    if target.own is not None or configures(target) or any(map(lies_in, target.twins)):
        return True
    return any(map(is_protected, _forms(target)))


def folder_of(call: Call) -> str | None:
    """The protected folder that a call works in, or None."""
    return call.cwd if is_protected(call.cwd) else None


@lru_cache(maxsize=256)
def is_protected(path: str) -> bool:
    """Whether a path, as it is spelled, is a protected place or lies in one.

    Nearly all calls work in the same few folders.
    """
    plain = plain_path(path)
    parts = plain.split("/")
    if plain.endswith(SUFFIXES) or (plain.endswith(LOADED) and PACKAGES in parts):
        return True
    if _IN_BARE in plain and any(a.endswith(BARE) and b in OF_GIT for a, b in pairwise(parts)):
        return True
    if _FIRST.isdisjoint(parts):
        return False
    whole = f"/{'/'.join(part for part in parts if part)}/"
    of_system = plain.startswith("/") and whole.startswith(SYSTEM)
    return of_system or not _ALONE.isdisjoint(parts) or any(f"/{it}/" in whole for it in _LONGER)
