"""What is known of tools, as data: one row per tool."""

from functools import cache

from assent.policy.shell.rows import Row
from assent.policy.shell.tables.builtins import BUILTINS
from assent.policy.shell.tables.changes import CHANGES
from assent.policy.shell.tables.files import FILES
from assent.policy.shell.tables.git import GIT
from assent.policy.shell.tables.git_itself import GIT_ITSELF
from assent.policy.shell.tables.machine import MACHINE
from assent.policy.shell.tables.network import NETWORK
from assent.policy.shell.tables.packing import PACKING
from assent.policy.shell.tables.programs import PROGRAMS
from assent.policy.shell.tables.text import TEXT

__all__ = ["GIT", "TABLES", "by_name", "git_by_name"]

TABLES = (TEXT, FILES, BUILTINS, MACHINE, CHANGES, PACKING, NETWORK, PROGRAMS, (GIT_ITSELF,))


@cache
def by_name() -> dict[str, Row]:
    """The row of each tool."""
    return {name: row for table in TABLES for row in table for name in row.names.split()}


@cache
def git_by_name() -> dict[str, Row]:
    """The row of each command of git, which may be two words."""
    return {name: row for row in GIT for name in row.names.split(", ")}
