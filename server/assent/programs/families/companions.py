"""The programs that reading programs run themselves, and find by PATH.

Found by running the examples of every row with a PATH of programs that tell when they are run.
Scripts are not listed here: what these run is read in them (`executables`).
"""

from typing import Final

__all__ = ["COMPANIONS"]

COMPANIONS: Final[dict[str, tuple[str, ...]]] = {
    "diff3": ("diff",),
    "git": ("sed", "basename", "gettext.sh"),
}
"""By the program, the others that it may run while it only reads."""
