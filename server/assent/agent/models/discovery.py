"""Finds the models of a running Ollama; without one it finds none, and reports no error.

The port is tried first, so that nothing heavy is loaded where nobody listens.
"""

import asyncio
from typing import Final
from urllib.parse import urlsplit

from assent.agent.models.host_errors import HostError
from assent.gate.settings.models.hosts import OLLAMA_URL, Host, host_of
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.values import evolve, frozen

__all__ = ["Near", "ollama_models"]

_CONNECT_TIMEOUT_S: Final = 0.5
_ANSWER_TIMEOUT_S: Final = 2.0


@frozen(kw_only=True)
class Near:
    """Whether somebody listens there, and which models are there to be talked to."""

    listens: bool = False
    models: tuple[Model, ...] = ()


async def ollama_models(url: str = OLLAMA_URL) -> Near:
    """The models there, in the order in which they were last changed; none where nobody is."""
    nobody = Model(id="", name="", dialect=Dialect.OLLAMA, model="", url=url)
    host = host_of(nobody, None)
    if not host.reachable or not await _listens(host):
        return Near()
    names = await _names(host)
    models = (
        evolve(nobody, id=f"ollama/{name}", name=f"{name} (Ollama)", model=name) for name in names
    )
    return Near(listens=True, models=tuple(models))


async def _listens(host: Host) -> bool:
    parts = urlsplit(host.url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout(_CONNECT_TIMEOUT_S):
            _, writer = await asyncio.open_connection(parts.hostname, port)
    except (OSError, TimeoutError, UnicodeError):
        return False
    writer.close()
    return True


async def _names(host: Host) -> list[str]:
    from assent.agent.models.host_connection import HostConnection  # noqa: PLC0415 -- as above
    from assent.agent.models.http_requests import Question, answer  # noqa: PLC0415 -- as above
    from assent.agent.models.message_reader import read  # noqa: PLC0415 -- as above
    from assent.agent.models.ollama_shapes import Tags  # noqa: PLC0415 -- only where somebody is

    line = HostConnection(host=host)
    try:
        tags = read(Tags, await answer(line, Question(path="/api/tags"), _ANSWER_TIMEOUT_S))
    except HostError:
        return []
    finally:
        await line.close()
    return [
        model.name or model.model
        for model in tags.models or ()
        if model.talks and (model.name or model.model)
    ]
