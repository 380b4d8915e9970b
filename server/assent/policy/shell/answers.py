"""What a substitution becomes, where what runs in it always answers alike: numbers, hashes, dates.

Nothing of it can be a flag or lead away. Where the command may fail it may be nothing as well.
"""

# ruff: noqa: ARG001, FBT001 -- whatever stands in the table of answers is called alike

import re
from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve

from assent.policy.patterns import late
from assent.policy.shell.listers import names_of
from assent.policy.shell.listing import HASH, REF
from assent.policy.shell.script import Command, Word
from assent.policy.shell.state import COUNT, NUMBER

__all__ = ["answer"]

_DAY: Final = Word(text="./…", known=False, listed=True)
"""A date, which begins with no dash and has no blanks."""

_FORMAT: Final = late(r"\+%[YmdHMSFjsu](?:%[YmdHMSFjsuT]|[\w.-])*", re.ASCII)
_ONE: Final = frozenset(("merge-base", "rev-parse"))
_INTEGER: Final = late(r"\d+")
_COUNTS_ONE: Final = late(r"-[lwcm]")
_NAMING: Final = late(
    r"branch --show-current|rev-parse --abbrev-ref HEAD|symbolic-ref --short (?:-q )?HEAD"
    r"|describe --tags(?: --abbrev=\d+)?|describe --always"
)


def answer(commands: Sequence[Command], *, plain: bool) -> Word | None:
    """What these write, as one pipeline; `plain` where nothing else decides what they read."""
    if not commands or any(it.wraps for it in commands):
        return None
    last = commands[-1]
    words = [it.text for it in last.argv[1:]]
    reader = _ANSWERS.get(last.name)
    if reader is not None and all(it.known for it in last.argv):
        found = reader(last, words, len(commands) == 1)
        if found is not None:
            return found
    names = names_of(commands) if plain else None
    if names is None or not names.listed:
        return None
    one = names.text == HASH.text and len(commands) == 1 and words[:1] and words[0] in _ONE
    return evolve(names, several=not one or "-a" in words or "--all" in words)


def _wc(command: Command, words: list[str], alone: bool) -> Word | None:
    if len(words) != 1 or not _COUNTS_ONE.fullmatch(words[0]):
        return None
    return COUNT if alone or command.redirects else NUMBER


def _grep(command: Command, words: list[str], alone: bool) -> Word | None:
    flags = [it for it in words if it.startswith("-")]
    operands = [it for it in words if not it.startswith("-")]
    short = "".join(it[1:] for it in flags)
    counts = "c" in short and not set(short) - set("cvwxiEFPGs")
    one = len(operands) <= 2 and not any(it.glob for it in command.argv)  # noqa: PLR2004
    return COUNT if counts and one else None


def _git(command: Command, words: list[str], alone: bool) -> Word | None:
    if words[:2] == ["rev-list", "--count"]:
        return COUNT
    text = " ".join(words)
    return REF if alone and _NAMING.fullmatch(text) else None


def _nproc(command: Command, words: list[str], alone: bool) -> Word | None:
    return COUNT if not words or words == ["--all"] else None


def _seq(command: Command, words: list[str], alone: bool) -> Word | None:
    plain = bool(words) and all(map(_INTEGER.fullmatch, words))
    return evolve(NUMBER, several=True) if plain else None


def _date(command: Command, words: list[str], alone: bool) -> Word | None:
    if command.redirects or len(words) != 1 or not _FORMAT.fullmatch(words[0]):
        return None
    return _DAY


_ANSWERS: Final[dict[str, Callable[[Command, list[str], bool], Word | None]]] = {
    "wc": _wc,
    "grep": _grep,
    "git": _git,
    "nproc": _nproc,
    "seq": _seq,
    "date": _date,
}
