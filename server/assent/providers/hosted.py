"""A model at a host, in whichever dialect: asked once, and what goes wrong put into a sentence."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from attrs import define, evolve, field

from assent.providers.conversation import Request
from assent.providers.events import Event
from assent.providers.hosts import Host
from assent.providers.known import efforts_of
from assent.providers.line import Line
from assent.providers.provider import ModelFailed
from assent.providers.seals import Seals
from assent.providers.sentences import failure, named
from assent.providers.trouble import Declined, Trouble
from assent.providers.windows import Window

__all__ = ["Hosted"]

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 100
"""So many events may come before others have their turn."""


@define
class Hosted:
    """One model."""

    _host: Host
    _window: Window
    _reply: Callable[[Request], AsyncGenerator[Event, None]]
    """Asks once; ends with `Stopped`, or raises `Trouble`."""
    _line: Line
    _seals: Seals = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._seals = Seals(host=self._host)

    @property
    def name(self) -> str:
        """The model and its host, in words."""
        return named(self._host)

    async def window(self) -> int:
        """How many tokens the model can read."""
        return await self._window.size()

    @property
    def is_window_known(self) -> bool:
        """Whether everybody was asked who could say how many."""
        return self._window.is_known

    @property
    def efforts(self) -> tuple[str, ...]:
        """How much it can be told to think."""
        return efforts_of(self._host)

    async def close(self) -> None:
        """Let go of the connections that were kept."""
        await self._line.close()

    async def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The reply; raises `ModelFailed`, which says whether asking again may help."""
        effort = self._host.effort if request.effort is None else request.effort
        asked = evolve(request, effort=effort)
        try:
            async with aclosing(_in_turns(self._unsealed(asked))) as events:
                async for event in events:
                    yield event
        except Trouble as trouble:
            raise failure(trouble, self._host) from trouble
        except Exception as error:
            # Calls of this reply may run: the turn must end in order, whatever went wrong here.
            _log.exception("The reply of %s broke off", self.name)
            raise ModelFailed(f"The reply of {self.name} could not be read.") from error

    async def _unsealed(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, asked for without what the host no longer takes back."""
        begun = False
        while True:
            asked = evolve(request, turns=self._seals.without(request.turns))
            try:
                async with aclosing(self._reply(asked)) as events:
                    async for event in events:
                        begun = True
                        yield event
            except Declined as no:
                # A reply that has begun is never begun anew: its calls may run already.
                if begun or not self._seals.learn(no, asked.turns):
                    raise
            else:
                return


async def _in_turns(events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    """The same; one message may hold many, and many messages may come at once."""
    count = 0
    async with aclosing(events):
        async for event in events:
            count += 1
            if count % _AT_ONCE == 0:
                await asyncio.sleep(0)
            yield event
