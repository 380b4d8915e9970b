"""Lets tasks of one loop wait for what comes again and again.

A condition of asyncio has a lock, which a task that is cancelled must take once more before it
ends. Here nobody takes anything, so each wait ends at once when it is cancelled.
"""

import asyncio
from collections.abc import Callable

from attrs import define, field

__all__ = ["News"]


@define
class News:
    """Wakes all who wait, whenever something has come."""

    _waiting: list[asyncio.Future[None]] = field(factory=list)

    def came(self) -> None:
        """Wake all who wait now."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    async def more(self) -> None:
        """Wait until something comes."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(woken)
        await woken

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until what has come makes this hold."""
        while not holds():
            await self.more()
