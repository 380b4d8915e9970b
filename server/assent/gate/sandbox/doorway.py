"""The one way out of a box: an HTTP proxy, with CONNECT, and SOCKS5 on one port.

Programs that know no proxy are led to a second port. Whichever way a connection comes, its host is
asked about while it waits. What goes through it is not read, but for the first words of a client:
where they are a greeting of TLS, that must name the host that was asked for. One that names none
is closed too, unless the host is a number, for which there is no name. With a name that is
encrypted (ECH) the one in the open must be the host.
"""

import asyncio
import re
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from assent.gate.sandbox.client_hello import Hello, HelloUnreadable, read_hello
from assent.gate.sandbox.hosts import Hosts, NotReached
from assent.gate.text.addresses import host_of

__all__ = ["Doorway"]

_MAX_CONNECTIONS: Final = 256
_MAX_HEAD_BYTES: Final = 1 << 15
_PIECE_BYTES: Final = 1 << 16
_HEAD_TIMEOUT_S: Final = 30.0
_IDLE_TIMEOUT_S: Final = 600.0
_SOCKS: Final = 5
_SOCKS_BYTE: Final = b"\x05"
_NO_LOGIN, _NO_WAY = 0, 0xFF
_CONNECT, _NUMBER, _NAME, _SIXTH = 1, 1, 3, 4
_DONE, _FORBIDDEN, _UNKNOWN_COMMAND = 0, 2, 7

_LINE: Final = re.compile(r"([A-Z]{1,20}) (\S{1,16384}) (HTTP/1\.[01])")
_HOST_AND_PORT: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+):([0-9]{1,5})")
_URL: Final = re.compile(
    r"http://(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::([0-9]{1,5}))?([/?]\S*)?", re.IGNORECASE
)
_FIELD: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\x00-\x08\x0a-\x1f\x7f]*")
_OF_ONE_STEP: Final = re.compile(rb"(?:host|connection|keep-alive|proxy-[a-z-]+):", re.IGNORECASE)
"""Fields that speak to the proxy, and the host, which is written anew."""

_UNREADABLE: Final = "What was asked for cannot be read."
_TOO_MANY: Final = "More than {} connections were open."
_NO_GREETING: Final = "Its TLS greeting cannot be read."
_NAMES_NONE: Final = "The client names no server in its TLS greeting."

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LedTo = Callable[[int], tuple[str, int] | None]
"""Where the connection that comes from this port was meant to go; it is told once."""


class _Broken(NotReached):
    """A connection was closed after it had been told that it stands."""


