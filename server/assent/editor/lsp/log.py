"""The log: lines on stderr, written by a thread of its own.

Whoever does not read the log stops that thread and nothing else; lines are then lost, and counted.
"""

import logging
import os
import queue
import threading
from contextlib import suppress
from typing import Final

__all__ = ["FORM", "begin_log"]

FORM: Final = "%(levelname)s %(name)s: %(message)s"
"""How a line is written."""

_MAX_WAITING_LINES: Final = 2_000
"""How many lines may wait for a reader."""
_FLUSH_TIMEOUT_S: Final = 1.0
"""How long the last lines may take."""


def begin_log() -> None:
    """Let everything that is logged from now on go to stderr."""
    logging.basicConfig(handlers=[_Lines()], level=logging.WARNING)


class _Lines(logging.Handler):
    """Hands lines to the thread, and never waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(FORM))
        self._waiting: queue.Queue[str | None] = queue.Queue(_MAX_WAITING_LINES)
        self._lost = 0
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Put a line behind the others, or count it as lost."""
        try:
            self._waiting.put_nowait(self.format(record))
        except queue.Full:
            self._lost += 1

    def close(self) -> None:
        """Give the last lines a moment to be written."""
        with suppress(queue.Full):
            self._waiting.put(None, timeout=_FLUSH_TIMEOUT_S)
            self._thread.join(_FLUSH_TIMEOUT_S)
        super().close()

    def _run(self) -> None:
        with suppress(OSError):
            while (line := self._waiting.get()) is not None:
                lost, self._lost = self._lost, 0
                _write(f"{line}\n({lost} lines were lost here)\n" if lost else f"{line}\n")


def _write(text: str) -> None:
    left = memoryview(text.encode("utf-8", "backslashreplace"))
    while left:
        left = left[os.write(2, left) :]
