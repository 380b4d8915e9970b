"""HTTP requests to a host: one whose answer streams, or a small one with a complete answer.

Whoever closes the stream before its end, or is cancelled, closes the connection with it; one that
was heard to its end is kept for the next question. Nothing is redirected, no proxy stands before
this machine, and the key is in no error and no log. Nothing heavy is loaded before the first
question.
"""

import asyncio
import contextlib
import json
import ssl
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
)
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import assent
from assent.agent.models.host_connection import HostConnection, timeout_of
from assent.agent.models.host_errors import Foreign, Garbled, Keyless, Loss, Lost, shortened
from assent.agent.models.lines import lines
from assent.agent.models.refusals import declined
from assent.gate.settings.models.hosts import Host
from assent.gate.values import evolve, field, frozen

if TYPE_CHECKING:
    import httpx2

__all__ = ["Question", "answer", "as_wished", "bearing", "posted", "to_the_end"]

_SILENCE_TIMEOUT_S: Final = 600.0
"""A host may have to load a model before it says anything."""
_STREAM_END_TIMEOUT_S: Final = 0.25
"""In seconds: a host that lets its stream stand open behind the end is not waited for."""
_MAX_REFUSAL_BYTES: Final = 64 * 1024
_MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
_REDIRECTS: Final = range(300, 400)

_Seen = Callable[[str, Mapping[str, Any]], Awaitable[None]]
"""Told what httpx2 does, as its extension `trace` is."""


@frozen(kw_only=True)
class Question:
    """What a host is asked; without a body it is only read."""

    path: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    """They hold the key."""
    body: Mapping[str, Any] | None = None


async def to_the_end(rest: AsyncIterable[bytes]) -> None:
    """Hear what little follows a whole reply, so that its connection can be kept."""
    with contextlib.suppress(TimeoutError, Lost, Garbled):
        async with asyncio.timeout(_STREAM_END_TIMEOUT_S):
            async for _ in rest:
                pass


def bearing(host: Host) -> dict[str, str]:
    """The key, as most hosts want it."""
    return {"authorization": f"Bearer {host.key}"} if host.key else {}


async def posted(line: HostConnection, question: Question) -> AsyncGenerator[bytes, None]:
    """The lines of a streaming answer; raises `HostError`."""
    async with (
        _asked(line, as_wished(line.host, question), _SILENCE_TIMEOUT_S) as response,
        aclosing(lines(response.aiter_bytes())) as answer_lines,
    ):
        async for answer_line in answer_lines:
            yield answer_line


def as_wished(host: Host, question: Question) -> Question:
    """A question to a model where the person says it is asked, with what they add."""
    more: dict[str, Any] = json.loads(host.body) if host.body else {}
    body = {**(question.body or {}), **more}
    kept = {
        name: value for name, value in body.items() if name not in more or more[name] is not None
    }
    return evolve(question, path=host.path or question.path, body=kept)


async def answer(
    line: HostConnection, question: Question, seconds: float = 5.0, most: int = _MAX_ANSWER_BYTES
) -> bytes:
    """A whole answer to a small question; raises `HostError`."""
    try:
        async with asyncio.timeout(seconds), _asked(line, question, seconds) as response:
            return await _at_most(response, most)
    except TimeoutError as error:
        raise Lost(Loss.LATE) from error


def _encoded(body: Mapping[str, Any]) -> bytes:
    """A body as JSON; half a surrogate pair, which no host can read, becomes a question mark."""
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise Garbled("a number in what was said is beyond all bounds") from error
    return text.encode("utf-8", "replace")


