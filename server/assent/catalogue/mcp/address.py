"""A server at an HTTP address: each message is a request, answered by JSON or events.

The package's transport reads answers without a bound and follows where it is sent on to. Here
nothing is followed, since what is sent may hold the person's secrets; an answer has a bound, and
so has a second of events. A server that has forgotten the session is begun anew.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    suppress,
)
from http import HTTPStatus
from typing import Any, Final

import anyio
import httpx2
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream

from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.answers import Event, answers_in
from assent.catalogue.mcp.http_messages import HttpMessages, client_of, why_of
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.sdk import SessionMessage, types
from assent.catalogue.mcp.transport import Heard, Line, Mend, Streams, parsed, unreadable
from assent.gate.call.errors import AssentError
from assent.gate.text.lines import one_line

__all__ = ["opened"]

_CONNECT_TIMEOUT_S: Final = 10.0
_GOODBYE_TIMEOUT_S: Final = 2.0
"""In seconds: how long a server is given to hear that nobody speaks with it any more."""
_AGAIN: Final = (1.0, 3.0, 10.0)
"""In seconds: when what broke off is asked for again."""
_LAST_RETRY_PAUSE_S: Final = 60.0
_STATELESS: Final = "2026"
"""From this version on, whoever closes an answer's stream takes the request back."""
_SCANTY: Final = "insufficient_scope"
_LOCKED: Final = "it needs a log-in, which a person does in “MCP Servers…”"
_SESSION, _VERSION = "mcp-session-id", "mcp-protocol-version"
_TYPES: Final = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
}


class _Unanswered(AssentError):
    """No answer will come; the message is a clause."""


