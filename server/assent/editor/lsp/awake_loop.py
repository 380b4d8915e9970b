"""An event loop that stays awake for a moment after each message.

What follows an answer is often on its way already, and a processor that has gone to sleep takes
longer to wake than an editor takes to say it. On a machine with one processor it sleeps at once,
since whoever is waited for could not run meanwhile.
"""

import asyncio
import os
import selectors
import time
from typing import Final

__all__ = ["new_loop"]

_AWAKE_S: Final = 0.0001
"""In seconds: longer than an editor's turn, and too short to be seen in what the server uses."""

Events = list[tuple[selectors.SelectorKey, int]]


class _Awake(selectors.DefaultSelector):
    """Looks again and again for a moment, and only then waits."""

    _until = 0.0

    def select(self, timeout: float | None = None) -> Events:
        """What has come, within the timeout."""
        events = super().select(0)
        if timeout is None or timeout > 0:
            events = events or self._look_again(timeout) or super().select(timeout)
        if events:
            self._until = time.perf_counter() + _AWAKE_S
        return events

    def _look_again(self, timeout: float | None) -> Events:
        most = _AWAKE_S if timeout is None else min(_AWAKE_S, timeout)
        until = min(self._until, time.perf_counter() + most)
        while time.perf_counter() < until:
            events = super().select(0)
            if events:
                return events
        return []


def new_loop() -> asyncio.AbstractEventLoop:
    """The loop that a server runs in."""
    if os.name != "posix" or _processors() == 1:
        return asyncio.new_event_loop()
    return asyncio.SelectorEventLoop(_Awake())


def _processors() -> int:
    """How many processors this process may use; not every system tells that of a process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
