"""How long to wait for agents."""

import asyncio

from assent.gate.values import frozen

__all__ = ["Patience", "expire", "wait_or_false"]


@frozen(kw_only=True)
class Patience:
    """Seconds, for each thing that an agent may be slow with."""

    greeting: float = 60.0
    """For the answer to `initialize`, and to `session/new`."""
    stop: float = 5.0
    """For the end of a turn that was stopped, before the person is told."""
    stubborn: float = 10.0
    """And after that, before the process is ended."""
    ending: float = 2.0
    """For a process that was asked to end, before it is killed."""
    words: float = 0.5
    """For an agent that closed its pipes to end by itself and say why."""


def expire(scope: asyncio.Timeout | None) -> None:
    """End a wait; one that is about to end needs no second telling."""
    if scope is not None and not scope.expired():
        scope.reschedule(0)


async def wait_or_false(event: asyncio.Event, seconds: float) -> bool:
    """Whether something happens within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