class _Address(Line):
    """One session at an address."""

    def __init__(self, post: HttpMessages, account: Account | None, absent: str = "") -> None:
        super().__init__()
        self._post, self._account, self._absent = post, account, absent
        self._session = self._version = ""
        self._asked: dict[int | str, anyio.CancelScope] = {}
        self._mend: Mend = lambda _: None
        self._to_us, self._heard = anyio.create_memory_object_stream[Heard](0)

    @asynccontextmanager
    async def speaking(self, mend: Mend) -> AsyncIterator[Streams]:
        """See `Line`."""
        self._mend = mend
        said, from_us = anyio.create_memory_object_stream[SessionMessage](0)
        async with self._to_us, anyio.create_task_group() as group:
            group.start_soon(self._send_all, from_us, group)
            group.start_soon(self._close_late)
            try:
                yield self._heard, said
            finally:
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await self._leave()

    async def _close_late(self) -> None:
        """Whoever waits for an answer hears that none comes any more."""
        await self.ended.wait()
        self._to_us.close()

    async def _send_all(
        self, from_us: MemoryObjectReceiveStream[SessionMessage], group: TaskGroup
    ) -> None:
        async with from_us:
            async for message in from_us:
                said = message.message
                headers = dict(getattr(message.metadata, "headers", None) or {})
                if isinstance(said, types.JSONRPCRequest):
                    self._begin(said, headers)
                    group.start_soon(self._ask, said, headers)
                elif not self._takes_back(said):
                    # In their order, since what follows may need that it was told.
                    await self._tell(said, headers)
                    if getattr(said, "method", "") == "notifications/initialized":
                        group.start_soon(self._listen)

    def _begin(self, said: types.JSONRPCRequest, headers: dict[str, str]) -> None:
        self._version = headers.get(_VERSION, self._version)
        if said.method == "initialize":
            self._version = self._session = ""
        self._asked[said.id] = anyio.CancelScope()

    def _takes_back(self, said: Any) -> bool:
        """Whether it is said by closing the answer's stream, which is done."""
        if getattr(said, "method", "") != "notifications/cancelled":
            return False
        scope = self._asked.get((said.params or {}).get("requestId", ""))
        if scope is not None and self._version >= _STATELESS:
            scope.cancel()
        return self._version >= _STATELESS

    async def _ask(self, said: types.JSONRPCRequest, headers: dict[str, str]) -> None:
        """Send a request, and pass on what is answered."""
        try:
            with self._asked[said.id]:
                await self._see_through(said, headers)
        except (_Unanswered, ValueError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            await self._hear(unreadable(said.id, why_of(error, self._absent)))
        finally:
            self._asked.pop(said.id, None)

    async def _see_through(self, said: types.JSONRPCRequest, headers: dict[str, str]) -> None:
        done, last = await self._answered("POST", headers, said)
        for pause in _AGAIN if last.id else ():
            if done:
                return
            await anyio.sleep(pause if last.pause is None else last.pause)
            with suppress(httpx2.TransportError):
                done, last = await self._answered("GET", {"last-event-id": last.id}, said)
        if not done:
            raise _Unanswered("it broke its answer off")

    async def _answered(
        self, verb: str, headers: dict[str, str], said: types.JSONRPCRequest
    ) -> tuple[bool, Event]:
        """Whether the answer came, and by what and when the rest of it is asked for."""
        last = Event(headers.get("last-event-id", ""))
        async with self._sent(verb, headers, said if verb == "POST" else None) as response:
            self._look(response)
            if said.method == "initialize" and response.status_code == HTTPStatus.OK:
                self._session = response.headers.get(_SESSION, "")
            with suppress(httpx2.TransportError):
                async for event in answers_in(response):
                    last = Event(event.id or last.id, pause=event.pause)
                    if event.data and await self._pass_on(event.data, said.id):
                        return True, last
            if response.status_code != HTTPStatus.OK:
                raise _Unanswered(f"it answered with the status {response.status_code}")
        return False, last

    def _look(self, response: httpx2.Response) -> None:
        """Raise `_Unanswered` where it did not do what it was asked."""
        status = response.status_code
        if onward := response.headers.get("location"):
            raise _Unanswered(f"it sends us on to {one_line(onward)}, and nobody went there")
        if status == HTTPStatus.NOT_FOUND and self._session:
            self.broke = "it has forgotten what was agreed"
            self.end()
        if self._account is not None:
            self._look_for_login(self._account, response)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise _Unanswered(f"it does not let us in (status {status}); see to its `headers`")
        if status != HTTPStatus.OK and "json" not in response.headers.get("content-type", ""):
            raise _Unanswered(f"it answered with the status {status}")

    def _look_for_login(self, account: Account, response: httpx2.Response) -> None:
        """Raise `_Unanswered` where it wants somebody to be logged in, or to be allowed more."""
        challenge = response.headers.get("www-authenticate", "")
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            account.refused(challenge)
            self.broke, self.is_locked = _LOCKED, True
            self.end()
            raise _Unanswered(_LOCKED)
        if response.status_code == HTTPStatus.FORBIDDEN and _SCANTY in challenge:
            account.refused(challenge)
            raise _Unanswered("it wants a log-in that allows more: log in again")

    async def _tell(self, said: Any, headers: dict[str, str]) -> None:
        """Send what is not answered."""
        with suppress(httpx2.HTTPError, httpx2.InvalidURL, ValueError, TimeoutError):
            async with asyncio.timeout(_CONNECT_TIMEOUT_S), self._sent("POST", headers, said):
                return

    async def _listen(self) -> None:
        """Hear what it tells unasked, where it has a place for that."""
        pauses = [0.0, *_AGAIN]
        while True:
            await anyio.sleep(pauses.pop(0) if pauses else _LAST_RETRY_PAUSE_S)
            with suppress(httpx2.HTTPError, httpx2.InvalidURL, ValueError):
                async with self._sent("GET", {}) as response:
                    if response.status_code != HTTPStatus.OK:
                        return
                    async for event in answers_in(response):
                        if event.data:
                            await self._pass_on(event.data)

    async def _pass_on(self, text: bytes, number: int | str | None = None) -> bool:
        """Tell what stands in an answer; whether it is the one that was waited for."""
        message = await asyncio.to_thread(parsed, text, self._mend)
        if message is None:
            return False
        if isinstance(message, Exception) and number is not None:
            message = unreadable(number)
        said = message.message if isinstance(message, SessionMessage) else None
        if not isinstance(said, types.JSONRPCResponse | types.JSONRPCError):
            await self._hear(message)
            return False
        if number is not None:
            # An answer stands for the request that it came with, whatever it says of that.
            said.id = number
            await self._hear(message)
        return number is not None

    async def _hear(self, message: Heard) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._to_us.send(message)

    def _sent(
        self, verb: str, headers: dict[str, str], said: Any = None
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        own = {_SESSION: self._session, _VERSION: self._version}
        body = said.model_dump_json(by_alias=True, exclude_unset=True) if said else None
        whole = {**_TYPES, **{name: value for name, value in own.items() if value}, **headers}
        return self._post.sent(verb, whole, body)

    async def _leave(self) -> None:
        if self._session:
            with suppress(httpx2.HTTPError, TimeoutError, ValueError):
                async with asyncio.timeout(_GOODBYE_TIMEOUT_S), self._sent("DELETE", {}):
                    return


@asynccontextmanager
async def opened(launch: Launch, account: Account | None) -> AsyncIterator[Line]:
    """The way to the server, for as long as somebody speaks with it."""
    async with await asyncio.to_thread(client_of, launch) as client:
        yield _Address(HttpMessages(launch.url, client, account), account, launch.absent)
