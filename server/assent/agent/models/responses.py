"""Requests to OpenAI's Responses API, which stores nothing, so each request sends everything.

Thoughts come sealed, and go back so with the next request.
"""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

from assent.agent.models.conversation import Request
from assent.agent.models.events import Event
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Loss, Lost
from assent.agent.models.http_requests import Question, bearing, posted, to_the_end
from assent.agent.models.learned_refusals import LearnedRefusals
from assent.agent.models.lines import data_of
from assent.agent.models.message_reader import read
from assent.agent.models.responses_items import items, tools
from assent.agent.models.responses_reply import Reply
from assent.agent.models.responses_shapes import ResponseEvent
from assent.gate.values import define, field

__all__ = ["Responses"]

_DONE: Final = b"[DONE]"
_OPTIONAL: Final = {
    "include": re.compile(
        r"encrypted content is not (supported|enabled|available)|[`'\"]include\b"
        r"|reasoning\.encrypted_content",
        re.IGNORECASE,
    ),
    "reasoning.effort": re.compile(r"reasoning[._ ]effort", re.IGNORECASE),
    "reasoning.summary": re.compile(r"reasoning[._ ]summar", re.IGNORECASE),
    "reasoning": re.compile(
        r"(parameter|argument|field|member|property)\W{1,3}reasoning\b(?!\.)"
        r"|\breasoning\W{1,3}is not (supported|allowed|permitted)",
        re.IGNORECASE,
    ),
    "max_output_tokens": re.compile(r"max_output_tokens"),
}
"""What a model may not take, and how its host says so: it can be left out."""


@define
class Responses:
    """One model, as its host is asked in this way."""

    _line: HostConnection
    _learnt: LearnedRefusals = field(factory=lambda: LearnedRefusals(says=_OPTIONAL))

    @property
    def _by(self) -> str:
        """Who gives what is handed back."""
        return self._line.host.giver("responses")

    def body(self, request: Request) -> dict[str, Any]:
        """The whole request, as the host wants it."""
        system = {"instructions": request.system} if request.system.strip() else {}
        effort = {"effort": request.effort} if request.effort else {}
        body = {
            "model": self._line.host.model,
            **system,
            "input": items(request, self._by),
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "reasoning": {"summary": "auto", **effort},
            "max_output_tokens": request.most_tokens,
            **tools(request),
        }
        return self._learnt.fit(body)

    def learn(self, no: Declined, body: Mapping[str, Any]) -> bool:
        """Whether a refusal says what to leave out; from now on that is left out."""
        return self._learnt.learn(no, body)

    async def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """The reply to a request."""
        host = self._line.host
        reply = Reply(by=self._by, secrets=host.secrets)
        question = Question(path="/responses", headers=bearing(host), body=body)
        async with (
            aclosing(posted(self._line, question)) as lines,
            aclosing(data_of(lines)) as sent,
        ):
            async for data in sent:
                if data.strip() == _DONE:
                    break
                for event in reply.take(read(ResponseEvent, data)):
                    yield event
                if reply.finished:
                    break
            else:
                raise Lost(Loss.BROKEN)
            yield reply.end()
            await to_the_end(sent)