class Doorway:
    """Takes the connections of one box, on one loop."""

    def __init__(self, hosts: Hosts, group: asyncio.TaskGroup, led_to: LedTo) -> None:
        self._hosts = hosts
        self._group = group
        self._led_to = led_to
        self._open = 0
        self._servers: list[asyncio.Server] = []

    async def begin(self, proxy: socket.socket, led: socket.socket) -> None:
        """Take the connections that come to these two."""
        for listening, serve in ((proxy, self._proxied), (led, self._led)):
            server = await asyncio.start_server(
                self._limited(serve), sock=listening, limit=_MAX_HEAD_BYTES
            )
            self._servers.append(server)

    def end(self) -> None:
        """Take no more of them. Those that are open end with the group."""
        for server in self._servers:
            server.close()

    def _limited(
        self, serve: Serve
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
        def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if self._open >= _MAX_CONNECTIONS:
                self._hosts.tell("", 0, _TOO_MANY.format(_MAX_CONNECTIONS))
                writer.transport.abort()
                return
            self._open += 1
            self._group.create_task(self._served(serve, reader, writer))

        return take

    async def _served(
        self, serve: Serve, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            await serve(reader, writer)
        except NotReached:
            # Whoever raised it has told why. A client hears of a reset at once.
            _reset(writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            self._hosts.tell("", 0, _UNREADABLE)
        except OSError:
            # One side is gone.
            return
        except Exception:  # noqa: BLE001 -- whatever it is, it must end this connection alone
            self._hosts.tell("", 0, _UNREADABLE)
            _reset(writer)
        finally:
            self._open -= 1
            writer.close()

    async def _proxied(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b""
        async with asyncio.timeout(_HEAD_TIMEOUT_S):
            first = await reader.read(1)
            if not first:
                return
            if first != _SOCKS_BYTE:
                head = first + await reader.readuntil(b"\r\n\r\n")
        if first == _SOCKS_BYTE:
            await self._socks(reader, writer)
            return
        try:
            await self._http(head, reader, writer)
        except _Broken:
            raise
        except NotReached as refusal:
            text = f"Assent: {refusal}\n".encode()
            with suppress(OSError):
                writer.write(
                    b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\n"
                    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(text), text)
                )
                await writer.drain()

    async def _http(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        line, *fields = head[:-4].split(b"\r\n")
        words = _LINE.fullmatch(line.decode("latin-1"))
        if words is None or not all(_FIELD.fullmatch(each) for each in fields):
            raise self._unreadable(line)
        method, target, version = words.groups()
        if method == "CONNECT":
            meant = _HOST_AND_PORT.fullmatch(target)
            if meant is None:
                raise self._unreadable(line)
            host, port = meant[1], int(meant[2])
            there = await self._hosts.dial(host, port)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await self._through((reader, writer), there, host, port)
            return
        url = _URL.fullmatch(target)
        if url is None:
            raise self._unreadable(line)
        host, port, rest = url[1], int(url[2] or 80), url[3] or "/"
        streams = await self._hosts.dial(host, port)
        named = f"{host}:{url[2]}" if url[2] else host
        path = rest if rest.startswith("/") else f"/{rest}"
        begun = f"{method} {path} {version}\r\nHost: {named}\r\nConnection: close\r\n"
        kept = (each + b"\r\n" for each in fields if not _OF_ONE_STEP.match(each))
        streams[1].write(begun.encode("latin-1") + b"".join(kept) + b"\r\n")
        await _joined((reader, writer), streams)

    def _unreadable(self, line: bytes) -> NotReached:
        self._hosts.tell(line.decode("latin-1"), 0, _UNREADABLE)
        return NotReached(_UNREADABLE)

    async def _socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_TIMEOUT_S):
            ways = await reader.readexactly((await reader.readexactly(1))[0])
            way = _NO_LOGIN if _NO_LOGIN in ways else _NO_WAY
            writer.write(bytes((_SOCKS, way)))
            if way == _NO_WAY:
                return
            _, command, _, kind = await reader.readexactly(4)
            host = await _socks_host(reader, kind)
            (port,) = struct.unpack("!H", await reader.readexactly(2))
        if command != _CONNECT or host is None:
            self._hosts.tell(host or "", port, _UNREADABLE)
            writer.write(_socks_reply(_UNKNOWN_COMMAND))
            return
        try:
            there = await self._hosts.dial(host, port)
        except NotReached:
            writer.write(_socks_reply(_FORBIDDEN))
            return
        writer.write(_socks_reply(_DONE))
        await self._through((reader, writer), there, host, port)

    async def _led(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        meant = self._led_to(writer.get_extra_info("peername")[1])
        if meant is None:
            raise NotReached(_UNREADABLE)
        there = await self._hosts.dial(*meant)
        await self._through((reader, writer), there, *meant)

    async def _through(self, here: Streams, there: Streams, host: str, port: int) -> None:
        """Join the two once the client has said nothing that is meant for another."""
        try:
            await _joined(here, there, lambda: self._greeting(here[0], host, port))
        except NotReached as refusal:
            self._hosts.tell(host, port, str(refusal))
            raise _Broken(str(refusal)) from refusal

    async def _greeting(self, reader: asyncio.StreamReader, host: str, port: int) -> bytes:
        """What a client says first; raises `NotReached` where that is meant for another host."""
        data = b""
        try:
            while (hello := read_hello(data)) is None:
                # A client may wait for its server to speak first; one in a greeting goes on.
                if not data:
                    piece = await reader.read(_PIECE_BYTES)
                else:
                    async with asyncio.timeout(_HEAD_TIMEOUT_S):
                        piece = await reader.read(_PIECE_BYTES)
                if not piece:
                    break
                data += piece
        except (TimeoutError, HelloUnreadable) as error:
            raise NotReached(_NO_GREETING) from error
        if hello is None:
            if data:
                raise NotReached(_NO_GREETING)
            return b""
        _check(hello, host)
        return data


def _check(hello: Hello, host: str) -> None:
    address = host_of(host)
    if not hello.is_tls or address is None:
        return
    if not hello.name:
        if not address.number:
            raise NotReached(_NAMES_NONE)
        return
    named = host_of(hello.name)
    if named is None or named.host != address.host:
        raise NotReached(f"TLS in it is meant for {hello.name[:100]!r}.")


async def _socks_host(reader: asyncio.StreamReader, kind: int) -> str | None:
    """The host of a request; None where it cannot be read."""
    match kind:
        case 1:
            return socket.inet_ntop(socket.AF_INET, await reader.readexactly(4))
        case 3:
            return (await reader.readexactly((await reader.readexactly(1))[0])).decode("latin-1")
        case 4:
            return socket.inet_ntop(socket.AF_INET6, await reader.readexactly(16))
        case _:
            return None


def _socks_reply(code: int) -> bytes:
    return bytes((_SOCKS, code, 0, _NUMBER)) + bytes(6)


async def _joined(
    here: Streams, there: Streams, first: Callable[[], Awaitable[bytes]] | None = None
) -> None:
    """Carry bytes both ways until both have ended; `first` is what is said there before all."""
    activity = _Activity()
    refusals: list[NotReached] = []

    async def out() -> None:
        try:
            if first is not None:
                there[1].write(await activity.waited(first))
        except NotReached as refusal:
            refusals.append(refusal)
            raise ConnectionAbortedError from refusal
        await _carry(here[0], there[1], activity)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(out())
            group.create_task(_carry(there[0], here[1], activity))
    except* OSError:
        # One side is gone, or both are silent.
        there[1].transport.abort()
    finally:
        there[1].close()
    if refusals:
        raise refusals[0]


class _Activity:
    """When a connection carried something last, in either direction."""

    def __init__(self) -> None:
        self._last = asyncio.get_running_loop().time()

    async def waited(self, read: Callable[[], Awaitable[bytes]]) -> bytes:
        """What is read next; raises `TimeoutError` where both sides are silent for too long."""
        while True:
            left = self._last + _IDLE_TIMEOUT_S - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(left):
                    piece = await read()
            except TimeoutError:
                if self._last + _IDLE_TIMEOUT_S <= asyncio.get_running_loop().time():
                    raise
            else:
                self._last = asyncio.get_running_loop().time()
                return piece


async def _carry(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, activity: _Activity
) -> None:
    while piece := await activity.waited(lambda: source.read(_PIECE_BYTES)):
        target.write(piece)
        async with asyncio.timeout(_IDLE_TIMEOUT_S):
            await target.drain()
    if target.can_write_eof():
        target.write_eof()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Have the connection end as one that was broken off."""
    held = writer.get_extra_info("socket")
    if held is not None:
        with suppress(OSError):
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
