"""A server that is a program: started below a keeper, and ended with all that it started."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from assent.catalogue.mcp.bound_files import look_at
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.process_end import free, hear_end
from assent.catalogue.mcp.transport import Mend, Pipes, Streams, transport
from assent.gate.processes.keeper_start import begun, ended, kept
from assent.gate.processes.process import Leash
from assent.gate.processes.shell_environment import home

__all__ = ["opened"]

_GRACE_S: Final = 2.0
_READ_BYTES: Final = 8 * 1024


class _Program(Pipes):
    def speaking(self, mend: Mend) -> AbstractAsyncContextManager[Streams]:
        """See `Line`."""
        return transport(self, mend)


@asynccontextmanager
async def opened(launch: Launch) -> AsyncIterator[Pipes]:
    """The program, for as long as somebody speaks with it."""
    leash = Leash(folder=os.open(home(), os.O_RDONLY))
    process = await kept(leash, 1024 * 1024)
    free(process.pid)
    words = [launch.program, launch.program, *launch.args]
    look: dict[str, tuple[int, ...]] = {}
    await begun(leash, process, words, launch.env, lambda: look.update(look_at(launch.bound)))
    assert process.stdin is not None  # noqa: S101 -- it was started with pipes
    assert process.stdout is not None  # noqa: S101 -- as above
    pipes = _Program(process.stdout, process.stdin)
    pipes.clean, pipes.look = launch.clean, look
    loop = asyncio.get_running_loop()
    loop.add_reader(leash.status, hear_end, leash, pipes, loop)
    try:
        async with asyncio.TaskGroup() as group:
            errors = group.create_task(_drain(process, pipes))
            try:
                yield pipes
            finally:
                errors.cancel()
    finally:
        loop.remove_reader(leash.status)
        await asyncio.shield(ended(leash, process, _GRACE_S))


async def _drain(process: asyncio.subprocess.Process, pipes: Pipes) -> None:
    assert process.stderr is not None  # noqa: S101 -- it was started with a pipe
    while chunk := await process.stderr.read(_READ_BYTES):
        pipes.errors.append(chunk)
