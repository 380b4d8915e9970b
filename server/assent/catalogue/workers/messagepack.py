"""Reads and writes MessagePack within bounds, for the frames of nodetool's worker.

The package for it is half a megabyte for each system, and bounds a message by its size alone: a
list of lists of lists is read until there is no stack.
"""

import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from assent.gate.call.errors import AssentError

__all__ = ["Unpackable", "packed", "unpacked"]

_MAX_DEPTH: Final = 64
_MAX_VALUES: Final = 1_000_000
"""So many values are in one message."""
_MAPS, _LISTS, _TEXTS, _OTHERS, _BELOW = 0x80, 0x90, 0xA0, 0xC0, 0xE0
"""The first bytes at which a kind begins; what lies before and behind is a small number."""
_TIME_TYPE: Final = -1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Unpackable(AssentError):
    """It is no message, or one that breaks a bound; the message is a clause."""


def unpacked(data: bytes) -> Any:
    """What stands in a message; raises `Unpackable`.

    >>> unpacked(packed({"a": [1, -2, None, True, "x", b"y", 0.5]}))
    {'a': [1, -2, None, True, 'x', b'y', 0.5]}
    """
    reader = _Reader(data)
    try:
        value = reader.value(0)
    except (struct.error, IndexError, UnicodeDecodeError, OverflowError) as error:
        raise Unpackable("what it sent could not be read") from error
    if reader.at != len(data):
        raise Unpackable("what it sent goes on behind its end")
    return value


class _Reader:
    """Reads one message from its beginning on."""

    def __init__(self, data: bytes) -> None:
        self._data, self.at, self._left = data, 0, _MAX_VALUES

    def value(self, depth: int) -> Any:
        """The next value."""
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            raise Unpackable("what it sent has too many parts, or goes too deep")
        head = self._data[self.at]
        self.at += 1
        if head < _MAPS or head >= _BELOW:
            return head if head < _MAPS else head - 0x100
        if head < _OTHERS:
            return self._short(head, depth)
        if head in _CONSTANTS:
            return _CONSTANTS[head]
        if head in _NUMBERS:
            return self._number(_NUMBERS[head])
        return self._long(head, depth)

    def _short(self, head: int, depth: int) -> Any:
        """What has its length in its first byte."""
        if head < _LISTS:
            return self._map(head & 0x0F, depth)
        if head < _TEXTS:
            return self._list(head & 0x0F, depth)
        return self._text(head & 0x1F)

    def _long(self, head: int, depth: int) -> Any:
        """What has its length behind that."""
        if head in _FIXED:
            return self._extension(_FIXED[head])
        if head not in _LENGTHS:
            raise Unpackable("what it sent could not be read")
        kind, size = _LENGTHS[head]
        length = self._number(size)
        if kind in "ml":
            return (self._map if kind == "m" else self._list)(length, depth)
        taken: Callable[[int], Any] = {"s": self._text, "b": self._bytes, "e": self._extension}[
            kind
        ]
        return taken(length)

    def _number(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self._data, self.at)
        self.at += struct.calcsize(form)
        return value

    def _bytes(self, length: int) -> bytes:
        end = self.at + length
        if end > len(self._data):
            raise Unpackable("what it sent breaks off")
        piece, self.at = self._data[self.at : end], end
        return piece

    def _text(self, length: int) -> str:
        return self._bytes(length).decode("utf-8", "replace")

    def _list(self, length: int, depth: int) -> list[Any]:
        return [self.value(depth + 1) for _ in range(length)]

    def _map(self, length: int, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for _ in range(length):
            name = self.value(depth + 1)
            if not isinstance(name, str | int) or str(name) in members:
                raise Unpackable("what it sent has a name that is none, or one twice")
            members[str(name)] = self.value(depth + 1)
        return members

    def _extension(self, length: int) -> Any:
        """A time; of all other kinds nobody knows what they are."""
        kind = self._number(">b")
        data = self._bytes(length)
        return _time(data) if kind == _TIME_TYPE else None


def _time(data: bytes) -> str:
    """A time as a text."""
    if len(data) == 8:  # noqa: PLR2004 -- as its format says
        both = int.from_bytes(data, "big")
        nanos, seconds = both >> 34, both & (1 << 34) - 1
    elif len(data) == 4:  # noqa: PLR2004 -- as above
        nanos, seconds = 0, int.from_bytes(data, "big")
    else:
        nanos, seconds = struct.unpack(">Iq", data)
    return (_EPOCH + timedelta(seconds=seconds, microseconds=nanos // 1000)).isoformat()


_CONSTANTS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS: Final = dict(
    zip(
        range(0xCA, 0xD4), (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True
    )
)
_FIXED: Final = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_LENGTHS: Final = {
    **{0xC4 + place: ("b", form) for place, form in enumerate((">B", ">H", ">I"))},
    **{0xC7 + place: ("e", form) for place, form in enumerate((">B", ">H", ">I"))},
    **{0xD9 + place: ("s", form) for place, form in enumerate((">B", ">H", ">I"))},
    **{0xDC + place: ("l", form) for place, form in enumerate((">H", ">I"))},
    **{0xDE + place: ("m", form) for place, form in enumerate((">H", ">I"))},
}


def packed(value: Any) -> bytes:
    """A value of JSON, with bytes beside, as a message; raises `Unpackable`."""
    parts: list[bytes] = []
    _pack(value, parts, 0)
    return b"".join(parts)


def _pack(value: Any, parts: list[bytes], depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise Unpackable("what it is given goes too deep")
    if isinstance(value, list):
        parts.append(struct.pack(">BI", 0xDD, len(value)))
        for item in value:
            _pack(item, parts, depth + 1)
    elif isinstance(value, dict):
        parts.append(struct.pack(">BI", 0xDF, len(value)))
        for name, item in value.items():
            _pack(str(name), parts, depth + 1)
            _pack(item, parts, depth + 1)
    else:
        parts.append(_leaf(value))


def _leaf(value: Any) -> bytes:
    """What has no parts."""
    match value:
        case None | bool():
            return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
        case int():
            return _whole(value)
        case float():
            return struct.pack(">Bd", 0xCB, value)
        case str():
            data = value.encode("utf-8", "replace")
            return struct.pack(">BI", 0xDB, len(data)) + data
        case bytes():
            return struct.pack(">BI", 0xC6, len(value)) + value
        case _:
            raise Unpackable("what it is given cannot be sent")


def _whole(value: int) -> bytes:
    try:
        return struct.pack(">Bq", 0xD3, value) if value < 0 else struct.pack(">BQ", 0xCF, value)
    except struct.error as error:
        raise Unpackable("what it is given has a number of more than 64 bits") from error
