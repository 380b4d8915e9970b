"""Asks a host that speaks as OpenAI does how much a model can read.

Most say it in their list of models. Of the hosts on this machine, llama.cpp says beside it with how
much it was started, and LM Studio has a list of its own.
"""

from contextlib import suppress
from typing import TypeVar

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import HostError
from assent.agent.models.http_requests import Question, answer, bearing
from assent.agent.models.message_reader import Shape, read
from assent.agent.models.openai_shapes import Listed, Listing, Props
from assent.gate.values import evolve

__all__ = ["listed_window"]

S = TypeVar("S", bound=Shape)


async def listed_window(line: HostConnection) -> int | None:
    """How many tokens the model can read, where its host says so; raises `HostError`."""
    listed = _of_model(line, await _read(line, Listing, "/models"))
    if listed.window is not None or not line.host.near:
        return listed.window
    root = HostConnection(host=evolve(line.host, url=line.host.url.removesuffix("/v1")))
    try:
        return await _started_with(root) or await _loaded_with(root) or listed.trained_window
    finally:
        await root.close()


async def _started_with(line: HostConnection) -> int | None:
    """With how much llama.cpp was started; none where the host is another."""
    with suppress(HostError):
        return (await _read(line, Props, "/props")).window
    return None


async def _loaded_with(line: HostConnection) -> int | None:
    """With how much LM Studio loaded the model, or could; none where the host is another."""
    with suppress(HostError):
        return _of_model(line, await _read(line, Listing, "/api/v0/models")).window
    return None


async def _read(line: HostConnection, shape: type[S], path: str) -> S:
    return read(shape, await answer(line, Question(path=path, headers=bearing(line.host))))


def _of_model(line: HostConnection, listing: Listing) -> Listed:
    asked = line.host.model
    return next((model for model in listing.data or () if model.id == asked), Listed())
