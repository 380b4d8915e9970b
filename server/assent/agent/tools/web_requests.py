"""Sends requests to the web one at a time, each only to a host that was judged.

Nothing is sent along that tells who asks. Where a server sends a request on to another host, all
that comes after is a step of its own and goes through the gate. How long it takes and how much is
read is bounded; the time in which a person is asked does not count.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

import assent
from assent.agent.tools.hosts import Resolve, ask_system, numbers_of
from assent.agent.tools.response_bodies import MAX_BODY_BYTES, PACKINGS, Body, kind_of, unpacked
from assent.agent.tools.tool import Aim, Ask, Done, StepRefused, ToolFailed
from assent.agent.tools.web_address import WebAddress, shown, web_address
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.values import evolve, field, frozen

if TYPE_CHECKING:
    import ssl

    import httpx2

__all__ = ["Errand", "Web", "run"]

_MAX_HOPS: Final = 5
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_HEADERS: Final = {
    "accept": "text/markdown,text/html;q=0.9,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.1",
    "accept-encoding": "gzip, deflate",
    "connection": "close",
    "user-agent": f"Assent/{assent.__version__}",
}
_SILENCE_TIMEOUT_S: Final = 10.0
"""In seconds, with a server that says nothing."""
_MAX_REASON_LETTERS: Final = 300


@frozen(kw_only=True)
class Web:
    """How the web is reached."""

    resolve: Resolve = ask_system
    seconds: float = 30.0
    """For a request and wherever it is sent on to."""


@frozen(kw_only=True)
class Errand:
    """What is to be got, and what becomes of it."""

    url: str
    """An address that was judged."""
    web: Web
    ask: Ask
    show: Callable[[Body], Awaitable[Done]]
    """What comes of what was got; raises `ToolFailed`."""
    hints: Mapping[int, str] = field(factory=dict)
    """What else is to be said where a server refuses, by the status of its answer."""


class _Unwilling(ToolFailed):
    """A server would not give what it was asked for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def run(errand: Errand) -> Done:
    """Get what lies at an address, or where it is sent on to; raises `ToolFailed`."""
    leg = _Leg(errand=errand, seconds=errand.web.seconds, hops=_MAX_HOPS)
    return await _went(leg, web_address(errand.url))


@frozen(kw_only=True)
class _Leg:
    """What is left of an errand: the way from one judged host to where it is sent on to."""

    errand: Errand
    seconds: float
    hops: int


async def _went(leg: _Leg, way: WebAddress) -> Done:
    """Follow a way within one host; where it leads to another, the rest is a step of its own."""
    errand = leg.errand
    try:
        async with asyncio.timeout(leg.seconds) as limit:
            leg, way, answer = await _followed(leg, way)
            left = (limit.when() or 0.0) - asyncio.get_running_loop().time()
    except TimeoutError as error:
        raise ToolFailed(
            f"{way.address.host} took longer than {errand.web.seconds:g} seconds."
        ) from error
    except _Unwilling as error:
        raise ToolFailed(f"{error}{errand.hints.get(error.status, '')}") from error
    if isinstance(answer, Body):
        return await errand.show(answer)
    return await _asked(evolve(leg, seconds=left), way, answer)


async def _followed(leg: _Leg, way: WebAddress) -> tuple[_Leg, WebAddress, Body | WebAddress]:
    """What lies at the end of a way within one host, or where it leads on to from there."""
    while True:
        answer = await _sent(way, leg.errand.web)
        if isinstance(answer, Body):
            return leg, way, answer
        if not leg.hops:
            url = shown(leg.errand.url)
            raise ToolFailed(f"{url} was sent on more than {_MAX_HOPS} times, so it was given up.")
        onward = _onward(way, answer)
        leg = evolve(leg, hops=leg.hops - 1)
        if not way.leads_to_same(onward):
            return leg, way, onward
        way = onward


def _onward(way: WebAddress, location: str) -> WebAddress:
    """Where a server sends a request on to."""
    try:
        onward = web_address(urljoin(way.url, location.strip()).partition("#")[0])
    except (ValueError, CallUnreadable) as error:
        raise ToolFailed(
            f"{shown(way.url)} leads on to {shown(location)!r}, which is no plain web address; it"
            " was not followed."
        ) from error
    if way.scheme == "https" and onward.scheme == "http":
        raise ToolFailed(
            f"{shown(way.url)} leads on to {shown(onward.url)}, which anybody on the way could"
            " read; it was not followed."
        )
    return onward


