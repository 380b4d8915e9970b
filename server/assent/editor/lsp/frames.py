"""Cuts a byte stream into the bodies of frames, and frames bodies.

Imports only the standard library: the first frame is read before anything else is loaded. A
stream whose framing is broken is never read on, since where the next frame begins is a guess.
A frame that is too large is passed by: its beginning and its end tell whom to answer.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from assent.gate.call.errors import AssentError

__all__ = ["MAX_FRAME_BYTES", "BrokenFraming", "Frames", "TooLarge", "framed"]

MAX_FRAME_BYTES: Final = 32 * 1024 * 1024
"""The most bytes that a frame's body may have; one that announces more is never held."""

_MAX_SKIPPED_BYTES: Final = 1024 * 1024 * 1024
"""The most that is passed by: more than that is no message but a broken head."""

_KEPT_OF_SKIPPED_BYTES: Final = 1024
"""So many bytes are kept of the beginning of what is passed by, and as many of its end."""

_MAX_HEAD_BYTES: Final = 8 * 1024
_END_OF_HEAD: Final = b"\r\n\r\n"
_USUAL_HEAD: Final = b"Content-Length: %d"


class BrokenFraming(AssentError):
    """The bytes that came are not the head of a frame; the message says what was wrong."""


class TooLarge(bytes):
    """What is kept of a body that was too large: its beginning and its end."""

    @property
    def begin(self) -> bytes:
        """Its first bytes."""
        return self[:_KEPT_OF_SKIPPED_BYTES]

    @property
    def end(self) -> bytes:
        """Its last bytes."""
        return self[-_KEPT_OF_SKIPPED_BYTES:]


class Frames:
    """The bytes that have come and are not yet a whole frame."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._length: int | None = None
        self._passed = 0
        """How much of a body that is too large was let go."""

    @property
    def within_a_frame(self) -> bool:
        """Whether a frame has begun and has not ended."""
        return bool(self._held) or self._length is not None

    def feed(self, data: bytes) -> Iterable[bytes]:
        """Take more bytes; give each body that is now whole."""
        if not self._held and self._length is None:
            # Nearly every read brings one frame, known by having the head that we would write.
            head, separator, body = data.partition(_END_OF_HEAD)
            if separator and head == _USUAL_HEAD % len(body) and len(body) <= MAX_FRAME_BYTES:
                return (body,)
        return self._cut(data)

    def _cut(self, data: bytes) -> Iterator[bytes]:
        self._held += data
        while (body := self._next()) is not None:
            yield body

    def _next(self) -> bytes | None:
        if self._length is None:
            self._length = self._read_head()
        if self._length is None:
            return None
        self._let_go(self._length)
        left = self._length - self._passed
        if len(self._held) < left:
            return None
        body = bytes(self._held[:left])
        del self._held[:left]
        kind = TooLarge if self._length > MAX_FRAME_BYTES else bytes
        self._length, self._passed = None, 0
        return kind(body)

    def _let_go(self, length: int) -> None:
        """Of a body that is too large, keep the beginning, and what may be its end."""
        surplus = min(len(self._held), length - self._passed) - 2 * _KEPT_OF_SKIPPED_BYTES
        if length > MAX_FRAME_BYTES and surplus > 0:
            del self._held[_KEPT_OF_SKIPPED_BYTES : _KEPT_OF_SKIPPED_BYTES + surplus]
            self._passed += surplus

    def _read_head(self) -> int | None:
        end = self._held.find(_END_OF_HEAD, 0, _MAX_HEAD_BYTES)
        if end < 0:
            self._check_what_is_there()
            return None
        head = bytes(self._held[:end])
        del self._held[: end + len(_END_OF_HEAD)]
        return _length(head)

    def _check_what_is_there(self) -> None:
        """Tell broken framing as early as it shows: nobody should wait for an end of it."""
        if len(self._held) >= _MAX_HEAD_BYTES:
            raise BrokenFraming(f"A frame's head is longer than {_MAX_HEAD_BYTES} bytes.")
        line, newline, _ = self._held.partition(b"\n")
        if newline and not (line.endswith(b"\r") and b":" in line):
            raise BrokenFraming("There is text in the stream that belongs to no frame.")


def framed(body: bytes) -> bytes:
    """The body as one frame."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _length(head: bytes) -> int:
    """What the one `Content-Length` of a head says; other headers are let pass."""
    lengths = set()
    for line in head.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if not colon:
            raise BrokenFraming("There is text in the stream that belongs to no frame.")
        if name.strip().lower() == b"content-length":
            lengths.add(value.strip())
    if len(lengths) != 1:
        raise BrokenFraming("A frame's head does not say one length.")
    return _checked(lengths.pop())


def _checked(digits: bytes) -> int:
    # `int` would also read `+5`, `1_000` and digits of other scripts.
    if not (digits.isdigit() and len(digits) <= len(str(MAX_FRAME_BYTES)) + 2):
        raise BrokenFraming("A frame's length is not a number of bytes.")
    length = int(digits)
    if length > _MAX_SKIPPED_BYTES:
        raise BrokenFraming(f"A frame of {length} bytes is larger than anything that is read.")
    return length
