"""Runs a program that a tool uses for its own work, and leaves nothing of it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from assent.tools.tool import ToolFailed

__all__ = ["running"]

_PIPE: Final = asyncio.subprocess.PIPE
_NO_INPUT: Final = asyncio.subprocess.DEVNULL


@asynccontextmanager
async def running(
    program: str, *args: str | bytes, given: bytes | None = None, what: str = "The search"
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program that is gone in the end, whatever happens."""
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *args,
            stdin=_NO_INPUT if given is None else _PIPE,
            stdout=_PIPE,
            stderr=_PIPE,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise ToolFailed(f"{what} could not be started: {error.strerror}.") from error
    try:
        if given is not None:
            await _give(process, given)
        yield process
    finally:
        await _end(process)


async def _give(process: asyncio.subprocess.Process, given: bytes) -> None:
    assert process.stdin is not None  # noqa: S101 -- it was started with a pipe
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(given)
        await process.stdin.drain()
    process.stdin.close()


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        # With all that it started, which would keep its pipes open.
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdout, process.stderr):
        # What nobody has read would keep the pipe open, and its process from being over.
        if pipe is not None:
            await pipe.read()
    await process.wait()
