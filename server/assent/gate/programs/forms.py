"""Sorts the words of a command: by its row alone, or by a function for the row's form."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, touched
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.outcome import deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Row
from assent.gate.shell.word import Word

__all__ = ["sorted_for", "usage"]

_Usage = Callable[[Row, Sorted], Deeds]


def _ordinary(row: Row, sorted_: Sorted) -> Deeds:
    paths = paths_of(row, sorted_)
    beyond = (
        _beyond(row.max_read_operands, [*paths, *sorted_.late])
        if row.max_read_operands is not None
        else []
    )
    if row.max_read_operands is None or not beyond:
        return deeds_of(row, sorted_, operand_touches(row, sorted_, paths))
    touches = operand_touches(row, sorted_, paths[: row.max_read_operands])
    if row.operands is not None:
        touches += touched(Kind.WRITE, beyond)
    return deeds_of(
        row, sorted_, touches, escapes=[f"operand {row.max_read_operands + 1} is changed"]
    )


def _beyond(most: int, paths: list[Word]) -> list[Word]:
    """The operands beyond so many; one that may be several words counts as beyond."""
    at = next((at for at, word in enumerate(paths[:most]) if word.glob or word.several), most)
    return paths[at:]


_FORMS: Final = {
    "awk": "awk jq",
    "sed": "sed",
    "search": "find fd grep rg",
    "git_words": "git",
    "plain": "diff words printf cd command set names read test date ps strings pager man tput",
    "hosts": "aria sockets urls hosts query steps",
    "remotes": "keygen rsync sftp ssh",
    "inspectors": "addresses charts checks counts dpkg envsubst formatter lint modules ninja"
    " openssl printenv tee yq",
    "fetchers": "npm pip docker gh fetchers servers",
    "archives": "7z cpio tar unzip zip zipinfo",
    "change_words": "mktemp editor visual cp crontab dd ln install globbing mv patch perl"
    " outputs sessions untold",
    "packers": "gzip zstd",
}
"""The forms of rows by the module that reads them, each with a function of its own."""

_BY_WORD: Final = frozenset(
    "words printf set test tput dd find fd openssl perl 7z docker fetchers outputs".split()
)
"""Those that read each word themselves, or first tell which of them the row is about."""
_MODULES: Final = {form: module for module, forms in _FORMS.items() for form in forms.split()}


@cache
def usage(form: str) -> _Usage:
    """The function for a form. Its module is loaded only now: most commands need none of them.

    >>> usage("tput").__name__
    'use_tput'
    """
    if not form:
        return _ordinary
    module = import_module(f"assent.gate.programs.tables.{_MODULES[form]}")
    usage: _Usage = getattr(module, f"use_{form}")
    return usage


def sorted_for(row: Row, words: tuple[Word, ...]) -> Sorted:
    """The words as the row's form takes them.

    >>> from assent.gate.programs.read_lines import row_and_words
    >>> [it.text for it in sorted_for(*row_and_words("head -n 5 a.txt")).operands]
    ['a.txt']
    >>> sorted_for(*row_and_words("echo -n a.txt")).operands
    []
    """
    return Sorted(words=words) if row.form in _BY_WORD else sort_words(row, words)
