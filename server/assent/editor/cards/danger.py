"""Marks the words of a command that a person should not overlook.

It only draws: what is marked decides nothing, and what is not marked is no safer for it. The
spans joined are the text, byte for byte.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.editor.cards.spans import code
from assent.editor.protocol.card import Span

__all__ = ["marked"]

_WORD: Final = re.compile(r"[^\s;|&()]+")

_PROGRAMS: Final = frozenset(
    (
        "rm rmdir unlink shred dd mkfs fdisk parted wipefs truncate sudo doas su chown chmod chgrp"
        " kill pkill killall reboot shutdown halt poweroff systemctl launchctl crontab at eval"
        " source exec curl wget nc ncat telnet ssh scp sftp iptables mount umount passwd useradd"
        " userdel visudo format diskutil"
    ).split()
)
"""Programs that remove, that act with more rights, or that reach outside."""

_WRAPPERS: Final = frozenset(
    (
        "sudo doas env nice nohup time timeout stdbuf setsid command builtin exec xargs ionice"
        " chronic"
    ).split()
)
"""The word behind one of these and its flags is a program, too."""

_BEFORE_A_PROGRAM: Final = re.compile(r"-|[\d.]+[smhd]?$|\w+=|$")
"""What stands between a wrapper and the program: flags, a time, a variable."""

_FLAGS: Final = frozenset(
    (
        "--force --force-with-lease --hard --no-verify --no-preserve-root --recursive --delete"
        " --purge --privileged --output --upload-file --data --data-binary --mirror --prune"
        " --dangerously-skip-permissions --no-sandbox --global --system -delete -exec -execdir"
        " -ok -fprintf --in-place --no-check-certificate --insecure"
    ).split()
)

_SHORT: Final = {
    "rm": "rRf",
    "cp": "f",
    "mv": "f",
    "ln": "f",
    "chmod": "R",
    "chown": "R",
    "git": "fD",
    "docker": "f",
    "sed": "i",
    "curl": "odTkF",
    "kill": "9",
    "pkill": "9",
}
"""Of these programs, the letters of short flags that make what they do worse."""

_SUBCOMMANDS: Final = {
    "git": frozenset({"push", "reset", "clean", "rebase", "filter-branch", "filter-repo"}),
    "npm": frozenset({"publish", "unpublish"}),
    "docker": frozenset({"prune", "rm", "rmi"}),
    "kubectl": frozenset({"delete", "apply"}),
    "terraform": frozenset({"apply", "destroy"}),
    "gh": frozenset({"delete", "merge"}),
}

_REDIRECT: Final = re.compile(r"(?:&|\d*)>[>|&]?\s*(?=[\"']?(?:/(?!dev/null\b)|~|\$|\.\.))\S+")
"""Output that goes to a path that does not plainly stay in the folder."""


def marked(text: str) -> list[Span]:
    """The text of one command, with what is dangerous in it marked."""
    spans: list[Span] = []
    at = 0
    for start, end in _ranges(text):
        if start < at:
            continue
        spans += [*code(text[at:start]), *_danger(text[start:end])]
        at = end
    return [*spans, *code(text[at:])]


def _danger(text: str) -> Iterator[Span]:
    """Mark the visible spans of a dangerous text; marks for invisible characters stay."""
    for span in code(text):
        yield Span(kind="danger", text=span.text) if span.kind == "code" else span


def _ranges(text: str) -> list[tuple[int, int]]:
    """Where what is dangerous stands, from the first to the last."""
    redirects = [match.span() for match in _REDIRECT.finditer(text)]
    return sorted([*redirects, *_words(text)])


def _words(text: str) -> Iterator[tuple[int, int]]:
    program, expects = "", True
    for match in _WORD.finditer(text):
        word = match.group().strip("\"'")
        name = word.rsplit("/", 1)[-1]
        if expects and not _BEFORE_A_PROGRAM.match(word):
            program, expects = name, name in _WRAPPERS
            if name in _PROGRAMS:
                yield match.span()
        elif _is_dangerous(program, word):
            yield match.span()


def _is_dangerous(program: str, word: str) -> bool:
    """Whether a word beside this program makes it worse."""
    if word.split("=", 1)[0] in _FLAGS or word in _SUBCOMMANDS.get(program, ()):
        return True
    letters = _SHORT.get(program, "")
    is_short = word.startswith("-") and not word.startswith("--")
    return is_short and any(letter in word for letter in letters)
