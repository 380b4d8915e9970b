"""Starts work that nobody waits for, in the server's task group, which it cannot bring down."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from assent.gate.call.errors import AssentError

__all__ = ["Spawn", "each_for_itself", "spawn_in", "unless_refused"]

_log = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Future[None]]


def spawn_in(group: asyncio.TaskGroup) -> Spawn:
    """Begins what nobody waits for; its failure is a line in the log and no more.

    Nothing begins after the group's end: what is given back then is cancelled.
    """

    async def logged(work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:  # noqa: BLE001 -- nobody waits for it who could be told
            _log.exception("Something that ran behind the scenes failed.")

    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        begun = logged(work)
        try:
            task = group.create_task(begun)
        except RuntimeError:
            begun.close()
            work.close()
            over = asyncio.get_running_loop().create_future()
            over.cancel()
            return over
        # It has not begun where the task was cancelled at once.
        task.add_done_callback(lambda _: work.close())
        return task

    return spawn


async def unless_refused(work: Coroutine[Any, Any, object]) -> None:
    """Do what a person may draw back from; then all stays as it is, and nobody is to be told."""
    with contextlib.suppress(AssentError):
        await work


def each_for_itself(*steps: Callable[[], None]) -> None:
    """Take all these steps; what ails one of them keeps no other from being taken."""
    for step in steps:
        try:
            step()
        except Exception:  # noqa: BLE001 -- the others are to be taken all the same
            _log.exception("A step failed; the others were taken.")
