"""A plain web address, split into its parts as it was judged."""

from typing import Final
from urllib.parse import urlsplit

from assent.gate.call.errors import CallUnreadable
from assent.gate.text.addresses import Address, address_of
from assent.gate.values import frozen

__all__ = ["WebAddress", "check_address", "shown", "web_address"]

_PORTS: Final = {"http": 80, "https": 443}
_MAX_SHOWN_LETTERS: Final = 300


@frozen(kw_only=True)
class WebAddress:
    """Where a request is sent."""

    url: str
    scheme: str
    address: Address
    port: int

    @property
    def host(self) -> str:
        """As a server is told which host is meant."""
        usual = self.port == _PORTS[self.scheme]
        return self.address.host if usual else f"{self.address.host}:{self.port}"

    def leads_to_same(self, other: "WebAddress") -> bool:
        """Whether another address is of the same host, and of the same server on it."""
        usual = self.port == _PORTS[self.scheme] and other.port == _PORTS[other.scheme]
        return self.address == other.address and (usual or self.port == other.port)


def web_address(url: str) -> WebAddress:
    """The address; raises `CallUnreadable` where it is no plain web address."""
    address = address_of(url)
    if address is None:
        raise CallUnreadable(f"{shown(url)!r} is no plain web address (http or https).")
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return WebAddress(url=url, scheme=scheme, address=address, port=parts.port or _PORTS[scheme])


def check_address(url: str) -> None:
    """Refuse what is no plain web address."""
    web_address(url)


def shown(url: str) -> str:
    """An address, as far as it is shown."""
    return url if len(url) <= _MAX_SHOWN_LETTERS else f"{url[:_MAX_SHOWN_LETTERS]}…"
