"""Why a log-in failed, in our words: the package's own would quote what it was sent."""

from assent.catalogue.mcp.log_in_requests import LogInFailed
from assent.catalogue.mcp.sdk_login import OAuthFlowError, OAuthRegistrationError, OAuthTokenError

__all__ = ["failed"]


def failed(error: OAuthFlowError) -> LogInFailed:
    """Translate an error of the package; its kinds differ by their words alone."""
    if isinstance(error, OAuthTokenError):
        return LogInFailed("it gave no token for what its page came back with")
    if isinstance(error, OAuthRegistrationError):
        return LogInFailed(
            "it does not take up a program that it does not know; see to its `oauth`"
        )
    said = str(error)
    if said.startswith("Protected resource metadata request"):
        return LogInFailed("its host does not say now how to log in; try again")
    if said.startswith("Protected resource"):
        return LogInFailed("what it says of how to log in is of another server")
    if said.startswith("Authorization server metadata issuer"):
        return LogInFailed("the place where one logs in calls itself otherwise than it is called")
    if said.startswith("Authorization response"):
        return LogInFailed("its page did not come back from the place where one logs in")
    return LogInFailed("what it says of how to log in does not fit together")
