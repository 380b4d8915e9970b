"""Lists the models of a host, and tries one of them before it is written into the settings."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import aclosing
from typing import Final

from assent.agent.models.conversation import Request, Said, Toolcard
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import HostError
from assent.agent.models.http_requests import Question, answer, bearing
from assent.agent.models.message_reader import read
from assent.agent.models.openai_shapes import Listed, Listing
from assent.agent.models.provider import ModelFailed, Provider
from assent.agent.models.sentences import failure
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect
from assent.gate.values import evolve

__all__ = ["models_at", "try_out"]

MAX_MODELS: Final = 1_000
"""So many of what a host lists are offered."""
_ANSWER_TIMEOUT_S: Final = 15.0
_FIRST_WORD_TIMEOUT_S: Final = 60.0
"""In seconds: a host may have to load a model before it says anything."""
_MUTE: Final = re.compile(
    r"embed|whisper|\btts\b|-tts|dall-e|moderation|transcribe|realtime|gpt-image|sora|rerank|ocr",
    re.IGNORECASE,
)
"""What hosts list beside the models that one can talk to."""
_ANY: Final = Toolcard(
    name="look", says="Look around.", schema={"type": "object", "properties": {}}
)
"""A model that can call nothing is of no use here, so one is told of something to call."""
_HELLO: Final = Request(
    system="Reply in one word.", turns=(Said(text="Are you there?"),), tools=(_ANY,)
)


async def models_at(host: Host) -> list[str]:
    """What the host calls the models that one can talk to; raises `ModelFailed`."""
    # In its sentences the model is whatever is asked for there.
    asked = evolve(host, model=host.model or "its models")
    line = HostConnection(host=asked)
    try:
        listing = read(Listing, await answer(line, _question(asked), _ANSWER_TIMEOUT_S))
    except HostError as trouble:
        raise failure(trouble, asked) from None
    finally:
        await line.close()
    models = [model for model in listing.data or () if model.id and not _MUTE.search(model.id)]
    return [model.id for model in sorted(models, key=_age)][:MAX_MODELS]


def _question(host: Host) -> Question:
    if host.dialect is not Dialect.ANTHROPIC:
        return Question(path="/models", headers=bearing(host))
    path = "/models" if host.url.endswith("/v1") else "/v1/models"
    return Question(path=f"{path}?limit={MAX_MODELS}", headers=_anthropic(host))


def _anthropic(host: Host) -> Mapping[str, str]:
    from assent.agent.models.anthropic import headers_of  # noqa: PLC0415 -- only where it is spoken

    return headers_of(host)


def _age(listed: Listed) -> float:
    return -listed.created if isinstance(listed.created, int | float) else 0.0


async def try_out(provider: Provider) -> None:
    """Have a model begin a reply; raises `ModelFailed` where it does not."""
    try:
        async with (
            asyncio.timeout(_FIRST_WORD_TIMEOUT_S),
            aclosing(provider.stream(_HELLO)) as events,
        ):
            async for _ in events:
                return
    except TimeoutError:
        raise ModelFailed(f"{provider.name} has said nothing for a minute.") from None
    finally:
        await provider.close()
