"""Parses a URL strictly: a URL that two readers may read differently is rejected.

No host is trusted beforehand, and one on this machine, on its own network or of a cloud's
metadata service is always asked about.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from assent.gate.text.lazy_patterns import late
from assent.gate.values import define

__all__ = ["Address", "address_of", "host_of", "hosts_named", "is_odd", "is_private", "port_here"]

_USUAL: Final = late(
    r"https?://((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)"
    r"(?:/[!-\[\]-~]*)?"
)
"""An address as most are: its host is a name in small letters, and there is no second reading."""

_PLAIN: Final = late(
    r"(https?)://(\[[0-9A-Fa-f:.]+\]|[^\s\\/?#@\[\]:<>^|%]+)(?::([0-9]{1,5}))?(?:[/?#][^\s\\]*)?",
    re.IGNORECASE,
)
"""No user name, no backslash, no blank, no per cent sign in the host."""

_HERE: Final = late(
    r"http://(?:localhost|127(?:\.(?:0|[1-9][0-9]{0,2})){3}|\[::1\])(?::[0-9]{1,5})?"
    r"(?:[/?][!-~]*)?",
    re.IGNORECASE | re.ASCII,
)
"""This machine as nobody can read it otherwise."""

_PORT_HERE: Final = late(
    r"(?:(https?)://)?(?:localhost|127\.0\.0\.1|\[::1\])(?::([0-9]{1,5}))?(?:[/?#].*)?", re.DOTALL
)
_PORTS: Final = {"https": 443, "http": 80, None: 80}
_WEB: Final = late(r"https?://", re.IGNORECASE)
_BEGUN: Final = late(
    r"(?:https?://)?(localhost|[0-9]+(?:\.[0-9]+)+|\[[0-9a-f:.]+\])(?:[:/]|(?<=\])\Z)",
    re.IGNORECASE,
)
"""How a host begins a text that can be nothing else."""
_INSTEAD: Final = late(r"(?:\A\+?[\w.*-]*:\d*:|(?<=,))(\[[^]]+\]|[\w.-]+)(?=,|:\d*\Z|\Z)")

_NEAR: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".localdomain",
    ".home.arpa",
    ".lan",
    ".intranet",
    ".svc",
    ".metadata.goog",
    ".metadata.tencentyun.com",
    # Names that anybody may have lead to any machine, and that are there for this one.
    ".localtest.me",
    ".lvh.me",
    ".nip.io",
    ".sslip.io",
    ".xip.io",
)
_CLOUDS: Final = frozenset({"168.63.129.16", "192.0.0.192", "100.100.100.200"})
"""Metadata services that lie among the addresses of everybody."""

_WITHIN: Final = ("::/8", "64:ff9b::/32", "2002::/16", "2001::/32")
"""Where an address of the sixth version leads to one of the fourth, whichever that is."""
_SITE: Final = "fec0::/10"
_RELAYS: Final = "192.88.99."
"""What nobody uses any more for a network of one's own, and for a way into the sixth version."""
_NUMBER: Final = late(r"(?:0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_LABELS: Final = late(rf"{_LABEL}(?:\.{_LABEL})*")
_SURE: Final = late(r"[A-Za-z0-9.-]+")
"""A host that every reader of URLs sees alike."""
_DEVIATING: Final = frozenset("ßς\u200c\u200d")
"""Letters that were one host to older readers of URLs and are another to the newer ones."""
_MAX_URL_LETTERS: Final = 8_192


@define(kw_only=True)
class Address:
    """The host of a URL; nobody changes it, and making a frozen one takes twice as long."""

    host: str
    """In small letters, without the dot at its end, other letters in punycode."""
    near: bool
    """Whether it is this machine, its network, or a metadata service."""

    @property
    def number(self) -> str:
        """The number that stands for the host, without brackets; empty where it is a name."""
        is_number = self.host.startswith("[") or self.host.rpartition(".")[2].isdigit()
        return self.host.strip("[]") if is_number else ""


def address_of(url: str) -> Address | None:
    """The host that a URL leads to; None for what is no plain web address."""
    if len(url) > _MAX_URL_LETTERS or not url.isprintable():
        return None
    usual = _USUAL.fullmatch(url)
    return _named(usual[1]) if usual is not None else _read_closely(url)


def host_of(text: str) -> Address | None:
    r"""A host that is written without a URL; None for what some reader may read as another.

    A number stands for a host only in its usual spelling, and other letters only in punycode.

    >>> [host_of(text) is not None for text in ("x.org.", "127.0.0.1", "::1", "[::1]")]
    [True, True, True, True]
    >>> [host_of(text) for text in ("2130706433", "0x7f.1", "x.org\\0", "x.org:1", "é.org", "x..")]
    [None, None, None, None, None, None]
    """
    is_sixth = text.count(":") > 1
    host = f"[{text}]" if is_sixth and not text.startswith("[") else text
    address = address_of(f"http://{host}/") if host.isascii() else None
    if address is None or is_sixth:
        return address
    return address if address.host == host.lower().removesuffix(".") else None


def is_private(url: str) -> bool:
    """Whether nobody on the way reads what is sent there: it is encrypted, or for this machine.

    >>> is_private("https://example.com/a"), is_private("http://127.0.0.1:4318")
    (True, True)
    >>> is_private("http://example.com"), is_private("http://0x7f.1/")
    (False, False)
    """
    if address_of(url) is None or "#" in url:
        return False
    return url.lower().startswith("https://") or _HERE.fullmatch(url) is not None


def is_odd(text: str) -> bool:
    """Whether a text begins as a web address and is none that every reader reads alike.

    >>> [is_odd(it) for it in ("http://x.org/a", "http://{x.org,10.0.0.1}/", "x.org")]
    [False, True, False]
    """
    return _WEB.match(text) is not None and address_of(text) is None


def port_here(text: str) -> int | None:
    """The port of this machine that an address names, where nobody can read it otherwise.

    >>> [port_here(it) for it in ("localhost:3000/a", "https://[::1]", "127.1:80", "x.org")]
    [3000, 443, None, None]
    """
    match = _PORT_HERE.fullmatch(text)
    return None if match is None else int(match[2] or _PORTS[match[1]])


def hosts_named(text: str) -> list[str]:
    """The hosts that a text is surely about, also where a port or path in it is still unknown.

    That of a web address, and those that `curl --connect-to` puts in the place of another.

    >>> hosts_named("http://1２7.0.0.1/"), hosts_named("localhost:$PORT")
    (['127.0.0.1'], ['localhost'])
    >>> hosts_named("x.org:80:10.0.0.1,10.0.0.2")
    ['10.0.0.1', '10.0.0.2']
    """
    address = address_of(text) if _WEB.match(text) else None
    begun = _BEGUN.match(text)
    hosts = [address.host] if address is not None else _INSTEAD.findall(text)
    return [*hosts, *([begun[1]] if begun is not None and not hosts else ())]


def _read_closely(url: str) -> Address | None:
    """What is not as most addresses are."""
    match = _PLAIN.fullmatch(url)
    if match is None or (match[3] and int(match[3]) > 65535):  # noqa: PLR2004 -- the highest port
        return None
    host = _ascii(match[2].lower().rstrip("."))
    if host is None or not (_SURE.fullmatch(match[2]) or _is_read_alike(url, match[2])):
        return None
    if host.startswith("["):
        return _numbered(host, host[1:-1])
    last = host[host.rfind(".") + 1 :]
    if last[:1].isdigit() and _NUMBER.fullmatch(last):
        dotted = _dotted(host)
        return _numbered(dotted, dotted) if dotted else None
    return _named(host) if _LABELS.fullmatch(host) else None


def _named(host: str) -> Address:
    return Address(host=host, near="." not in host or f".{host}".endswith(_NEAR))


def _is_read_alike(url: str, host: str) -> bool:
    """Whether the usual reader of URLs sees the same host."""
    try:
        seen = urlsplit(url).hostname
    except ValueError:
        return False
    return seen == host.lower().strip("[]")


def _ascii(host: str) -> str | None:
    """A host in the letters that names of hosts have."""
    if host.isascii():
        return host or None
    if not _DEVIATING.isdisjoint(host):
        return None
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None


def _dotted(host: str) -> str | None:
    """A host that is a number in one of the old spellings (`0x7f.1`, `2130706433`), as usual."""
    parts = host.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):  # noqa: PLR2004 -- bytes of an address
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *front, last = numbers
    if any(number > 255 for number in front) or last >= 256 ** (5 - len(numbers)):  # noqa: PLR2004 -- a byte
        return None
    whole = last + sum(number << (8 * (3 - at)) for at, number in enumerate(front))
    return ".".join(str(byte) for byte in whole.to_bytes(4, "big"))


def _number(part: str) -> int:
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") and part != "0" else int(part)


def _numbered(host: str, number: str) -> Address | None:
    # Most hosts are names, and a question should not wait for what reads numbers.
    import ipaddress  # noqa: PLC0415

    try:
        address = ipaddress.ip_address(number)
    except ValueError:
        return None
    if address.version == 4:  # noqa: PLR2004 -- the fourth version
        near = number in _CLOUDS or number.startswith(_RELAYS)
    else:
        host = f"[{address.compressed}]"
        near = any(address in ipaddress.ip_network(network) for network in (*_WITHIN, _SITE))
    # What goes to many goes to those in this network first.
    return Address(host=host, near=near or address.is_multicast or not address.is_global)
