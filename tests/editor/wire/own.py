"""A window whose own agent thinks with a fake model: everything else is real."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from attrs import define

from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from models.server import ModelServer

__all__ = ["DIALECTS", "Own", "OwnStage", "model", "own"]

DIALECTS = ("openai", "anthropic", "ollama")

OwnStage = Callable[..., Awaitable["Own"]]


@define
class Own:
    """One chat with our own agent."""

    scene: Scene
    model: ModelServer
    chat: str

    async def turn(self, text: str = "Go on.") -> Any:
        """Say something, and wait for the turn's end."""
        return await self.scene.turn(self.chat, text)

    def say(self, text: str = "Go on.") -> Any:
        """Say something; what comes back is the turn's end, when it has come."""
        return self.scene.say(self.chat, text)

    def results(self, request: int) -> list[str]:
        """What the model is told of its last calls, in the request of this number."""
        return self.model.requests[request - 1].last.split("\n")


@pytest.fixture
async def model() -> AsyncIterator[ModelServer]:
    """A host of models that says what it is told to; nobody asked it for more than that."""
    async with ModelServer(tags=[]) as server:
        yield server
    assert server.faults == []


@pytest.fixture
def own(stage: Stage, model: ModelServer) -> OwnStage:
    """Opens a chat with our own agent, by default in the default mode and OpenAI's dialect."""

    async def begin(
        dialect: str = "openai",
        mode: str | None = None,
        home: str = "",
        *,
        variables: dict[str, str] | None = None,
        trusted: bool = True,
        **user: Any,
    ) -> Own:
        given = {"provider": dialect, "model": "tiny", "url": model.url_for(dialect)}
        layers = {"user": {"models": [given], **user}}
        # Whoever opens a chat in a looser mode is asked once more, and agrees.
        editor = Editor(layers=layers, trusted=trusted, choose=lambda confirm: confirm.actions[0])
        env = {"OLLAMA_HOST": model.url, **({"HOME": home} if home else {}), **(variables or {})}
        scene = await stage(editor=editor, env=env)
        return Own(scene=scene, model=model, chat=await scene.chat("assent", mode))

    return begin
