"""Ollama's own chat API: one JSON object per line, each call complete in one of them.

How much it can read is up to us: it takes what it is told to, and would otherwise drop the
beginning of a long conversation without a word. So it is told, and told not to drop.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any, Final

from assent.agent.models.chat_messages import OLLAMA, messages, tools
from assent.agent.models.conversation import Request
from assent.agent.models.drafts import Draft, see_room
from assent.agent.models.events import Event, Stopped, Text, Used
from assent.agent.models.growing_json import written
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Loss, Lost
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.http_requests import Question, answer, bearing, posted, to_the_end
from assent.agent.models.message_reader import read
from assent.agent.models.ollama_shapes import Called, Message, ModelFacts, OllamaLine
from assent.agent.models.refusals import objection
from assent.agent.models.thoughts import Thoughts
from assent.agent.models.windows import Window
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, field

__all__ = ["Ollama", "opened"]

_MAX_UNASKED_WINDOW_TOKENS: Final = 32_768
"""The largest window that is taken unasked; a larger one may not fit into memory."""
_UNKNOWN_WINDOW_TOKENS: Final = 8_192


def opened(host: Host, window: int | None) -> HostedModel:
    """The provider of a model that is spoken to in this way."""
    line = HostConnection(host=host)
    spoken = Ollama(line=line, known_window=window)
    return HostedModel(
        host=host,
        window=spoken.window,
        reply=spoken.reply,
        line=line,
        says_pictures=spoken.sees,
    )


@define
class Ollama:
    """One model, as its host is asked."""

    _line: HostConnection
    known_window: int | None
    window: Window = field(init=False)
    """How much the model is told to read."""
    _shown: ModelFacts | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.window = Window(
            ask=self._shown_window, known=self.known_window, otherwise=_UNKNOWN_WINDOW_TOKENS
        )

    async def reply(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply."""
        reply = _Reply(secrets=self._line.host.secrets, thoughts=Thoughts(by=self._by))
        body = self._body(request, await self.window.size())
        question = Question(path="/api/chat", headers=bearing(self._line.host), body=body)
        async with aclosing(posted(self._line, question)) as lines:
            async for line in lines:
                if not line.strip():
                    continue
                reply_line = read(OllamaLine, line)
                for event in reply.take(reply_line):
                    yield event
                if reply_line.done:
                    await to_the_end(lines)
                    return
        raise Lost(Loss.BROKEN)

    @property
    def _by(self) -> str:
        """Who gives what is handed back."""
        return self._line.host.giver("ollama")

    async def sees(self) -> bool | None:
        """Whether the model takes pictures, where Ollama says so; asked for once."""
        if self._shown is None:
            await self._ask_shown()
        return self._shown.sees if self._shown is not None else None

    async def _ask_shown(self) -> ModelFacts:
        """What Ollama shows of the model."""
        asked = {"model": self._line.host.model}
        question = Question(path="/api/show", headers=bearing(self._line.host), body=asked)
        self._shown = read(ModelFacts, await answer(self._line, question))
        return self._shown

    async def _shown_window(self) -> int | None:
        shown = await self._ask_shown()
        if shown.set_window is not None:
            return shown.set_window
        trained = shown.trained_window
        return None if trained is None else min(trained, _MAX_UNASKED_WINDOW_TOKENS)

    def _body(self, request: Request, window: int) -> dict[str, Any]:
        return {
            "model": self._line.host.model,
            "messages": messages(request, OLLAMA, self._by),
            "stream": True,
            "truncate": False,
            "shift": False,
            **({"think": request.effort} if request.effort else {}),
            "options": {"num_ctx": window, "num_predict": request.most_tokens},
            **tools(request),
        }


@define
class _Reply:
    """What one stream has said so far."""

    _secrets: tuple[str, ...] = field(repr=False)
    _thoughts: Thoughts
    _calls: int = 0

    def take(self, ollama_line: OllamaLine) -> Iterator[Event]:
        """The events of one line."""
        if ollama_line.error:
            raise objection({"error": ollama_line.error}, self._secrets)
        said = ollama_line.message or Message()
        if said.thinking:
            yield from self._thoughts.more("thinking", said.thinking)
        if said.content or said.tool_calls or ollama_line.done:
            yield from self._thoughts.close()
        if said.content:
            yield Text(text=said.content)
        for called in said.tool_calls or ():
            yield from self._call(called)
        if ollama_line.done:
            yield Used(read=ollama_line.prompt_eval_count or 0, wrote=ollama_line.eval_count or 0)
            yield Stopped(reason=self._reason(ollama_line.done_reason))

    def _call(self, called: Called) -> Iterator[Event]:
        see_room(self._calls)
        draft = Draft(key=self._calls, id=called.id or "", name=called.function.name)
        self._calls += 1
        sent = called.function.arguments
        yield from draft.start()
        yield from draft.more(sent if isinstance(sent, str) else written(sent))
        yield from draft.close()

    def _reason(self, reason: str | None) -> str:
        if reason == "length":
            return "length"
        return "calls" if self._calls else "done"
