"""A collector of OpenTelemetry on loopback, which keeps each byte that it was sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, field

from models.http11 import whole_answer

__all__ = ["Collector", "collecting"]


@define
class Collector:
    """What it was told, and how it answers."""

    url: str = ""
    says: Callable[[str], bytes | None] = lambda _: whole_answer(200, b"{}", _JSON)
    """The answer to a request for this path; None where there is none."""
    raw: bytearray = field(factory=bytearray)
    bodies: list[tuple[str, dict[str, Any]]] = field(factory=list)
    came: asyncio.Event = field(factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear one request."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        body = await reader.readexactly(length)
        self.raw += head + body
        path = head.split(b" ", 2)[1].decode()
        self.bodies.append((path, json.loads(body)))
        self.came.set()
        answer = self.says(path)
        if answer is None:
            await reader.read()
        else:
            writer.write(answer)
            await writer.drain()
        writer.close()

    def decisions(self) -> dict[tuple[str, str, str], int]:
        """How many calls were decided how, by whom, as it was told last."""
        found: dict[tuple[str, str, str], int] = {}
        for point in self.last("assent.decisions")["sum"]["dataPoints"]:
            words = words_in(point)
            key = (words["assent.verdict"], words["assent.outcome"], words["assent.by"])
            found[key] = found.get(key, 0) + int(point["asInt"])
        return found

    def timed(self, name: str) -> int:
        """How many times of that name it was told of."""
        return sum(int(it["count"]) for it in self.last(name)["histogram"]["dataPoints"])

    def last(self, name: str) -> dict[str, Any]:
        """A metric, as it was told last."""
        told = [body for path, body in self.bodies if path == "/v1/metrics"][-1]
        metrics = told["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
        found: dict[str, Any] = next(it for it in metrics if it["name"] == name)
        return found

    def spans(self) -> list[dict[str, Any]]:
        """All spans that it was told of."""
        return [
            span
            for path, body in self.bodies
            if path == "/v1/traces"
            for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]
        ]


def words_in(told: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a point or a span."""
    return {it["key"]: it["value"].get("stringValue", it["value"]) for it in told["attributes"]}


_JSON = {"content-type": "application/json"}


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    """A collector for as long as it is needed."""
    it = Collector()
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0)
    it.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield it
    finally:
        server.close()
