"""Programs that run another one, which their words name: `env`, `timeout`, `xargs`, `find -exec`.

A row says which options a wrapper has and how many operands stand before the inner command. A word
that is not known, or an option that is not in the row, leaves doubt where the inner one begins; it
is told all the same, from where it most likely does, so that what refuses it still holds.
"""

import re
from collections.abc import Mapping
from typing import Final

from attrs import Factory, define, field, frozen

from assent.policy.patterns import late
from assent.policy.shell.script import Assignment, Word

__all__ = ["NOWHERE", "Inside", "Row", "after", "bare_name", "inside", "join_words"]

NOWHERE: Final = Word(text="…", known=False)
"""A folder that nobody knows."""

_UNSURE: Final = "What runs inside this is only known when it runs."

_NUMERIC: Final = late(r"-\d+")
_ASSIGNS: Final = late(r"([^=]*)=(.*)", re.DOTALL)
_PLACES: Final = ("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/")


def _set_of(names: str | frozenset[str]) -> frozenset[str]:
    return frozenset(names.split()) if isinstance(names, str) else names


@frozen(kw_only=True)
class Inside:
    """What a wrapper runs."""

    argvs: tuple[tuple[Word, ...], ...] = ()
    assignments: tuple[Assignment, ...] = ()
    texts: tuple[str, ...] = ()
    """Scripts that a shell reads."""
    wraps: bool = False
    doubt: str = ""
    folder: Word | None = None
    """Where it runs, if not here."""
    given: tuple[Word, ...] = ()
    """What such a script is given, its name first."""
    same_shell: bool = False
    """Whether a builtin that it runs acts on this very shell."""
    fed: bool = False
    lines: bool = False
    """Whether each line that it reads is one word, blanks and all."""
    cuts: bool = False
    """Whether what it puts in may be a piece of a line, or comes from elsewhere."""


@frozen(kw_only=True)
class Row:
    """How the words before the inner command are told from it."""

    flags: str = ""
    """Letters of options without an argument."""
    args: str = ""
    """Letters of options with one, in the same word or the next."""
    glued: str = ""
    """Letters of options that may have one in the same word only."""
    long: frozenset[str] = field(default=frozenset(), converter=_set_of)
    long_args: frozenset[str] = field(default=frozenset(), converter=_set_of)
    operands: int = 0
    assigns: bool = False
    wraps: bool = False
    same_shell: bool = False
    numeric: bool = False
    """Whether `-10` is an option."""
    quiet: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options with which it runs nothing."""
    adds: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options with which it does more than to run the inner command."""
    joined: bool = False
    """Whether a shell reads its operands as one text."""
    text: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options whose argument a shell reads."""
    sets: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options whose argument assigns a variable for the inner command."""
    doubt: str = ""
    moves: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options whose argument is the folder in which the inner command runs."""
    leaves: frozenset[str] = field(default=frozenset(), converter=_set_of)
    """Options with which it runs in some folder of its own; `*` where it always does."""


@define
class _Options:
    """What stands before the inner command."""

    at: int = 1
    sure: bool = True
    assignments: list[Assignment] = Factory(list)
    given: dict[str, Word | None] = Factory(dict)


def bare_name(name: str) -> str:
    """The program's name without the folder it is in."""
    return name.rpartition("/")[2]


def inside(argv: tuple[Word, ...], rows: Mapping[str, Row]) -> Inside | None:
    """What the wrapper at the head of these words runs; None where it runs nothing."""
    name = argv[0].text
    row = rows.get(bare_name(name))
    if row is None:
        return None
    options = after(argv, row)
    if options.given.keys() & row.quiet:
        return None
    texts = tuple(
        it.text for key, it in options.given.items() if key in row.text and it and it.known
    )
    unread = any(key in row.text and not (it and it.known) for key, it in options.given.items())
    rest = argv[options.at :]
    if row.joined and rest:
        joined = join_words(rest)
        texts, unread, rest = (joined[0],), unread or not joined[1], ()
    if not rest and not texts and not unread and not options.assignments:
        # One word may become more, and the last of them what runs.
        more = any(it.several or it.glob for it in argv[1:])
        return Inside(doubt=row.doubt or _UNSURE) if more else None
    adds = bool(options.given.keys() & row.adds) or not _is_plainly(name)
    return Inside(
        argvs=(rest,) if rest else (),
        assignments=tuple(options.assignments),
        texts=texts,
        wraps=row.wraps and not adds,
        doubt=row.doubt or ("" if options.sure and not unread else _UNSURE),
        same_shell=row.same_shell,
        folder=_folder(options.given, row),
    )


