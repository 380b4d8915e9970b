"""A fake host, and a model in each dialect."""

from collections.abc import AsyncIterator

import pytest

from agent.models.scene import DIALECTS, Scene
from models.server import ModelServer


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A host that has nothing to complain of in the end."""
    async with ModelServer() as server:
        yield server
    assert server.faults == []


@pytest.fixture(params=DIALECTS)
def scene(request: pytest.FixtureRequest, server: ModelServer) -> Scene:
    """Each dialect in turn."""
    return Scene(server=server, dialect=request.param)


@pytest.fixture
def openai(server: ModelServer) -> Scene:
    return Scene(server=server, dialect="openai")


@pytest.fixture
def responses(server: ModelServer) -> Scene:
    return Scene(server=server, dialect="responses")


@pytest.fixture
def anthropic(server: ModelServer) -> Scene:
    return Scene(server=server, dialect="anthropic")


@pytest.fixture
def ollama(server: ModelServer) -> Scene:
    return Scene(server=server, dialect="ollama")
