"""Sends the requests of a log-in: each bounded, and only to a host that the gate judged.

What is not encrypted goes to this machine alone. So a name that leads into somebody's network gets
nothing from there, where nobody has the name's certificate, and no number needs to be looked at.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Final

import httpx2

from assent.gate.call.errors import AssentError
from assent.gate.text.addresses import address_of, is_private
from assent.gate.text.lines import one_line

__all__ = ["LogInFailed", "LogInRequests"]

_MAX_ANSWER_BYTES: Final = 1024 * 1024
_SILENCE_TIMEOUT_S: Final = 15.0
"""In seconds, with a host that says nothing."""
_REQUEST_TIMEOUT_S: Final = 30.0
"""In seconds, with one that says a little now and then."""

Judge = Callable[[str], Awaitable[str]]
"""`denied` where a rule denies an address, nothing where it may be reached; else it may not."""


class LogInFailed(AssentError):
    """Nobody was logged in; the message is a clause."""


class LogInRequests:
    """Sends what a log-in at one server needs."""

    def __init__(self, server: str, judge: Judge) -> None:
        self._server, self._judge = server, judge

    async def check(self, url: str) -> str:
        """The host of an address that may be reached; raises `LogInFailed`."""
        to, own = address_of(url), address_of(self._server)
        if to is None or not is_private(url):
            raise LogInFailed(
                f"it names {one_line(url)}, which is no address with https or of this machine"
            )
        is_here, own_here = (
            not address.lower().startswith("https:") for address in (url, self._server)
        )
        if to.near and not (own is not None and own.near and own_here >= is_here):
            raise LogInFailed(f"it leads to {to.host}, on this machine or its own network")
        match await self._judge(url):
            case "":
                return to.host
            case "denied":
                raise LogInFailed(f"a rule of yours denies {to.host}")
            case _:
                raise LogInFailed("nobody can be logged in here")

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        """What is answered; raises `LogInFailed`, or what `httpx2` raises."""
        host = await self.check(str(request.url))
        try:
            async with asyncio.timeout(_REQUEST_TIMEOUT_S):
                return await _sent(request, host)
        except TimeoutError:
            raise LogInFailed(f"{host} takes too long to answer") from None


async def _sent(request: httpx2.Request, host: str) -> httpx2.Response:
    request.headers["accept-encoding"] = "identity"
    async with await asyncio.to_thread(_client_for, str(request.url)) as client:
        response = await client.send(request, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > _MAX_ANSWER_BYTES:
                    raise LogInFailed(f"{host} said more than {_MAX_ANSWER_BYTES >> 20} MB")
        finally:
            await response.aclose()
    if "content-encoding" in response.headers:
        raise LogInFailed(f"{host} packed what it said, and nobody asked for that")
    # What is sent on is not followed: all that there is to know would have to be judged anew.
    return httpx2.Response(
        response.status_code, headers=response.headers, content=bytes(body), request=request
    )


def _client_for(url: str) -> httpx2.AsyncClient:
    near, encrypted = address_of(url), url.lower().startswith("https:")
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.AsyncClient(
        timeout=_SILENCE_TIMEOUT_S,
        verify=httpx2.create_ssl_context() if encrypted else nobody,
        trust_env=encrypted and near is not None and not near.near,
        follow_redirects=False,
    )
