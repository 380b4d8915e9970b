"""Modules of Python's own library that only read, as words behind `python -m`.

What Python takes first for a module of such a name is a file of the folder it is started in. So a
command of these only reads where no file there is called as any module of the library is: the one
that is named loads others.
"""

from typing import Final

from assent.gate.programs.rows import Row

__all__ = ["INSTALLED", "MODULES"]

MODULES: Final = {
    name: row
    for row in (
        Row(
            names="json json.tool",
            flags="-h --help --sort-keys --no-ensure-ascii --json-lines --indent= --tab"
            " --no-indent --compact",
            max_read_operands=1,
        ),
        Row(names="base64", flags="-d -e -u -h"),
        Row(
            names="ast",
            flags="-h --help -m= --mode= --no-type-comments -a --include-attributes -i= --indent="
            " --feature-version= --optimize= -O= --show-empty",
            max_read_operands=1,
        ),
        Row(names="tokenize", flags="-h --help -e --exact", max_read_operands=1),
        Row(
            names="dis",
            flags="-h --help -C --show-caches -O --show-offsets -P --show-positions"
            " -S --specialized",
            max_read_operands=1,
        ),
        Row(names="tarfile", operands=None, flags="-h --help -v --verbose -l< --list< -t< --test<"),
        Row(names="zipfile", operands=None, flags="-h --help -l< --list< -t< --test<"),
        Row(names="calendar", operands=None, flags="-h --help -w= -l= -s= -m= -t="),
        Row(names="platform", operands=None, flags="-h --help"),
        Row(names="this", operands=None, flags=""),
    )
    for name in row.names.split()
}
"""The row of each module."""

INSTALLED: Final = frozenset(("pip",))
"""Modules that are the program of their name."""
