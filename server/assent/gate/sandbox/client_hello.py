"""Reads the first message of a TLS client: for which server it is meant. TLS is never opened.

Where that message has an encrypted second one in it (ECH), the name that stands in the open counts.
"""

from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.values import frozen

__all__ = ["Hello", "HelloUnreadable", "read_hello"]

_HANDSHAKE: Final = 0x16
_CLIENT_HELLO: Final = 1
_SERVER_NAME: Final = 0
_HOST_NAME: Final = 0
_RECORD_HEADER_BYTES: Final = 5
_MESSAGE_HEADER_BYTES: Final = 4
_VERSION_BYTES: Final = 2
_RANDOM_BYTES: Final = 32
_MAX_RECORD_BYTES: Final = 1 << 14
_MAX_HELLO_BYTES: Final = 1 << 16


class HelloUnreadable(AssentError):
    """It begins as TLS does, and goes on in a way that cannot be read."""


@frozen
class Hello:
    """What a client said first."""

    is_tls: bool
    name: str = ""
    """The server that it is meant for, in small letters; empty where none is named."""


def read_hello(data: bytes) -> Hello | None:
    """What a client said first; None where more of it must come. Raises `HelloUnreadable`.

    >>> read_hello(b"GET / HTTP/1.1"), read_hello(bytes([0x16, 3, 1]))
    (Hello(is_tls=False, name=''), None)
    """
    if not data:
        return None
    if data[0] != _HANDSHAKE:
        return Hello(is_tls=False)
    message = _message(data)
    if message is None:
        return None
    fields = _Fields(message)
    fields.take(_VERSION_BYTES + _RANDOM_BYTES)
    for length_bytes in (1, 2, 1):
        # The session, the ciphers, the ways to compress.
        fields.block(length_bytes)
    extensions = _Fields(fields.block(2) if fields.left else b"")
    names = []
    while extensions.left:
        kind, content = extensions.number(2), extensions.block(2)
        if kind == _SERVER_NAME:
            names.append(_name(content))
    if len(names) > 1:
        raise HelloUnreadable
    return Hello(is_tls=True, name=names[0] if names else "")


def _message(data: bytes) -> bytes | None:
    """The message, which may lie in several records, without its header."""
    message, at = b"", 0
    while len(data) - at >= _RECORD_HEADER_BYTES:
        length = int.from_bytes(data[at + 3 : at + 5], "big")
        if data[at] != _HANDSHAKE or data[at + 1] != 3 or not 0 < length <= _MAX_RECORD_BYTES:  # noqa: PLR2004 -- SSL 3 and all of TLS
            raise HelloUnreadable
        at += _RECORD_HEADER_BYTES
        message += data[at : at + length]
        at += length
        if len(message) < _MESSAGE_HEADER_BYTES:
            continue
        needed = int.from_bytes(message[1:4], "big")
        if message[0] != _CLIENT_HELLO or needed > _MAX_HELLO_BYTES:
            raise HelloUnreadable
        if len(message) >= _MESSAGE_HEADER_BYTES + needed:
            return message[_MESSAGE_HEADER_BYTES : _MESSAGE_HEADER_BYTES + needed]
    return None


def _name(content: bytes) -> str:
    names = _Fields(_Fields(content).block(2))
    kind, name = names.number(1), names.block(2)
    if kind != _HOST_NAME or names.left or not name.isascii():
        raise HelloUnreadable
    return name.decode("ascii").lower()


class _Fields:
    """Reads a message from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def left(self) -> bool:
        return self._data != b""

    def take(self, count: int) -> bytes:
        if len(self._data) < count:
            raise HelloUnreadable
        taken, self._data = self._data[:count], self._data[count:]
        return taken

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def block(self, length_bytes: int) -> bytes:
        return self.take(self.number(length_bytes))
