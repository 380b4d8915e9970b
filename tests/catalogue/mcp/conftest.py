"""A hub of its own for each test, and the servers that the test names."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.mcp.servers import Servers
from assent.gate.settings.tool_servers import ServerEntry
from catalogue.mcp.fetch import fetched

Open = Callable[..., Servers]


@pytest.fixture
async def servers() -> AsyncIterator[Open]:
    """Sets these servers up; in the end no process of theirs is left."""
    made: list[Servers] = []

    async def secret(name: str, server: str) -> str | None:
        return f"{name} of {server}" if name == "KNOWN" else None

    def begin(*entries: ServerEntry) -> Servers:
        made.append(
            Servers(lambda: entries, Launches(secret=secret, roots=tuple), Link(group.create_task))
        )
        return made[-1]

    async with asyncio.TaskGroup() as group:
        yield begin
        for it in made:
            await it.close()


@pytest.fixture(scope="module")
def real() -> Path:
    """Where the servers lie that nobody here wrote."""
    folder = fetched()
    if folder is None:
        absent = "They are not fetched yet: run `make test-servers` once."
        if os.environ.get("ASSENT_NO_SKIPS"):
            pytest.fail(absent)
        pytest.skip(absent)
    return folder
