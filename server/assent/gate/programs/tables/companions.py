"""The programs that reading programs start, found by PATH.

Found by running the examples of every row with a PATH of programs that tell when they are run.
Scripts are not listed here: what these run is read in them (`executables`).
"""

from typing import Final

__all__ = ["COMPANIONS"]

_UNPACKERS: Final = ("gzip", "bzip2", "xz", "zstd", "lzip", "lzma", "lzop", "compress")
"""`tar` chooses one of them by what it finds in an archive, whatever its flags say."""

COMPANIONS: Final[dict[str, tuple[str, ...]]] = {
    "actionlint": ("shellcheck", "pyflakes"),
    "diff3": ("diff",),
    "dpkg": ("dpkg-query", "dpkg-deb", "tar"),
    "git": ("sed", "basename", "gettext.sh"),
    "gtar": _UNPACKERS,
    "tar": _UNPACKERS,
    "terraform": ("diff",),
    "tofu": ("diff",),
}
"""By the program, the others that it may run while it only reads."""
