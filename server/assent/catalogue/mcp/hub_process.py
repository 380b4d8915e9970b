"""Runs the hub as a process: frames in, frames out, within a limit of memory."""

import asyncio
import contextlib
import logging
import sys
from typing import Final

from assent.catalogue.mcp.frames import MAX_FRAME_BYTES, frame, read
from assent.catalogue.mcp.hub import Hub

__all__ = ["main"]

_MAX_MEMORY_BYTES: Final = 3 * 1024**3
"""In bytes of address space, of which a line of 64 MB takes the least part."""


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MAX_FRAME_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, sys.stdout
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    async with asyncio.TaskGroup() as group:
        hub = Hub(lambda answer: writer.write(frame(answer)), group)
        try:
            while message := await read(reader):
                hub.hear(message)
        finally:
            await hub.close()


def main() -> None:
    """Be the hub, to the end of the standard input."""
    if sys.platform.startswith("linux"):
        import resource  # noqa: PLC0415 -- there is none on other systems

        with contextlib.suppress(OSError, ValueError):
            most = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, most))
    # What a server makes the protocol's package say would fill the log of the editor.
    logging.basicConfig(level=logging.CRITICAL)
    logging.getLogger("assent").setLevel(logging.WARNING)
    asyncio.run(_serve())
