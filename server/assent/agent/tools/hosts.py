"""Where a host's name leads, and whether a request judged by that name may go there.

What was judged as a host out there never leads to this machine, its network, or a metadata
service: anybody can give a name of theirs such an address. The connection is made to the numbers
that were looked at, so that the name cannot lead elsewhere a moment later.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from assent.agent.tools.tool import ToolFailed
from assent.gate.text.addresses import Address, address_of

__all__ = ["Resolve", "ask_system", "numbers_of"]

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The numbers that a host's name stands for; raises `OSError`."""

_MAX_ADDRESSES_TRIED: Final = 4
"""So many numbers of one host are tried."""


async def ask_system(host: str, port: int) -> Sequence[str]:
    """The numbers of a host, in the order in which the system would try them."""
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in addresses))


async def numbers_of(address: Address, port: int, resolve: Resolve) -> Sequence[str]:
    """Where a request to a judged host may be sent."""
    host = address.host.strip("[]")
    try:
        numbers = [host] if _is_number(host) else await resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise ToolFailed(f"There is no host {address.host}: {_why(error)}.") from error
    if not numbers:
        raise ToolFailed(f"There is no host {address.host}.")
    if not address.near:
        _check(address.host, numbers)
    return numbers[:_MAX_ADDRESSES_TRIED]


def _check(host: str, numbers: Sequence[str]) -> None:
    near = next(filter(_is_near, numbers), None)
    if near is not None:
        raise ToolFailed(
            f"{host} leads to {near}, on this machine or its own network, and that is not where"
            " its name says that it leads. Nothing was sent."
        )


def _is_near(number: str) -> bool:
    """Whether a number is not one of the whole world's; what cannot be read is not."""
    address = address_of(f"http://[{number}]/" if ":" in number else f"http://{number}/")
    return address is None or address.near or ipaddress.ip_address(number).is_multicast


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _why(error: OSError | UnicodeError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