async def _asked(leg: _Leg, way: WebAddress, onward: WebAddress) -> Done:
    """Go on to another host, if that may be."""

    async def take(_: Call) -> Done:
        return await _went(leg, onward)

    aim = Aim(tool="fetch", effect=Effect.EXTERNAL, input={"url": onward.url})
    try:
        return await leg.errand.ask(aim, take)
    except StepRefused as error:
        raise ToolFailed(
            f"{shown(way.url)} leads on to {shown(onward.url)}, and that was not followed: {error}"
        ) from error


async def _sent(way: WebAddress, web: Web) -> Body | str:
    """What a server answers, or where it sends the request on to."""
    # It takes long to load, and few chats reach for the web.
    import httpx2  # noqa: PLC0415

    numbers = await numbers_of(way.address, way.port, web.resolve)
    trust = await _trust(way)
    for last, number in zip([False] * (len(numbers) - 1) + [True], numbers, strict=True):
        try:
            return await _sent_to(number, way, trust)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            if last:
                raise _unreached(way, error) from error
        except httpx2.HTTPError as error:
            raise _unreached(way, error) from error
        except httpx2.InvalidURL as error:
            raise ToolFailed(f"{shown(way.url)} is no plain web address.") from error
    raise AssertionError("a host without a number")


async def _trust(way: WebAddress) -> "ssl.SSLContext | bool":
    """Whose certificates are believed; the person's environment may name others."""
    import httpx2  # noqa: PLC0415 -- as above

    if way.scheme == "http":
        return False
    try:
        return await asyncio.to_thread(httpx2.create_ssl_context)
    except OSError as error:
        raise ToolFailed(f"The certificates to check others by cannot be read: {error}.") from error


async def _sent_to(number: str, way: WebAddress, trust: "ssl.SSLContext | bool") -> Body | str:
    """Ask the machine of that number for what the host that was judged has there."""
    import httpx2  # noqa: PLC0415 -- as above

    url = httpx2.URL(way.url).copy_with(host=number, fragment=None)
    # The certificate is checked against the name, though the number is what is connected to.
    extensions = {
        "sni_hostname": way.address.host.strip("[]"),
        "timeout": httpx2.Timeout(_SILENCE_TIMEOUT_S).as_dict(),
    }
    headers = {"host": way.host, **_HEADERS}
    request = httpx2.Request("GET", url, headers=headers, extensions=extensions)
    # A client would keep cookies, and look at where it is sent on to.
    async with (
        httpx2.AsyncHTTPTransport(verify=trust, trust_env=False) as transport,
        aclosing(await transport.handle_async_request(request)) as answer,
    ):
        location: str = answer.headers.get("location", "")
        if answer.status_code in _MOVED and location:
            return location
        return await _read(answer, way.url)


async def _read(answer: "httpx2.Response", url: str) -> Body:
    """Read what is sent, as far as it is text and is not too much."""
    if not answer.is_success:
        raise _Unwilling(
            answer.status_code, f"{shown(url)} answered {_status(answer.status_code)}."
        )
    kind = kind_of(answer.headers.get("content-type", ""))
    if not kind.is_text:
        said = kind.type or "of no known kind"
        raise ToolFailed(f"{shown(url)} is {said}, and only text can be read.")
    packing = answer.headers.get("content-encoding", "").strip().lower()
    if packing not in PACKINGS:
        raise ToolFailed(f"{shown(url)} came packed as {packing[:40]!r}, which nobody asked for.")
    data = bytearray()
    async for chunk in answer.aiter_raw():
        data += chunk
        if len(data) > MAX_BODY_BYTES:
            break
    try:
        whole, is_all = unpacked(bytes(data), packing)
    except ValueError as error:
        raise ToolFailed(f"{shown(url)} sent something that cannot be unpacked.") from error
    return Body(url=url, kind=kind, data=whole, whole=is_all)


def _unreached(way: WebAddress, error: Exception) -> ToolFailed:
    why = str(error).strip(" .") or type(error).__name__
    return ToolFailed(f"{way.address.host} could not be reached: {why[:_MAX_REASON_LETTERS]}.")


def _status(code: int) -> str:
    """A status in its usual words, and not in the server's."""
    known = {status.value: status.phrase for status in HTTPStatus}
    return f"{code} {known.get(code, '')}".strip()
