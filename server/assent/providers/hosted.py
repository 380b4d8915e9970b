"""A model at a host, in whichever dialect, which is asked again where that may help.

Only before its reply has begun, and not for ever: a reply that has begun is never begun anew,
because its calls may run already.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable
from contextlib import aclosing
from typing import Final

from attrs import define, frozen

from assent.providers.conversation import Request
from assent.providers.events import Again, Event, Used
from assent.providers.hosts import Host
from assent.providers.sentences import failure, named, passes
from assent.providers.trouble import Declined, Trouble
from assent.providers.windows import Window

__all__ = ["MOST_TRIES", "Hosted", "Trying"]

MOST_TRIES: Final = 4
_FIRST_WAIT: Final = 1.0
_LONGEST_WAIT: Final = 60.0
"""Whoever wants to be left alone for longer than this is left alone."""
_AT_ONCE: Final = 100
"""So many events may come before others have their turn."""


@frozen(kw_only=True)
class Trying:
    """How a model is asked again."""

    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    """Spreads those who were turned away together."""


@define
class Hosted:
    """One model."""

    _host: Host
    _window: Window
    _trying: Trying
    _reply: Callable[[Request], AsyncGenerator[Event, None]]
    """Asks once; ends with `Stopped`, or raises `Trouble`."""

    @property
    def name(self) -> str:
        """The model and its host, in words."""
        return named(self._host)

    async def window(self) -> int:
        """How many tokens the model can read."""
        return await self._window.size()

    async def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The reply, from whichever try began it; raises `ModelFailed`."""
        for turn in range(1, MOST_TRIES + 1):
            begun = False
            try:
                async with aclosing(self._reply(request)) as events:
                    async for event in _in_turns(events):
                        # What was counted can be counted again.
                        begun = begun or not isinstance(event, Used)
                        yield event
            except Trouble as trouble:
                failed = failure(trouble, self._host)
                wait = None if begun or turn == MOST_TRIES else self._wait(trouble, turn)
                if wait is None:
                    raise failed from trouble
            else:
                return
            yield Again(why=f"{failed} It is asked again (try {turn + 1} of {MOST_TRIES}).")
            await self._trying.pause(wait)

    def _wait(self, trouble: Trouble, turn: int) -> float | None:
        """How long to wait before the next try; None where there should be none."""
        if not passes(trouble, self._host):
            return None
        after = trouble.after if isinstance(trouble, Declined) else None
        if after is not None and after > _LONGEST_WAIT:
            return None
        backoff = _FIRST_WAIT * (1 << turn - 1) * (0.5 + self._trying.chance() / 2)
        return max(after or 0.0, backoff)


async def _in_turns(events: AsyncIterable[Event]) -> AsyncGenerator[Event, None]:
    """The same; one message may hold many, and many messages may come at once."""
    count = 0
    async for event in events:
        count += 1
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
        yield event
