"""How many tokens a model reads: by the person's setting, its host, or its name."""

from collections.abc import Awaitable, Callable
from typing import Final

from assent.agent.models.host_errors import HostError
from assent.agent.models.known_models import known
from assent.agent.models.sentences import is_for_now
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define

__all__ = ["UNKNOWN_WINDOW_TOKENS", "Window", "assumed", "guessed"]

UNKNOWN_WINDOW_TOKENS: Final = 32_768
"""For models on this machine, where nobody says it."""
_FAR_WINDOW_TOKENS: Final = 128_000
"""For models of other hosts: almost all of today read at least so much."""


def guessed(host: Host) -> int | None:
    """What a model of that name can read; a host on this machine gives it as much as it likes."""
    known_model = known(host.model) if _is_far(host) else None
    return known_model.window if known_model is not None else None


def assumed(host: Host) -> int:
    """What a model reads as long as nobody says anything."""
    return guessed(host) or (_FAR_WINDOW_TOKENS if _is_far(host) else UNKNOWN_WINDOW_TOKENS)


def _is_far(host: Host) -> bool:
    return host.reachable and not host.near


@define
class Window:
    """The window of one model, which is asked for once."""

    _ask: Callable[[], Awaitable[int | None]]
    """What the host says; raises `HostError`."""
    _known: int | None = None
    _otherwise: int = UNKNOWN_WINDOW_TOKENS

    @property
    def is_known(self) -> bool:
        """Whether everybody was asked who could say it."""
        return self._known is not None

    async def size(self) -> int:
        """How many tokens it is. Where the host cannot be asked now, it is asked again."""
        if self._known is None:
            try:
                self._known = await self._ask() or self._otherwise
            except HostError as no:
                self._known = None if is_for_now(no) else self._otherwise
        return self._known or self._otherwise
