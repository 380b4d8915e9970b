"""Sets an unusable journal aside, under the date and the time."""

import contextlib
import os
import pathlib
import stat
from datetime import UTC, datetime

from assent.gate.text.lazy_patterns import late

__all__ = ["LOGS", "WRITE_AHEAD_LOG", "is_set_aside", "odd_one", "set_aside", "set_aside_beside"]

WRITE_AHEAD_LOG = "-wal"
LOGS = ("-journal", WRITE_AHEAD_LOG, "-shm")
"""What SQLite keeps beside a file, or looks for there. They go first, so
that no new journal ever finds them."""

_STAMPED = late(r"-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}(?:-[0-9]+)?\Z")


def set_aside(path: pathlib.Path, at: int) -> str | None:
    """Give the file another name, and tell it; None where there is none. `at` in milliseconds."""
    stamp = f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d-%H%M%S}"
    names = (
        f"{path.stem}-{stamp}{more}{path.suffix}"
        for more in ("", *map("-{}".format, range(2, 100)))
    )
    name = next(name for name in names if not os.path.lexists(path.with_name(name)))
    there = [end for end in (*LOGS, "") if os.path.lexists(f"{path}{end}")]
    for end in there:
        pathlib.Path(f"{path}{end}").rename(path.with_name(f"{name}{end}"))
    return name if there else None


def odd_one(path: pathlib.Path) -> str | None:
    """The name of what is no ordinary file, of a file and what lies beside it; None if all are.

    SQLite would follow it, wait for it without end, or write into it for nobody to read.
    """
    for end in ("", *LOGS):
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(f"{path}{end}").st_mode):
                return f"{path.name}{end}"
    return None


def set_aside_beside(path: pathlib.Path) -> list[pathlib.Path]:
    """The journals that were set aside for this one, the newest first."""
    journals = filter(is_set_aside, path.parent.glob(f"{path.stem}-*{path.suffix}"))
    return sorted(journals, key=lambda path_aside: path_aside.name, reverse=True)


def is_set_aside(path: pathlib.Path) -> bool:
    """Whether a journal has a name that `set_aside` gives."""
    return _STAMPED.search(path.stem) is not None
