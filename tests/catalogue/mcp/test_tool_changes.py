"""When somebody listens anew to a server of 2026, after that broke off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any, cast

import pytest

from assent.catalogue.mcp import tool_changes
from assent.catalogue.mcp.session import Session


async def pauses(monkeypatch: pytest.MonkeyPatch, *lasted: float) -> list[float]:
    """The pauses after streams that lasted so long, each in seconds."""
    now, slept = [0.0], list[float]()
    each = chain(lasted, repeat(0.0))

    @asynccontextmanager
    async def listen(*_: object, **__: object) -> AsyncIterator[AsyncIterator[None]]:
        async def changes() -> AsyncIterator[None]:
            now[0] += next(each)
            return
            yield

        yield changes()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == len(lasted):
            raise asyncio.CancelledError

    monkeypatch.setattr(tool_changes, "listen", listen)
    monkeypatch.setattr(tool_changes, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(tool_changes, "asyncio", SimpleNamespace(sleep=sleep))
    with pytest.raises(asyncio.CancelledError):
        await tool_changes._listen(cast("Session", cast("Any", None)), lambda: None)
    return slept


async def test_what_breaks_off_at_once_is_listened_to_ever_more_rarely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await pauses(monkeypatch, 0, 0, 0, 0, 0, 0) == [0.25, 1, 3, 10, 60, 60]


async def test_what_is_ended_each_minute_for_being_idle_is_listened_to_again_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await pauses(monkeypatch, 0, 0, 60, 60, 60, 60) == [0.25, 1, 0.25, 0.25, 0.25, 0.25]
