"""How long to wait before a server that ended is started again."""

import time

from assent.catalogue.mcp.connection import ServerFailed

__all__ = ["RestartDelays"]

_FIRST_DELAY_S, _MAX_DELAY_S = 1.0, 60.0


class RestartDelays:
    """Of all servers."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[float, float]] = {}
        """Until when each is left alone, and for how long that was."""

    def begin(self, name: str, why: str) -> None:
        """Leave it alone from the next time on, each time for longer; raises `ServerFailed`."""
        now = time.monotonic()
        until, length = self._of.get(name, (0.0, _FIRST_DELAY_S))
        if now < until:
            raise ServerFailed(f"The server {name} is not there: {why}.")
        length = _FIRST_DELAY_S if now - until > _MAX_DELAY_S else min(2 * length, _MAX_DELAY_S)
        self._of[name] = (now + length, length)

    def end(self, name: str) -> None:
        """It is started whenever it is wanted."""
        self._of.pop(name, None)
