"""Requests to Anthropic's Messages API."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

from assent.agent.models.anthropic_messages import body_of, giver_of
from assent.agent.models.anthropic_reply import Reply
from assent.agent.models.anthropic_shapes import StreamEvent
from assent.agent.models.anthropic_thinking import INTERLEAVED
from assent.agent.models.conversation import Request
from assent.agent.models.events import Event
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Loss, Lost
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.http_requests import Question, posted, to_the_end
from assent.agent.models.learned_refusals import LearnedRefusals
from assent.agent.models.lines import data_of
from assent.agent.models.message_reader import read
from assent.agent.models.windows import Window, assumed
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, evolve, field

__all__ = ["Anthropic", "headers_of", "opened"]

_ENDS: Final = frozenset({"message_stop", "message"})
"""The last thing that a reply says; one that comes whole says nothing else."""
_VERSION: Final = "2023-06-01"
_OPTIONAL: Final = {
    "thinking.display": re.compile(r"^thinking\.display\b|thinking\.adaptive\.display"),
    "thinking": re.compile(
        r"^thinking(\.(type|enabled|adaptive)[\w.]*)?: |adaptive thinking is not"
        r"|thinking\.(type|enabled|adaptive)\b|budget_tokens"
    ),
    "output_config.effort": re.compile(r"^output_config\.effort|\beffort (parameter|level|value)"),
    "output_config": re.compile(r"output_config"),
}
"""What a model may not take, and how its host says so: it can be left out."""
_AMID: Final = re.compile(r"start with a thinking block|Expected `thinking`")
"""How the host says that a model cannot begin to think amid calls: it thinks later again."""
_TOO_LONG: Final = re.compile(r"max_tokens: \d+ > (\d{1,9})\b")
"""How the host says that a reply may not be as long as was asked for."""


def opened(host: Host, window: int | None) -> HostedModel:
    """The provider of a model that is spoken to in this way."""
    line = HostConnection(host=host)
    spoken = Anthropic(line=line)
    return HostedModel(
        host=host,
        window=Window(ask=_nobody, known=window, otherwise=assumed(host)),
        reply=spoken.reply,
        line=line,
    )


async def _nobody() -> int | None:
    """No host of this dialect tells how much a model can read."""
    return None


@define
class Anthropic:
    """One model, as its host is asked."""

    _line: HostConnection
    _most: int | None = None
    """How many tokens the model may reply with, once the host said that it is less than asked."""
    _learnt: LearnedRefusals = field(factory=lambda: LearnedRefusals(says=_OPTIONAL))

    async def reply(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, no longer than the host lets the model reply."""
        begun = thoughtless = False
        while True:
            body = self._body(request, thoughtless=thoughtless)
            try:
                async with aclosing(self._stream(body)) as events:
                    async for event in events:
                        begun = True
                        yield event
            except Declined as no:
                amid = "thinking" in body and _AMID.search(no.words) is not None
                # A reply that has begun is never begun anew: its calls may run already.
                if begun or not (amid or self._learns(no, body)):
                    raise
                thoughtless = thoughtless or amid
            else:
                return

    def _body(self, request: Request, *, thoughtless: bool) -> dict[str, Any]:
        """The whole request, as the host wants it."""
        most = min(request.most_tokens, self._most or request.most_tokens)
        body = self._learnt.fit(body_of(evolve(request, most_tokens=most), self._line.host))
        return {
            name: value for name, value in body.items() if not (thoughtless and name == "thinking")
        }

    def _learns(self, no: Declined, body: Mapping[str, Any]) -> bool:
        """Whether a refusal says what to change; from now on that is changed."""
        most = _most_in(no)
        if most is not None:
            self._most = most
            return most < int(body["max_tokens"])
        return self._learnt.learn(no, body)

    async def _stream(self, body: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        host = self._line.host
        reply = Reply(by=giver_of(host), secrets=host.secrets)
        path = "/messages" if host.url.endswith("/v1") else "/v1/messages"
        by_budget = body.get("thinking", {}).get("type") == "enabled"
        headers = {**headers_of(host), **(INTERLEAVED if by_budget else {})}
        question = Question(path=path, headers=headers, body=body)
        async with (
            aclosing(posted(self._line, question)) as lines,
            aclosing(data_of(lines)) as sent,
        ):
            async for data in sent:
                stream_event = read(StreamEvent, data)
                for event in reply.take(stream_event):
                    yield event
                if stream_event.type in _ENDS:
                    break
            else:
                raise Lost(Loss.BROKEN)
            yield reply.end()
            await to_the_end(sent)


def headers_of(host: Host) -> dict[str, str]:
    """What stands before every question there, with the key."""
    return {"anthropic-version": _VERSION, **({"x-api-key": host.key} if host.key else {})}


def _most_in(no: Declined) -> int | None:
    """How long a reply may be, where that is why there is none."""
    match = _TOO_LONG.search(no.words)
    return int(match[1]) or None if match else None
