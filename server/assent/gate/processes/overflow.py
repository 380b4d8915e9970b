"""The part of a stream that memory has no room for, in an unnamed file.

Nobody else can open the file, and nothing of it stays when the server ends, however it ends. All
spills of a chat share an allowance. One thread puts; whoever reads meanwhile holds the lock under
which `make_room` and `commit` are called, and never sees what is being overwritten.
"""

import os
import tempfile
import threading
from typing import Final

from assent.gate.values import define, field

__all__ = ["Allowance", "Spill"]

_STEP_BYTES: Final = 1024 * 1024
"""So much is taken of an allowance at once."""


@define(eq=False)
class Allowance:
    """How many bytes may still be written; any thread may ask."""

    left: int
    _lock: threading.Lock = field(factory=threading.Lock)

    def take(self, most: int) -> int:
        """As much of it as there is, and never more than asked."""
        with self._lock:
            taken = max(0, min(most, self.left))
            self.left -= taken
            return taken

    def give_back(self, taken: int) -> None:
        """What is not used any more."""
        with self._lock:
            self.left += taken


@define(eq=False)
class Spill:
    """A file that is written round and round once it may not grow any more."""

    _most: int
    _allowance: Allowance
    _folder: str | None = None
    """Where the file lies; None is the system's own place."""
    start: int = 0
    """The first place of the stream that is still there."""
    end: int = 0
    """Where the stream goes on in memory."""
    _granted: int = 0
    _is_full: bool = False
    _has_failed: bool = False
    _file: int | None = None
    _coming: int = 0

    def make_room(self, length: int) -> None:
        """Let go of what the next `length` bytes will be written over."""
        self._coming = length
        while not self._is_full and self.end + length > self._granted:
            step = max(_STEP_BYTES, self.end + length - self._granted)
            taken = self._allowance.take(min(step, self._most - self._granted))
            self._granted += taken
            self._is_full = taken == 0
        if self._is_full:
            self.start = max(self.start, min(self.end, self.end + length - self._granted))

    def put(self, data: memoryview) -> None:
        """Write the bytes that room was made for."""
        if not self._granted:
            return
        skipped = max(0, len(data) - self._granted)
        try:
            self._write(data[skipped:], self.end + skipped)
        except OSError:
            # The disk is full or gone: what is in memory is all there is.
            self._has_failed = True

    def commit(self) -> None:
        """From now on these bytes are read here."""
        if self._has_failed:
            self._give_up()
        self.end += self._coming
        self.start = self.end if not self._granted else max(self.start, self.end - self._granted)

    def read(self, at: int, length: int) -> bytes:
        """Bytes of the stream, of which all are still here; none where the disk gives none."""
        if self._file is None:
            return b""
        place = at % self._granted
        upto = min(length, self._granted - place)
        try:
            return os.pread(self._file, upto, place) + os.pread(self._file, length - upto, 0)
        except OSError:
            return b""

    def close(self) -> None:
        """Let go of the file."""
        self._give_up()
        self.start = self.end

    def _write(self, data: memoryview, at: int) -> None:
        if self._file is None:
            self._file = _unnamed(self._folder)
        place = at % self._granted
        upto = self._granted - place
        _put(self._file, data[:upto], place)
        _put(self._file, data[upto:], 0)

    def _give_up(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None
        self._allowance.give_back(self._granted)
        self._granted, self._is_full = 0, True


def _unnamed(folder: str | None) -> int:
    """A file that only its descriptor leads to, readable and writable for its owner alone."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        return os.dup(file.fileno())


def _put(file: int, data: memoryview, place: int) -> None:
    while data:
        written = os.pwrite(file, data, place)
        data, place = data[written:], place + written
