"""Sets a journal aside that cannot be gone on with: kept beside, under the day and the time."""

import os
import pathlib
from datetime import UTC, datetime

__all__ = ["LOGS", "set_aside"]

LOGS = ("-wal", "-shm")
"""What SQLite keeps beside the file. They go first, so that no new journal ever finds them."""


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
