"""Measures what servers of tools that break every agreement do to others meanwhile.

Each is a real process below a real hub. The gate's loop stands for whatever else the gate is asked:
its longest wait is the most that anybody waits for it. What another server of the same hub takes
is told beside that.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed
from catalogue.mcp.served import entry

__all__ = ["measure"]

_KINDS: Final = ("hangs", "floods", "dies", "big", "endless", "twice", "deep", "many", "rug")
_MOST_MS: Final = 50.0
_ROUNDS: Final = 3
_LASTS: Final = 5.0
"""In seconds: so long one is watched that does not end by itself."""


def measure() -> bool:
    """Measure and print; whether the bars are met."""
    print(f"{'':36}{'gate':>10}{'a server':>10}  bar: the gate at most {_MOST_MS:g}")
    with TemporaryDirectory(prefix="assent-bench-") as folder:
        met = [_one(kind, Path(folder)) for kind in ("plain", *_KINDS)]
    return all(met)


def _one(kind: str, folder: Path) -> bool:
    told = [asyncio.run(_waits(kind, folder)) for _ in range(_ROUNDS)]
    gate, other = (min(it) for it in zip(*told, strict=True))
    bar = "met" if gate <= _MOST_MS else "MISSED"
    print(f"{f'longest wait, ms: {kind}':36}{gate:10.1f}{other:10.1f}  {bar}")
    return gate <= _MOST_MS


async def _waits(kind: str, folder: Path) -> tuple[float, float]:
    """The longest wait for the gate's loop, and for another server, in milliseconds."""
    says = folder / "says"
    says.write_text("Pays.")
    words = (says,) if kind == "rug" else ()
    async with _opened(kind, *words) as servers:
        other = await servers.describe("plain:t1")
        hostile = asyncio.ensure_future(_hostile(servers, kind))
        gate = asyncio.ensure_future(_longest(lambda: asyncio.sleep(0), hostile))
        asks = asyncio.ensure_future(
            _longest(lambda: servers.run(other, {}, lambda _: None), hostile)
        )
        await asyncio.wait({hostile}, timeout=_LASTS)
        hostile.cancel()
        return await gate, await asks


async def _hostile(servers: Servers, kind: str) -> None:
    with suppress(NodeFailed):
        await servers.search("thing", 10)
        node = await servers.describe(f"{kind}:{'pay' if kind == 'rug' else 't0'}")
        await servers.run(node, {}, lambda _: None)


async def _longest(do: Callable[[], Awaitable[object]], until: asyncio.Future[None]) -> float:
    longest = 0.0
    while not until.done():
        began = time.perf_counter()
        await do()
        longest = max(longest, time.perf_counter() - began)
    return longest * 1_000


@asynccontextmanager
async def _opened(kind: str, *words: object) -> AsyncIterator[Servers]:
    async def nobody(_: str, __: str) -> None:
        return None

    entries = [entry("plain"), *([entry(kind, *words)] if kind != "plain" else [])]
    async with asyncio.TaskGroup() as group:
        launches = Launches(secret=nobody, roots=tuple)
        servers = Servers(lambda: entries, launches, Link(group.create_task))
        try:
            yield servers
        finally:
            await servers.close()