def _folder(given: Mapping[str, Word | None], row: Row) -> Word | None:
    """Where the inner command runs, if not here."""
    if "*" in row.leaves or given.keys() & row.leaves:
        return NOWHERE
    moved = [given[key] or NOWHERE for key in given if key in row.moves]
    return moved[0] if len(moved) == 1 else NOWHERE if moved else None


def _is_plainly(name: str) -> bool:
    """Whether it is the program of that name that everybody has."""
    return "/" not in name or name.rpartition("/")[0] + "/" in _PLACES


def join_words(words: tuple[Word, ...]) -> tuple[str, bool]:
    """Words as one text, and whether all of them are known."""
    sure = all(it.known and not it.glob and not it.home for it in words)
    return " ".join(it.text for it in words), sure


def after(argv: tuple[Word, ...], row: Row) -> _Options:
    """Read the options of a wrapper."""
    found = _Options()
    operands = row.operands
    while found.at < len(argv):
        word = argv[found.at]
        if not word.known or word.glob:
            found.sure = found.sure and _is_operand(word, operands)
        if word.text == "--" and word.known:
            found.at += 1
            break
        if word.known and word.text.startswith("-") and (len(word.text) > 1):
            _option(argv, row, found)
        elif (word.known and word.text == "-" and (row.assigns or row.text)) or (
            row.assigns and not operands and _assigned(word, found)
        ):
            found.at += 1
        elif operands:
            operands -= 1
            found.at += 1
        else:
            break
    _finish(argv, row, found, operands)
    return found


def _finish(argv: tuple[Word, ...], row: Row, found: _Options, operands: int) -> None:
    """After `--`, operands and assignments may still stand before the command."""
    if found.at and argv[found.at - 1].text == "--":
        found.at += operands
        while row.assigns and found.at < len(argv) and _assigned(argv[found.at], found):
            found.at += 1


def _is_operand(word: Word, operands: int) -> bool:
    return not operands or (word.listed and not word.several)


def _assigned(word: Word, found: _Options) -> bool:
    match = _ASSIGNS.fullmatch(word.text)
    if match is None:
        return False
    value = Word(text=match[2], known=word.known)
    found.assignments.append(Assignment(name=match[1], value=value))
    return True


def _option(argv: tuple[Word, ...], row: Row, found: _Options) -> None:
    text = argv[found.at].text
    found.at += 1
    if text.startswith("--"):
        _long(text[2:], argv, row, found)
        return
    if row.numeric and _NUMERIC.fullmatch(text):
        return
    for place, letter in enumerate(text[1:], start=2):
        if letter in row.flags:
            found.given[letter] = None
        elif letter in row.glued:
            found.given[letter] = Word(text=text[place:])
            return
        elif letter in row.args:
            word = Word(text=text[place:]) if text[place:] else _next(argv, found)
            _give(row, found, letter, word)
            return
        else:
            found.sure = False
            return


def _long(text: str, argv: tuple[Word, ...], row: Row, found: _Options) -> None:
    """A long option; any beginning of its name will do where it is the only one so."""
    name, equals, value = text.partition("=")
    matching = [it for it in (*row.long, *row.long_args) if it.startswith(name)]
    exact = name if name in matching else matching[0] if len(matching) == 1 else None
    if exact is None:
        found.sure = False
    elif equals:
        _give(row, found, exact, Word(text=value))
    elif exact in row.long_args:
        _give(row, found, exact, _next(argv, found))
    else:
        found.given[exact] = None


def _give(row: Row, found: _Options, name: str, value: Word | None) -> None:
    found.given[name] = value
    if name in row.sets and value is not None and not _assigned(value, found):
        # Without a value it takes something away, or hands on what this process has.
        found.sure = found.sure and value.known


def _next(argv: tuple[Word, ...], found: _Options) -> Word | None:
    if found.at >= len(argv):
        found.sure = False
        return None
    found.at += 1
    word = argv[found.at - 1]
    if word.several or word.glob:
        found.sure = False
    return word
