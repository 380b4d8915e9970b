"""The hosts that one run in a box wants to reach: asked about once, looked up here, and told.

A name is looked up only after leave was given, since to look it up tells others of it. The address
that was found is the one that is dialled, so a name cannot lead elsewhere by then. What lies on
this machine, in its network or at a metadata service is reached only with leave for just that.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.text.addresses import Address, host_of
from assent.gate.values import frozen

__all__ = ["Answer", "Contact", "Hosts", "Judge", "Leave", "NotReached", "Resolve", "looked_up"]

_MAX_HOSTS: Final = 200
_MAX_OPEN: Final = 8
"""So many hosts are asked about at a time."""
_MAX_REFUSED: Final = 8
"""After so many that were refused none is asked about any more."""
"""So many are asked about in one run."""
_MAX_CONTACTS: Final = 2_000
_MAX_SHOWN_LETTERS: Final = 100
_MAX_PORT: Final = 65_535
_DIAL_TIMEOUT_S: Final = 30.0


class Leave(StrEnum):
    """Whether a host may be reached."""

    NONE = "none"
    OUTSIDE = "outside"
    """At an address of the Internet."""
    INSIDE = "inside"
    """Also where its name leads to this machine, its network or a metadata service."""


@frozen
class Answer:
    """What came of the question about one host."""

    leave: Leave
    because: str = ""


@frozen(kw_only=True)
class Contact:
    """What a command reached, or wanted to reach."""

    host: str
    """In small letters; one of the sixth version stands in brackets, a socket as its path."""
    port: int
    is_reached: bool
    because: str


Judge = Callable[[str, int], Awaitable[Answer]]
"""Rules on a host and a port, for as long as it likes; it is cancelled where the run ends first."""
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Looks up the addresses of a name."""


class NotReached(AssentError):
    """A host is not reached; the message says why."""


async def looked_up(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, by this machine's own resolver."""
    rows = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(str(row[4][0]) for row in rows)]


class Hosts:
    """All hosts of one run, used on one loop."""

    def __init__(self, judge: Judge, resolve: Resolve = looked_up) -> None:
        self._judge = judge
        self._resolve = resolve
        self._answers: dict[tuple[str, int], asyncio.Task[Answer]] = {}
        self._group: asyncio.TaskGroup | None = None
        self._questions = asyncio.Semaphore(_MAX_OPEN)
        self._refused = 0
        self._witness: dict[Contact, None] = {}

    @property
    def witness(self) -> tuple[Contact, ...]:
        """What was reached and what was refused, each once, in their order."""
        return tuple(self._witness)

    def tell(self, host: str, port: int, because: str, *, is_reached: bool = False) -> None:
        """Keep what became of a host."""
        shown = "".join(letter if letter.isprintable() else "�" for letter in host)
        if len(self._witness) < _MAX_CONTACTS:
            contact = Contact(
                host=shown[:_MAX_SHOWN_LETTERS], port=port, is_reached=is_reached, because=because
            )
            self._witness[contact] = None

    async def dial(
        self, written: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a host, if that is allowed; raises `NotReached` and keeps why."""
        host, because = written, ""
        try:
            address = _read(written, port)
            host = address.host
            answer = await self._allowed(host, port)
            because = answer.because
            addresses = await self._addresses(address, port, answer.leave)
            streams = await _connected(addresses, port)
        except NotReached as refusal:
            self.tell(host, port, str(refusal))
            raise
        self.tell(host, port, because, is_reached=True)
        return streams

    def begin(self, group: asyncio.TaskGroup) -> None:
        """Ask in this group, whose end withdraws what nobody has answered."""
        self._group = group

    async def _allowed(self, host: str, port: int) -> Answer:
        """The answer for a host; raises `NotReached` where that gives no leave."""
        answer = await self._answer(host, port)
        if answer.leave is Leave.NONE:
            raise NotReached(answer.because or "This was not allowed.")
        return answer

    async def _answer(self, host: str, port: int) -> Answer:
        if (host, port) not in self._answers:
            if len(self._answers) >= _MAX_HOSTS:
                raise NotReached(f"More than {_MAX_HOSTS} hosts were asked for.")
            assert self._group is not None  # noqa: S101 -- nobody is served before it begins
            self._answers[host, port] = self._group.create_task(self._asked(host, port))
        # One who goes away does not take the question with him: others may wait for the answer.
        return await asyncio.shield(self._answers[host, port])

    async def _asked(self, host: str, port: int) -> Answer:
        try:
            async with self._questions:
                if self._refused >= _MAX_REFUSED:
                    return Answer(Leave.NONE, "So many hosts were refused that it asks no more.")
                answer = await self._judge(host, port)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return Answer(Leave.NONE, "The question was withdrawn.")
        except Exception as error:  # noqa: BLE001 -- whatever it is, nothing gets through
            return Answer(Leave.NONE, f"The question failed: {type(error).__name__}.")
        if type(answer) is not Answer:
            return Answer(Leave.NONE, "There was no answer.")
        self._refused += answer.leave is Leave.NONE
        return answer

    async def _addresses(self, host: Address, port: int, leave: Leave) -> list[str]:
        """The addresses of a host, all of which may be dialled."""
        addresses: Sequence[str] = [host.number]
        if not host.number:
            try:
                async with asyncio.timeout(_DIAL_TIMEOUT_S):
                    addresses = await self._resolve(host.host, port)
            except (OSError, UnicodeError) as error:
                raise NotReached("Its name could not be looked up.") from error
        for address in addresses:
            there = host_of(address)
            if there is None or (there.near and leave is not Leave.INSIDE):
                raise NotReached(
                    f"It leads to {address[:_MAX_SHOWN_LETTERS]}, which lies on this machine, in"
                    " its network or at a metadata service."
                )
        return [*addresses]


def _read(host: str, port: int) -> Address:
    address = host_of(host)
    if address is None or not 0 < port <= _MAX_PORT:
        raise NotReached("This is no host and port that every reader reads alike.")
    return address


async def _connected(
    addresses: Sequence[str], port: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first of these addresses that takes one."""
    why = "no address"
    for address in addresses:
        try:
            async with asyncio.timeout(_DIAL_TIMEOUT_S):
                return await asyncio.open_connection(address, port)
        except TimeoutError:
            why = "no answer"
        except OSError as error:
            why = (error.strerror or str(error)).lower()
    raise NotReached(f"It could not be connected to: {why}.")
