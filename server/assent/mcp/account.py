"""How the person is logged in at one server: what is sent to it, and made new when it is over.

Nothing here opens a page. What is kept lies with the editor; it is of one address, and is sent to
no other.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

import httpx2
from attrs import asdict, define, field
from pydantic import AnyUrl, BaseModel, ValidationError

from assent.mcp.errands import Errand
from assent.mcp.judged import Judged, LogInFailed
from assent.mcp.launch import Launch
from assent.mcp.sdk_login import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthClientProvider,
    OAuthFlowError,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)

__all__ = ["Account", "Kept", "Provider"]

_EARLY: Final = 30.0
"""In seconds: a token that is over so soon is made new before."""
_REVOKED: Final = frozenset({400, 401, 403})
_LONGEST: Final = 4_000

_Model = TypeVar("_Model", bound=BaseModel)
Go = Callable[[Errand, str, str], Awaitable[str]]


@define
class Kept:
    """What is kept of a log-in."""

    url: str = ""
    """Whose it is."""
    token: dict[str, Any] | None = field(default=None, repr=False)
    client: dict[str, Any] | None = field(default=None, repr=False)
    server: dict[str, Any] | None = None
    """What the place where one logs in says of itself."""
    resource: dict[str, Any] | None = None
    until: float | None = None
    """When the token is over."""

    @classmethod
    def read(cls, text: str, url: str) -> "Kept":
        """What was kept for this address; nothing of another's, nor of what cannot be read."""
        with suppress(ValueError, TypeError, RecursionError):
            found = cls(**json.loads(text))
            if found.url == url:
                return found
        return cls(url=url)

    @property
    def access(self) -> str:
        """What is sent."""
        return str((self.token or {}).get("access_token", ""))


def _read(shape: type[_Model], value: dict[str, Any] | None) -> _Model | None:
    return None if value is None else shape.model_validate(value)


class Provider(OAuthClientProvider):
    """The package's, which takes what is kept from us, and is given each answer by us."""

    before = ""
    """What was allowed before, where more is wanted: a new log-in is not to take that back."""

    @property
    def is_unread(self) -> bool:
        """Whether a place to log in was named that says nothing of itself: nobody guesses it."""
        return self.context.auth_server_url is not None and self.context.oauth_metadata is None

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        wanted = self.context.client_metadata
        if self.before:
            both = dict.fromkeys([*self.before.split(), *(wanted.scope or "").split()])
            wanted.scope = " ".join(both)
        return await super()._perform_authorization_code_grant()

    def take(self, kept: Kept) -> None:
        """Go on from what is kept."""
        it = self.context
        self._initialized = True
        it.current_tokens = _read(OAuthToken, kept.token)
        it.client_info = _read(OAuthClientInformationFull, kept.client)
        it.oauth_metadata = _read(OAuthMetadata, kept.server)
        it.protected_resource_metadata = _read(ProtectedResourceMetadata, kept.resource)
        it.token_expiry_time = kept.until

    def give(self, kept: Kept) -> None:
        """Have kept what there is now."""
        it = self.context
        kept.token, kept.client, kept.server, kept.resource = (
            None if one is None else one.model_dump(mode="json", exclude_none=True)
            for one in (
                it.current_tokens,
                it.client_info,
                it.oauth_metadata,
                it.protected_resource_metadata,
            )
        )
        kept.until = it.token_expiry_time

    async def renewed(self, judged: Judged) -> int:
        """Have a new token for the old one's sake; the status of the answer."""
        response = await judged.send(await self._refresh_token())
        await self._handle_refresh_response(response)
        return response.status_code


class _Nowhere:
    """What the package keeps things in: what there is, is had from the provider."""

    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None: ...

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None: ...


@define(eq=False)
class Account:
    """One server's."""

    launch: Launch
    _go: Go
    kept: Kept = field(init=False, factory=Kept)
    challenge: str = ""
    """What the server said when it let nobody in, for the next log-in."""
    _is_read: bool = False
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    @property
    def judged(self) -> Judged:
        """How the hosts of its log-in are reached."""
        return Judged(self.launch.url, lambda url: self._go("judge", self.launch.name, url))

    @property
    def is_in(self) -> bool:
        """Whether somebody is logged in, as far as is known."""
        return bool(self.kept.access)

    async def token(self) -> str:
        """What is sent; nothing where nobody is logged in."""
        async with self._turn:
            if not self._is_read:
                await self._read()
            until = self.kept.until
            if self.is_in and until is not None and time.time() > until - _EARLY:
                await self._renew()
        return self.kept.access

    async def other_than(self, used: str) -> str:
        """Another token than one that was refused; nothing where there is none to be had."""
        async with self._turn:
            if self.kept.access in ("", used):
                await self._read()
            if self.kept.access == used and used:
                await self._renew()
        return "" if self.kept.access == used else self.kept.access

    async def read(self) -> None:
        """Have what the editor keeps now."""
        async with self._turn:
            await self._read()

    async def keep(self) -> None:
        """Have the editor keep what there is now."""
        await self._go("keep", self.launch.name, json.dumps(asdict(self.kept)))

    async def forget(self) -> None:
        """Nobody is logged in any more."""
        async with self._turn:
            self.kept, self.challenge = Kept(url=self.launch.url), ""
            await self._go("keep", self.launch.name, "")

    def refused(self, challenge: str) -> None:
        """The server let nobody in."""
        self.challenge = challenge[:_LONGEST]

    def provider(
        self,
        uri: str,
        open_page: Callable[[str], Awaitable[None]] | None = None,
        back: Callable[[], Awaitable[AuthorizationCodeResult]] | None = None,
    ) -> Provider:
        """What knows how one logs in there."""
        client = self.launch.client
        return Provider(
            server_url=self.launch.url,
            client_metadata=OAuthClientMetadata(
                client_name="Assent",
                redirect_uris=[AnyUrl(uri)],
                grant_types=["authorization_code", "refresh_token"],
                response_types=["code"],
            ),
            storage=_Nowhere(),
            redirect_handler=open_page,
            callback_handler=back,
            client_metadata_url=client if client.startswith("https://") else None,
        )

    async def _read(self) -> None:
        try:
            text = await self._go("kept", self.launch.name, "")
        except TimeoutError:
            return
        self.kept, self._is_read = Kept.read(text, self.launch.url), True

    async def _renew(self) -> None:
        """Make the token new, or have none any more where that is refused."""
        if not (self.kept.token or {}).get("refresh_token") or not self.kept.client:
            return
        provider = self.provider("http://127.0.0.1/callback")
        try:
            provider.take(self.kept)
            status = await provider.renewed(self.judged)
        except (LogInFailed, OAuthFlowError, httpx2.HTTPError, ValidationError, ValueError):
            return
        if status != httpx2.codes.OK and status not in _REVOKED:
            return
        provider.give(self.kept)
        with suppress(TimeoutError):
            await self.keep()
