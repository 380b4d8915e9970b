"""Older entries of one chat on disk, in an unnamed file that ends with the chat or the server.

Each entry is found by its number. Where the file may not grow any more, the oldest entries make
room for the newest; one that is no longer there reads as None, and nobody is told another in its
place.
"""

from array import array
from collections.abc import Callable
from typing import Final

from assent.gate.processes.overflow import Allowance, Spill
from assent.gate.values import define, field

__all__ = ["Archive", "archives_in"]

MAX_CHAT_BYTES: Final = 64 * 1024 * 1024
"""In bytes, on disk; for each chat, and for all of them."""
MAX_CHATS_BYTES: Final = 512 * 1024 * 1024

_NOWHERE: Final = 2**64 - 1


@define(eq=False)
class Archive:
    """The entries of one chat that memory has no room for."""

    _spill: Spill
    _places: "array[int]" = field(factory=lambda: array("Q"))
    """Where each begins, by its number."""
    _lengths: "array[int]" = field(factory=lambda: array("I"))

    def put(self, number: int, entry: bytes) -> None:
        """Keep an entry; one of the same number is replaced."""
        missing = number + 1 - len(self._places)
        if missing > 0:
            self._places.extend([_NOWHERE] * missing)
            self._lengths.extend([0] * missing)
        self._places[number], self._lengths[number] = self._spill.end, len(entry)
        self._spill.make_room(len(entry))
        self._spill.put(memoryview(entry))
        self._spill.commit()

    def get(self, number: int) -> bytes | None:
        """The entry of that number; None where it is not kept."""
        if not self._is_kept(number):
            return None
        length = self._lengths[number]
        entry = self._spill.read(self._places[number], length)
        return entry if len(entry) == length else None

    def kept_from(self, before: int) -> int:
        """The first number of the entries up to `before` that are all kept."""
        first = before
        while first > 0 and self._is_kept(first - 1):
            first -= 1
        return first

    def close(self) -> None:
        """Let go of the file."""
        self._spill.close()

    def _is_kept(self, number: int) -> bool:
        if not 0 <= number < len(self._places):
            return False
        return self._spill.start <= self._places[number] < self._spill.end


def archives_in(folder: str | None) -> Callable[[], Archive]:
    """Makes empty ones, which share a disk; None is the system's own place for such files."""
    allowance = Allowance(left=MAX_CHATS_BYTES)
    return lambda: Archive(Spill(most=MAX_CHAT_BYTES, allowance=allowance, folder=folder))
