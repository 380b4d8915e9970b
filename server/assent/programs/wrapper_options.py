"""The options of a wrapper, and the operands that stand before the command which it runs."""

import re
from typing import Final

from attrs import Factory, define, field, frozen

from assent.bash.script import Assignment, Word
from assent.text.patterns import late

__all__ = ["Row", "after"]

_NUMERIC: Final = late(r"-\d+")
_ASSIGNS: Final = late(r"([^=]*)=(.*)", re.DOTALL)


def _set_of(names: str | frozenset[str]) -> frozenset[str]:
    return frozenset(names.split()) if isinstance(names, str) else names


@frozen(kw_only=True)
class Row:
    """How to find the inner command: the options and operands that stand before it."""

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


def after(argv: tuple[Word, ...], row: Row) -> _Options:
    """Read a wrapper's options and operands, up to the command that it runs.

    >>> from assent.programs.reading import words_of
    >>> from assent.programs.runners import ROWS
    >>> argv = words_of("timeout -k 5 10 make test")
    >>> [it.text for it in argv[after(argv, ROWS["timeout"]).at :]]
    ['make', 'test']
    """
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
    """A long option; it may be abbreviated, if only one begins so."""
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
