"""The protocol package's log-in by OAuth, without everything else that it would load.

Loaded in the hub alone, as `sdk`.
"""

from assent.catalogue.mcp import sdk

# It stands in for what the package would load beside, so it is loaded before.
sdk.types  # noqa: B018

from mcp.client.auth import OAuthClientProvider  # noqa: E402
from mcp.client.auth.exceptions import (  # noqa: E402
    OAuthFlowError,
    OAuthRegistrationError,
    OAuthTokenError,
)
from mcp.shared.auth import (  # noqa: E402
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)

__all__ = [
    "AuthorizationCodeResult",
    "OAuthClientInformationFull",
    "OAuthClientMetadata",
    "OAuthClientProvider",
    "OAuthFlowError",
    "OAuthMetadata",
    "OAuthRegistrationError",
    "OAuthToken",
    "OAuthTokenError",
    "ProtectedResourceMetadata",
]
