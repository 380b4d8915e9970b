"""What is known of tools, as data: one row per tool."""

from collections.abc import Sequence
from functools import cache

from assent.gate.programs.rows import Row
from assent.gate.programs.tables.builtins import BUILTINS
from assent.gate.programs.tables.changes import CHANGES
from assent.gate.programs.tables.files import FILES
from assent.gate.programs.tables.git import GIT
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.programs.tables.machine import MACHINE
from assent.gate.programs.tables.network import NETWORK
from assent.gate.programs.tables.packing import PACKING
from assent.gate.programs.tables.programs import PROGRAMS
from assent.gate.programs.tables.readers import READERS
from assent.gate.programs.tables.services import SERVICES
from assent.gate.programs.tables.text import TEXT
from assent.gate.shell.word import Word

__all__ = ["GIT", "TABLES", "by_name", "git_by_name", "of_git", "row_of"]

TABLES = (
    TEXT,
    FILES,
    BUILTINS,
    MACHINE,
    CHANGES,
    PACKING,
    NETWORK,
    PROGRAMS,
    READERS,
    SERVICES,
    (GIT_ITSELF,),
)


@cache
def by_name() -> dict[str, Row]:
    """The row of each tool.

    >>> by_name()["ls"].reads, by_name()["rm"].reads, by_name().get("my-tool")
    (True, False, None)
    """
    return {name: row for table in TABLES for row in table for name in row.names.split()}


@cache
def git_by_name() -> dict[str, Row]:
    """The row of each command of git, some of which are two words.

    >>> rows = git_by_name()
    >>> rows["stash list"].reads, rows["stash drop"].reads
    (True, False)
    """
    return {name: row for row in GIT for name in row.names.split(", ")}


def row_of(words: Sequence[str]) -> Row | None:
    """The row of the program that stands first, or of the command of git that stands behind it.

    >>> [row_of(it.split()).reads for it in ("rg main", "git stash list", "git push origin")]
    [True, True, False]
    """
    name, *rest = words
    if name != "git":
        return by_name().get(name)
    rows = git_by_name()
    return rows.get(" ".join(rest[:2])) or rows.get("".join(rest[:1]))


def of_git(operands: Sequence[Word]) -> tuple[str, tuple[Word, ...]]:
    """The command of git, which may be two words, and the words behind it.

    >>> from assent.gate.programs.read_lines import words_of
    >>> of_git(words_of("stash list"))[0], of_git(words_of("push origin"))[0]
    ('stash list', 'push')
    """
    texts = [operand.text if operand.known else "" for operand in operands[:2]]
    count = 2 if " ".join(texts) in git_by_name() else 1
    return " ".join(texts[:count]), tuple(operands[count:])
