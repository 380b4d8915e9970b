"""The connection to a host is kept for the next question, as long as it was heard to its end."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define, field

from agent.models.scene import HELLO, texts
from assent.agent.models.provider import Provider
from assent.agent.models.providers import provider_of
from assent.gate.settings.models.model import Dialect, Model
from models.http11 import LAST_CHUNK, chunk, read_request
from models.script import text
from models.spoken import SPEAKERS
from tables import each_row

WAYS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages", "ollama": "/api/chat"}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@define
class Host:
    """Answers every question in the same way, and closes no connection unless told to."""

    path: str
    url: str = ""
    connections: int = 0
    asked: int = 0
    hangs_up: bool = False
    """Whether it closes each connection at its second question, without an answer."""
    writers: list[asyncio.StreamWriter] = field(factory=list)

    @asynccontextmanager
    async def provider(self, dialect: str) -> AsyncIterator[Provider]:
        url = f"{self.url}/v1" if dialect == "openai" else self.url
        wanted = Model(id="m", name="m", dialect=Dialect(dialect), model="tiny", url=url, window=9)
        provider = provider_of(wanted, None)
        try:
            yield provider
        finally:
            await provider.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        for count in itertools.count():
            try:
                await read_request(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            self.asked += 1
            if self.hangs_up and count:
                break
            speaker = SPEAKERS[self.path]("tiny")
            said = b"".join([speaker.head(), *speaker.say(text("So.")), speaker.end()])
            writer.write(HEAD + chunk(said) + LAST_CHUNK)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def hosting(dialect: str) -> AsyncIterator[Host]:
    host = Host(path=WAYS[dialect])
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
    host.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield host
    finally:
        server.close()
        for writer in host.writers:
            writer.close()


async def said(provider: Provider) -> str:
    async with asyncio.timeout(10):
        return texts([event async for event in provider.stream(HELLO)])


@each_row("dialect", WAYS)
async def test_one_connection_serves_many_questions(dialect: str) -> None:
    async with hosting(dialect) as host, host.provider(dialect) as provider:
        assert [await said(provider) for _ in range(5)] == ["So."] * 5
        assert (host.connections, host.asked) == (1, 5)


async def test_a_kept_connection_that_died_is_made_anew_without_a_word() -> None:
    async with hosting("openai") as host, host.provider("openai") as provider:
        host.hangs_up = True
        assert [await said(provider) for _ in range(3)] == ["So."] * 3
        assert host.connections >= 2


async def test_a_connection_that_was_left_amid_a_reply_is_not_kept() -> None:
    async with hosting("openai") as host, host.provider("openai") as provider:
        stream = provider.stream(HELLO)
        await anext(stream)
        await stream.aclose()
        assert await said(provider) == "So."
        assert host.connections == 2
