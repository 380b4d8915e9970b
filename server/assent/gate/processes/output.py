"""A command's output as far as it is kept: the newest part in memory, more on disk.

Places are counted in bytes from the first that was printed. Reading on from where a piece ends
gives exactly what was printed; what is no longer kept is skipped and counted. One thread writes,
and never waits for who reads longer than reading takes.
"""

import codecs
import mmap
import threading
from collections.abc import Callable
from typing import Final

from assent.gate.processes.overflow import Spill
from assent.gate.processes.pipes import PIPE_BYTES
from assent.gate.processes.stream_tags import StreamTags, TaggedBytes
from assent.gate.values import define, field, frozen

__all__ = ["Piece", "Tape"]

MAX_MEMORY_BYTES: Final = 512 * 1024
"""In bytes; the last half of it is always there, and it is spilled by quarters."""

_MAX_CHARACTER_BYTES: Final = 4
_INNER: Final = range(0x80, 0xC0)
"""The bytes of a character after its first."""


@frozen(kw_only=True)
class Piece:
    """A stretch of what was printed."""

    text: str
    start: int
    next: int
    """Where to read on."""
    missing: int = 0
    """How many bytes between where it was asked for and its start are no longer kept."""
    untold: int = 0
    """Of how many bytes at its beginning it is not known any more where they were printed."""
    stream_tags: tuple[TaggedBytes, ...] = ()
    """The same text, by where each stretch of it was printed."""


@define(eq=False)
class Tape:
    """One stream of output, of what was printed as errors and otherwise."""

    _spill: Spill
    _capacity: int = MAX_MEMORY_BYTES
    """A number of whole quarters."""
    _memory: memoryview = field(init=False)
    """Written round and round: where a place of the stream is found is told by its remainder."""
    _end: int = 0
    _lock: threading.Lock = field(factory=threading.Lock)
    _is_whole: bool = False
    _stream_tags: StreamTags = field(factory=StreamTags)

    def __attrs_post_init__(self) -> None:
        # Of a mapping only what was written to takes memory, and it goes back when it is let go.
        self._memory = memoryview(mmap.mmap(-1, self._capacity))

    @property
    def size(self) -> int:
        """How many bytes were printed so far."""
        return self._end

    def fill(self, read: Callable[[list[memoryview]], int], *, is_error: bool = False) -> int:
        """Have what was printed next read into memory; how many bytes that was.

        Nothing is copied and no lock is held meanwhile: who prints much is to cost others little.
        """
        length = len(self._memory)
        if self._end - self._spill.end > length - length // 4:
            self._spill_quarter(length // 4)
        count = read(self._room())
        with self._lock:
            if count:
                self._stream_tags.add(self._end, is_error)
            self._end += count
        return count

    def _room(self) -> list[memoryview]:
        """Where to write next, a quarter of it at least; it may go on at the beginning."""
        length = len(self._memory)
        place, free = self._end % length, length - (self._end - self._spill.end)
        upto = min(free, PIPE_BYTES, length - place)
        behind = min(free, PIPE_BYTES) - upto
        return [self._memory[place : place + upto], self._memory[:behind]]

    def _spill_quarter(self, quarter: int) -> None:
        place = self._spill.end % len(self._memory)
        with self._lock:
            self._spill.make_room(quarter)
        # A disk may be slow, and nobody is to wait for it who holds the lock.
        self._spill.put(self._memory[place : place + quarter])
        with self._lock:
            self._spill.commit()

    def finish(self) -> None:
        """Nothing more will be printed."""
        with self._lock:
            self._is_whole = True

    def release(self) -> None:
        """Let go of the disk; nothing more is printed, and what is in memory stays."""
        with self._lock:
            self._spill.close()

    def read(self, since: int, most: int) -> Piece:
        """At most so many bytes from a place on; it ends with a line where more is there."""
        room = max(most, _MAX_CHARACTER_BYTES)
        with self._lock:
            begin, data, size = self._kept(since, room + _MAX_CHARACTER_BYTES - 1)
            is_whole = self._is_whole
        # What was dropped may have taken the beginning of a character with it.
        broken = _continued(data) if begin > since else 0
        data, begin = data[broken:][:room], begin + broken
        is_last = begin + len(data) == size
        is_whole = is_whole and is_last
        if not is_last:
            data = data[: data.rfind(b"\n") + 1] or data
        stream_tags, used = self._by_strands(data, begin, is_whole=is_whole)
        return self._piece(stream_tags, begin, begin + used, missing=max(0, begin - since))

    def tail(self, most: int) -> Piece:
        """The last bytes, at most so many; it begins with a line where one begins there."""
        with self._lock:
            size = self._end
            begin, data, _ = self._kept(max(0, size - most), most)
        if begin > 0:
            line = data.find(b"\n") + 1
            skipped = line if 0 < line < len(data) else _continued(data)
            data, begin = data[skipped:], begin + skipped
        stream_tags, _ = self._by_strands(data, begin, is_whole=True)
        return self._piece(stream_tags, begin, size)

    def _by_strands(
        self, data: bytes, begin: int, *, is_whole: bool
    ) -> tuple[list[TaggedBytes], int]:
        """The text of some bytes by its streams, and how many of the bytes that is."""
        with self._lock:
            stretches = self._stream_tags.between(begin, begin + len(data))
        stream_tags, used = [], 0
        for start, end, is_error in stretches:
            # Nothing that follows can end a character of what ended here.
            is_last = is_whole or end < begin + len(data)
            part = data[start - begin : end - begin]
            text, count = codecs.utf_8_decode(part, "replace", is_last)
            stream_tags.append(TaggedBytes(text=text, start=start, is_error=is_error))
            used += count
        return stream_tags, used

    def _kept(self, since: int, most: int) -> tuple[int, bytes, int]:
        """Where what is kept begins, from a place on; that, and where all of it ends."""
        spill = self._spill
        begin = min(max(since, spill.start), self._end)
        data = b""
        if begin < spill.end:
            data = spill.read(begin, min(most, spill.end - begin))
        if begin < spill.end and not data:
            # It could not be read from the disk.
            begin = spill.end
        if begin + len(data) >= spill.end:
            data += self._remembered(begin + len(data), most - len(data))
        return begin, data, self._end

    def _remembered(self, begin: int, most: int) -> bytes:
        length, count = len(self._memory), min(most, self._end - begin)
        place = begin % length
        upto = min(count, length - place)
        return bytes(self._memory[place : place + upto]) + bytes(self._memory[: count - upto])

    def _piece(
        self, stream_tags: list[TaggedBytes], start: int, upto: int, missing: int = 0
    ) -> Piece:
        text = "".join(tagged.text for tagged in stream_tags)
        with self._lock:
            untold = self._stream_tags.untold(start, upto)
        return Piece(
            text=text,
            start=start,
            next=upto,
            missing=missing,
            untold=untold,
            stream_tags=tuple(stream_tags),
        )


def _continued(data: bytes) -> int:
    """How many bytes at the beginning belong to a character that began before."""
    count = 0
    while count < min(len(data), _MAX_CHARACTER_BYTES - 1) and data[count] in _INNER:
        count += 1
    return count
