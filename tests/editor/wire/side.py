"""A pipe beside the protocol, on which a house of the tests tells what goes on."""

import asyncio
from collections.abc import Awaitable, Callable

from editor.wire.client import PATIENCE, Client

__all__ = ["Side", "Start"]

Start = Callable[..., Awaitable[Client]]
"""Starts a server; what it takes is told by the fixture that gives it."""


class Side:
    """A pipe beside the protocol, on which a house of the tests tells what goes on."""

    def __init__(self, writer: int, reader: asyncio.StreamReader) -> None:
        self.writer = writer
        self._reader = reader

    async def line(self, *, within: float = PATIENCE) -> str:
        """The next line."""
        line = await asyncio.wait_for(self._reader.readline(), within)
        return line.decode().rstrip()