@asynccontextmanager
async def _asked(
    line: HostConnection, question: Question, patience: float
) -> AsyncIterator["httpx2.Response"]:
    host = line.host
    _check(host)
    method = "GET" if question.body is None else "POST"
    content = None if question.body is None else _encoded(question.body)
    headers = {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": f"assent/{assent.__version__}",
        **question.headers,
        **dict(host.headers),
    }
    client = await line.client()
    asking = partial(
        client.stream,
        method,
        host.url + question.path,
        content=content,
        headers=headers,
        timeout=timeout_of(patience),
    )
    async with _closed_if_broken() as (connections, seen), contextlib.AsyncExitStack() as stack:
        with _in_our_terms(host):
            ask = partial(asking, extensions={"trace": seen})
            response = await _first(stack, ask, connections)
            await _see_accepted(host, response)
            yield response


async def _first(
    stack: contextlib.AsyncExitStack, ask: Callable[[], Any], connections: list[Any]
) -> "httpx2.Response":
    """The beginning of an answer; a kept connection may have died meanwhile, a new one has not."""
    import httpx2  # noqa: PLC0415 -- loaded by the client that was made before this

    try:
        response: httpx2.Response = await stack.enter_async_context(ask())
    except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
        if connections:
            raise
        response = await stack.enter_async_context(ask())
    return response


@asynccontextmanager
async def _closed_if_broken() -> AsyncIterator[tuple[list[Any], _Seen]]:
    """Close each connection that is made where anything goes wrong, or is stopped.

    httpx2 leaves one open that is stopped in a handshake.
    """
    connections: list[Any] = []

    async def seen(event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            connections.append(info["return_value"])

    try:
        yield connections, seen
    except BaseException:
        for connection in connections:
            await connection.aclose()
        raise


def _check(host: Host) -> None:
    if not host.reachable:
        raise Lost(Loss.UNUSABLE, f"{host.shown} is no address")
    if host.missing or (host.key is None and host.needs_key and not host.headers):
        raise Keyless("none")
    if host.key is not None and not (host.key.isascii() and host.key.isprintable()):
        raise Keyless("odd")
    if not all(text.isascii() and text.isprintable() for pair in host.headers for text in pair):
        raise Lost(Loss.UNUSABLE, "one of its headers cannot be sent")


@contextlib.contextmanager
def _in_our_terms(host: Host) -> Iterator[None]:
    import httpx2  # noqa: PLC0415 -- loaded by the client that was made before this

    try:
        yield
    except httpx2.InvalidURL:
        raise Lost(Loss.UNUSABLE, f"{host.shown} is no address") from None
    except httpx2.HTTPError as error:
        raise _lost(error, host) from None


def _lost(error: "httpx2.HTTPError", host: Host) -> Lost | Garbled:
    import httpx2  # noqa: PLC0415 -- loaded already

    why = shortened(str(error), host.secrets)
    match error:
        case httpx2.ConnectError() if _is_untrusted(error):
            return Lost(Loss.UNTRUSTED, why)
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError():
            return Lost(Loss.ABSENT, why or "it does not answer")
        case httpx2.TimeoutException():
            return Lost(Loss.LATE)
        case httpx2.LocalProtocolError() | httpx2.UnsupportedProtocol():
            # What h11 will not send it repeats, and it may be the key.
            return Lost(Loss.UNUSABLE, "the request cannot be sent")
        case httpx2.DecodingError():
            return Garbled("it cannot be unpacked")
        case _:
            return Lost(Loss.BROKEN, why)


def _is_untrusted(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


async def _see_accepted(host: Host, response: "httpx2.Response") -> None:
    """Raise where the answer is a no, or none of a model's."""
    if response.status_code in _REDIRECTS:
        raise Foreign("it wants to be asked at another address")
    kind = response.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if response.status_code != 200:  # noqa: PLR2004 -- the one status of success here
        refusal = await _at_most(response, _MAX_REFUSAL_BYTES)
        raise declined(response.status_code, response.headers, refusal, host.secrets)
    if kind == "text/html":
        raise Foreign("it answers with a page for people")


async def _at_most(response: "httpx2.Response", most: int) -> bytes:
    data = bytearray()
    async for piece in response.aiter_bytes():
        data += piece
        if len(data) >= most:
            break
    return bytes(data[:most])
