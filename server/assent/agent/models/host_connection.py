"""The HTTP connections to one host, kept open between two requests."""

import asyncio
import ssl
from typing import TYPE_CHECKING, Final

from assent.agent.models.host_errors import Loss, Lost, shortened
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, field

if TYPE_CHECKING:
    import httpx2

__all__ = ["HostConnection", "timeout_of"]

_CONNECT_TIMEOUT_S: Final = 10.0
_MAX_KEPT_CONNECTIONS, _KEEP_ALIVE_S = 2, 240.0
"""How many connections are kept open between two questions, and for how many seconds."""


@define
class HostConnection:
    """The way to one host, with the connections that are kept open."""

    host: Host
    _client: "httpx2.AsyncClient | None" = field(default=None, init=False, repr=False)

    async def client(self) -> "httpx2.AsyncClient":
        """Whoever asks there; made with the first question."""
        if self._client is None:
            # What is imported and read from the disk here must not hold up the gate.
            made = await asyncio.to_thread(_client, self.host)
            self._client = self._client or made
        return self._client

    async def close(self) -> None:
        """Nothing more is asked: let go of what was kept open."""
        if self._client is not None:
            await self._client.aclose()


def _client(host: Host) -> "httpx2.AsyncClient":
    import httpx2  # noqa: PLC0415 -- a server that asks no model does without it

    # Whose word is taken for who answers: nobody's where nothing is encrypted.
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        return httpx2.AsyncClient(
            verify=httpx2.create_ssl_context() if host.encrypted else nobody,
            limits=httpx2.Limits(
                max_keepalive_connections=_MAX_KEPT_CONNECTIONS, keepalive_expiry=_KEEP_ALIVE_S
            ),
            # A proxy could read what is not encrypted, and is for what lies beyond this network.
            trust_env=host.encrypted and not host.near,
            follow_redirects=False,
        )
    except (ImportError, ValueError, OSError, httpx2.InvalidURL) as error:
        # Proxies and certificates can be named in the environment, and wrongly.
        raise Lost(Loss.UNUSABLE, shortened(str(error), host.secrets)) from None


def timeout_of(patience: float) -> "httpx2.Timeout":
    """How long a host may take to answer at all, and to say more."""
    import httpx2  # noqa: PLC0415 -- as above

    return httpx2.Timeout(
        connect=_CONNECT_TIMEOUT_S, read=patience, write=patience, pool=_CONNECT_TIMEOUT_S
    )
