"""A model at a host: asks it once, in the host's dialect, and words what goes wrong."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

from assent.agent.models.conversation import Request, Turn
from assent.agent.models.events import Event
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, HostError
from assent.agent.models.known_models import efforts_of, known
from assent.agent.models.provider import ModelFailed
from assent.agent.models.seals import Seals
from assent.agent.models.sentences import failure, is_full, named
from assent.agent.models.shown_media import ShownMedia
from assent.agent.models.windows import Window
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect
from assent.gate.values import define, evolve, field

__all__ = ["HostedModel"]

_log = logging.getLogger(__name__)

_EVENTS_A_TURN: Final = 100
"""So many events may come before others have their turn."""


@define
class HostedModel:
    """One model."""

    _host: Host
    _window: Window
    _reply: Callable[[Request], AsyncGenerator[Event, None]]
    """Asks once; ends with `Stopped`, or raises `HostError`."""
    _line: HostConnection
    _says_pictures: Callable[[], Awaitable[bool | None]] | None = None
    """Asks its host whether it takes pictures, where that says so."""
    _seals: Seals = field(init=False)
    _showing: ShownMedia = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._seals = Seals(host=self._host)
        ask = self._says_pictures
        self._showing = ShownMedia(host=self._host) if ask is None else ShownMedia(self._host, ask)

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

    @property
    def price(self) -> tuple[float, float, float] | None:
        """What a million tokens cost, as far as the table knows."""
        known_model = known(self._host.model)
        is_sold = self._host.dialect in {Dialect.OPENAI, Dialect.ANTHROPIC}
        return known_model.price if known_model is not None and is_sold else None

    async def takes(self) -> frozenset[str]:
        """The kinds of pictures and documents that it can be shown."""
        return await self._showing.kinds()

    async def close(self) -> None:
        """Let go of the connections that were kept."""
        await self._line.close()

    async def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The reply; raises `ModelFailed`, which says whether asking again may help."""
        effort = self._host.effort if request.effort is None else request.effort
        asked = evolve(request, effort=effort)
        try:
            async with aclosing(_in_turns(self._fit(asked))) as events:
                async for event in events:
                    yield event
        except HostError as trouble:
            raise failure(trouble, self._host) from trouble
        except Exception as error:
            # Calls of this reply may run: the turn must end in order, whatever went wrong here.
            _log.exception("The reply of %s broke off", self.name)
            raise ModelFailed(f"The reply of {self.name} could not be read.") from error

    async def _fit(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, asked for without what the host no longer takes back, or does not show."""
        begun = False
        while True:
            turns = await self._showing.fit(self._seals.without(request.turns))
            try:
                async with aclosing(self._reply(evolve(request, turns=turns))) as events:
                    async for event in events:
                        begun = True
                        yield event
            except Declined as no:
                # A reply that has begun is never begun anew: its calls may run already.
                if begun or not self._learns(no, turns):
                    raise
            else:
                self._showing.took(turns)
                return

    def _learns(self, no: Declined, turns: tuple[Turn, ...]) -> bool:
        """Whether a refusal says what of these turns to leave out."""
        if self._seals.learn(no, turns):
            return True
        return not is_full(no) and self._showing.learn(no, turns)


async def _in_turns(events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    """Pass events on, and let other tasks run between them, as many may come at once."""
    count = 0
    async with aclosing(events):
        async for event in events:
            count += 1
            if count % _EVENTS_A_TURN == 0:
                await asyncio.sleep(0)
            yield event
