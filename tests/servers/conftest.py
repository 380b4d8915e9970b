"""A hub of its own for each test, and the servers that the test names."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from assent.mcp.link import Link
from assent.mcp.servers import Servers
from assent.settings.served import ServerEntry

Open = Callable[..., Servers]


@pytest.fixture
async def servers() -> AsyncIterator[Open]:
    """Sets these servers up; in the end no process of theirs is left."""
    made: list[Servers] = []

    async def secret(name: str, server: str) -> str | None:
        return f"{name} of {server}" if name == "KNOWN" else None

    def begin(*entries: ServerEntry) -> Servers:
        made.append(Servers(lambda: entries, secret, tuple, Link(group.create_task)))
        return made[-1]

    async with asyncio.TaskGroup() as group:
        yield begin
        for it in made:
            await it.close()
