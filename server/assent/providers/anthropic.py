"""Anthropic's messages, as they are asked for."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from attrs import define, evolve, field

from assent.providers.anthropic_messages import body_of, giver_of
from assent.providers.anthropic_reply import Reply
from assent.providers.anthropic_shapes import Told
from assent.providers.anthropic_thinking import INTERLEAVED
from assent.providers.conversation import Request
from assent.providers.events import Event
from assent.providers.hosted import Hosted
from assent.providers.hosts import Host
from assent.providers.line import Line
from assent.providers.lines import data_of
from assent.providers.posting import Question, posted, to_the_end
from assent.providers.reading import read
from assent.providers.sentences import is_full
from assent.providers.trouble import Declined, Loss, Lost
from assent.providers.windows import UNKNOWN, Window, guessed

__all__ = ["Anthropic", "opened"]

_ENDS: Final = frozenset({"message_stop", "message"})
"""The last thing that a reply says; one that comes whole says nothing else."""
_VERSION: Final = "2023-06-01"
_OPTIONAL: Final = {
    "thinking": re.compile(
        r"adaptive|thinking\.(type|display|enabled)|budget_tokens|\bthinking: "
        r"|start with a thinking block"
    ),
    "output_config": re.compile(r"output_config|\beffort\b"),
}
"""What a model may not take, and how its host says so: it can be left out."""
_TOO_LONG: Final = re.compile(r"max_tokens: \d+ > (\d{1,9})\b")
"""How the host says that a reply may not be as long as was asked for."""


def opened(host: Host, window: int | None) -> Hosted:
    """The provider of a model that is spoken to in this way."""
    line = Line(host=host)
    spoken = Anthropic(line=line)
    return Hosted(
        host=host,
        window=Window(ask=_nobody, known=window, otherwise=guessed(host) or UNKNOWN),
        reply=spoken.reply,
        line=line,
    )


async def _nobody() -> int | None:
    """No host of this dialect tells how much a model can read."""
    return None


@define
class Anthropic:
    """One model, as its host is asked."""

    _line: Line
    _most: int | None = None
    """How many tokens the model may reply with, once the host said that it is less than asked."""
    _left_out: set[str] = field(factory=set)
    """What the host did not want to be told."""

    async def reply(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, no longer than the host lets the model reply."""
        begun = False
        while True:
            most = min(request.most_tokens, self._most or request.most_tokens)
            try:
                async with aclosing(self._told(evolve(request, most_tokens=most))) as events:
                    async for event in events:
                        begun = True
                        yield event
            except Declined as no:
                # A reply that has begun is never begun anew: its calls may run already.
                if begun or not self._learns(no, most):
                    raise
            else:
                return

    def _learns(self, no: Declined, most: int) -> bool:
        """Whether a refusal says what to change; from now on that is changed."""
        found = _most_in(no)
        if found is not None:
            self._most = found
            return found < most
        minded = _minded_in(no) - self._left_out
        self._left_out |= minded
        return bool(minded)

    async def _told(self, request: Request) -> AsyncGenerator[Event, None]:
        host = self._line.host
        reply = Reply(by=giver_of(host), key=host.key)
        path = "/messages" if host.url.endswith("/v1") else "/v1/messages"
        whole = body_of(request, host)
        body = {name: value for name, value in whole.items() if name not in self._left_out}
        by_budget = body.get("thinking", {}).get("type") == "enabled"
        headers = {**self._headers(), **(INTERLEAVED if by_budget else {})}
        question = Question(path=path, headers=headers, body=body)
        async with (
            aclosing(posted(self._line, question)) as lines,
            aclosing(data_of(lines)) as sent,
        ):
            async for data in sent:
                told = read(Told, data)
                for event in reply.take(told):
                    yield event
                if told.type in _ENDS:
                    break
            else:
                raise Lost(Loss.BROKEN)
            yield reply.end()
            await to_the_end(sent)

    def _headers(self) -> dict[str, str]:
        key = {"x-api-key": self._line.host.key} if self._line.host.key else {}
        return {"anthropic-version": _VERSION, **key}


def _minded_in(no: Declined) -> set[str]:
    """What a host does not know of how a model is asked to think."""
    if no.status not in {400, 422} or is_full(no):
        return set()
    return {name for name, words in _OPTIONAL.items() if words.search(no.words)}


def _most_in(no: Declined) -> int | None:
    """How long a reply may be, where that is why there is none."""
    found = _TOO_LONG.search(no.words)
    return int(found[1]) or None if found else None
