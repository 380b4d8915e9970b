"""Runs a program that a tool needs; if it does not start, the tool fails."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from assent.agent.tools.tool import ToolFailed
from assent.gate.processes.subprocesses import killed_on_exit, start_program

__all__ = ["running"]

_PIPE: Final = asyncio.subprocess.PIPE


@asynccontextmanager
async def running(
    program: str, *args: str | bytes, given: bytes | None = None, what: str = "The search"
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program that sees nothing of where Assent runs, and is gone in the end."""
    try:
        process = await start_program(
            program,
            *args,
            stdin=asyncio.subprocess.DEVNULL if given is None else _PIPE,
            stderr=_PIPE,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            cwd="/",
        )
    except OSError as error:
        raise ToolFailed(f"{what} could not be started: {error.strerror}.") from error
    async with killed_on_exit(process):
        if given is not None:
            await _give(process, given)
        yield process


async def _give(process: asyncio.subprocess.Process, given: bytes) -> None:
    assert process.stdin is not None  # noqa: S101 -- it was started with a pipe
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(given)
        await process.stdin.drain()
    process.stdin.close()
