"""Finds the deeds of a simple command with the tables.

A command is reading only where each of its words is known to make it read; all that is not in a
row, and every word that could become a flag which does more, leaves it to rules and to the person.
"""

from itertools import product
from math import prod
from typing import Final

from assent.gate.programs.changing_uses import with_uses
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.deferred_execution import keeps_for_later
from assent.gate.programs.forms import sorted_for, usage
from assent.gate.programs.known_names import has_library
from assent.gate.programs.options import sort_words
from assent.gate.programs.outcome import HERE
from assent.gate.programs.reading_commands import orders_of
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import by_name, row_of
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.programs.tables.modules import INSTALLED, MODULES
from assent.gate.programs.tables.versions import ASKING, STEERED, TELLING
from assent.gate.shell.script import Command, Step, bare_name
from assent.gate.shell.secrets import tells_secrets
from assent.gate.shell.word import Word, word_of
from assent.gate.values import evolve

__all__ = ["is_plainly_named", "is_reader", "study"]

_MAX_CHOICES: Final = 64
"""With more combinations of what its words may be, they count as unknown."""
_MAX_TELLING_WORDS: Final = max(it.count(" ") for it in TELLING)
"""So many words stand behind a program that only tells of itself."""
_TELLERS: Final = frozenset(it.partition(" ")[0] for it in TELLING)

_MODULE: Final = "-m"

_MAX_FOLDERS_UP: Final = 4
"""So many folders up the top of a repository is looked for after `cd`."""

_HOMES: Final = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/")
"""Programs in these folders are what their names say."""

_SIFTING: Final = frozenset("rg ripgrep ag ack".split())
"""Programs that search what they are fed, and only without that the folder that they are in."""

PATCHING: Final = frozenset({"patch", "gpatch", "git"})  # They may be given a patch.


def study(command: Command) -> Deeds:
    """What a command does; of a word with several known texts, what any of them does.

    >>> from assent.gate.programs.read_lines import read_script
    >>> for line in ("grep -rn main src", "cp a.txt b.txt", "my-tool a.txt"):
    ...     print(study(read_script(line).commands[0]))
    only reads: read src/**
    read a.txt, write b.txt, write b.txt/a.txt
    perhaps more
    """
    deeds = _chosen(command)
    if command.piped and command.program in _SIFTING:
        touches = tuple(
            touch for touch in deeds.touches if touch.word is not HERE or touch.kind is Kind.LOOK
        )
        deeds = evolve(deeds, touches=touches)
    if command.document and command.program in PATCHING:
        # What patches say is loaded with the first that stands in a text.
        from assent.gate.programs.patches import with_patch  # noqa: PLC0415

        deeds = with_patch(command, deeds)
    if keeps_for_later(command):
        deeds = evolve(deeds, later=True)
    return _from_top(command, deeds) if _is_git(command) else deeds


def is_reader(command: Command) -> bool:
    """Whether a program has a row for reading; its words may still do more.

    >>> from assent.gate.programs.read_lines import read_script
    >>> [is_reader(read_script(it).commands[0]) for it in ("git log", "git push", "my-tool")]
    [True, False, False]
    """
    words = [command.program]
    if _is_git(command):
        behind = sort_words(GIT_ITSELF, command.argv[1:]).operands[:2]
        words = ["git", *(word.text for word in behind)]
    row = row_of(words)
    return row is not None and row.reads


def _is_git(command: Command) -> bool:
    return command.name.rpartition("/")[2] == "git"


def _from_top(command: Command, deeds: Deeds) -> Deeds:
    """Add the same paths further up: after `cd`, the repository's top may lie above."""
    chains = [chain for chain in command.folders or () if chain]
    if not chains:
        return deeds
    # It comes with all that is known of git.
    from assent.gate.programs.tables.git_words import from_top  # noqa: PLC0415

    named = from_top(command.argv, deeds)
    if not named:
        return deeds
    above = max(map(_depth, chains))
    ups = ["../" * count for count in range(1, min(above, _MAX_FOLDERS_UP) + 1)]
    touches = [
        evolve(touch, word=touch.word.spelled(f"{up}{touch.word.text}"))
        for touch in named
        for up in ups
    ]
    return evolve(deeds, touches=(*deeds.touches, *touches))


def _depth(chain: tuple[Step, ...]) -> int:
    """How many folders `cd` went down; 0 where it may have gone elsewhere."""
    # At the top of a repository one is no deeper in it than before.
    steps = [it for it in chain if isinstance(it, str)]
    parts = [part for step in steps for part in step.split("/") if part != "."]
    away = ".." in parts or any(step.startswith(("/", "~")) for step in steps)
    return 0 if away else sum(bool(part) for part in parts)


