"""What is stored about a log-in, and the part of one that the protocol's package does."""

import json
from contextlib import suppress
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel

from assent.catalogue.mcp.log_in_requests import LogInRequests
from assent.catalogue.mcp.sdk_login import (
    OAuthClientInformationFull,
    OAuthClientProvider,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from assent.gate.values import define, field

__all__ = ["NOWHERE", "Kept", "Provider"]

_REFUSES: Final = frozenset({400, 401})
_OVER: Final = frozenset({"invalid_grant", "invalid_client"})

_Model = TypeVar("_Model", bound=BaseModel)


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
    agreed: str = ""
    """The place where a program that the person named was used first, in a log-in before this."""

    @classmethod
    def read(cls, text: str, url: str) -> "Kept":
        """What was kept for this address; nothing of another's, nor of what cannot be read."""
        with suppress(ValueError, TypeError, RecursionError):
            kept = cls(**json.loads(text))
            if kept.url == url:
                return kept
        return cls(url=url)

    @property
    def access(self) -> str:
        """What is sent."""
        return str((self.token or {}).get("access_token", ""))

    @property
    def is_registered(self) -> bool:
        """Whether who we are there was made there, and so is bound to that place to log in."""
        return bool((self.client or {}).get("issuer"))

    @property
    def agreed_at(self) -> str:
        """The place where a program that the person named was used first; nothing where none was.

        It stands until they log out, whatever else they were there in between.
        """
        is_agreed = bool(self.client) and not self.is_registered
        return self.agreed or (str((self.server or {}).get("issuer", "")) if is_agreed else "")

    @property
    def renewal(self) -> str:
        """What makes another."""
        return str((self.token or {}).get("refresh_token", ""))


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

    @property
    def proves(self) -> bool:
        """Whether it says that it wants the proof that a code comes back to who asked for it."""
        said = self.context.oauth_metadata
        return said is not None and "S256" in (said.code_challenge_methods_supported or ())

    @property
    def issuer(self) -> str:
        """The place to log in, as it calls itself; nothing where it says nothing."""
        said = self.context.oauth_metadata
        return "" if said is None else str(said.issuer)

    @property
    def is_agreed(self) -> bool:
        """Whether it goes there as the program that the person named, whatever is kept."""
        client = self.context.client_info
        return client is not None and not client.issuer

    @property
    def takes_codes(self) -> str:
        """Where a code is sent, and whatever else makes a token."""
        return self._get_token_endpoint()

    def page(self, url: str) -> str:
        """The address of its page as it is opened; raises `ValueError` where it says a thing twice.

        The package puts what is asked for behind a `?`, also where the address has one already.
        """
        said = self.context.oauth_metadata
        at = "" if said is None else str(said.authorization_endpoint)
        if "?" not in at or not url.startswith(f"{at}?"):
            return url
        joined = f"{at}{'' if at.endswith(('?', '&')) else '&'}{url.removeprefix(f'{at}?')}"
        names = [name for name, _ in parse_qsl(urlsplit(joined).query, keep_blank_values=True)]
        if len(names) > len({*names}):
            raise ValueError("said twice")
        return joined

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        wanted = self.context.client_metadata
        if self.before:
            both = dict.fromkeys([*self.before.split(), *(wanted.scope or "").split()])
            wanted.scope = " ".join(both)
        return await super()._perform_authorization_code_grant()

    def take(self, kept: Kept) -> None:
        """Go on from what is kept."""
        context = self.context
        self._initialized = True
        context.current_tokens = _read(OAuthToken, kept.token)
        context.client_info = _read(OAuthClientInformationFull, kept.client)
        context.oauth_metadata = _read(OAuthMetadata, kept.server)
        context.protected_resource_metadata = _read(ProtectedResourceMetadata, kept.resource)
        context.token_expiry_time = kept.until

    def give(self, kept: Kept) -> None:
        """Have kept what there is now."""
        context = self.context
        kept.token, kept.client, kept.server, kept.resource = (
            None if model is None else model.model_dump(mode="json", exclude_none=True)
            for model in (
                context.current_tokens,
                context.client_info,
                context.oauth_metadata,
                context.protected_resource_metadata,
            )
        )
        kept.until = context.token_expiry_time

    async def renewed(self, judged: LogInRequests) -> bool:
        """Have a new token for the old one's sake, or none where it is said that it is over.

        Any other answer is a passing fault, and says nothing of what there is.
        """
        response = await judged.send(await self._refresh_token())
        return await self._handle_refresh_response(response) or (
            response.status_code in _REFUSES and _error_in(response.content) in _OVER
        )


def _error_in(body: bytes) -> str:
    with suppress(ValueError, RecursionError):
        said = json.loads(body)
        return str(said.get("error", "")) if isinstance(said, dict) else ""
    return ""


class _Nowhere:
    """What the package keeps things in: what there is, is had from the provider."""

    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None: ...

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None: ...


NOWHERE: Final = _Nowhere()
