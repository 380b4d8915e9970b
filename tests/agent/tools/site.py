"""A web server on this machine that answers what a test tells it to, and remembers who asked."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

__all__ = ["Site", "answer"]

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


def answer(
    body: bytes | str = "",
    kind: str = "text/plain; charset=utf-8",
    status: str = "200 OK",
    **headers: str,
) -> bytes:
    """What a server says."""
    data = body.encode() if isinstance(body, str) else body
    named = {"content-type": kind, "content-length": str(len(data)), "connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in named.items() if value]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("utf-8") + data


class Site:
    """One server."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {}
        """What it answers, by path with its query."""
        self.asked: list[tuple[str, dict[str, str]]] = []
        """The paths that were asked for, and the headers with which."""
        self.port = 0

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        """An address on this server."""
        return f"{scheme}://{host}:{self.port}{path}"

    @asynccontextmanager
    async def open(self, context: ssl.SSLContext | None = None) -> AsyncIterator["Site"]:
        """While it listens."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            path = first.split(" ")[1]
            headers = dict(line.split(": ", 1) for line in lines if line)
            self.asked.append((path, {name.lower(): value for name, value in headers.items()}))
            found = self.pages.get(path, answer("not here", status="404 Nope"))
            if isinstance(found, bytes):
                writer.write(found)
                await writer.drain()
            else:
                await found(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
