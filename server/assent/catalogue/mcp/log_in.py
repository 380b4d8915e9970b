"""One log-in at a server: opens its page in the browser, and waits until it comes back.

The package knows what is asked of whom; what it asks is sent by us, each host judged first.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx2
from pydantic import AnyUrl

from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.gate_requests import GateRequestFailed
from assent.catalogue.mcp.log_in_callback import LogInCallback, Words, landing
from assent.catalogue.mcp.log_in_requests import LogInFailed
from assent.catalogue.mcp.provider import Kept, Provider
from assent.catalogue.mcp.refusals import failed
from assent.catalogue.mcp.sdk_login import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthFlowError,
)
from assent.gate.text.addresses import address_of
from assent.gate.text.lines import one_line

__all__ = ["keep", "log_in"]

_LOG_IN_TIMEOUT_S: Final = 600.0
"""In seconds: so long a person may take."""
_HEADERS: Final = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "server/discover",
}
_FIRST: Final = {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {}}

_UNPROVEN: Final = (
    "the place where one logs in does not say that it knows PKCE with S256, and without that a"
    " code that somebody else gets hold of would let them in"
)
_ELSEWHERE: Final = (
    "it leads elsewhere than your `oauth` was used before; log out first if that is right"
)

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


async def log_in(account: Account, ask: Ask, words: Words) -> Kept:
    """Have the person go through it; what is to be kept of it. Raises `LogInFailed`."""
    all_of_it = asyncio.timeout(_LOG_IN_TIMEOUT_S)
    try:
        async with all_of_it:
            await account.read()
            return await _Attempt(account, ask, words).run()
    except GateRequestFailed as error:
        raise LogInFailed(str(error)) from None
    except OAuthFlowError as error:
        raise failed(error) from None
    except (httpx2.HTTPError, httpx2.InvalidURL):
        raise LogInFailed("a host that it needs for that does not answer") from None
    except ValueError:
        raise LogInFailed("what it says of how to log in cannot be read") from None
    except OSError as error:
        if isinstance(error, TimeoutError) and all_of_it.expired():
            raise LogInFailed("nobody came back from its page in time") from None
        logging.getLogger(__name__).exception("a log-in broke")
        raise LogInFailed("this machine did not let it; the log says more") from None


async def keep(account: Account, kept: Kept) -> None:
    """Keep what came of it, whatever becomes of who waits for that; raises `LogInFailed`."""
    try:
        await asyncio.shield(account.keep(kept))
    except GateRequestFailed:
        raise LogInFailed("the editor did not keep it; try again") from None


class _Attempt:
    """It, and what it comes back with."""

    def __init__(self, account: Account, ask: Ask, words: Words) -> None:
        self._account, self._ask, self._words = account, ask, words
        self._here = LogInCallback(0)
        self._provider: Provider | None = None

    async def run(self) -> Kept:
        """Have a token."""
        launch, before = self._account.launch, self._account.kept
        port = launch.port or _port_of(before)
        async with landing(port, self._words, only=bool(launch.port)) as here:
            self._here = here
            provider = self._account.provider(here.uri, self._open, self._back)
            self._provider = provider
            client = self._client(before, here.uri)
            kept = Kept(url=launch.url, client=client, agreed=before.agreed_at)
            if "insufficient_scope" in self._account.challenge:
                provider.before = str((before.token or {}).get("scope") or "")
            provider.take(kept)
            await self._through(provider)
        provider.give(kept)
        return kept

    def _client(self, before: Kept, uri: str) -> dict[str, Any] | None:
        """Who we are there: as the person says, or as we were registered before for this very port.

        What the person once said is theirs to say again: it is bound to no place to log in, so it
        is not taken from what is kept.
        """
        launch = self._account.launch
        if launch.client and not launch.client.startswith("https://"):
            how = "client_secret_basic" if launch.client_secret else "none"
            return OAuthClientInformationFull(
                client_id=launch.client,
                client_secret=launch.client_secret or None,
                redirect_uris=[AnyUrl(uri)],
                token_endpoint_auth_method=how,
            ).model_dump(mode="json", exclude_none=True)
        registered = before.client if before.is_registered else None
        return registered if uri in (registered or {}).get("redirect_uris", ()) else None

    async def _through(self, provider: Provider) -> None:
        """Send what the package wants to be sent, up to where it would ask the server itself."""
        request = httpx2.Request(
            "POST", self._account.launch.url, headers=_HEADERS, content=json.dumps(_FIRST)
        )
        flow = provider.async_auth_flow(request)
        try:
            await anext(flow)
            response = httpx2.Response(
                401, headers={"www-authenticate": await self._challenge(request)}, request=request
            )
            while (wanted := await flow.asend(response)) is not request:
                if wanted.method == "POST":
                    _insist_on_proof(provider)
                response = await self._account.judged.send(wanted)
        except StopAsyncIteration:
            raise LogInFailed("it says nothing of how to log in") from None
        finally:
            await flow.aclose()

    async def _challenge(self, request: httpx2.Request) -> str:
        """What it said when it let nobody in, or says now."""
        if self._account.challenge:
            return self._account.challenge
        response = await self._account.judged.send(request)
        if response.is_success:
            raise LogInFailed("it lets everybody in, so there is nothing to log in to")
        if response.status_code != httpx2.codes.UNAUTHORIZED:
            raise LogInFailed(
                f"it answered with HTTP {response.status_code} where it should say how to log in"
            )
        return str(response.headers.get("www-authenticate", ""))

    async def _open(self, url: str) -> None:
        """Have the page opened, if the person wants that."""
        provider = self._insisted()
        url = provider.page(url)
        to = await self._account.judged.check(url)
        then = await self._account.judged.check(provider.takes_codes)
        self._here.state = parse_qs(urlsplit(url).query).get("state", [""])[0]
        own = address_of(self._account.launch.url)
        at = own.host if own else ""
        said = await self._ask({"url": url, "at": at, "to": to, "then": then})
        if said.get("action") != "accept":
            raise LogInFailed("you did not open its page")

    def _insisted(self) -> Provider:
        """What knows where the page is; raises `LogInFailed` where nobody must go there."""
        provider, before = self._provider, self._account.kept
        if provider is None or provider.is_unread:
            raise LogInFailed("what it says of how to log in cannot be read")
        _insist_on_proof(provider)
        if provider.is_agreed and before.agreed_at not in ("", provider.issuer):
            raise LogInFailed(_ELSEWHERE)
        return provider

    async def _back(self) -> AuthorizationCodeResult:
        landed = await self._here.landed()
        if landed.error or not landed.code:
            raise LogInFailed(f"its page refused it ({one_line(landed.error or 'without a code')})")
        return AuthorizationCodeResult(code=landed.code, state=self._here.state, iss=landed.iss)


def _insist_on_proof(provider: Provider) -> None:
    """Without it, whoever gets hold of a code could use it."""
    if not provider.proves:
        raise LogInFailed(_UNPROVEN)


def _port_of(kept: Kept) -> int:
    """The port that was agreed before; none where that is not known."""
    for uri in (kept.client or {}).get("redirect_uris", ()):
        parts = urlsplit(str(uri))
        if parts.hostname == "127.0.0.1":
            return parts.port or 0
    return 0
