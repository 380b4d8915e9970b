"""Why a log-in came to nothing, in words of ours: the package's quote what it was sent."""

from typing import Final

from assent.mcp.sdk_login import OAuthFlowError, OAuthRegistrationError, OAuthTokenError

__all__ = ["why_not"]

_KNOWN: Final = (
    ("Protected resource metadata request", "its host does not say now how to log in; try again"),
    ("Protected resource ", "what it says of how to log in is of another server"),
    (
        "Authorization server metadata issuer",
        "the place where one logs in calls itself otherwise than it is called",
    ),
    ("Authorization response", "its page did not come back from the place where one logs in"),
)
"""How the package's words begin, and ours."""
_ODD: Final = "what it says of how to log in does not fit together"


def why_not(error: OAuthFlowError) -> str:
    """A clause for it."""
    match error:
        case OAuthTokenError():
            return "it gave no token for what its page came back with"
        case OAuthRegistrationError():
            return "it does not take up a program that it does not know; see to its `oauth`"
        case _:
            said = str(error)
            return next((ours for theirs, ours in _KNOWN if said.startswith(theirs)), _ODD)