def _chosen(command: Command) -> Deeds:
    if command.literal or not any(word.choices for word in command.argv):
        return _study(command.argv)
    if prod(len(word.choices) or 1 for word in command.argv) > _MAX_CHOICES:
        return _study(tuple(map(_unknown, command.argv)))
    return _together([_study(argv) for argv in product(*map(_each, command.argv))])


def _unknown(word: Word) -> Word:
    return word.lost() if word.choices else word


def _each(word: Word) -> tuple[Word, ...]:
    if not word.choices:
        return (word,)
    return tuple(word_of(text, glob=word.glob) for text in word.choices)


def _together(all_: list[Deeds]) -> Deeds:
    return Deeds(
        touches=tuple(dict.fromkeys(touch for deeds in all_ for touch in deeds.touches)),
        hosts=tuple(dict.fromkeys(host for deeds in all_ for host in deeds.hosts)),
        escapes=tuple(dict.fromkeys(why for deeds in all_ for why in deeds.escapes)),
        runs=tuple(dict.fromkeys(run for deeds in all_ for run in deeds.runs)),
        reading=all(deeds.reading for deeds in all_),
        known=all(deeds.known for deeds in all_),
        catastrophic=any(deeds.catastrophic for deeds in all_),
        moves=all(deeds.moves for deeds in all_),
        named=all(deeds.named for deeds in all_),
        steered_by=tuple(dict.fromkeys(name for deeds in all_ for name in deeds.steered_by)),
        module=next((deeds.module for deeds in all_ if deeds.module), ""),
        git_from=tuple(dict.fromkeys(chain for deeds in all_ for chain in deeds.git_from)),
    )


def _study(argv: tuple[Word, ...]) -> Deeds:
    if not argv or not argv[0].known or argv[0].glob:
        return Deeds()
    return with_uses(argv, bare_name(argv[0].text), _by_row(argv))


def _by_row(argv: tuple[Word, ...]) -> Deeds:
    spelled, words = argv[0].text, argv[1:]
    name, trusted = spelled.rpartition("/")[2], is_plainly_named(spelled)
    tells = len(words) == 1 and words[0].known and (name, words[0].text) in ASKING
    if name in _TELLERS and len(words) <= _MAX_TELLING_WORDS:
        plain = all(word.known and not word.glob for word in words)
        tells = tells or (plain and " ".join((name, *(word.text for word in words))) in TELLING)
    if tells and trusted:
        return Deeds(reading=True, known=True, steered_by=STEERED.get(name, ()))
    if trusted and (ordered := _by_order(name, words)) is not None:
        return ordered
    if words and words[0].text == _MODULE and has_library(name):
        return _of_module(words[1:]) if trusted else Deeds()
    row = by_name().get(name) or by_name().get(name.casefold().removesuffix(".exe"))
    if row is None or (row.reads and not trusted):
        return Deeds()
    return _of_row(row, name, words, trusted=trusted)


def _by_order(name: str, words: tuple[Word, ...]) -> Deeds | None:
    """What a command of a program does that only reads, where it is one of these."""
    for row, rest in orders_of(name, words):
        # Some read more words from a file that is named behind an `@`, wherever that stands.
        if any(word.text[:1] == "@" for word in rest):
            return None
        sorted_ = sorted_for(row, rest)
        deeds = usage(row.form)(row, sorted_)
        # What such a row does not name does more, so no word may become a flag.
        if deeds.reading and not (sorted_.loose or _tells_secrets(row, rest)):
            return deeds
    return None


def _of_module(words: tuple[Word, ...]) -> Deeds:
    """What a module of Python does with the words behind its name."""
    name = words[0].text if words and words[0].known else ""
    row = MODULES.get(name)
    if row is None and name not in INSTALLED:
        return Deeds()
    deeds = _by_row(words) if row is None else _of_row(row, name, words[1:], trusted=True)
    return evolve(deeds, module=name)


def _of_row(row: Row, name: str, words: tuple[Word, ...], *, trusted: bool) -> Deeds:
    deeds = usage(row.form)(row, sorted_for(row, words))
    if deeds.named and (not trusted or name not in row.names.split()):
        return evolve(deeds, named=False)
    if deeds.reading and (
        not trusted or name not in row.names.split() or _tells_secrets(row, words)
    ):
        return evolve(deeds, reading=False)
    return deeds


def is_plainly_named(spelled: str) -> bool:
    """Whether a program is named without a folder, or with one of the system's.

    >>> is_plainly_named("ls"), is_plainly_named("/bin/ls"), is_plainly_named("./ls")
    (True, True, False)
    """
    folder, slash, _ = spelled.rpartition("/")
    return not slash or f"{folder}/" in _HOMES


def _tells_secrets(row: Row, words: tuple[Word, ...]) -> bool:
    return not row.prints_no_words and any(
        not word.known and tells_secrets(word.text) for word in words
    )
