"""Reads command lines with everything that is known about programs."""

from functools import lru_cache
from typing import Final

from assent.gate.programs.listers import WRITERS, names_of
from assent.gate.programs.nested_execution.unwrap import WRAPPERS, unwrap
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.rows import Row
from assent.gate.programs.substitution_values import answer
from assent.gate.programs.variables import is_dangerous, is_plain
from assent.gate.shell.port import Programs
from assent.gate.shell.read import read
from assent.gate.shell.script import Command, Script
from assent.gate.shell.word import Word

__all__ = ["KNOWN", "flags_end", "read_script", "row_and_sorted", "row_and_words", "words_of"]

_OFTEN_DEFINED: Final = frozenset("git npm docker uv find yarn pnpm".split())
"""People wrap these in functions that only add to them."""
_RELIED_ON: Final = (WRAPPERS | WRITERS | frozenset("wc nproc seq date".split())) - _OFTEN_DEFINED


KNOWN: Final = Programs(
    writers=WRITERS,
    relied_on=_RELIED_ON,
    unwrap=unwrap,
    names_of=names_of,
    answer=lambda commands, plain: answer(commands, plain=plain),
    steers=is_dangerous,
    is_plain=is_plain,
)


@lru_cache(maxsize=512)
def read_script(text: str, dialect: str = "bash") -> Script:
    """Read a command line as that shell would.

    >>> [it.name for it in read_script("cd src && sudo make test | tail -3").commands]
    ['cd', 'sudo', 'make', 'tail']
    """
    return read(text, dialect, KNOWN)


def words_of(line: str) -> tuple[Word, ...]:
    """The words of the first command in a line, the program first.

    >>> [it.text for it in words_of("git commit -m 'a b'")]
    ['git', 'commit', '-m', 'a b']
    """
    return read_script(line).commands[0].argv


def row_and_words(line: str) -> tuple[Row, tuple[Word, ...]]:
    """The row of the first program in a line, and the words behind its name.

    >>> row, words = row_and_words("ls -l src")
    >>> row.names, [it.text for it in words]
    ('ls dir vdir', ['-l', 'src'])
    """
    # The tables are large, and a line can be read without them.
    from assent.gate.programs.tables import by_name  # noqa: PLC0415

    argv = words_of(line)
    return by_name()[argv[0].text], argv[1:]


def row_and_sorted(line: str) -> tuple[Row, Sorted]:
    """The row of the first program in a line, and the words behind its name, sorted by that.

    >>> row, sorted_ = row_and_sorted("ls -l src")
    >>> [it.text for it in sorted_.operands]
    ['src']
    """
    row, words = row_and_words(line)
    return row, sort_words(row, words)


def flags_end(command: Command) -> int:
    """Where among its words two dashes end its flags; behind a flag they may be that one's value.

    >>> lines = ("rm -- *", "tar --exclude -- *", "ls a")
    >>> [flags_end(read_script(it).commands[0]) for it in lines]
    [1, 4, 2]
    """
    from assent.gate.programs.tables import row_of  # noqa: PLC0415 -- as above

    row = row_of([word.text for word in command.argv[:2]]) or row_of((command.program,))
    marked = sort_words(row, command.argv[1:]).marked if row is not None else None
    texts = [word.text for word in command.argv]
    end = texts.index("--") if "--" in texts else len(texts)
    return end if marked is None or marked or end == len(texts) - 1 else len(texts)
