"""Finds the row of a program's reading command, and the words after the command."""

from collections.abc import Iterator
from functools import cache

from assent.gate.programs.options import sort_words
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.reading_commands import ORDERS
from assent.gate.shell.word import Word

__all__ = ["orders_of"]


def orders_of(name: str, words: tuple[Word, ...]) -> Iterator[tuple[Row, tuple[Word, ...]]]:
    """Each row for a command that these words may be, with the words that do not make it that.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [[it.text for it in rest] for _, rest in orders_of("go", words_of("list -m all"))]
    [['-m', 'all']]
    >>> [*orders_of("go", words_of("build list"))]
    []
    """
    for order, row in _orders().get(name, ()):
        rest = _behind(order, row, words)
        if rest is not None:
            yield row, rest


def _behind(order: tuple[str, ...], row: Row, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """The words without those that make them this command; None where they do not."""
    if any(it[:1] == "-" for it in order):
        first = words[: len(order)]
        return words[len(order) :] if _are(first, order) else None
    first = tuple(sort_words(row, words).operands[: len(order)])
    if not _are(first, order):
        return None
    return tuple(word for word in words if not any(word is one for one in first))


def _are(words: tuple[Word, ...], texts: tuple[str, ...]) -> bool:
    plain = all(word.known and not (word.glob or word.listed) for word in words)
    return plain and tuple(word.text for word in words) == texts


@cache
def _orders() -> dict[str, tuple[tuple[tuple[str, ...], Row], ...]]:
    """Of each program the words that make such a command, with its row."""
    found: dict[str, tuple[tuple[tuple[str, ...], Row], ...]] = {}
    for row in ORDERS:
        for names in row.names.split(", "):
            name, *order = names.split()
            found[name] = (*found.get(name, ()), (tuple(order), row))
    return found
