"""Notices that a server's tools changed; servers of 2026 tell only those who listen.

Nothing is told again of what changed while nobody listened, so whoever begins to listen has the
tools listed anew.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import chain, repeat
from typing import Final

from assent.catalogue.mcp.sdk import MCPError, SubscriptionLost, listen
from assent.catalogue.mcp.session import Session

__all__ = ["listening"]

_AGAIN: Final = (0.25, 1.0, 3.0, 10.0)
_LAST_RETRY_PAUSE_S: Final = 60.0
"""In seconds: when somebody listens anew, after it broke off."""
_LASTING_CONNECTION_S: Final = 30.0
"""What broke off after more than that did so by itself: whoever passes it on ends what is idle."""


@asynccontextmanager
async def listening(session: Session, again: Callable[[], None]) -> AsyncIterator[None]:
    """Listen meanwhile; `again` has the tools listed anew."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_listen(session, again)) if _tells(session) else None
        try:
            yield
        finally:
            if task is not None:
                task.cancel()


def _tells(session: Session) -> bool:
    """Whether it says that it tells who listens."""
    offers = session.server_capabilities
    tools = None if offers is None else offers.tools
    return session.is_modern and tools is not None and bool(tools.list_changed)


async def _listen(session: Session, again: Callable[[], None]) -> None:
    pauses = chain(_AGAIN, repeat(_LAST_RETRY_PAUSE_S))
    while True:
        began = time.monotonic()
        # What goes wrong with it is no fault of any call: it is begun once more.
        with suppress(MCPError, SubscriptionLost, RuntimeError, ValueError):
            async with listen(session, tools_list_changed=True) as changes:
                again()
                async for _ in changes:
                    again()
        if time.monotonic() - began > _LASTING_CONNECTION_S:
            pauses = chain(_AGAIN, repeat(_LAST_RETRY_PAUSE_S))
        await asyncio.sleep(next(pauses))
