"""Models by OpenAI's API, at OpenAI or elsewhere: as Responses or as Chat Completions.

The newest of OpenAI's own are spoken to by Responses there and on Azure, all others by chat
completions. A host that says that it wants the other way is asked in that one from then on.
"""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, Final, Protocol

from assent.agent.models.chat_completions import ChatCompletions
from assent.agent.models.conversation import Request
from assent.agent.models.events import Event
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Foreign, HostError
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.known_models import known
from assent.agent.models.listed_window import listed_window
from assent.agent.models.responses import Responses
from assent.agent.models.windows import Window, assumed, guessed
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, field

__all__ = ["OpenAI", "is_by_responses", "opened"]

_ABSENT: Final = frozenset({404, 405, 501})


def opened(host: Host, window: int | None) -> HostedModel:
    """The provider of a model that is spoken to in this way."""
    line = HostConnection(host=host)
    # Where the person says the path, they have said the way.
    spoken = OpenAI(line=line, by_responses=is_by_responses(host), has_turned=bool(host.path))
    guess = guessed(host)
    # Its own host lists its models without saying how much they read.
    sure = window or (guess if host.is_own else None)
    return HostedModel(
        host=host,
        window=Window(ask=partial(listed_window, line), known=sure, otherwise=assumed(host)),
        reply=spoken.reply,
        line=line,
    )


def is_by_responses(host: Host) -> bool:
    """Whether a model is asked by Responses first."""
    if host.path:
        return "/responses" in host.path
    known_model = known(host.model)
    return host.offers_as_openai and known_model is not None and known_model.by_responses


class _Way(Protocol):
    """One of the two ways."""

    def body(self, request: Request) -> dict[str, Any]:
        """The whole request, as the host wants it."""
        ...

    def learn(self, no: Declined, body: Mapping[str, Any]) -> bool:
        """Whether a refusal says what to change; from now on that is changed."""
        ...

    def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """The reply to a request."""
        ...


@define
class OpenAI:
    """One model, as its host is asked."""

    _line: HostConnection
    _by_responses: bool = False
    _has_turned: bool = False
    """Whether the host said that it wants the other way: nobody is sent to and fro."""
    _chat: ChatCompletions = field(init=False)
    _responses: Responses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._chat = ChatCompletions(line=self._line)
        self._responses = Responses(line=self._line)

    async def reply(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, asked for as the host wants it."""
        begun = False
        while True:
            way = self._way
            body = way.body(request)
            try:
                async with aclosing(way.stream(body)) as events:
                    async for event in events:
                        begun = True
                        yield event
            except HostError as no:
                # A reply that has begun is never begun anew: its calls may run already.
                if begun or not self._mend(no, body):
                    raise
            else:
                return

    @property
    def _way(self) -> _Way:
        return self._responses if self._by_responses else self._chat

    def _mend(self, no: HostError, body: Mapping[str, Any]) -> bool:
        """Whether there is another way to ask, as the host says."""
        if not self._has_turned and self._wants_other_way(no):
            self._has_turned = True
            self._by_responses = not self._by_responses
            return True
        return isinstance(no, Declined) and self._way.learn(no, body)

    def _wants_other_way(self, no: HostError) -> bool:
        if self._by_responses:
            if self._line.host.is_own:
                # It knows the way: a page or a 404 is of something that stands before it.
                return "chat/completions" in str(no)
            return isinstance(no, Foreign) or "chat/completions" in str(no) or _is_absent(no)
        return isinstance(no, Declined) and re.search(r"\bv\d/responses\b", no.words) is not None


def _is_absent(no: HostError) -> bool:
    """Whether a host does not know the way, and not the model."""
    return isinstance(no, Declined) and no.status in _ABSENT and "model" not in no.words
