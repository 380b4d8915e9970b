"""Wrappers, whose words name another program: `env`, `timeout`, `xargs`, `find -exec`.

A row says which options a wrapper has and how many operands stand before the inner command. A word
that is not known, or an option that is not in the row, leaves doubt where the inner one begins; it
is told all the same, from where it most likely does, so that what refuses it still holds.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD, ROWS
from assent.gate.programs.options import Sorted, take_option
from assent.gate.programs.outcome import within
from assent.gate.programs.rows import Wrapper
from assent.gate.programs.study import is_plainly_named
from assent.gate.shell.port import Inside
from assent.gate.shell.script import Assignment, bare_name
from assent.gate.shell.word import Unknown, Word, word_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define

__all__ = ["NOWHERE", "UNSURE", "after", "inside", "join_words", "launched"]

NOWHERE: Final = Unknown(text="…")
"""A folder that nobody knows."""

UNSURE: Final = "What runs inside this is only known when it runs."
_PIPES: Final = ("|", "!")
_ASSIGNS: Final = late(r"([^=]*)=(.*)", re.DOTALL)


@define
class _Before:
    """What stands before the inner command."""

    at: int = 1
    """Where the inner command begins."""
    sure: bool = True
    assignments: list[Assignment] = Factory(list)
    options: Sorted = Factory(Sorted)


def inside(argv: tuple[Word, ...], rows: Mapping[str, Wrapper]) -> Inside | None:
    """What the wrapper at the head of these words runs; None where it runs nothing.

    >>> from assent.gate.programs.read_lines import words_of
    >>> from assent.gate.programs.nested_execution.wrapper_rows import ROWS
    >>> ran = inside(words_of("sudo -u app make test"), ROWS)
    >>> [it.text for it in ran.argvs[0]], ran.doubt
    (['make', 'test'], '')
    >>> inside(words_of("sudo --frob app make test"), ROWS).doubt
    'What runs inside this is only known when it runs.'
    """
    name = argv[0].text
    row = rows.get(bare_name(name))
    if row is None:
        return None
    before = after(argv, row)
    given = before.options
    if given.has(row.runs_nothing_flags):
        return None
    read = [word for option, word in given.found.items() if option in row.shell_text_flags.split()]
    texts = tuple(word.text for word in read if word and word.known)
    texts += tuple(word.text[1:] for word in given.of(row.pipe_flags) if word.text[:1] in _PIPES)
    unread = len(texts) < len(read)
    rest = argv[before.at :]
    if rest and (row.joins_operands or row.operands_are_scripts):
        joined = [
            join_words(words)
            for words in ([rest] if row.joins_operands else [(word,) for word in rest])
        ]
        texts = (*texts, *(text for text, _ in joined))
        unread, rest = unread or not all(sure for _, sure in joined), ()
    if not rest and not texts and not unread and not before.assignments:
        # One word may become more, and the last of them what runs.
        more = any(word.several or word.glob for word in argv[1:])
        return Inside(doubt=row.doubt or UNSURE) if more else None
    adds = given.has(row.adding_flags) or not is_plainly_named(name)
    return Inside(
        argvs=(rest,) if rest else (),
        assignments=tuple(before.assignments),
        texts=texts,
        wraps=row.wraps and not adds,
        doubt=row.doubt or ("" if before.sure and not unread else UNSURE),
        same_shell=row.same_shell,
        folder=_folder(given, row),
    )


def _folder(given: Sorted, row: Wrapper) -> Word | None:
    """Where the inner command runs, if not here."""
    if within(row.leaves_folder_flags, given):
        return NOWHERE
    moved = [given.found[it] or NOWHERE for it in row.folder_flags.split() if it in given.found]
    return moved[0] if len(moved) == 1 else NOWHERE if moved else None


def join_words(words: tuple[Word, ...]) -> tuple[str, bool]:
    """Words as the one text that a shell reads, and whether all of them are known.

    >>> from assent.gate.shell.word import Exact
    >>> join_words((Exact(text="make"), Unknown(text="$TARGET")))
    ('make $TARGET', False)
    """
    sure = all(word.known and not word.glob and not word.home for word in words)
    return " ".join(word.text for word in words), sure


def after(argv: tuple[Word, ...], row: Wrapper) -> _Before:
    """Read a wrapper's options and operands, up to the command that it runs.

    >>> from assent.gate.programs.read_lines import words_of
    >>> from assent.gate.programs.nested_execution.wrapper_rows import ROWS
    >>> argv = words_of("timeout -k 5 10 make test")
    >>> [it.text for it in argv[after(argv, ROWS["timeout"]).at :]]
    ['make', 'test']
    """
    found, operands = _Before(), row.operands_before
    while found.at < len(argv):
        word = argv[found.at]
        if not word.known or word.glob:
            found.sure = found.sure and _is_operand(word, operands)
        if word.text == "--" and word.known:
            found.at += 1 + operands
            while (
                row.takes_assignments and found.at < len(argv) and _assigned(argv[found.at], found)
            ):
                found.at += 1
            break
        if word.known and word.text.startswith("-") and len(word.text) > 1:
            _take(row, found, argv)
        elif (
            word.known and word.text == "-" and (row.takes_assignments or row.shell_text_flags)
        ) or (row.takes_assignments and not operands and _assigned(word, found)):
            found.at += 1
        elif operands:
            operands -= 1
            found.at += 1
        else:
            break
    _check(row, found)
    return found


def _take(row: Wrapper, found: _Before, argv: tuple[Word, ...]) -> None:
    """Take an option with its values; of one that nobody knows, none are known either."""
    given = found.options
    given.strange = _is_ambiguous(row, argv[found.at].text.partition("=")[0])
    behind = take_option(row, given, argv, found.at)
    found.sure = found.sure and not given.strange
    found.at = found.at + 1 if given.strange else behind


def _is_ambiguous(row: Wrapper, name: str) -> bool:
    """Whether an option may be short for several, of which each begins the command elsewhere."""
    return name not in row.known and sum(long.startswith(name) for long in row.longs) > 1


def _check(row: Wrapper, found: _Before) -> None:
    """Take what options assign, and doubt what they leave open."""
    given = found.options
    found.sure = found.sure and not given.loose
    for option, value in given.values:
        # Without a value it takes a variable away, or hands on what this process has.
        if option in row.variable_flags.split() and not _assigned(value, found) and not value.known:
            found.sure = False
        if value.several or value.glob:
            found.sure = False


def _is_operand(word: Word, operands: int) -> bool:
    return not operands or (word.listed and not word.several)


def _assigned(word: Word, found: _Before) -> bool:
    match = _ASSIGNS.fullmatch(word.text)
    if match is None:
        return False
    value = word_of(match[2], known=word.known)
    found.assignments.append(Assignment(name=match[1], value=value))
    return True


def launched(argv: Sequence[Word]) -> Sequence[Word]:
    """What a launcher of a project's tools starts, by its words; nothing where it is none.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in launched(words_of("uv run pytest -q"))]
    ['pytest', '-q']
    """
    first, second = (*(word.text for word in argv[:2]), "", "")[:2]
    if first in ROWS:
        return argv[1:]
    return argv[2:] if second in AFTER_WORD.get(first, ()) else ()
