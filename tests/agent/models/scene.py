"""A model at the fake server, asked once; nobody ever sleeps."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any

import pytest
from attrs import define, field

from assent.agent.models.conversation import Request, Said, Turn
from assent.agent.models.events import CallReady, Event, Stopped, Text, Used
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.listed_window import listed_window
from assent.agent.models.openai import OpenAI
from assent.agent.models.provider import ModelFailed, Provider
from assent.agent.models.providers import provider_of
from assent.agent.models.windows import Window
from assent.gate.settings.models.hosts import host_of
from models.server import PATIENCE, ModelServer

__all__ = [
    "DIALECTS",
    "HELLO",
    "Scene",
    "asking",
    "giver",
    "nobody_there",
    "ready",
    "stopped",
    "texts",
]

DIALECTS = ["openai", "responses", "anthropic", "ollama"]


def asking(*turns: Turn, **rest: Any) -> Request:
    """A request with these turns."""
    return Request(system="Be brief.", turns=turns or (Said(text="Hello."),), **rest)


HELLO = asking()


@define
class Scene:
    """One server, and a model that is reached there.

    A provider shows it as part of itself, and must not show the key with it.
    """

    server: ModelServer = field(repr=False)
    dialect: str
    key: str | None = field(default="sk-secret", repr=False)

    def provider(self, **model: Any) -> Provider:
        """The model; what is named differs from the plain one."""
        if self.dialect != "responses":
            return provider_of(self.server.model(self.dialect, **model), self.key)
        # Only OpenAI itself is asked so unasked.
        host = host_of(self.server.model("openai", **model), self.key)
        line = HostConnection(host=host)
        spoken = OpenAI(line=line, by_responses=True, has_turned=True)
        window = Window(ask=partial(listed_window, line))
        return HostedModel(host=host, window=window, reply=spoken.reply, line=line)

    async def events(self, request: Request = HELLO, **model: Any) -> list[Event]:
        """The whole reply."""
        return [event async for event in self.reply(request, **model)]

    async def failed(self, request: Request = HELLO, **model: Any) -> tuple[list[Event], str]:
        """What came before it failed, and how it did."""
        came, failure = await self.breaking(request, **model)
        return came, str(failure)

    async def breaking(
        self, request: Request = HELLO, **model: Any
    ) -> tuple[list[Event], ModelFailed]:
        """The same, with the failure itself."""
        came: list[Event] = []
        try:
            async for event in self.reply(request, **model):
                came.append(event)  # noqa: PERF401 -- it is wanted when this breaks off
        except ModelFailed as failure:
            return came, failure
        raise AssertionError(came)

    async def refused(self, request: Request = HELLO, **model: Any) -> ModelFailed:
        """How it failed, before anything came."""
        with pytest.raises(ModelFailed) as failure:
            await self.events(request, **model)
        return failure.value

    async def reply(self, request: Request = HELLO, **model: Any) -> AsyncGenerator[Event, None]:
        """The reply as it comes, each event within bounds."""
        async with aclosing(self.provider(**model).stream(request)) as events:
            while True:
                try:
                    async with asyncio.timeout(PATIENCE):
                        event = await anext(events)
                except StopAsyncIteration:
                    return
                yield event


_WAYS = {"openai": "chat"}


def giver(scene: Scene) -> str:
    """Whoever gives what is handed back to this scene's model."""
    dialect = "openai" if scene.dialect == "responses" else scene.dialect
    host = host_of(scene.server.model(dialect), None)
    return host.giver(_WAYS.get(scene.dialect, scene.dialect))


def nobody_there() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def texts(events: list[Event]) -> str:
    """All that was said."""
    return "".join(event.text for event in events if isinstance(event, Text))


def ready(events: list[Event]) -> list[tuple[str, str]]:
    """The calls that were ready: name and arguments."""
    return [(it.name, it.arguments) for it in events if isinstance(it, CallReady)]


def stopped(events: list[Event]) -> str:
    """Why the reply ended; its end is the last thing that comes, but for what was counted."""
    (reason,) = [it.reason for it in events if isinstance(it, Stopped)]
    assert isinstance([it for it in events if not isinstance(it, Used)][-1], Stopped)
    return reason
