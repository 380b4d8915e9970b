"""Starts programs for Assent's own work, and leaves nothing of them, whoever breaks off when."""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

__all__ = ["gone", "started", "uncut"]

_Start = Coroutine[Any, Any, Process]

_LEFT: Final = 2.0
"""In seconds: how long pipes are waited for that are held by who left the session."""


async def started(*words: str | bytes, **terms: Any) -> Process:
    """A program in a session of its own; raise `OSError` where it cannot be started."""
    return await uncut(
        asyncio.create_subprocess_exec(*words, stdout=PIPE, start_new_session=True, **terms)
    )


@asynccontextmanager
async def gone(process: Process) -> AsyncIterator[None]:
    """In the end it is over, with all that it started."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            # With all that it started, which would keep its pipes open.
            os.killpg(process.pid, signal.SIGKILL)
        try:
            async with asyncio.timeout(_LEFT):
                await _read_out(process)
        except TimeoutError:
            # Nothing else closes what a stranger holds.
            process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 -- asyncio has no other way


async def uncut(start: _Start) -> Process:
    """What comes of a start, also where its task is cancelled meanwhile: that waits until then.

    A start that is cut off halfway kills the program, but not what that started already, and
    waits for ever for the pipes that are held there. Whoever is given the process ends it whole.
    """
    is_cancelled = False
    async with asyncio.TaskGroup() as group:
        coming = group.create_task(_outcome(start))
        while not coming.done():
            try:
                await asyncio.wait([coming])
            except asyncio.CancelledError:
                is_cancelled = True
    task = asyncio.current_task()
    if is_cancelled and task is not None:
        # Once more, for what is waited for next; it still counts once.
        task.uncancel()
        task.cancel()
    process = coming.result()
    if isinstance(process, Exception):
        raise process
    return process


async def _outcome(start: _Start) -> Process | Exception:
    try:
        return await start
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is raised where it is waited for
        return error


async def _read_out(process: Process) -> None:
    """Wait until it is over; what nobody has read would keep its pipes open."""
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            await pipe.read()
    await process.wait()
