"""Notices the end of a server's process, and frees its keeper of the hub's memory limit."""

import asyncio
import contextlib
import sys

from assent.catalogue.mcp.transport import Pipes
from assent.gate.processes.process import Leash

__all__ = ["free", "hear_end"]


def hear_end(leash: Leash, pipes: Pipes, loop: asyncio.AbstractEventLoop) -> None:
    """The keeper says something: that the server itself has ended."""
    said = leash.hear()
    if said is None or any(line.startswith(("ended", "empty", "stuck")) for line in said):
        pipes.end()
    if said is None:
        loop.remove_reader(leash.status)


def free(pid: int) -> None:
    """Give a server's keeper the memory that the hub itself may not take."""
    if sys.platform.startswith("linux"):
        import resource  # noqa: PLC0415 -- there is none on other systems

        with contextlib.suppress(OSError, ValueError):
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
