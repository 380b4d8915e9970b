"""Cancels a turn's requests to the model at once when the turn is stopped."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from assent.gate.call.errors import AssentError
from assent.gate.values import define

__all__ = ["Cancellation", "Cut"]


class Cut(AssentError):
    """The work was broken off, and none is begun any more."""


@define(eq=False)
class Cancellation:
    """Holds one piece of work after the other."""

    is_cut: bool = False
    _scope: asyncio.Timeout | None = None

    def cut(self) -> None:
        """Break off what is held, and hold nothing more; a second time does nothing."""
        if self.is_cut:
            return
        self.is_cut = True
        if self._scope is not None:
            self._scope.reschedule(0)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Work that can be broken off; raises `Cut` where it was."""
        if self.is_cut:
            raise Cut
        try:
            async with asyncio.timeout(None) as self._scope:
                yield
        except TimeoutError:
            if not self.is_cut:
                raise
        finally:
            self._scope = None
        if self.is_cut:
            raise Cut
