"""Waits for the browser to come back from a log-in, on a port of this machine.

Any page that the person has open may send a request here. Only one that names the state, which is
known to the log-in alone, counts, and only once.
"""

import asyncio
import errno
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from assent.catalogue.mcp.log_in_requests import LogInFailed
from assent.gate.values import define, field, frozen

__all__ = ["Landed", "LogInCallback", "Words", "landing"]

_PATH: Final = "/callback"
_MAX_REQUEST_BYTES: Final = 16 * 1024
_BROWSER_TIMEOUT_S: Final = 5.0
"""In seconds: how long a browser may take to say what it wants."""
_MAX_WORD_LETTERS: Final = 500


@frozen
class Words:
    """What the page says, in the language of whoever logs in."""

    back: str = "You are back. This page can be closed; the editor tells what came of it."
    odd: str = "Nobody waits for this here."

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> "Words":
        """As the editor says it; in English where it does not."""
        given = {word: str(words.get(word) or "")[:_MAX_WORD_LETTERS] for word in ("back", "odd")}
        return cls(**{name: text for name, text in given.items() if text})


@define
class Landed:
    """What the browser came back with."""

    code: str
    iss: str | None
    error: str


@define
class LogInCallback:
    """One place to come back to."""

    port: int
    words: Words = field(factory=Words)
    state: str = field(default="", repr=False)
    """What has to come back; nothing counts before it is known."""
    _landed: asyncio.Future[Landed] = field(factory=asyncio.Future)

    @property
    def uri(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}{_PATH}"

    async def landed(self) -> Landed:
        """What the browser came back with, once it did."""
        return await self._landed

    def take(self, target: str) -> bool:
        """Take in what a request asks for; whether it is what was waited for."""
        parts = urlsplit(target)
        if parts.path != _PATH or not self.state or self._landed.done():
            return False
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if not secrets.compare_digest(given.get("state", "").encode(), self.state.encode()):
            return False
        code, error = given.get("code", ""), given.get("error", "")
        self._landed.set_result(Landed(code, given.get("iss"), error if not code else ""))
        return True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of a browser."""
        with suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_BROWSER_TIMEOUT_S):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                verb, target, _ = head.split(" ", 2)
                writer.write(_page(self.words, is_right=verb == "GET" and self.take(target)))
                await writer.drain()
        writer.close()


def _page(words: Words, *, is_right: bool) -> bytes:
    status, said = ("200 OK", words.back) if is_right else ("400 Bad Request", words.odd)
    text = said.encode("utf-8", "replace")
    head = (
        f"HTTP/1.1 {status}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(text)}",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + text


def _failed(error: OSError, port: int) -> LogInFailed:
    if error.errno == errno.EADDRINUSE:
        return LogInFailed(f"the port {port} to which its page comes back is taken")
    return LogInFailed(f"its page cannot come back to the port {port} of this machine")


@asynccontextmanager
async def landing(wanted: int, words: Words, *, only: bool) -> AsyncIterator[LogInCallback]:
    """Listen, at the wanted port where it is free or no other will do; raises `LogInFailed`."""
    here = LogInCallback(wanted, words)
    try:
        server = await asyncio.start_server(
            here.serve, "127.0.0.1", wanted, limit=_MAX_REQUEST_BYTES
        )
    except OSError as error:
        if only or not wanted:
            raise _failed(error, wanted) from None
        server = await asyncio.start_server(here.serve, "127.0.0.1", 0, limit=_MAX_REQUEST_BYTES)
    here.port = server.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        server.close()
