"""Splits what names a host and a port, such as `x.org:443`."""

from typing import Final

__all__ = ["MAX_PORT", "host_and_port"]

MAX_PORT: Final = 65_535


def host_and_port(text: str) -> tuple[str, str]:
    """A host and the port after it; nothing for a port that is not named.

    >>> [host_and_port(text) for text in ("x.org:443", "x.org", "[::1]:80", "[::1]")]
    [('x.org', '443'), ('x.org', ''), ('[::1]', '80'), ('[::1]', '')]
    """
    host, colon, port = text.rpartition(":")
    return (host, port) if colon and not port.endswith("]") else (text, "")
