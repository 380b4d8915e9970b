"""Cuts an agent's output into lines of bounded length."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from assent.gate.call.errors import AgentFailed

__all__ = ["MAX_LINE_BYTES", "lines"]

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""The most bytes that one message may have."""

_READ_BYTES: Final = 64 * 1024


async def lines(
    stream: asyncio.StreamReader, longest: int = MAX_LINE_BYTES
) -> AsyncIterator[bytes]:
    """Each line without its end; what stands after the last end of line is dropped."""
    held = bytearray()
    looked = 0
    while chunk := await stream.read(_READ_BYTES):
        held += chunk
        begin = 0
        while (end := held.find(b"\n", max(begin, looked))) >= 0:
            if end - begin > longest:
                raise _too_long(longest)
            yield bytes(held[begin:end])
            begin = looked = end + 1
        del held[:begin]
        looked = len(held)
        if len(held) > longest:
            raise _too_long(longest)


def _too_long(longest: int) -> AgentFailed:
    return AgentFailed(f"it sent a message longer than {longest} bytes")
