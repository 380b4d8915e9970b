"""Sends one message to a server at an address: to that server only, with its log-in."""

import ssl
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Final

import httpx2

from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.launch import Launch
from assent.gate.text.addresses import address_of
from assent.gate.text.lines import one_line

__all__ = ["HttpMessages", "client_of", "why_of"]

_CONNECT_TIMEOUT_S: Final = 10.0


class HttpMessages:
    """Sends to one address."""

    def __init__(self, url: str, client: httpx2.AsyncClient, account: Account | None) -> None:
        self._url, self._client, self._account = url, client, account

    @asynccontextmanager
    async def sent(
        self, verb: str, headers: dict[str, str], body: str | None
    ) -> AsyncIterator[httpx2.Response]:
        """Send it, once more where the token that was sent is over and there is another."""
        account = self._account
        token = "" if account is None else await account.token()
        async with AsyncExitStack() as stack:
            response = await stack.enter_async_context(self._once(verb, headers, body, token))
            is_refused = response.status_code == HTTPStatus.UNAUTHORIZED and bool(token)
            other = await account.other_than(token) if account is not None and is_refused else ""
            if other:
                await response.aclose()
                again = self._once(verb, headers, body, other)
                response = await stack.enter_async_context(again)
            yield response

    def _once(
        self, verb: str, headers: dict[str, str], body: str | None, token: str
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        named = {"authorization": f"Bearer {token}"} if token else {}
        return self._client.stream(verb, self._url, content=body, headers={**headers, **named})


def why_of(error: Exception, absent: str = "") -> str:
    """Why nothing came of it, a clause."""
    match error:
        case httpx2.ConnectError() if "certificate" in str(error).lower():
            return "its certificate is not one that this machine believes"
        case httpx2.ConnectError() | httpx2.ConnectTimeout():
            return absent or "nobody answers at its address"
        case httpx2.HTTPError() | httpx2.InvalidURL():
            # Such an error may quote what was to be sent.
            return "its answer broke off"
        case _:
            return one_line(error)


def client_of(launch: Launch) -> httpx2.AsyncClient:
    """What speaks with that address, and follows nothing."""
    near = address_of(launch.url)
    encrypted = launch.url.lower().startswith("https:")
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.AsyncClient(
        headers=launch.headers,
        # What comes of a call may take long: the session sees to that.
        timeout=httpx2.Timeout(_CONNECT_TIMEOUT_S, read=None),
        verify=httpx2.create_ssl_context() if encrypted else nobody,
        # A proxy could read what is not encrypted, and is for what lies beyond this network.
        trust_env=encrypted and near is not None and not near.near,
        follow_redirects=False,
    )
