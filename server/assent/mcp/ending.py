"""How a server's process is watched and ended, with all that it started."""

import asyncio
import contextlib
import sys
from typing import Final

from assent.mcp.transport import Pipes
from assent.shells.process import Leash

__all__ = ["end", "free", "hear_end"]

_GRACE: Final = 2.0
_STUBBORN: Final = 5.0


def hear_end(leash: Leash, pipes: Pipes, loop: asyncio.AbstractEventLoop) -> None:
    """The keeper says something: that the server itself has ended."""
    said = leash.hear()
    if said is None or any(it.startswith(("ended", "empty", "stuck")) for it in said):
        pipes.end()
    if said is None:
        loop.remove_reader(leash.status)


async def end(leash: Leash, process: asyncio.subprocess.Process) -> None:
    """End a server: by closing its pipe, by asking, by force."""
    if process.stdin is not None:
        process.stdin.close()
    leash.end(_GRACE)
    try:
        async with asyncio.timeout(_GRACE + _STUBBORN):
            await process.wait()
    except TimeoutError:
        await asyncio.to_thread(leash.force)
        await process.wait()
    await asyncio.to_thread(leash.drop)


def free(pid: int) -> None:
    """Give a server's keeper the memory that the hub itself may not take."""
    if sys.platform.startswith("linux"):
        import resource  # noqa: PLC0415 -- there is none on other systems

        with contextlib.suppress(OSError, ValueError):
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
