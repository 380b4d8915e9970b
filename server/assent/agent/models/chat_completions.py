"""Chat Completions, OpenAI's API that many other hosts speak as well.

A call is ready as soon as its arguments are a whole object, or else when the host says that the
reply is whole; where it says that the reply was cut short, such a call is never ready. That
another call begins says nothing of those before it, because calls may be interleaved.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

from assent.agent.models.chat_messages import OPENAI, marked, messages, tools
from assent.agent.models.conversation import Request
from assent.agent.models.events import Event, Stopped, Text, Used
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Loss, Lost
from assent.agent.models.http_requests import Question, bearing, posted, to_the_end
from assent.agent.models.known_models import known
from assent.agent.models.learned_dialect import LearnedDialect
from assent.agent.models.lines import data_of
from assent.agent.models.message_reader import read
from assent.agent.models.openai_calls import Calls
from assent.agent.models.openai_shapes import Chunk, Delta
from assent.agent.models.refusals import objection
from assent.agent.models.thoughts import Thoughts
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, field

__all__ = ["ChatCompletions"]

_DONE: Final = b"[DONE]"
_REASONS: Final = {"length": "length", "max_tokens": "length", "content_filter": "refused"}
_WHOLE: Final = frozenset({"stop", "tool_calls", "function_call"})
"""How a host says that all is there; nothing else makes a call ready that is not whole."""
_CUT_SHORT: Final = frozenset({"length", "refused"})


@define
class ChatCompletions:
    """One model, as its host is asked in this way."""

    _line: HostConnection
    _dialect: LearnedDialect = field(factory=LearnedDialect)

    @property
    def _by(self) -> str:
        """Who gives what is handed back."""
        return self._line.host.giver("chat")

    def body(self, request: Request) -> dict[str, Any]:
        """The whole request, as the host wants it."""
        most = "max_completion_tokens" if self._line.host.is_own else "max_tokens"
        effort = {"reasoning_effort": request.effort} if request.effort else {}
        sent = messages(request, OPENAI, self._by)
        body = {
            "model": self._line.host.model,
            "messages": marked(sent) if _caches_by_marks(self._line.host) else sent,
            "stream": True,
            "stream_options": {"include_usage": True},
            most: request.most_tokens,
            **effort,
            **tools(request),
        }
        return self._dialect.fit(body)

    def learn(self, no: Declined, body: Mapping[str, Any]) -> bool:
        """Whether a refusal says what to change; from now on that is changed."""
        return self._dialect.learn(no, body)

    async def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """The reply to a request."""
        reply = _Reply.by(self._by, self._line.host.secrets)
        question = Question(path="/chat/completions", headers=bearing(self._line.host), body=body)
        async with (
            aclosing(posted(self._line, question)) as lines,
            aclosing(data_of(lines)) as sent,
        ):
            async for data in sent:
                if data.strip() == _DONE:
                    break
                for event in reply.take(read(Chunk, data)):
                    yield event
            else:
                if not reply.finished:
                    raise Lost(Loss.BROKEN)
            for event in reply.end():
                yield event
            await to_the_end(sent)


def _caches_by_marks(host: Host) -> bool:
    """Whether nothing is kept between requests but what is marked: Claude, by OpenRouter."""
    known_model = known(host.model)
    return host.name == "OpenRouter" and known_model is not None and known_model.caches_by_marks


@define
class _Reply:
    """What one stream has said so far."""

    _secrets: tuple[str, ...] = field(repr=False)
    _calls: Calls
    _thoughts: Thoughts
    _reason: str = ""
    _refused: bool = False

    @classmethod
    def by(cls, giver: str, secrets: tuple[str, ...]) -> "_Reply":
        """Nothing yet, of this model."""
        return cls(secrets=secrets, calls=Calls(by=giver), thoughts=Thoughts(by=giver))

    @property
    def finished(self) -> bool:
        """Whether the host said why the reply ends."""
        return bool(self._reason)

    def take(self, chunk: Chunk) -> Iterator[Event]:
        """The events of one message."""
        if chunk.error:
            raise objection({"error": chunk.error}, self._secrets)
        for choice in chunk.choices or ():
            # We ask for one reply; more than one could not be told apart.
            if not choice.index:
                yield from self._take_delta(choice.delta or choice.message or Delta())
                if choice.delta and choice.message and not self._calls.any:
                    # What is told whole once more; of some hosts its calls stand there alone.
                    yield from self._take_calls(choice.message)
                yield from self._finish(choice.finish_reason or "")
        if chunk.usage:
            counted = chunk.usage
            read, wrote = counted.prompt_tokens or 0, counted.completion_tokens or 0
            yield Used(read=read, wrote=wrote, cached=counted.cached)

    def end(self) -> Iterator[Event]:
        """The end of the reply; raises where a call of it is open still."""
        if self._calls.open and self._stop not in _CUT_SHORT:
            raise Lost(Loss.BROKEN)
        yield from self._thoughts.close()
        yield Stopped(reason=self._stop)

    def _finish(self, reason: str) -> Iterator[Event]:
        self._reason = reason or self._reason
        if reason == "error":
            raise Lost(Loss.BROKEN)
        if reason in _WHOLE:
            yield from self._calls.close()

    def _take_delta(self, delta: Delta) -> Iterator[Event]:
        for name, thought in delta.thoughts:
            yield from self._thoughts.more(name, thought)
        if delta.beside:
            self._thoughts.beside(delta.beside)
        if said := delta.said + (delta.refusal or ""):
            yield from self._thoughts.close()
            yield Text(text=said)
        self._refused = self._refused or bool(delta.refusal)
        yield from self._take_calls(delta)

    def _take_calls(self, delta: Delta) -> Iterator[Event]:
        pieces = delta.pieces
        if pieces:
            yield from self._thoughts.close()
        for piece in pieces:
            yield from self._calls.take(piece)

    @property
    def _stop(self) -> str:
        if self._refused:
            return "refused"
        return _REASONS.get(self._reason) or ("calls" if self._calls.any else "done")
