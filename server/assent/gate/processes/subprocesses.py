"""Starts programs for Assent's own work, and kills them at the end, even when cancelled."""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

__all__ = ["killed_on_exit", "shield_until_done", "start_program"]

T = TypeVar("T")

_PIECE_BYTES: Final = 65_536
_PIPES_TIMEOUT_S: Final = 2.0
"""In seconds: how long pipes are waited for that are held by who left the session."""


async def start_program(*words: str | bytes, **terms: Any) -> Process:
    """A program in a session of its own; raise `OSError` where it cannot be started."""
    return await shield_until_done(
        asyncio.create_subprocess_exec(*words, stdout=PIPE, start_new_session=True, **terms)
    )


@asynccontextmanager
async def killed_on_exit(process: Process) -> AsyncIterator[None]:
    """In the end it is over, with all that it started."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            # With all that it started, which would keep its pipes open.
            os.killpg(process.pid, signal.SIGKILL)
        await shield_until_done(_over(process))


async def shield_until_done(work: Coroutine[Any, Any, T]) -> T:
    """What comes of a start or an end, also where its task is cancelled: that waits until then.

    A start that is cut off halfway kills the program, but not what that started already, and
    waits for ever for the pipes that are held there. Whoever is given the process ends it whole.
    """
    is_cancelled = False
    coming: asyncio.Task[T | Exception] | None = None
    try:
        async with asyncio.TaskGroup() as group:
            coming = group.create_task(_outcome(work))
            while not coming.done():
                try:
                    await asyncio.wait([coming])
                except asyncio.CancelledError:
                    is_cancelled = True
    except asyncio.CancelledError:
        # It came as the work was over already.
        is_cancelled = True
    task = asyncio.current_task()
    if is_cancelled and task is not None:
        # Once more, for what is waited for next; it still counts once.
        task.uncancel()
        task.cancel()
    assert coming is not None  # noqa: S101 -- nothing ends a group that has not begun
    outcome = coming.result()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def _outcome(work: Coroutine[Any, Any, T]) -> T | Exception:
    try:
        return await work
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is raised where it is waited for
        return error


async def _over(process: Process) -> None:
    """Wait for it, but not for long; then close what a stranger holds, as nothing else does."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_PIPES_TIMEOUT_S):
            await _read_out(process)
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 -- there is no other way


async def _read_out(process: Process) -> None:
    """Wait until it is over; what nobody has read would keep its pipes open."""
    for pipe in (process.stdout, process.stderr):
        while pipe is not None and await pipe.read(_PIECE_BYTES):
            pass
    await process.wait()
