"""Which requirements a whole run has really shown: by a test that ran.

A test that failed counts as well, since it fails the run unless it passes once more, alone.

A run without an editor leaves to the next what only an editor or a browser can show, and says so
in the cache; whatever had nothing but skipped tests is told at the end, and fails the run. The
rest of a run fails where no such run came before: what it left is used once.
"""

from collections.abc import Iterable
from typing import Any, Final

from requirements import REQUIREMENTS

__all__ = ["FIRST_IS_MISSING", "PENDING", "PROPERTY", "Shown"]

PENDING: Final = "assent/not-yet-shown"
"""Where the cache keeps what the runs before have not shown."""
PROPERTY: Final = "requirement"
"""Under which a test carries the ids that it marks, also from one process to another."""

FIRST_IS_MISSING: Final = (
    "No run with `--whole first` came before this one, so it cannot be told what was shown:"
    " `make check` is that run."
)

_BUILT: Final = frozenset(it.id for it in REQUIREMENTS if it.built)


class Shown:
    """What the tests of one run have shown."""

    def __init__(self) -> None:
        self._ran: set[str] = set()
        self._met: set[str] = set()

    def hear(self, report: Any) -> None:
        """Take in how a test fared; a test is set up, called and torn down."""
        ids = {value for name, value in report.user_properties if name == PROPERTY}
        self._met |= ids
        if report.when == "call" and not report.skipped and not hasattr(report, "wasxfail"):
            self._ran |= ids

    def missing(self) -> list[str]:
        """What is built, came along in this run, and was skipped each time."""
        return sorted(self._met & _BUILT - self._ran)

    def pending(self, before: Iterable[str]) -> list[str]:
        """What is built and was shown neither here nor before; `before` is what was left then."""
        return sorted(_BUILT.intersection(before) - self._ran)
