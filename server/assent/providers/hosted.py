"""A model at a host, in whichever dialect: asked once, and what goes wrong put into a sentence."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Callable
from contextlib import aclosing
from typing import Final

from attrs import define, evolve

from assent.providers.conversation import Request
from assent.providers.events import Event
from assent.providers.hosts import Host
from assent.providers.line import Line
from assent.providers.provider import ModelFailed
from assent.providers.sentences import failure, named
from assent.providers.trouble import Trouble
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

    @property
    def name(self) -> str:
        """The model and its host, in words."""
        return named(self._host)

    async def window(self) -> int:
        """How many tokens the model can read."""
        return await self._window.size()

    async def close(self) -> None:
        """Let go of the connections that were kept."""
        await self._line.close()

    async def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The reply; raises `ModelFailed`, which says whether asking again may help."""
        effort = self._host.effort if request.effort is None else request.effort
        asked = evolve(request, effort=effort)
        try:
            async with aclosing(self._reply(asked)) as events:
                async for event in _in_turns(events):
                    yield event
        except Trouble as trouble:
            raise failure(trouble, self._host) from trouble
        except Exception as error:
            # Calls of this reply may run: the turn must end in order, whatever went wrong here.
            _log.exception("The reply of %s broke off", self.name)
            raise ModelFailed(f"The reply of {self.name} could not be read.") from error


async def _in_turns(events: AsyncIterable[Event]) -> AsyncGenerator[Event, None]:
    """The same; one message may hold many, and many messages may come at once."""
    count = 0
    async for event in events:
        count += 1
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
        yield event
