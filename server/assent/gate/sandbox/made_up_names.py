"""Answers who asks for the address of a name, in a box, with an address that is made up.

The name is looked up for real only when somebody connects to that address, since to look one up
tells others of it. No other kind of question gets an answer, so no key for encrypted greetings of
TLS is learned here.
"""

import struct
from ipaddress import IPv4Address, IPv4Network, ip_address
from typing import Final

from assent.gate.text.addresses import host_of

__all__ = ["MadeUpNames", "is_made_up"]

_RANGE: Final = IPv4Network("198.18.0.0/15")
"""Addresses that are set aside for measurements, and lead nowhere."""
_FIRST: Final = int(IPv4Address("198.18.1.0"))
_LOCAL: Final = "localhost"
_MAX_NAMES: Final = 20_000
_MAX_NAME_LETTERS: Final = 253

_HEADER: Final = struct.Struct("!6H")
_IS_ANSWER, _IS_WHOLE = 0x8000, 0x0080
_KEPT_FLAGS: Final = 0x0100
_OPCODE: Final = 0x7800
_NO_SUCH_NAME, _REFUSED = 3, 5
_ADDRESS, _INTERNET = 1, 1
_NAME_ABOVE: Final = 0xC00C
_VALID_S: Final = 60


def is_made_up(address: str) -> bool:
    """Whether an address is one of those that are made up.

    >>> is_made_up("198.19.0.1"), is_made_up("198.20.0.1"), is_made_up("2001:db8::1")
    (True, False, False)
    """
    return ip_address(address) in _RANGE


class MadeUpNames:
    """The names that were asked for in one run, each with its address."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def name_of(self, address: str) -> str | None:
        """The name that an address was made up for."""
        place = int(IPv4Address(address)) - _FIRST
        return self._names[place] if 0 <= place < len(self._names) else None

    def answer(self, query: bytes) -> bytes | None:
        """What is answered to a message; None where it is no question."""
        try:
            number, flags, questions, *_ = _HEADER.unpack_from(query)
            name, end = _name_in(query, _HEADER.size)
            kind, family = struct.unpack_from("!HH", query, end)
        except (struct.error, IndexError, UnicodeDecodeError):
            return None
        if flags & (_IS_ANSWER | _OPCODE) or questions != 1:
            return None
        asked = query[_HEADER.size : end + 4]
        kept = _IS_ANSWER | _IS_WHOLE | flags & _KEPT_FLAGS
        address = self._address(name)
        if address is None or family != _INTERNET:
            wrong = _NO_SUCH_NAME if len(self._names) < _MAX_NAMES else _REFUSED
            return _HEADER.pack(number, kept | wrong, 1, 0, 0, 0) + asked
        if kind != _ADDRESS:
            return _HEADER.pack(number, kept, 1, 0, 0, 0) + asked
        record = struct.pack("!HHHIH", _NAME_ABOVE, _ADDRESS, _INTERNET, _VALID_S, 4)
        return _HEADER.pack(number, kept, 1, 1, 0, 0) + asked + record + address

    def _address(self, name: str) -> bytes | None:
        host = host_of(name)
        # A number needs no address, and would be read as the host that it names.
        if host is None or host.number or len(host.host) > _MAX_NAME_LETTERS:
            return None
        if host.host == _LOCAL or host.host.endswith(f".{_LOCAL}"):
            return IPv4Address("127.0.0.1").packed
        if host.host not in self._numbers:
            if len(self._names) == _MAX_NAMES:
                return None
            self._numbers[host.host] = len(self._names)
            self._names.append(host.host)
        return IPv4Address(_FIRST + self._numbers[host.host]).packed


def _name_in(query: bytes, at: int) -> tuple[str, int]:
    """The name that begins there, and where it ends."""
    labels = []
    while length := query[at]:
        if length > 63:  # noqa: PLR2004 -- a name in a question points nowhere
            raise IndexError
        labels.append(query[at + 1 : at + 1 + length].decode("ascii"))
        at += 1 + length
    return ".".join(labels), at + 1
